# prelude
import functools, inspect
from inspect import signature, Parameter
def plain(a, b, c=1): pass
def every(a, b=2, /, c=3, *rest, d, e='x', **more): pass
def only(a, /): pass
def named(*, k=None): pass
def noted(x: int, y: str = 'q', *z: float, w: list[int] = None) -> dict: pass
class C:
    def __init__(self, p, q=1): pass
    def m(self, x, y=2): return x
    @classmethod
    def c(cls, z): pass
    @staticmethod
    def s(t): pass
    def __call__(self, v): pass
class D: pass
# ---
for f in [plain, every, only, named, noted, lambda: 0, lambda x, *y: 0, C, C.m, C(1).m, C.c, C.s, C(1), D]:
    s = signature(f)
    print(str(s), repr(s))
    for name, p in s.parameters.items():
        print('  ', name, p.name, p.kind, p.kind.name, p.kind.description, p.default is Parameter.empty or p.default, p.annotation is Parameter.empty, str(p), repr(p))
# ---
def deco(f):
    @functools.wraps(f)
    def inner(*args, **kwargs): return f(*args, **kwargs)
    return inner
@deco
def wrapped(a, b=1): pass
print(signature(wrapped), inspect.unwrap(wrapped) is wrapped.__wrapped__, signature(noted).return_annotation, signature(plain).return_annotation is inspect.Signature.empty)
print(list(signature(every).parameters), len(signature(named).parameters), signature(plain) == signature(plain), signature(plain) == signature(only))
print([p.name for p in signature(every).parameters.values() if p.kind == p.KEYWORD_ONLY], [p.name for p in signature(plain).parameters.values() if p.default is p.empty])
print(Parameter('x', Parameter.KEYWORD_ONLY, default=5), Parameter.VAR_KEYWORD > Parameter.POSITIONAL_ONLY, signature(plain).parameters['c'].replace(default=9))
try:
    signature(5)
except TypeError as e:
    print(e)
async def co(a): pass
def gen(a): yield a
print(signature(co), signature(gen), inspect.getmro(C) == (C, object))
class E:
    x = 1
    def f(self): pass
print([n for n, v in inspect.getmembers(E) if n[0] != '_'], [n for n, v in inspect.getmembers(E(), inspect.ismethod)], [n for n, v in inspect.getmembers(E, inspect.isfunction)])
# ---
import dataclasses
@dataclasses.dataclass
class P:
    x: int
    y: list = dataclasses.field(default_factory=list)
    z: float = dataclasses.field(default=2.5, kw_only=True)
    w: str = 'q'
@dataclasses.dataclass
class Q(P):
    v: int = 0
    def __init__(self, only): pass
print(signature(P), signature(Q))
for f in (int, 5):
    try:
        print(signature(f))
    except (TypeError, ValueError) as e:
        print(e)
