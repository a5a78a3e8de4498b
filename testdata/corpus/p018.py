"""Allocate conference talks to the smallest number of rooms."""
import heapq
from dataclasses import dataclass, field
from itertools import count


@dataclass(order=True)
class Talk:
    start: int
    end: int
    title: str = field(compare=False)
    room: str | None = field(default=None, compare=False)

    def __post_init__(self):
        if self.end <= self.start:
            raise ValueError(f"{self.title}: ends before it starts")

    def __str__(self) -> str:
        return f"{self.start:02d}:00-{self.end:02d}:00 {self.title}"


talks = [
    Talk(9, 10, "Keynote"),
    Talk(10, 12, "Async Python"),
    Talk(10, 11, "Typing in practice"),
    Talk(11, 13, "Packaging"),
    Talk(11, 12, "Testing"),
    Talk(13, 15, "Compilers"),
    Talk(12, 14, "Databases"),
    Talk(14, 16, "Security"),
]

room_names = (f"Room {chr(ord('A') + i)}" for i in count())
in_use: list[tuple[int, str]] = []
free: list[str] = []
rooms_created = 0

for talk in sorted(talks):
    while in_use and in_use[0][0] <= talk.start:
        _, released = heapq.heappop(in_use)
        heapq.heappush(free, released)
    if free:
        talk.room = heapq.heappop(free)
    else:
        talk.room = next(room_names)
        rooms_created += 1
    heapq.heappush(in_use, (talk.end, talk.room))

schedule: dict[str, list[str]] = {}
for talk in sorted(talks, key=lambda t: (t.room, t.start)):
    schedule.setdefault(talk.room, []).append(str(talk))

for room, entries in schedule.items():
    print(room)
    for entry in entries:
        print("   ", entry)

try:
    Talk(12, 12, "Empty")
except ValueError as exc:
    print("Rejected:", exc)

rooms_created, schedule
