"""A typed units library with descriptors, class methods and rich comparison."""
from __future__ import annotations

from functools import total_ordering
from typing import Generic, TypeVar

T = TypeVar("T")


class Validated:
    def __init__(self, minimum: float) -> None:
        self.minimum = minimum

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__[self.name]

    def __set__(self, instance, value) -> None:
        if value < self.minimum:
            raise ValueError(f"{type(instance).__name__}.{self.name} must be >= {self.minimum}, not {value}")
        instance.__dict__[self.name] = value


@total_ordering
class Temperature:
    kelvin = Validated(0)

    def __init__(self, kelvin: float) -> None:
        self.kelvin = kelvin

    @classmethod
    def celsius(cls, degrees: float) -> Temperature:
        return cls(degrees + 273.15)

    def __eq__(self, other: object) -> bool:
        return self.kelvin == other.kelvin if isinstance(other, Temperature) else NotImplemented

    def __lt__(self, other: Temperature) -> bool:
        return self.kelvin < other.kelvin

    def __hash__(self) -> int:
        return hash(self.kelvin)

    def __format__(self, spec: str) -> str:
        if spec.endswith("C"):
            return f"{self.kelvin - 273.15:{spec[:-1] or '.1f'}}°C"
        return f"{self.kelvin:{spec or '.2f'}} K"

    def __repr__(self) -> str:
        return f"Temperature({self.kelvin:.2f})"


class Stack(Generic[T]):
    def __init__(self, *items: T) -> None:
        self._items = list(items)

    def push(self, item: T) -> Stack[T]:
        self._items.append(item)
        return self

    def pop(self) -> T:
        return self._items.pop()

    def __bool__(self) -> bool:
        return bool(self._items)


readings = Stack[Temperature](Temperature.celsius(21.5)).push(Temperature(250)).push(Temperature.celsius(-40))
ordered = []
while readings:
    ordered.append(readings.pop())
print(*(f"{t:C} = {t} = {t:.0fC}" for t in ordered), sep="\n")
try:
    Temperature.celsius(-300)
except ValueError as exc:
    print(exc)

{"max": max(ordered), "sorted": sorted(ordered), "equal": Temperature.celsius(0) == Temperature(273.15), "other": Temperature(1) == 1}
