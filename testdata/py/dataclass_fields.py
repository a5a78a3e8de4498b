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
# ---
from dataclasses import InitVar, FrozenInstanceError, asdict, dataclass, field, replace
@dataclass(order=True)
class P:
    x: int
    y: object = 3
    z: list = field(default_factory=list, compare=False)
@dataclass
class Q(P):
    w: int = field(default=1, kw_only=True)
print(P(1), P(1, 2, [3]), P(y=5, x=2), Q(1, w=5), Q(1, 2, [3], w=4))
for args, kw in [((), {}), ((1, 2, 3, 4), {}), ((1,), {'x': 2}), ((1,), {'q': 2}), ((1, 2), {'z': 1, 'y': 2})]:
    t(lambda: P(*args, **kw))
print(P(1) == P(1), P(1) != P(1), P(1) == Q(1), P(1) < P(2), P(2) <= P(2), P(3) > P(2), P(1, 'a') >= P(1, 'b'))
t(lambda: P(1) < Q(1))
t(lambda: P(1, 'a') < P(1, 2))
class Loud:
    def __init__(self, v): self.v = v
    def __eq__(self, other): print('eq', self.v, other.v); return self.v == other.v
    def __lt__(self, other): print('lt', self.v, other.v); return self.v < other.v
    def __repr__(self): return f'L{self.v}'
print(P(1, Loud(1)) == P(1, Loud(1)), P(1, Loud(1)) < P(1, Loud(2)), sorted([P(1, Loud(3)), P(1, Loud(1)), P(0, Loud(2))]))
print(sorted([P(3), P(1), P(2)]), max(P(1), P(4)), min([P(5), P(2)]), P(1) in [P(2), P(1)], [P(1), P(2)].index(P(2)))
p = P(1)
p.y = [p]
print(p)
del p.x
t(lambda: repr(p))
class D(P):
    __lt__ = lambda self, other: NotImplemented
print(D(1) == D(1), D(1) == P(1), P.__eq__(P(1), 3), P.__lt__(P(1), P(2)))
@dataclass(frozen=True)
class F:
    a: int
    b: dict = field(default_factory=dict)
    c: 'int' = field(default_factory=lambda: 7)
print(F(1), F(1) == F(1), F(a=1, c=3), F(1).b is F(1).b)
@dataclass
class W:
    v: int
    @property
    def d(self): return self.v * 2
    def __setattr__(self, n, val):
        print('set', n); object.__setattr__(self, n, val)
print(W(1), W(1) == W(1), W(3).d)
@dataclass
class S(P):
    def __init__(self, a): super().__init__(a, y=a)
print(S(4), S(4) == S(4), S(4) < S(5))
@dataclass(slots=True, order=True)
class T:
    a: int
    b: int = 2
x = T(1)
x.__init__(5, b=6)
print(x, T(1) < T(2), T(1, 2) == T(1), sorted([T(2), T(1)]))
@dataclass
class I:
    a: int
    b: InitVar[int] = 3
    def __post_init__(self, b): self.c = b
print(I(1), I(1, 5).c, I(1, b=7).c)
@dataclass
class N: pass
print(N(), N() == N(), replace(P(1), x=9), asdict(P(1, [P(2), {'k': (P(3),)}])), asdict(F(1), dict_factory=list))
