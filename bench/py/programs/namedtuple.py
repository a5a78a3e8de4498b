from collections import namedtuple
from typing import NamedTuple

Point = namedtuple("Point", "x y")


class Row(NamedTuple):
    name: str
    size: int
    ratio: float = 1.0


def run():
    total = 0
    for i in range(20000):
        p = Point(i, i + 1)
        total += p.x * 2 + p.y
    rows = [Row("r" + str(i), i) for i in range(10000)]
    for row in rows:
        if row.ratio == 1.0:
            total += row.size
    x, y = Point(x=3, y=4)
    moved = [p._replace(x=0) for p in [Point(1, 2)] * 1000]
    return total, x, y, repr(rows[3]), moved[0], rows[0]._asdict()


run()
