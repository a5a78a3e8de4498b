# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from dataclasses import dataclass, field, asdict, astuple, replace, fields, is_dataclass, FrozenInstanceError, KW_ONLY, InitVar
from typing import List, Optional, ClassVar
@dataclass
class P:
    x: int
    y: int = 0
    tags: List[str] = field(default_factory=list)
    hidden: float = field(default=1.5, repr=False, compare=False)
    count: ClassVar[int] = 7
    def norm(self): return self.x ** 2 + self.y ** 2
a, b = P(1), P(1, 0)
print(a, a == b, a != P(2), a.norm(), P(1, 2, ["t"], 9), P(y=5, x=4), a.hidden, P.count, a.tags is b.tags)
a.tags.append("q")
print(a, b, a == b, asdict(a), astuple(a), replace(a, x=9), [f.name for f in fields(a)], is_dataclass(a), is_dataclass(P), is_dataclass(5))
t(lambda: P())
t(lambda: P(1, 2, 3, 4, 5))
t(lambda: P(1, z=2))
t(lambda: P(1, x=2))
t(lambda: a < b)
t(lambda: hash(a))
t(lambda: replace(a, q=1))
t(lambda: asdict(5))
t(lambda: fields(5))
# ---
from dataclasses import dataclass, field, asdict, KW_ONLY, InitVar, make_dataclass
from typing import Optional
@dataclass(frozen=True, order=True)
class V:
    major: int
    minor: int = 0
v = V(1, 2)
def set_it(): v.major = 5
def del_it(): del v.major
t(set_it)
t(del_it)
print(v < V(1, 3), sorted([V(2), V(1, 5), V(1)]), max(V(1), V(0, 9)), hash(v) == hash(V(1, 2)), {v: "k"}[V(1, 2)], v == (1, 2), V(1) <= V(1), len({v, V(1, 2)}))
t(lambda: v < 5)
@dataclass
class Base:
    a: int
    b: int = 2
@dataclass
class Child(Base):
    c: int = 3
    a: int = 10
    def __post_init__(self):
        self.total = self.a + self.b + self.c
c = Child(c=5)
print(c, c.total, Child(1, 2, 3), isinstance(c, Base), Base(1) == Child(1))
@dataclass
class K:
    a: int
    _: KW_ONLY
    b: int = 1
    c: int = field(default=2, kw_only=True)
print(K(1, b=5))
t(lambda: K(1, 2))
@dataclass
class I:
    x: int
    scale: InitVar[int] = 2
    y: int = field(init=False)
    def __post_init__(self, scale): self.y = self.x * scale
print(I(5), I(5, 3), I(1).y)
@dataclass(repr=False, eq=False)
class Bare:
    x: int = 1
print(Bare() == Bare(), Bare().x)
def bad_order():
    @dataclass
    class X:
        a: int = 1
        b: int
t(bad_order)
def bad_default():
    @dataclass
    class X:
        a: list = []
t(bad_default)
@dataclass(unsafe_hash=True)
class H:
    x: int
print(hash(H(1)) == hash(H(1)))
@dataclass
class Node:
    v: int
    left: "Node" = None
    right: Optional["Node"] = None
    def sum(self): return self.v + (self.left.sum() if self.left else 0) + (self.right.sum() if self.right else 0)
n = Node(1, Node(2), Node(3, Node(4)))
print(n, n.sum(), asdict(n))
match n:
    case Node(v, Node(l)): print(v, l)
match V(3, 4):
    case V(major=m, minor=k): print(m, k)
D = make_dataclass("D", ["x", ("y", int, 5)])
print(D(1))
# ---
from enum import Enum, IntEnum, Flag, IntFlag, auto, unique, StrEnum
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1
    @property
    def hot(self): return self is Color.RED
    @classmethod
    def parse(cls, s): return cls[s.upper()]
    def __str__(self): return self.name.lower()
