from dataclasses import (
    dataclass, field, FrozenInstanceError, InitVar, KW_ONLY, fields, asdict, astuple, make_dataclass, replace,
    is_dataclass)
from dataclasses import KW_ONLY
from typing import ClassVar, List, Optional
from collections import namedtuple, defaultdict, OrderedDict


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


@dataclass
class P:
    x: int
    y: int = 0
    tags: list = field(default_factory=list)
    kind: ClassVar[str] = 'k'
    total: 'ClassVar[int]' = 3


p = P(1)
print(p, p == P(1, 0, []), p != P(2), P.y, P.kind, P(1, tags=[2]), P(y=3, x=4), P.__match_args__)
p.tags.append(5)
print(p, P(1).tags, [f.name for f in fields(p)], is_dataclass(P), is_dataclass(p), is_dataclass(3))
for args, kw in [((), {}), ((1, 2, 3, 4), {}), ((1,), {'x': 2}), ((1,), {'z': 2}), ((1, 2, 3), {'z': 1}), ((), {'y': 1})]:
    show(P, *args, **kw)
show(lambda: hash(p))
show(lambda: P.tags)
show(lambda: p < P(1))
show(lambda: p == 3)


@dataclass(order=True, frozen=True)
class V:
    major: int
    minor: int = field(default=0)
    note: str = field(default='', compare=False, repr=False)


print(V(1, 2) < V(1, 3), V(1) <= V(1, note='x'), V(2) > V(1), V(1) >= V(2), V(1) == V(1, note='q'), hash(V(1)) == hash(V(1, note='z')), sorted([V(3), V(1), V(2)]), V(1, 2, 'n'), len({V(1), V(1), V(2)}))
v = V(1)
show(lambda: setattr(v, 'major', 2))
show(lambda: setattr(v, 'other', 2))
show(lambda: delattr(v, 'major'))
show(lambda: v < 3)
print(replace(v, minor=7), v, FrozenInstanceError.__mro__[1].__name__ if False else issubclass(FrozenInstanceError, AttributeError))


@dataclass
class Base:
    a: int
    b: str = 'b'


@dataclass
class Child(Base):
    c: float = 1.5
    a: int = 10

    def __post_init__(self):
        self.d = self.c * 2


c = Child()
print(c, c.d, Child(1, 'x', 2.0), Child(1) == Base(1), [f.name for f in fields(Child)], asdict(c), astuple(c))


@dataclass
class K:
    a: int
    _: KW_ONLY
    b: int
    c: int = 5


print(K(1, b=2), K(1, b=2, c=3), K.__match_args__)
show(K, 1)
show(K, 1, 2)
show(K, 1, 2, b=3)
show(K)


@dataclass(kw_only=True)
class KW:
    a: int = 1
    b: int
    d: int = field(default=3, kw_only=False)


print(KW(b=2), KW(7, b=2))
show(KW)
show(KW, 1, 2)


@dataclass
class I:
    base: int
    scale: InitVar[int] = 2
    result: int = field(init=False)
    cached: dict = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self, scale):
        self.result = self.base * scale


i = I(5, 3)
print(i, i.cached, I(5), [f.name for f in fields(I)], asdict(i), replace(i, base=2, scale=4))
show(lambda: replace(i, result=3))
show(lambda: replace(i))
show(lambda: I(1, result=2))


@dataclass(eq=False)
class E:
    x: int


print(E(1) == E(1), isinstance(hash(E(1)), int))


@dataclass(repr=False, init=False)
class N:
    x: int = 4

    def __init__(self):
        self.x = 9


print(N().x, N() == N())


@dataclass(unsafe_hash=True)
class U:
    x: int
    y: list = field(default_factory=list, hash=False)


print(hash(U(1)) == hash(U(1, [2])), U(1))


@dataclass
class Custom:
    x: int

    def __repr__(self):
        return 'custom!'

    def __eq__(self, other):
        return True

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


print(Custom(2), Custom(1) == Custom(5), Custom(2).x)


@dataclass
class Prop:
    _v: int

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v = value


q = Prop(1)
q.v = 5
print(q, q.v)


@dataclass
class Node:
    name: str
    children: List['Node'] = field(default_factory=list)
    parent: Optional['Node'] = None


root = Node('root')
root.children.append(Node('leaf', parent=root))
print(root)
print(asdict(Node('n', [Node('m')])), astuple(Node('n', [Node('m')])))
T = namedtuple('T', 'a b')


@dataclass
class Deep:
    t: object
    d: object


print(asdict(Deep(T(P(1), 2), {'k': [P(2)], 'z': (P(3),)})), astuple(Deep(T(1, P(2)), {P: 1} and {'a': P(9)})))
print(asdict(Deep(1, 2), dict_factory=OrderedDict), asdict(Deep(1, {1, 2})))
show(lambda: asdict(Deep(defaultdict(int, {'a': 1}), 2)))


def classes():
    yield lambda: dataclass(type('A', (), {'__annotations__': {'x': list}, 'x': []}))
    yield lambda: dataclass(type('A', (), {'__annotations__': {'x': set}, 'x': set()}))
    yield lambda: dataclass(type('A', (), {'__annotations__': {'x': int, 'y': int}, 'x': 1}))
    yield lambda: dataclass(order=True, eq=False)(type('A', (), {}))
    yield lambda: dataclass(order=True)(type('A', (), {'__lt__': lambda a, b: True}))
    yield lambda: dataclass(frozen=True)(type('A', (), {'__setattr__': lambda a, b, c: True}))
    yield lambda: dataclass(frozen=True)(type('A', (Base,), {}))
    yield lambda: dataclass(type('A', (V,), {}))
    yield lambda: dataclass(type('A', (), {'x': field(default=1)}))
    yield lambda: field(default=1, default_factory=list)
    yield lambda: asdict(3)
    yield lambda: astuple(P)
    yield lambda: replace(3)
    yield lambda: fields(3)
    yield lambda: dataclass(unsafe_hash=True)(type('A', (), {'__hash__': lambda s: 1}))


for one in classes():
    show(one)
M = make_dataclass('M', ['a', ('b', int), ('c', int, 5)])
print(M(1, 2), [f.name for f in fields(M)])
show(lambda: make_dataclass('M', ['a', 'a']))
show(lambda: make_dataclass('M', ['1']))
match P(1, 2):
    case P(x, y):
        print('match', x, y)
match V(1, 2):
    case V(major=1, minor=m):
        print('match', m)


@dataclass(frozen=True)
class Outer:
    @dataclass
    class Inner:
        z: int = 1
    inner: Inner = None


print(Outer(Outer.Inner(5)), Outer.Inner())
show(Outer.Inner, 1, 2)


@dataclass
class Err(Exception):
    code: int
    text: str = 't'


show(lambda: (_ for _ in ()).throw(Err(3)))
try:
    raise Err(4, 'boom')
except Err as e:
    print(e.code, e.text, repr(e), isinstance(e, Exception))


@dataclass(slots=True)
class S:
    a: int
    b: int = 2


print(S(1), S(1) == S(1, 2))


@dataclass
class G:
    x: int

    def method(self):
        return self.x + 1

    @classmethod
    def make(cls):
        return cls(41)

    @staticmethod
    def helper():
        return 'h'


print(G.make().method(), G.helper(), G.make())
print(repr(fields(V)[1]).partition('default=')[2][:2])
