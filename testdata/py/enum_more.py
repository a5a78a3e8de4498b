from enum import Enum, auto, StrEnum, IntFlag, Flag, IntEnum, unique
from datetime import date
def t(f):
    try: print(f.__name__, f())
    except Exception as e: print(f.__name__, type(e).__name__, e)
@t
def mixed_date():
    class D(date, Enum):
        @staticmethod
        def _generate_next_value_(name, start, count, last):
            return [(1999, 3, 31), (2000, 1, 1), (2001, 2, 3)][count]
        first = auto()
        second = auto()
    return list(D), D.first, D.second.year, D.first.value
@t
def pairs():
    class P(Enum):
        def _generate_next_value_(name, start, count, last):
            return (name, count)
        A = auto()
        B = auto()
        C = "x", auto()
    return list(P)
@t
def sunder():
    class C(Enum):
        _sunder_ = 1
@t
def order():
    class C(Enum):
        _order_ = "b a"
        a = 1
        b = 2
@t
def order_right():
    class C(Enum):
        _order_ = "a b c"
        a = 1
        b = 2
        c = 3
        d = 1
    return list(C)
@t
def names():
    class Color(Enum):
        RED = 1
        BLUE = 2
        def describe(self): return self.name
        @property
        def nice(self): return self.name.title()
    return dir(Color), dir(Color.RED), [x for x in dir(Color) if not x.startswith("_")]
@t
def frozen():
    class Color(Enum):
        RED = 1
    print(Color.__members__)
    Color.__members__["X"] = 1
@t
def constructor():
    class Planet(Enum):
        EARTH = (1, 2)
        MARS = (3, 4)
        def __init__(self, mass, radius):
            super().__init__()
            self.mass = mass
            self.radius = radius
        @classmethod
        def first(cls):
            return super().__class__, __class__.EARTH
    return Planet.MARS.mass, Planet.first()[1]
@t
def meta():
    class Meta(type):
        def __new__(mcs, name, bases, ns):
            cls = super().__new__(mcs, name, bases, ns)
            cls.made = cls.make()
            return cls
    class Base(metaclass=Meta):
        @classmethod
        def make(cls): return [cls.__name__]
    class A(Base):
        @classmethod
        def make(cls): return super().make() + [__class__.__name__]
    return A.made
@t
def in_init_subclass():
    class Base:
        def __init_subclass__(cls, **kw):
            super().__init_subclass__(**kw)
            cls.value = cls().compute()
        def compute(self): return 1
    class A(Base):
        def compute(self): return super().compute() + 1
    return A.value
@t
def own_dir():
    class A:
        def __dir__(self): return ["b", "a"]
    return dir(A())
