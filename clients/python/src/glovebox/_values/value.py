"""Values: what may cross the boundary of a task, and how it fits a type."""

from __future__ import annotations

import contextlib
import datetime
import enum
import operator
import re
import sys
from collections.abc import Callable
from typing import Any, Protocol, cast

from .integers import decimal_of, int_of
from .json_text import short
from .lazy_classes import fields_of, items_of, rare_base, rare_kind
from .times import date_of
from .types import Choice, Type
from .wire import FILES, INEXACT, KEYS, MAX_DEPTH, TAGS, has_pair

HANDLES = {kind: tag for tag, kind in TAGS.items() if kind in FILES}  # kinds and their tags

_MAX_WHERE = 200  # characters; deep values have long paths
_INT = re.compile(r"-?[0-9]{1,100000}")
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_SCALARS: dict[Any, str] = {
    type(None): "None", bool: "bool", int: "int", float: "float", str: "str", bytes: "bytes",
    datetime.datetime: "datetime", datetime.timedelta: "timedelta", datetime.date: "date", datetime.time: "time",
}  # fmt: skip
_AS_THEY_ARE = frozenset((*_SCALARS, list, tuple, dict, set, frozenset))


# type(), after which type checkers still take what it was asked about for anything.
class_of: Callable[[Any], Any] = type


class BadValue(ValueError):
    """A value that does not fit its type.

    ``where`` is the field, such as ``xs[2].name``; ``expected`` and ``got`` are
    for people.
    """

    def __init__(self, where: str, expected: str, got: str, hint: str = "") -> None:
        super().__init__(where, expected, got, hint)
        self.where = where
        self.expected = expected
        self.got = got
        self.hint = hint

    def below(self, step: str) -> BadValue:
        """Puts a step in front of where it is, and returns itself."""
        self.where = step + self.where
        if len(self.where) > _MAX_WHERE:
            self.where = self.where[:_MAX_WHERE] + "..."
        return self

    def __str__(self) -> str:
        prefix = f"{self.where}: " if self.where else ""
        return f"{prefix}expected {self.expected}, got {self.got}" + (f" ({self.hint})" if self.hint else "")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.where, self.expected, self.got, self.hint)


class _Handle(Protocol):
    def _reference(self) -> dict[str, Any]: ...


def reference(handle: Any) -> dict[str, Any]:
    """Returns the JSON object of a handle."""
    return cast(_Handle, handle)._reference()  # pyright: ignore[reportPrivateUsage]


def handle_kind(value: Any) -> str | None:
    """Returns File, Dir or DataFrame if value is such a handle."""
    for kind in HANDLES:
        if isinstance(value, handle_class(kind) or ()):
            return kind
    return None


def handle_class(kind: str) -> Any:
    """Returns File, Dir or DataFrame, if its module is imported: without that there are no handles of it."""
    return getattr(sys.modules.get(f"glovebox.io._{kind.lower()}"), kind, None)


def holds_handles(t: Type) -> bool:
    """Reports whether values of t are handles, or hold some."""
    return t.kind in HANDLES or any(map(holds_handles, t.args))


def index_step(index: int) -> str:
    """Returns the part of ``BadValue.where`` for an item."""
    return f"[{index}]"


def key_step(key: str) -> str:
    """Returns the part of ``BadValue.where`` for a key: ``.name`` or ``['other text']``."""
    return f".{key}" if _IDENTIFIER.fullmatch(key) else f"[{short(key)}]"


def too_deep() -> BadValue:
    """Returns the error for containers within containers beyond the limit."""
    return BadValue("", f"at most {MAX_DEPTH} nested containers", "a deeper one", "does it contain itself?")


def mismatch(t: Type, value: Any) -> BadValue:
    """Returns the error for a value of another type."""
    hint = "use tuple(...) or list(...)" if isinstance(value, (set, frozenset)) else ""
    return BadValue("", spelling(t), describe(cast(Any, value)), hint)


def spelling(t: Type) -> str:
    """Returns a type as the annotation in Python has it."""
    if t.python is None:
        return str(t)
    if isinstance(t.python, Choice):
        return str(t.python)
    if t.args:
        return f"{t.python.__name__}[{spelling(t.args[0])}]" if t.kind != "Union" else t.python.__name__
    if isinstance(t.python, type):
        return t.python.__name__
    return f"{t.python}.{'Table' if t.python == 'pyarrow' else 'DataFrame'}"


def describe(value: Any) -> str:
    """Names the type of a value and shows a little of it."""
    name = type(value).__name__
    if value is None:
        return "None"
    if isinstance(value, (bool, float)):
        return f"{name} {value}"
    if isinstance(value, int):
        return f"int {decimal_of(value)}" if value.bit_length() <= 200 else f"int of {value.bit_length()} bits"
    if isinstance(value, str):
        return f"str {short(value)}"
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)) or rare_kind(value):
        return f"{name} {str(value)[:60]}"
    if isinstance(value, (bytes, list, tuple, dict, set, frozenset)):
        return f"{name} of length {len(cast('list[Any]', value))}"
    if handle_kind(value):
        return name
    return f"a value of type {type(value).__module__}.{type(value).__qualname__}"


