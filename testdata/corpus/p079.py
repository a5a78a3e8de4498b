"""Seating chart and grade report for a class."""
from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from operator import attrgetter


@dataclass
class Student:
    name: str
    scores: list[int] = field(default_factory=list)

    @property
    def average(self) -> float:
        return statistics.fmean(self.scores) if self.scores else 0.0

    @property
    def grade(self) -> str:
        for threshold, letter in ((90, "A"), (80, "B"), (70, "C"), (60, "D")):
            if self.average >= threshold:
                return letter
        return "F"


students = [
    Student("Noor", [95, 88, 92]),
    Student("Milan", [72, 85, 78]),
    Student("Zoë", [100, 97, 99]),
    Student("Ivo", [55, 61, 48]),
    Student("Lena"),
    Student("Tariq", [83, 79, 88]),
]

ranked = sorted(students, key=attrgetter("average"), reverse=True)
print(f"{'#':>2} {'Name':<8}{'Scores':<16}{'Avg':>7}  Grade")
for rank, s in enumerate(ranked, start=1):
    scores = "/".join(map(str, s.scores)) or "absent"
    print(f"{rank:>2} {s.name:<8}{scores:<16}{s.average:>7.2f}  {s.grade:^5}")

averages = [s.average for s in students if s.scores]
print(f"mean {statistics.fmean(averages):.2f}, median {statistics.median(averages):.2f}, stdev {statistics.stdev(averages):.2f}")

columns = 3
names = sorted((s.name for s in students), key=str.casefold)
grid = [names[i : i + columns] for i in range(0, len(names), columns)]
border = "+" + "+".join(["-" * 9] * columns) + "+"
print(border)
for row in grid:
    print("|" + "|".join(f"{name:^9}" for name in row) + "|")
    print(border)

distribution = {letter: [s.name for s in ranked if s.grade == letter] for letter in "ABCDF"}
distribution