print(Color.RED, repr(Color.RED), Color(2), Color["BLUE"], Color.RED.name, Color.RED.value, list(Color), len(Color), Color.CRIMSON is Color.RED, Color.RED.hot, Color.parse("green"), Color.RED == 1, Color.RED == Color.RED, Color.RED in Color, [c.value for c in Color], {Color.RED: 1}[Color(1)], f"{Color.RED}", isinstance(Color.RED, Color), type(Color.RED).__name__)
t(lambda: Color(9))
t(lambda: Color["PINK"])
t(lambda: Color.PINK)
t(lambda: Color.RED < Color.BLUE)
def assign(): Color.RED = 5
t(assign)
def sub():
    class More(Color): X = 1
t(sub)
print(list(Color.__members__), Color.__members__["CRIMSON"])
class Level(IntEnum):
    LOW = 1
    HIGH = auto()
    TOP = auto()
print(Level.HIGH, repr(Level.HIGH), Level.HIGH + 1, Level.LOW < Level.TOP, sorted([Level.TOP, Level.LOW]), Level.HIGH == 2, [0, 1, 2][Level.LOW], max(Level), f"{Level.HIGH}", int(Level.TOP), Level(3), "%d" % Level.LOW)
class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W
p = Perm.R | Perm.X
print(p, repr(p), Perm.R in p, Perm.W in p, p & Perm.R, ~p, p ^ Perm.R, Perm.RW, Perm(0), bool(Perm(0)), p.value, list(p), Perm(5), Perm.RW & ~Perm.W)
class IP(IntFlag):
    A = 1
    B = 2
print(IP.A | IP.B, repr(IP.A | 8), (IP.A | IP.B) == 3, IP.A + 1)
class Mode(StrEnum):
    FAST = auto()
    SLOW = "s"
print(Mode.FAST, repr(Mode.FAST), Mode.FAST == "fast", Mode("s"), Mode.SLOW.upper(), f"{Mode.SLOW}", "-".join(Mode))
class Old(str, Enum):
    A = "a"
print(Old.A == "a", repr(Old.A), Old("a"), Old.A.upper())
def dup():
    @unique
    class U(Enum):
        A = 1
        B = 1
t(dup)
class Planet(Enum):
    EARTH = (5.97, 6.37)
    MARS = (0.64, 3.39)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
    @property
    def density(self): return round(self.mass / self.radius ** 3, 4)
print(Planet.EARTH.density, Planet.MARS.value, [p.mass for p in Planet])
class Status(Enum):
    OK = "ok"
    BAD = "bad"
    @classmethod
    def _missing_(cls, value): return cls.BAD
print(Status("zzz"), Status("ok"))
Anim = Enum("Anim", "CAT DOG")
print(list(Anim), Anim.DOG.value)
match Color.GREEN:
    case Color.RED: print("r")
    case Color.GREEN: print("g")
# ---
from collections import namedtuple
from typing import NamedTuple, TypedDict
Pt = namedtuple("Pt", "x y")
p = Pt(1, y=2)
print(p, p.x, p[1], p == (1, 2), p._replace(x=5), p._asdict(), Pt._fields, Pt._make([3, 4]), len(p), tuple(p), hash(p) == hash((1, 2)), sorted([Pt(2, 1), Pt(1, 2)]), p + (3,))
x, y = p
t(lambda: Pt(1))
t(lambda: Pt(1, 2, 3))
t(lambda: Pt(1, z=2))
t(lambda: p.z)
def assign(): p.x = 5
t(assign)
t(lambda: p._replace(q=1))
t(lambda: namedtuple("Bad", "a a"))
t(lambda: namedtuple("Bad", "def"))
t(lambda: Pt._make([1]))
D = namedtuple("D", ["a", "b"], defaults=[9])
print(D(1), D(1, 2), D._field_defaults)
class Emp(NamedTuple):
    name: str
    pay: int = 10
    def double(self): return self.pay * 2
e = Emp("ann")
print(e, e.double(), Emp("b", pay=3)._asdict(), isinstance(e, tuple))
t(lambda: Emp())
class Movie(TypedDict, total=False):
    title: str
    year: int
m: Movie = {"title": "x"}
print(m, Movie(title="y", year=1))
match p:
    case Pt(a, b): print("pt", a, b)
