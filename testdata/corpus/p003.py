"""Fill missing sensor readings by linear interpolation and flag outliers."""
from __future__ import annotations

import math
import statistics
from typing import Optional

readings: list[Optional[float]] = [
    20.1, 20.4, None, 21.0, 21.2, None, None, 22.4, 95.0, 22.9, 23.1, None,
]


def interpolate(values: list[Optional[float]]) -> list[float]:
    known = [(i, v) for i, v in enumerate(values) if v is not None]
    if not known:
        raise ValueError("no known values to interpolate from")
    filled: list[float] = []
    for i, value in enumerate(values):
        if value is not None:
            filled.append(value)
            continue
        before = [kv for kv in known if kv[0] < i]
        after = [kv for kv in known if kv[0] > i]
        if before and after:
            (i0, v0), (i1, v1) = before[-1], after[0]
            filled.append(round(v0 + (v1 - v0) * (i - i0) / (i1 - i0), 3))
        else:
            nearest = (before or after[::-1])[-1]
            filled.append(nearest[1])
    return filled


def median_absolute_deviation(values: list[float]) -> float:
    med = statistics.median(values)
    return statistics.median(abs(v - med) for v in values)


present = [v for v in readings if v is not None]
median = statistics.median(present)
mad = median_absolute_deviation(present)
threshold = 5 * 1.4826 * mad

outliers = {i: v for i, v in enumerate(readings) if v is not None and abs(v - median) > threshold}
cleaned = [None if i in outliers else v for i, v in enumerate(readings)]
filled = interpolate(cleaned)

print(f"median={median:.2f} mad={mad:.2f} threshold={threshold:.2f}")
print("outliers:", outliers)
assert not any(math.isnan(v) for v in filled)

{"filled": filled, "mean": round(statistics.fmean(filled), 4), "outliers": outliers}
