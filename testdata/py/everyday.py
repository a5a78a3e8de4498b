import math, functools, enum, copy, contextlib
from collections import deque, UserDict, Counter, OrderedDict, ChainMap, defaultdict
from collections.abc import Sequence, Mapping
class A:
    op = math.sqrt
    fn = max
    up = str.upper
    def run(self): pass
print(A().op(4.0), A().fn(1, 2))
def deco(f):
    @functools.wraps(f)
    def inner(*a): return f(*a)
    return inner
class B:
    @deco
    def run(self): pass
    @functools.lru_cache
    def cached(self): pass
print(B.run.__name__, B.run.__qualname__, B.cached.__name__, B.cached.__qualname__)
def outer():
    @contextlib.contextmanager
    def cm(): yield 1
    return cm
print(outer().__name__, outer().__qualname__, outer().__module__)
class P(enum.IntEnum):
    LOW = 1
    def __str__(self): return "low"
print(f"{P.LOW}", f"{P.LOW:3}", "%s" % P.LOW, P.LOW, format(P.LOW))
class S2(enum.StrEnum):
    A = "x"
    def __str__(self): return "s"
print(f"{S2.A} {S2.A:>3}")
def m(x):
    match x:
        case [a, b]: return ("seq", a, b)
        case {"k": v, **rest}: return ("map", v, rest)
        case _: return None
class Seq(Sequence):
    def __getitem__(self, i): return [1, 2][i]
    def __len__(self): return 2
class Map(Mapping):
    def __getitem__(self, i): return {"k": 1, "z": 2}[i]
    def __len__(self): return 2
    def __iter__(self): return iter(["k", "z"])
print(m(deque([1, 2])), m(Seq()), m(UserDict(k=1, j=2)), m(Map()), m(Counter(k=1)), m(ChainMap({"k": 5}, {"j": 6})), m("ab"))
class MyS(str): pass
class D(dict): pass
def c(x):
    match x:
        case MyS(v): return ("mys", v)
        case Counter(v): return ("counter", v)
        case defaultdict(v): return ("dd", v)
        case D(v): return ("d", v)
        case int(v): return v
print(c(MyS("a")), c(Counter("aab")), c(defaultdict(int)), c(D(a=1)), c(True))
try:
    match MyS("a"):
        case MyS(a, b): pass
except TypeError as e: print(e)
it = iter([1, 2, 3])
print(list(iter(lambda: next(it), 9)))
class Base:
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw); print("Base", cls.__name__)
class L(Base):
    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw); print("L", cls.__name__)
class R(Base):
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw); print("R", cls.__name__, tag)
class X(L, R, tag=3): pass
u = UserDict(a=1)
w = copy.copy(u); w["b"] = 2
print(u, w, u.copy())
def gen(): yield 1
g = gen()
print(g.__name__, g.__qualname__, max.__module__, len.__name__, math.sqrt.__module__)
o = OrderedDict(a=1)
print(o.pop("a", default=3), o.pop("a", default=3))
k1, k2 = "a", "a"
class K: a = "a"; b = "a"
try:
    match {"a": 1, "z": 2}:
        case {K.a: x, K.b: y}: print("no")
except ValueError as e: print(e)
class G:
    def __class_getitem__(cls, k): return (cls.__name__, k)
print(G[int])
