# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from collections import namedtuple
from typing import NamedTuple
P = namedtuple("P", "x y")
D = namedtuple("D", ["a", "b", "c"], defaults=[2, [3]])
E = namedtuple("E", "")
print(P(1, 2), P(1, y=2), P(y=1, x=2), D(1), D(1, c=5), D(*[1, 2, 3]), D(**{"a": 1, "b": 0}), E(), P._make([1, 2]))
t(lambda: P(1))
t(lambda: P())
t(lambda: P(1, 2, 3))
t(lambda: P(1, 2, z=3))
t(lambda: P(1, x=3))
t(lambda: P(1, 2, x=3))
t(lambda: D())
t(lambda: D(1, 2, 3, 4))
t(lambda: E(1))
t(lambda: P._make([1]))
p = P(3, 4)
print(p.x, p.y, p[0], p[-1], len(p), p == (3, 4), (3, 4) == p, hash(p) == hash((3, 4)), p < P(3, 5), list(p), *p)
print(p._replace(x=9), p._asdict(), p._fields, D._field_defaults, getattr(p, "x"), getattr(p, "q", 1), P.x is not None)
t(lambda: setattr(p, "x", 1))
t(lambda: p.z)
t(lambda: P.__new__(P, 5, 6))
t(lambda: P.__new__(P, 5))
t(lambda: tuple.__new__(P, (7, 8)))
class S(P):
    def __new__(cls, x, y=10):
        return super().__new__(cls, x * 2, y)
    @property
    def sum(self):
        return self.x + self.y
    def __str__(self):
        return f"<{self.x}>"
print(repr(S(1)), str(S(2, 3)), S(1).sum, S(4)._replace(y=0), isinstance(S(1), P))
class I(P):
    def __init__(self, x, y):
        self.seen = (x, y)
print(I(1, 2).seen, I(x=1, y=2), I(1, 2).x)
t(lambda: I(1))
class N(NamedTuple):
    name: str
    size: int = 3
    def twice(self):
        return self.size * 2
print(N("a"), N("a", 5).twice(), N(name="b", size=1), N("a") == ("a", 3))
t(lambda: N())
match P(1, 2):
    case P(x=1, y=b):
        print("matched", b)
match P(1, 2):
    case P(a, b):
        print("matched", a, b)
a, b = P(1, 2)
print(a, b, {P(1, 2): "k"}[(1, 2)], sorted([P(2, 1), P(1, 2)]), max(P(1, 5), P(2, 0)))
make = P
print([make(i, i) for i in range(3)], list(map(P, [1, 2], [3, 4])))
