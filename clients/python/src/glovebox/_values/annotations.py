"""Annotations of Python as types of the engine."""

from __future__ import annotations

import datetime
import enum
import inspect
import sys
import types
import typing
from collections import abc
from collections.abc import Callable, Iterable
from typing import Any, cast

from .._unsupported import UnsupportedType
from .codec import BadValue, encode
from .conversion import is_enum, is_set
from .lazy_classes import kind_of_class
from .types import ANY, NONE, Choice, Param, Signature, Type
from .value import HANDLES, handle_class, holds_handles, kind_of, natural
from .wire import KEYS

_MAX_DEPTH = 32  # brackets within brackets
_MAX_LENGTH = 4096  # bytes of the spelling

_PLAIN: dict[Any, str] = {
    int: "int", float: "float", str: "str", bool: "bool", bytes: "bytes", datetime.datetime: "datetime",
    datetime.timedelta: "timedelta", datetime.date: "date", datetime.time: "time",
    type(None): "None", None: "None", Any: "Any",
}  # fmt: skip

# The class of a data frame, by the library that has it. A library that is not
# imported cannot be in an annotation.
_FRAMES = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "Table"}

_INSTEAD: dict[Any, str] = {
    object: "Any says that it may be every value",
    complex: "use tuple[float, float]", bytearray: "use bytes", abc.Sequence: "use list",
    abc.MutableSequence: "use list",
    abc.Iterable: "use list", abc.Collection: "use list", abc.Iterator: "use list", abc.Set: "use set",
    abc.MutableSet: "use set", abc.Mapping: "use dict", abc.MutableMapping: "use dict",
}  # fmt: skip


class _Refused(Exception):
    """What is wrong with a part of an annotation."""


def type_of(annotation: Any, what: str = "a value") -> Type:
    """Returns the type that an annotation says. ``what`` says in errors whose it is.

    >>> str(type_of(list[int] | None))
    'Optional[list[int]]'

    UnsupportedType, a TypeError, for custom classes, dicts by other keys than
    str, int, bool and date, and everything else that has no encoding.
    """
    try:
        made = _type(annotation, 0)
        if _depth(made) > _MAX_DEPTH:
            raise _Refused(f"it is nested more than {_MAX_DEPTH} deep")
        if len(str(made).encode()) > _MAX_LENGTH:
            raise _Refused(f"its spelling is longer than {_MAX_LENGTH} bytes")
    except _Refused as e:
        raise UnsupportedType(annotation, what, str(e)) from None
    return made


def _depth(t: Type) -> int:
    return max((1 + _depth(arg) for arg in t.args), default=0)


def _type(annotation: Any, depth: int) -> Type:
    annotation = _unwrapped(annotation)
    if depth > 4 * _MAX_DEPTH:  # an alias that contains itself; unions within unions become flat
        raise _Refused(f"it is nested more than {_MAX_DEPTH} deep")
    if isinstance(annotation, (str, typing.ForwardRef)):
        name = annotation if isinstance(annotation, str) else annotation.__forward_arg__
        raise _Refused(f"the name {name!r} could not be resolved")
    origin = typing.get_origin(annotation)
    if origin is typing.Literal:
        return union_of(_literal(value) for value in typing.get_args(annotation))
    if origin is typing.Union or origin is types.UnionType:
        return union_of(_type(member, depth + 1) for member in typing.get_args(annotation))
    if any(annotation is bare for bare in _BARE):
        return _plain(origin)
    return _plain(annotation) if origin is None else _generic(annotation, origin, depth)


# Those of typing without arguments, which have an origin nevertheless.
_BARE: tuple[Any, ...] = (typing.List, typing.Dict, typing.Tuple, typing.Set, typing.FrozenSet)  # noqa: UP006


def _unwrapped(annotation: Any) -> Any:
    """Returns what NewType, Annotated and type aliases stand for."""
    for _ in range(_MAX_DEPTH):
        if typing.get_origin(annotation) is typing.Annotated:
            annotation = typing.get_args(annotation)[0]
        elif hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        elif type(annotation).__name__ == "TypeAliasType":
            annotation = annotation.__value__
        else:
            return annotation
    raise _Refused(f"it is nested more than {_MAX_DEPTH} deep")


def _plain(annotation: Any) -> Type:
    try:
        kind = _PLAIN.get(annotation)
    except TypeError:  # it has no hash, so it is no type
        kind = None
    if kind:
        return Type(kind)
    if annotation is list:
        return Type("list", (ANY,))
    if annotation is set or annotation is frozenset:
        return Type("set", (ANY,), python=annotation)
    if annotation is dict:
        return Type("dict", (Type("str"), ANY))
    if annotation is tuple:
        return Type("tuple", (ANY, Type("...")))
    kind = kind_of_class(annotation)
    if kind:
        return Type(kind)
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return _enum(annotation)
    return _handle(annotation) or _refuse(annotation)


