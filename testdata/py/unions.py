from typing import Optional, Union, List, Generic, TypeVar, get_args, get_origin, Dict
from dataclasses import dataclass, field
from collections import deque, defaultdict, Counter, OrderedDict
U = int | float | str
print(U, int | None, None | int, isinstance(1, U), isinstance(None, U), isinstance(None, int | None), issubclass(bool, int | str))
print(int | str == str | int, hash(int | str) == hash(str | int), int | int, (int | str) | None | float, U == (float | str | int))
print(type(U).__name__, repr(type(int | None)), (int | str).__args__, get_origin(int | str).__name__, get_args(int | None))
@dataclass
class Num: v: int
@dataclass
class Var: n: str
@dataclass
class Bin:
    left: "Expr"
    right: "Expr"
Expr = Num | Var | Bin
print(Expr)
def show(e: Expr):
    match e:
        case Num(v): return str(v)
        case Bin(l, r): return f"({show(l)} {show(r)})"
print(isinstance(Num(1), Expr), show(Bin(Num(1), Num(2))))
A = list[int]
print(A, A.__origin__, A.__args__, A == list[int], A != list[str], dict[str, list[int]], tuple[int, ...], tuple[()], type(A).__name__)
print(A(), A((1, 2)), dict[str, int](a=1), list[int | None], dict[str, int | None], set[str], frozenset[int]([1]), type[int])
try: isinstance([], list[int])
except TypeError as e: print(e)
try: issubclass(list, list[int])
except TypeError as e: print(e)
print({list[int]: 1, int | None: 2}[None | int], list[int] | None, isinstance(3, int | list))
try: 1 | int
except TypeError as e: print(e)
try: int | 3
except TypeError as e: print(e)
try: None | None
except TypeError as e: print(e)
print(Optional[int] == (int | None), Optional[int | str], Union[int | str, None], (int | None) == Optional[int], List[int] | None, int | List[int])
class Ls(list[int]): pass
print(Ls.__name__, Ls([1]), issubclass(Ls, list))
T = TypeVar("T"); K = TypeVar("K")
class Stack(Generic[T]):
    def __init__(self): self.items = []
    def push(self, x: T) -> None: self.items.append(x)
    @classmethod
    def make(cls): return cls()
class Sub(Stack[int]): pass
class Pair(Stack[T], Generic[T, K]): pass
s = Stack[int](); s.push(1)
print(s.items, Stack[int], Stack[T], Stack[int].make().items, Stack[int].__origin__ is Stack, Sub().items, Pair[int, str]().items, isinstance(Sub(), Stack))
print(list[T][int], dict[T, K][str, int], list[T].__parameters__, dict[str, list[T]][int], get_origin(list[int]), get_args(dict[str, int]))
print(deque[int], defaultdict[str, int], Counter[str], OrderedDict[str, int])
d: dict[str, int | None] = {}
def f(x: int | None = None, *, y: list[int] | None = None) -> dict[str, int]: return {}
print(f(), callable(list[int]), hasattr(list[int], "append"), getattr(list[int], "nope", 3), list[int].__name__)
try: list[int][str]
except TypeError as e: print(e)
try: int[str]
except TypeError as e: print(e)
try: list[T][int, str]
except TypeError as e: print(e)
print([x for x in (1, "a", None, 2.0) if isinstance(x, (int | str, float))])

print(A, U, s.items)
