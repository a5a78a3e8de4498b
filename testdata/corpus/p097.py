"""Geometric shapes behind a Protocol, with a value type for vectors."""
import math
from dataclasses import dataclass
from functools import singledispatch
from typing import Protocol, runtime_checkable


@runtime_checkable
class Shape(Protocol):
    def area(self) -> float: ...
    def perimeter(self) -> float: ...


@dataclass(frozen=True)
class Vector:
    x: float
    y: float

    def __sub__(self, other: "Vector") -> "Vector":
        return Vector(self.x - other.x, self.y - other.y)

    def __matmul__(self, other: "Vector") -> float:
        return self.x * other.y - self.y * other.x

    def __abs__(self) -> float:
        return math.hypot(self.x, self.y)

    def __iter__(self):
        yield from (self.x, self.y)


@dataclass(frozen=True)
class Circle:
    radius: float

    def area(self) -> float:
        return math.pi * self.radius**2

    def perimeter(self) -> float:
        return math.tau * self.radius


@dataclass(frozen=True)
class Polygon:
    points: tuple[Vector, ...]

    def _edges(self):
        return zip(self.points, self.points[1:] + self.points[:1])

    def area(self) -> float:
        return abs(sum(a @ b for a, b in self._edges())) / 2

    def perimeter(self) -> float:
        return sum(abs(b - a) for a, b in self._edges())


@singledispatch
def describe(shape) -> str:
    raise TypeError(f"cannot describe {type(shape).__name__}")


@describe.register
def _(shape: Circle) -> str:
    return f"circle r={shape.radius:g}"


@describe.register
def _(shape: Polygon) -> str:
    return f"polygon with {len(shape.points)} corners at " + " ".join(f"({x:g},{y:g})" for x, y in shape.points)


triangle = Polygon((Vector(0, 0), Vector(3, 0), Vector(0, 4)))
results = {}
for thing in (Circle(2), triangle, Vector(1, 2)):
    try:
        results[describe(thing)] = (isinstance(thing, Shape), round(thing.area(), 3), round(thing.perimeter(), 3))
    except (TypeError, AttributeError) as exc:
        results[str(exc)] = (isinstance(thing, Shape), None, None)

results
