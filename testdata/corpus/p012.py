"""Winsorize and z-score a dataset column by column, using a tiny table class."""
from __future__ import annotations

import statistics
from collections.abc import Callable


class Table:
    def __init__(self, columns: dict[str, list[float]]):
        lengths = {len(v) for v in columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"ragged columns: {sorted(lengths)}")
        self.columns = columns

    @classmethod
    def from_rows(cls, header: list[str], rows: list[list[float]]) -> Table:
        return cls(dict(zip(header, map(list, zip(*rows)))))

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def __getitem__(self, name: str) -> list[float]:
        return self.columns[name]

    def apply(self, fn: Callable[[list[float]], list[float]]) -> Table:
        return Table({name: fn(values) for name, values in self.columns.items()})


def winsorize(values: list[float], lower: float = 0.1, upper: float = 0.9) -> list[float]:
    ordered = sorted(values)
    lo = ordered[int(lower * (len(ordered) - 1))]
    hi = ordered[int(upper * (len(ordered) - 1))]
    return [min(max(v, lo), hi) for v in values]


def zscore(values: list[float]) -> list[float]:
    mean, sd = statistics.fmean(values), statistics.pstdev(values)
    return [0.0 if sd == 0 else round((v - mean) / sd, 3) for v in values]


rows = [
    [1.0, 200.0, 5.0], [2.0, 180.0, 5.0], [2.5, 220.0, 5.0], [3.0, 9000.0, 5.0],
    [100.0, 210.0, 5.0], [1.5, 190.0, 5.0], [2.2, 205.0, 5.0],
]
table = Table.from_rows(["height", "width", "depth"], rows)
normalized = table.apply(winsorize).apply(zscore)

print(f"{len(table)} rows, columns: {', '.join(table.columns)}")
for name in table.columns:
    print(f"{name:>8}: max {max(table[name]):>8.1f} -> z {max(normalized[name]):+.3f}")

try:
    Table({"a": [1.0], "b": [1.0, 2.0]})
except ValueError as error:
    print(f"error: {error}")

normalized.columns