def _enum(annotation: type[enum.Enum]) -> Type:
    """Returns the type of the values of the members, by which they travel."""
    kinds = {kind_of(natural(member.value)) for member in annotation}
    kind = next(iter(kinds), None)
    if len(kinds) != 1 or kind is None or kind in ("None", *HANDLES):
        raise _Refused(f"the values of {annotation.__name__} are not plain, or of more than one type")
    return Type(kind, python=annotation)


def _refuse(annotation: Any) -> Type:
    raise _Refused(_INSTEAD.get(annotation, "") if isinstance(annotation, type) else "")


def _handle(annotation: Any) -> Type | None:
    """Returns the type of a class of glovebox.io, or of a data frame. Nothing is imported for it."""
    for kind in HANDLES:
        if annotation is handle_class(kind) is not None:
            return Type(kind)
    for library, name in _FRAMES.items():
        module = sys.modules.get(library)
        if module is not None and annotation is getattr(module, name, None):
            return Type("DataFrame", python=library)
    return None


def _generic(annotation: Any, origin: Any, depth: int) -> Type:
    args = typing.get_args(annotation)
    if origin is tuple:
        return _tuple(args, depth)
    if origin is dict:
        return _dict(args, depth)
    if origin is list:
        return Type("list", (_type(_only(args, "list"), depth + 1),))
    if origin is set or origin is frozenset:
        elem = _type(_only(args, "set"), depth + 1)
        if _mutable(elem):
            raise _Refused(f"{elem} cannot be in a set")
        return Type("list" if holds_handles(elem) else "set", (elem,), python=origin)
    return _handle(origin) or _refuse(origin)


def _only(args: tuple[Any, ...], name: str) -> Any:
    if len(args) != 1:
        raise _Refused(f"{name} takes one type, got {len(args)}")
    return args[0]


def _dict(args: tuple[Any, ...], depth: int) -> Type:
    if len(args) != 2:
        raise _Refused(f"dict takes two types, got {len(args)}")
    key = _type(args[0], depth + 1)
    if key.kind not in KEYS:
        raise _Refused(f"the keys of a dict must be str, int, bool or date, got {key}")
    return Type("dict", (key, _type(args[1], depth + 1)))


def _tuple(args: tuple[Any, ...], depth: int) -> Type:
    if args == ((),):  # how Python 3.10 has typing.Tuple[()]
        return Type("tuple")
    if len(args) == 2 and args[1] is ...:
        return Type("tuple", (_type(args[0], depth + 1), Type("...")))
    return Type("tuple", tuple(_type(arg, depth + 1) for arg in args))


def _literal(value: Any) -> Type:
    kind = _PLAIN.get(type(cast(object, value)))
    if kind is None:
        raise _Refused(f"{value!r} in a Literal is no plain value")
    return NONE if value is None else Type(kind, python=Choice((value,)))


def _mutable(t: Type) -> bool:
    """Reports whether no value of t has a hash."""
    if t.kind in ("list", "set"):
        return t.python is not frozenset
    if t.kind == "tuple":
        return any(_mutable(arg) for arg in t.args)
    if t.kind == "Union":
        return any(_mutable(arg) for arg in t.args)
    return t.kind == "dict"


def union_of(members: Iterable[Type]) -> Type:
    """Returns the union as the engine spells it: flat, no type twice, None last, and one type as itself."""
    flat: list[Type] = []
    for member in members:
        for t in _members(member):
            _add(flat, t)
    if NONE in flat:
        flat.remove(NONE)
        flat.append(NONE)
    return flat[0] if len(flat) == 1 else Type("Union", tuple(flat))


def _add(flat: list[Type], t: Type) -> None:
    for i, other in enumerate(flat):
        if other.kind == t.kind and (joined := _choices(other.python, t.python)):
            flat[i] = Type(t.kind, python=joined if joined.values else None)
            return
    if any(_alike(other, t) for other in flat):
        raise _Refused("its encoding does not say which of two members of the union a value is")
    if t not in flat:
        flat.append(t)


def _choices(a: Any, b: Any) -> Choice | None:
    """Returns what two types of one kind allow together if one is a Literal; an empty Choice stands for all."""
    if isinstance(a, Choice) and isinstance(b, Choice):
        return Choice(tuple(dict.fromkeys(a.values + b.values)))
    return Choice(()) if (isinstance(a, Choice) and b is None) or (isinstance(b, Choice) and a is None) else None


def _alike(a: Type, b: Type) -> bool:
    """Reports whether one JSON may stand for two classes of Python."""
    if ANY in (a, b):
        return _ambiguous(a) or _ambiguous(b)
    if "Union" in (a.kind, b.kind):
        return any(_alike(x, y) for x in _members(a) for y in _members(b))
    if a.kind != b.kind:
        return False
    return a.python != b.python or any(_alike(x, y) for x in a.args for y in b.args)


