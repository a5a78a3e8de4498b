# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from dataclasses import dataclass, field, asdict, replace, astuple, InitVar
@dataclass
class A:
    x: int
    y: int = 2
    z: list = field(default_factory=list)
print(A(1), A(1, 5), A(1, z=[3]), A(y=1, x=0), A(x=1, z=(), y=3), A(1, 2, [4]), A(1).z is A(1).z)
for f in (lambda: A(), lambda: A(1, 2, 3, 4), lambda: A(1, x=2), lambda: A(1, q=2), lambda: A(1, 2, y=3), lambda: A(1) == A(1), lambda: A(1) == A(2), lambda: A(1) == 5, lambda: A(1) != A(1, z=[1])):
    t(f)
@dataclass(frozen=True, order=True)
class K:
    a: str
    b: int = 0
print(K("x") < K("x", 1), K("b") > K("a", 9), sorted([K("b"), K("a", 2), K("a")]), hash(K("q")) == hash(K("q")), {K("k"): 1}[K("k")], K("a") <= K("a"))
t(lambda: K("a") < 3)
t(lambda: setattr(K("a"), "a", 2))
@dataclass(kw_only=True)
class W:
    p: int
    q: int = 1
print(W(p=1), W(q=3, p=2))
t(lambda: W(1))
t(lambda: W(q=1))
@dataclass
class M:
    n: int
    _: int = field(default=7, kw_only=True)
    extra: InitVar[int] = 3
    total: int = field(init=False, default=0)
    def __post_init__(self, extra):
        self.total = self.n + extra
print(M(1), M(1, 5), M(n=2, extra=8, _=1))
@dataclass
class P:
    v: int
    @property
    def v(self):
        return self._v
    @v.setter
    def v(self, x):
        self._v = x * 2
p, q = P(4), P(4)
print(p.v, p == q, p)
@dataclass
class S(A):
    w: str = "w"
print(S(1), S(1, 2, [], "v") == S(1, 2, [], "v"), S(1) == A(1), asdict(S(1)), replace(S(1), w="n"), astuple(A(3)))
d = A(1)
del d.y
print(d.y, d == A(1))
del d.x
t(lambda: d == A(1))
