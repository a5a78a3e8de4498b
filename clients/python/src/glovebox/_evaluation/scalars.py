"""Plain scalars, which most arguments and results are, without the codec of all values."""

from __future__ import annotations

import math
from typing import Any

from .._values.types import Type
from .._values.value import class_of
from .._values.wire import float_text, str_text

_KINDS: dict[Any, str] = {int: "int", float: "float", str: "str", bool: "bool", type(None): "None"}
_WORDS = {True: "true", False: "false", None: "null"}
_MAX_INT = 1 << 63


def text_of(t: Type, value: Any) -> str | None:
    """Returns a value of type t as JSON, or None for one that the codec has to look at."""
    shape = class_of(value)
    if not _is_plain(t, shape):
        return None
    if shape is int:
        return str(value) if -_MAX_INT < value < _MAX_INT else None
    if shape is str:
        return str_text(value)
    if shape is float:
        return float_text(value) if math.isfinite(value) else None
    return _WORDS[value]


def is_value(t: Type, node: Any) -> bool:
    """Reports whether a node of JSON is itself the value of type t that it stands for."""
    shape = class_of(node)
    if shape is str and not node.isascii():
        return False
    return _is_plain(t, shape)


def _is_plain(t: Type, shape: Any) -> bool:
    kind = _KINDS.get(shape)
    return kind is not None and t.python is None and (t.kind == kind or t.kind == "Any")