def _ambiguous(t: Type) -> bool:
    """Reports whether values of t are not what they look like when they travel."""
    return is_enum(t) or t.python is frozenset or (t.kind == "list" and is_set(t)) or any(map(_ambiguous, t.args))


def _members(t: Type) -> tuple[Type, ...]:
    return t.args if t.kind == "Union" else (t,)


def signature_of(func: Callable[..., Any], whose: str | None = None) -> Signature:
    """Returns the inputs and the output of a function, by its annotations.

    A parameter without an annotation is Any. The output is called ``o0``; a function that
    is annotated with ``-> None`` has none. ``whose`` begins the errors instead
    of the name of the function.

    UnsupportedType for an annotation that cannot cross the boundary, and
    TypeError for ``*args``, ``**kwargs`` and a default that does not fit.
    """
    prefix = whose or f"{func.__qualname__}:"
    try:
        signature = inspect.signature(func)
    except ValueError as e:
        raise TypeError(f"{prefix} it has no signature that Python can tell: {e}") from None
    names = _Names(func)
    inputs = tuple(_param(parameter, names, prefix) for parameter in signature.parameters.values())
    output = _annotated(signature.return_annotation, names, f"{prefix} output 'o0'")
    return Signature(inputs, () if output == NONE else (Param("o0", output),), _is_async(func))


def _is_async(func: Callable[..., Any]) -> bool:
    called: Any = getattr(func, "__call__", None)  # noqa: B004
    return inspect.iscoroutinefunction(func) or inspect.iscoroutinefunction(called)


def _param(parameter: inspect.Parameter, names: _Names, prefix: str) -> Param:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        raise TypeError(f"{prefix} {parameter} is not possible, because a task has named inputs; use a list or a dict")
    declared = _annotated(parameter.annotation, names, f"{prefix} input {parameter.name!r}")
    if parameter.default is parameter.empty:
        return Param(parameter.name, declared)
    if parameter.default is None and declared != ANY:
        declared = union_of((declared, NONE))
    return Param(parameter.name, declared, _default(parameter, declared, prefix))


def _default(parameter: inspect.Parameter, declared: Type, prefix: str) -> str:
    try:
        return encode(declared, parameter.default, parameter.name)
    except BadValue as e:
        raise TypeError(f"{prefix} default of input {e}") from None


def _annotated(annotation: Any, names: _Names, what: str) -> Type:
    if annotation is inspect.Parameter.empty:
        return ANY
    try:
        resolved = names.resolve(annotation)
    except Exception as e:
        raise UnsupportedType(annotation, what, f"it could not be resolved: {e}") from None
    try:
        return type_of(resolved, what)
    except UnsupportedType as e:
        raise e.with_traceback(None) from None


def annotations_of(func: Callable[..., Any]) -> tuple[dict[str, Any], Any]:
    """Returns the annotations of the parameters by name, and that of the result. Where there is none, it is Any."""
    names, signature = _Names(func), inspect.signature(func)

    def resolved(annotation: Any) -> Any:
        return Any if annotation is inspect.Parameter.empty else names.resolve(annotation)

    inputs = {name: resolved(parameter.annotation) for name, parameter in signature.parameters.items()}
    return inputs, resolved(signature.return_annotation)


class _Names:
    """The names that annotations of a function may use."""

    def __init__(self, func: Callable[..., Any]) -> None:
        inner = inspect.unwrap(func)
        inner = getattr(inner, "__func__", inner)
        self._globals: dict[str, Any] = getattr(inner, "__globals__", {})
        self._locals = _enclosed(inner)

    def resolve(self, annotation: Any) -> Any:
        """Returns annotation with all that is a string in it evaluated."""
        try:
            return self._evaluate(annotation, self._locals)
        except NameError:
            return self._evaluate(annotation, self._around() | self._locals)

    def _evaluate(self, annotation: Any, local: dict[str, Any]) -> Any:
        holder = types.SimpleNamespace(__annotations__={"it": annotation})
        return typing.get_type_hints(holder, self._globals, local, include_extras=True)["it"]

    def _around(self) -> dict[str, Any]:
        """Returns the variables of the functions and classes of the module that are running.

        An annotation is no use of a name, so a name that only annotations use
        is in no closure.
        """
        found: dict[str, Any] = {}
        frame = inspect.currentframe()
        while frame is not None:
            if frame.f_globals is self._globals:
                found = dict(frame.f_locals) | found
            frame = frame.f_back
        return found


def _enclosed(func: Any) -> dict[str, Any]:
    """Returns the closure of func by name."""
    found: dict[str, Any] = {}
    free = func.__code__.co_freevars if hasattr(func, "__code__") else ()
    for name, cell in zip(free, getattr(func, "__closure__", None) or ()):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # not yet assigned
            continue
    return found
