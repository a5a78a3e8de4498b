import functools, typing
from typing import get_type_hints, Optional, List, Dict, Annotated, NamedTuple, TypedDict, Callable, Any
from dataclasses import dataclass, fields, field
def f(a: int, b: "str" = "x", *args: float, c: list[int] | None = None, d: Optional[str] = None, **kw: Any) -> Dict[str, int]: ...
print(f.__annotations__)
print(get_type_hints(f))
def g(x, y): ...
print(g.__annotations__, get_type_hints(g))
class Node:
    value: int
    next: "Node | None" = None
    kids: list["Node"]
    opt: Optional["Node"] = None
    name: str = "n"
    def link(self, other: "Node", n: int = 3) -> "Node": return other
print(get_type_hints(Node, globals()))
print(Node.__annotations__)
print(Node().link.__annotations__)
@dataclass
class P:
    x: int
    y: list[str] = field(default_factory=list)
    z: Optional[float] = None
print([(q.name, q.type) for q in fields(P)])
print(get_type_hints(P))
class T(NamedTuple):
    a: int
    b: str = "q"
print(T.__annotations__, get_type_hints(T))
class D(TypedDict, total=False):
    a: int
    b: List[str]
print(D.__annotations__, get_type_hints(D))
@functools.singledispatch
def show(x): return "other"
@show.register
def _(x: int): return "int"
@show.register
def _(x: list | tuple): return "seq"
@show.register(str)
def _(x): return "str"
print(show(1), show([]), show(()), show("a"), show(2.0), show(True))
class M:
    @functools.singledispatchmethod
    def go(self, x): return "o"
    @go.register
    def _(self, x: int): return "i"
print(M().go(1), M().go("a"))
def deco(fn):
    @functools.wraps(fn)
    def inner(*a, **k): return fn(*a, **k)
    return inner
@deco
def h(q: int) -> str: ...
print(h.__annotations__, h.__wrapped__.__annotations__)
def k(a: Annotated[int, "meta"]) -> None: ...
print(get_type_hints(k), get_type_hints(k, include_extras=True))
registry = {}
def tool(fn):
    registry[fn.__name__] = {n: t.__name__ for n, t in fn.__annotations__.items() if n != "return"}
    return fn
@tool
def search(query: str, limit: int = 5) -> list[str]: ...
print(registry)
def validate(fn):
    @functools.wraps(fn)
    def inner(**kw):
        for n, t in fn.__annotations__.items():
            if n in kw and not isinstance(kw[n], t): raise TypeError(f"{n} must be {t.__name__}")
        return fn(**kw)
    return inner
@validate
def area(w: int, h: int): return w * h
print(area(w=2, h=3))
try: area(w="x", h=1)
except TypeError as e: print(e)
try: get_type_hints(5)
except TypeError as e: print("TypeError")
def bad(x: "Missing"): ...
try: get_type_hints(bad)
except NameError as e: print(e)
class Sub(Node):
    extra: bool
print(list(get_type_hints(Sub, globals())), Sub.__annotations__)
def helper():
    raise
try:
    try: 1 / 0
    except ZeroDivisionError: helper()
except ZeroDivisionError as e: print("again", e)
try: helper()
except RuntimeError as e: print(e)
class Model:
    def __init__(self, **kw):
        for n, t in self.__annotations__.items():
            setattr(self, n, t(kw[n]))
class User(Model):
    id: int
    name: str
print(vars(User(id="5", name=7)))
