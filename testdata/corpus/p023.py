"""Plan a study week: spread subjects over days with a per-day budget."""
from collections import Counter, OrderedDict
from fractions import Fraction

subjects = OrderedDict(algebra=Fraction(7, 2), physics=Fraction(5), history=Fraction(3, 2), french=Fraction(2))
days = ["Mon", "Tue", "Wed", "Thu", "Fri"]
budget = {day: Fraction(5, 2) for day in days}
budget["Wed"] = Fraction(1)
BLOCK = Fraction(1, 2)
MAX_PER_DAY = 3


def format_hours(hours: Fraction) -> str:
    whole, rest = divmod(hours, 1)
    return f"{whole}h{int(rest * 60):02d}"


remaining = dict(subjects)
plan: dict[str, Counter] = {day: Counter() for day in days}

for day in days:
    left = budget[day]
    while left >= BLOCK:
        candidates = [
            s for s, hours in remaining.items()
            if hours >= BLOCK and plan[day][s] < MAX_PER_DAY
        ]
        if not candidates:
            break
        chosen = max(candidates, key=lambda s: (remaining[s], -plan[day][s]))
        plan[day][chosen] += 1
        remaining[chosen] -= BLOCK
        left -= BLOCK

for day in days:
    blocks = ", ".join(f"{s} {format_hours(n * BLOCK)}" for s, n in plan[day].most_common())
    used = sum(plan[day].values()) * BLOCK
    print(f"{day}: {blocks} ({format_hours(used)} of {format_hours(budget[day])})")

unplanned = {s: str(h) for s, h in remaining.items() if h}
total = sum((sum(c.values()) for c in plan.values()), 0) * BLOCK
print("unplanned:", unplanned or "nothing")

{"total_hours": total, "unplanned": unplanned, "per_day": {d: dict(c) for d, c in plan.items()}}
