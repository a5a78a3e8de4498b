# Slots of dataclasses and of classes with abstract and generic bases.
from dataclasses import dataclass, field, fields, asdict, replace
from abc import ABC, abstractmethod
from typing import Generic, TypeVar
import copy
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
@dataclass(slots=True)
class A:
    x: int
    y: list = field(default_factory=list)
    z: int = 3
@dataclass(slots=True, frozen=True, order=True)
class B:
    n: int = 0
    s: str = "a"
@dataclass(slots=True)
class C(A):
    w: int = 9
a, c = A(1), C(1, w=2)
t(lambda: setattr(a, "q", 1))
t(lambda: (a, c, B(), A.__slots__, C.__slots__, asdict(a), replace(c, x=5)))
t(lambda: setattr(c, "q", 1))
t(lambda: a.__dict__)
t(lambda: setattr(B(), "n", 1))
t(lambda: sorted([B(2), B(1)]))
a.x, a.z = 7, 8
t(lambda: (a.x, a.z, copy.copy(a), copy.deepcopy(c), a == A(7, [], 8), {B(1): 2}[B(1)]))
T = TypeVar("T")
class Shape(ABC):
    __slots__ = ("name",)
    @abstractmethod
    def area(self): ...
class Square(Shape):
    __slots__ = ("side",)
    def __init__(self, side): self.side, self.name = side, "square"
    def area(self): return self.side ** 2
class Box(Generic[T]):
    __slots__ = ("_v", "__hidden")
    def __init__(self, v: T): self._v = v; self.__hidden = 1
    def both(self): return self._v, self.__hidden
s, b = Square(3), Box[int](4)
t(lambda: (s.area(), s.name, b.both()))
t(lambda: setattr(s, "colour", 1))
t(lambda: setattr(b, "colour", 1))
t(lambda: b.nothing)
class Point(tuple):
    __slots__ = ()
    def __new__(cls, x, y): return super().__new__(cls, (x, y))
t(lambda: setattr(Point(1, 2), "z", 3))
class D:
    __slots__ = "one"
d = D(); d.one = 1
t(lambda: d.one)
t(lambda: setattr(d, "two", 1))
del d.one
t(lambda: d.one)
