from typing import (
    Annotated, Any, Callable, ClassVar, Final, Generic, Literal, Optional, Protocol, Tuple, Type, TypeVar,
    Union, Iterable, Iterator, Mapping, Sequence, SupportsIndex, SupportsInt, Deque, Dict, DefaultDict, List,
    Set, NamedTuple, TypedDict, Generator, AnyStr, assert_never, cast, get_args, get_origin, get_type_hints,
    NewType, NoReturn, overload, runtime_checkable, Self, TYPE_CHECKING)
import typing


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


T = TypeVar('T')
for t in (Any, Optional[int], Union[int, str], Union[int, None], Union[int, str, None], List[int], Dict[str, int], Tuple[int, ...], Tuple[int, str],
          Callable[[int], str], Callable[..., int], Callable, List, Literal['a', 1], Optional[List[int]], Set[str], Iterable[int],
          Type[int], T, List[T], Annotated[int, 'x'], ClassVar[int], Final[int], Dict[str, List[Optional[int]]], Union[int], Union[int, Union[str, int]],
          Generator[int, None, str], Sequence, NoReturn, Mapping[str, Any], Deque[int], DefaultDict[str, int], Callable[[], None], Self, Literal[None], Iterator['X']):
    print(t)
print(Optional[int] == Union[int, None], List[int] == List[int], List[int] == List[str], hash(List[int]) == hash(List[int]), Union[int, str] == Union[str, int])
print(get_origin(List[int]), get_args(List[int]), get_origin(Optional[int]), get_args(Optional[int]), get_origin(int), get_args(Dict[str, int]), get_args(Callable[[int], str]), get_origin(Literal['a']), get_args(Literal['a', 'b']))
print(isinstance([], List), isinstance({}, Dict), isinstance((), Tuple), isinstance([], Iterable), isinstance(3, Iterable), isinstance(3, Optional[int]), isinstance({}, Mapping), isinstance(len, Callable))
show(lambda: isinstance([], List[int]))
show(lambda: isinstance(3, Any))
show(lambda: List())
show(lambda: Any())
show(lambda: Optional[int, str])
show(lambda: Union[()])


class Stack(Generic[T]):
    def __init__(self) -> None:
        self.items: List[T] = []

    def push(self, item: T) -> None:
        self.items.append(item)


s = Stack[int]()
s.push(1)
print(s.items, type(s).__name__, isinstance(s, Stack))


class Emp(NamedTuple):
    """doc"""
    name: str
    id: int = 3

    def label(self):
        return f'{self.name}#{self.id}'


e = Emp('a')
print(e, e.label(), e._asdict(), Emp._fields, Emp._field_defaults, e == ('a', 3), isinstance(e, tuple), list(Emp.__annotations__), Emp.__doc__, e._replace(id=5), type(e).__name__)
show(Emp)
show(Emp, 1, 2, 3)
P2 = NamedTuple('P2', [('x', int), ('y', int)])
print(P2(1, 2))


def bad():
    class B(NamedTuple):
        a: int = 1
        b: str


show(bad)


class Movie(TypedDict, total=False):
    name: str
    year: int


class Big(Movie):
    extra: bool


m = Movie(name='x', year=1)
print(m, type(m).__name__, list(Movie.__annotations__), Movie.__total__, Big(name='q', extra=True), sorted(Big.__annotations__), sorted(Big.__required_keys__), sorted(Big.__optional_keys__))
show(lambda: isinstance({}, Movie))
print(TypedDict('TD', {'a': int})(a=1))
UserId = NewType('UserId', int)
print(UserId(5), UserId, UserId.__supertype__, cast(int, 'x'), TYPE_CHECKING)


class Proto(Protocol):
    def run(self) -> int: ...


@runtime_checkable
class RProto(Protocol):
    value: int

    def run(self) -> int: ...


class Impl:
    value = 1

    def run(self):
        return 1


class Explicit(Proto):
    def run(self):
        return 2


show(lambda: isinstance(Impl(), Proto))
show(lambda: isinstance(Impl(), RProto))
show(lambda: isinstance(3, RProto))
show(lambda: Proto())
print(Explicit().run(), isinstance(3, SupportsInt), isinstance('a', SupportsInt), isinstance(3, SupportsIndex))


@overload
def f(x: int) -> int: ...
@overload
def f(x: str) -> str: ...
def f(x):
    return x


print(f(3), list(get_type_hints(Emp)), list(get_type_hints(Movie)))


def g(a: int, b: 'str' = 'x') -> None: ...


class MyList(List[int]):
    pass


class MyDict(Dict[str, int]):
    pass


class Both(Generic[T], Protocol):
    x: T


print(MyList([1]), isinstance(MyList(), list), MyDict(a=1), TypeVar('K', bound=int), TypeVar('C', covariant=True), AnyStr)
show(lambda: TypeVar('X', int))
show(lambda: assert_never(3))
print(Optional[T][int], Dict[str, T][int], Optional[int] | str, List[int] | None)
