"""Assign nurses to shifts with constraints by backtracking."""
from __future__ import annotations

DAYS = ["Mon", "Tue", "Wed", "Thu"]
SHIFTS = ["day", "night"]
NURSES = {"Ann": 3, "Ben": 3, "Cat": 2}
UNAVAILABLE = {("Ann", "Tue", "day"), ("Ben", "Mon", "night"), ("Cat", "Wed", "day")}

slots = [(day, shift) for day in DAYS for shift in SHIFTS]
attempts = 0


def allowed(assignment: list[str], nurse: str) -> bool:
    day, shift = slots[len(assignment)]
    if (nurse, day, shift) in UNAVAILABLE:
        return False
    if assignment.count(nurse) >= NURSES[nurse]:
        return False
    # no two consecutive shifts
    return not assignment or assignment[-1] != nurse


def solve(assignment: list[str]) -> list[str] | None:
    global attempts
    attempts += 1
    if len(assignment) == len(slots):
        return assignment
    for nurse in NURSES:
        if allowed(assignment, nurse):
            solution = solve([*assignment, nurse])
            if solution is not None:
                return solution
    return None


solution = solve([])
assert solution is not None, "no feasible roster"

roster: dict[str, dict[str, str]] = {day: {} for day in DAYS}
for (day, shift), nurse in zip(slots, solution):
    roster[day][shift] = nurse

print(f"{'':5}" + "".join(f"{s:>8}" for s in SHIFTS))
for day, assigned in roster.items():
    print(f"{day:5}" + "".join(f"{assigned[s]:>8}" for s in SHIFTS))

load = {nurse: solution.count(nurse) for nurse in NURSES}
print(f"load={load} after {attempts} calls")
assert all(load[n] <= limit for n, limit in NURSES.items())

roster
