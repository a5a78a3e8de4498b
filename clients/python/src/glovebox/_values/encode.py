"""Values to JSON, as their declared type says."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, cast

from .conversion import as_decimal, as_float, check_choice, check_int, check_length, fit, is_set, item_type, optional
from .integers import decimal_of
from .json_text import dump, quote
from .times import date_text, datetime_text, time_text, timedelta_text
from .types import ANY, Type
from .value import (
    HANDLES,
    BadValue,
    check_text,
    class_of,
    index_step,
    key_step,
    key_text,
    kind_of,
    kind_of_keys,
    mismatch,
    natural,
    reference,
    too_deep,
)
from .wire import MAX_DEPTH, TAGS, bytes_text, float_text, str_text

# Bounds on one value, in parts of about the size of an int.
_MAX_PARTS = 4 << 20
_CONTAINER_PARTS = 5
_KEY_PARTS = 3
_HANDLE_PARTS = 25


class Encoder:
    """Writes one value, and bounds what it takes."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._parts = 0
        self._depth = 0

    def text(self) -> str:
        """Returns what was written."""
        return "".join(self._out)

    def typed(self, t: Type, value: Any) -> None:
        """Writes a value of type t. BadValue if it does not fit."""
        if t.kind == "Any":
            self._any(value)
        elif t.kind == "Union":
            self._union(t, value)
        else:
            value = natural(value)
            self._writers[t.kind](self, t, value)
            check_choice(t, value)

    def _union(self, t: Type, value: Any) -> None:
        inner = optional(t)
        if inner is None:
            self._any(fit(t, value, sets=True))
        elif value is None:
            self._scalar("null")
        else:
            self.typed(inner, value)

    def _any(self, value: Any) -> None:
        """Writes a value so that it says what it is."""
        value = natural(value)
        kind = kind_of(value)
        shape = class_of(value)
        if kind in _TAGS and (kind != "float" or not math.isfinite(value)):
            self._tagged(_TAGS[kind], Type(kind), value)
        elif kind is not None:
            self._writers[kind](self, Type(kind), value)
        elif shape is list:
            self._array(value, lambda _: ANY)
        elif shape is tuple:
            self._out.append('{"$tuple":')
            self._array(value, lambda _: ANY)
            self._out.append("}")
        elif shape is dict:
            self._any_dict(value)
        elif shape is set or shape is frozenset:
            self._out.append('{"$set":')
            self._set(Type("set", (ANY,)), value)
            self._out.append("}")
        else:
            raise mismatch(ANY, value)

    def _any_dict(self, value: dict[Any, Any]) -> None:
        keys = kind_of_keys(value)
        tag = "$dict" if keys == "str" else f"$dict[{keys}]"
        tagged = keys != "str" or next(iter(value), None) in TAGS
        if tagged:
            self._out.append('{"' + tag + '":')
        self._object(value, keys, ANY)
        if tagged:
            self._out.append("}")

    def _tagged(self, tag: str, t: Type, value: Any) -> None:
        self._out.append('{"' + tag + '":')
        self._writers[t.kind](self, t, value)
        self._out.append("}")

    def _scalar(self, text: str) -> None:
        self._charge(1)
        self._out.append(text)

    def _charge(self, parts: int) -> None:
        self._parts += parts
        if self._parts > _MAX_PARTS:
            raise BadValue("", f"a value of at most {_MAX_PARTS} parts", "more", "a File holds more")

    def _open(self, parts: int) -> None:
        self._charge(parts)
        if self._depth >= MAX_DEPTH:
            raise too_deep()
        self._depth += 1

    def _array(self, items: list[Any] | tuple[Any, ...], elem: Callable[[int], Type]) -> None:
        self._open(_CONTAINER_PARTS)
        self._out.append("[")
        i = 0
        try:
            for i, item in enumerate(items):
                if i:
                    self._out.append(",")
                self.typed(elem(i), item)
        except BadValue as e:
            raise e.below(index_step(i)) from None
        self._out.append("]")
        self._depth -= 1

    def _object(self, value: dict[Any, Any], keys: str, elem: Type) -> None:
        self._open(_CONTAINER_PARTS)
        separator = "{"
        for key, item in value.items():
            text = key_text(keys, key)
            self._charge(_KEY_PARTS)
            self._out.append(separator + quote(text) + ":")
            separator = ","
            try:
                self.typed(elem, item)
            except BadValue as e:
                raise e.below(key_step(text)) from None
        self._out.append("}" if separator == "," else "{}")
        self._depth -= 1

    def _none(self, t: Type, value: Any) -> None:
        self._word(t, value, value is None, "null")

    def _bool(self, t: Type, value: Any) -> None:
        self._word(t, value, type(value) is bool, "true" if value is True else "false")

    def _word(self, t: Type, value: Any, fits: bool, text: str) -> None:
        if not fits:
            raise mismatch(t, value)
        self._scalar(text)

    def _int(self, t: Type, value: Any) -> None:
        if type(value) is not int:
            raise mismatch(t, value)
        self._scalar(decimal_of(check_int(value)))

    def _float(self, t: Type, value: Any) -> None:
        self._scalar(float_text(as_float(t, value)))

    def _str(self, t: Type, value: Any) -> None:
        if type(value) is not str:
            raise mismatch(t, value)
        self._scalar(str_text(value))

    def _bytes(self, t: Type, value: Any) -> None:
        if type(value) is not bytes:
            raise mismatch(t, value)
        self._scalar(bytes_text(value))

    def _text(self, t: Type, value: Any) -> None:
        """Writes what has a text without anything to escape."""
        if kind_of(value) != t.kind:
            raise mismatch(t, value)
        self._scalar('"' + _TEXTS[t.kind](value) + '"')

    def _decimal(self, t: Type, value: Any) -> None:
        self._scalar('"' + str(as_decimal(t, value)) + '"')

    def _list(self, t: Type, value: Any) -> None:
        if is_set(t):
            self._set(t, value)
        elif class_of(value) is list:
            self._array(value, lambda _: t.args[0])
        else:
            raise mismatch(t, value)

    def _set(self, t: Type, value: Any) -> None:
        """Writes the items in the order of their JSON, so that equal sets have equal texts."""
        if not isinstance(value, (set, frozenset)):
            raise mismatch(t, value)
        items = cast("set[Any]", value)
        self._open(_CONTAINER_PARTS)
        out, texts = self._out, list[str]()
        for item in items:
            self._out = []
            self.typed(t.args[0], item)
            texts.append(self.text())
        self._out = out
        self._out.append("[" + ",".join(sorted(texts)) + "]")
        self._depth -= 1

    def _tuple(self, t: Type, value: Any) -> None:
        if type(value) is not tuple and type(value) is not list:
            raise mismatch(t, value)
        check_length(t, value)
        self._array(cast("list[Any]", value), lambda i: item_type(t, i))

    def _dict(self, t: Type, value: Any) -> None:
        shape = class_of(value)
        if shape is not dict:
            raise mismatch(t, value)
        for key in value:
            check_choice(t.args[0], natural(key))
        self._object(value, t.args[0].kind, t.args[1])

    def _handle(self, t: Type, value: Any) -> None:
        if kind_of(value) != t.kind:
            raise mismatch(t, value)
        node = reference(value)
        check_text(str(node.get("path", "")))
        self._open(_HANDLE_PARTS)
        self._out.append(dump(node))
        self._depth -= 1

    _writers: ClassVar[dict[str, Callable[[Encoder, Type, Any], None]]] = {
        "None": _none, "bool": _bool, "int": _int, "float": _float, "str": _str,
        "bytes": _bytes, "datetime": _text, "timedelta": _text, "date": _text, "time": _text,
        "Decimal": _decimal, "UUID": _text, "list": _list, "set": _set,
        "tuple": _tuple, "dict": _dict, "File": _handle, "Dir": _handle,
        "DataFrame": _handle,
    }  # fmt: skip


_TEXTS: dict[str, Callable[[Any], str]] = {
    "datetime": datetime_text, "timedelta": timedelta_text, "date": date_text, "time": time_text, "UUID": str,
}  # fmt: skip
# Those of the kinds that would be read as another one, where nothing declares a type.
_TAGGED = (*_TEXTS, "float", "bytes", "Decimal", *HANDLES)
_TAGS = {kind: tag for tag, kind in TAGS.items() if kind in _TAGGED and "[" not in tag}