def natural(value: Any) -> Any:
    """Returns a value as one of the types that codec and ``fit`` know.

    Subclasses become their base, scalars of numpy what they hold, members of an
    Enum their value, and dataclasses the dict of their fields; what they
    contain is left alone. BadValue for everything else.
    """
    if type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, enum.Enum):
        return natural(value.value)
    if _is_numpy(value):
        value = _from_numpy(value)
    for convert in (_scalar, _container, rare_base, fields_of, items_of):
        converted = convert(value)
        if converted is not None:
            return converted
    if handle_kind(value):
        return value
    if hasattr(value, "__index__") and not isinstance(value, type):
        with contextlib.suppress(TypeError):  # an array has it, too
            return operator.index(value)
    raise BadValue("", "a value", describe(value), _advice(value))


def _scalar(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int.__index__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, str):
        return str.__str__(value)
    if issubclass(class_of(value), (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (datetime.datetime, datetime.timedelta)):
        return _time(value)
    if isinstance(value, datetime.date):
        return datetime.date(value.year, value.month, value.day)
    if isinstance(value, datetime.time):
        return datetime.time(value.hour, value.minute, value.second, value.microsecond, value.tzinfo, fold=value.fold)
    return None


def _time(value: Any) -> Any:
    """Returns a time of pandas, which is finer and may be none, if it is one of Python's too."""
    if type(value) in _AS_THEY_ARE:
        return value
    if value != value:
        raise BadValue("", "a time", "NaT", "use None")
    if getattr(value, "nanosecond", 0) or getattr(value, "nanoseconds", 0):
        raise BadValue("", "a time in whole microseconds", f"{value}", "round it")
    if isinstance(value, datetime.timedelta):
        return datetime.timedelta(value.days, value.seconds, value.microseconds)
    date = datetime.date(value.year, value.month, value.day)
    clock = datetime.time(value.hour, value.minute, value.second, value.microsecond, value.tzinfo, fold=value.fold)
    return datetime.datetime.combine(date, clock)


_CONTAINERS: tuple[Any, ...] = (list, tuple, dict, set, frozenset)


def _container(value: Any) -> Any:
    for base in _CONTAINERS:
        if issubclass(class_of(value), base):
            return base(value)
    return None


def _is_numpy(value: Any) -> bool:
    return any(c.__name__ == "generic" and c.__module__.partition(".")[0] == "numpy" for c in type(value).__mro__)


def _from_numpy(value: Any) -> Any:
    """Returns what a scalar of numpy holds. One of nanoseconds would hold a bare int."""
    item = value.item()
    wanted = {"M": datetime.datetime, "m": datetime.timedelta}.get(value.dtype.kind)
    if type(item) not in _SCALARS or (wanted and not isinstance(item, wanted)):
        raise BadValue("", "a value", f"{type(value).__name__} {value}", "its dtype has no type of Python's")
    return item


def _advice(value: Any) -> str:
    if hasattr(value, "tolist"):
        return "use its .tolist()"
    return ""


def check_text(text: str) -> str:
    """Refuses a key or path with two surrogates that JSON would read as one character."""
    if has_pair(text):
        raise BadValue("", "dict key in UTF-8", short(text))
    return text


def kind_of(value: Any) -> str | None:
    """Returns the kind of a natural scalar or handle; None for a container."""
    return _SCALARS.get(type(value)) or rare_kind(value) or handle_kind(value)


def exact_float(value: int) -> float:
    """Returns an int as the float that it is exactly. BadValue if there is none."""
    try:
        converted = float(value)
    except OverflowError:
        raise BadValue("", "float", f"{describe(value)}, which is out of its range") from None
    if converted != value:
        raise BadValue("", "float", f"{describe(value)}, {INEXACT}")
    return converted


def key_text(kind: str, key: Any) -> str:
    """Returns the text of a key of a dict whose keys are of this kind. BadValue for another key."""
    key = natural(key)
    if kind_of(key) != kind:
        raise BadValue("", f"{kind} as the key of a dict", describe(key))
    if kind == "str":
        return check_text(key)
    if kind == "int":
        return decimal_of(key)
    return str(key).lower() if kind == "bool" else str(key)


def key_of(kind: str, text: str) -> Any:
    """Returns the key that a text stands for. BadValue if it is none of this kind."""
    if kind == "str":
        return check_text(text)
    found: Any = None
    if kind == "int" and _INT.fullmatch(text):
        found = int_of(text)
    elif kind == "bool":
        found = {"true": True, "false": False}.get(text)
    elif kind == "date":
        found = date_of(text)
    if found is None:
        raise BadValue("", f"{kind} as the key of a dict", f"str {short(text)}")
    return found


def kind_of_keys(members: dict[Any, Any]) -> str:
    """Returns the kind of the keys of a dict without a declared type. BadValue if they are of several."""
    kinds = {kind_of(natural(key)) for key in members} or {"str"}
    kind = next(iter(kinds))
    if len(kinds) == 1 and kind in KEYS:
        return str(kind)
    odd = next(key for key in members if kind_of(natural(key)) != "str")
    raise BadValue("", "str as the key of a dict", describe(odd), "int, bool or date, if all keys are")
