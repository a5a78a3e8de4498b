"""Values to JSON, as their declared type says."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, cast

from . import _value
from ._digits import decimal_of
from ._fit import as_float, check_int, check_length, fit, is_set, item_type, optional
from ._jsontext import base64_of, dump, has_pair, quote
from ._signature import ANY, Type
from ._times import datetime_text, timedelta_text
from ._value import BadValue, check_text, class_of, index_step, key_step, kind_of, mismatch, natural

# What the engine takes in one value, in parts of about the size of an int.
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
        else:
            raise mismatch(ANY, value)

    def _any_dict(self, value: dict[Any, Any]) -> None:
        tagged = next(iter(value), None) in _value.TAGS
        if tagged:
            self._out.append('{"$dict":')
        self._object(value, ANY)
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
        if self._depth >= _value.MAX_DEPTH:
            raise _value.too_deep()
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

    def _object(self, value: dict[Any, Any], elem: Type) -> None:
        self._open(_CONTAINER_PARTS)
        separator = "{"
        for key, item in value.items():
            if not isinstance(key, str):
                raise BadValue("", "str as the key of a dict", _value.describe(key))
            self._charge(_KEY_PARTS)
            self._out.append(separator + quote(check_text(key)) + ":")
            separator = ","
            try:
                self.typed(elem, item)
            except BadValue as e:
                raise e.below(key_step(key)) from None
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
        value = as_float(t, value)
        if math.isfinite(value):
            self._scalar(repr(value))
        else:
            self._scalar('"NaN"' if math.isnan(value) else '"Infinity"' if value > 0 else '"-Infinity"')

    def _str(self, t: Type, value: Any) -> None:
        if type(value) is not str:
            raise mismatch(t, value)
        if has_pair(value):
            self._scalar('{"$str":"' + base64_of(value.encode("utf-8", "surrogatepass")) + '"}')
        else:
            self._scalar(quote(value))

    def _text(self, t: Type, value: Any) -> None:
        """Writes what has a text without anything to escape."""
        if kind_of(value) != t.kind:
            raise mismatch(t, value)
        self._scalar('"' + _TEXTS[t.kind](value) + '"')

    def _list(self, t: Type, value: Any) -> None:
        if is_set(t) and isinstance(value, (set, frozenset)):
            self._set(t, cast("set[Any]", value))
        elif class_of(value) is list and not is_set(t):
            self._array(value, lambda _: t.args[0])
        else:
            raise mismatch(t, value)

    def _set(self, t: Type, items: set[Any] | frozenset[Any]) -> None:
        """Writes the items in the order of their JSON, so that equal sets have equal texts."""
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
        self._object(value, t.args[1])

    def _handle(self, t: Type, value: Any) -> None:
        if kind_of(value) != t.kind:
            raise mismatch(t, value)
        node = _value.reference(value)
        check_text(str(node.get("path", "")))
        self._open(_HANDLE_PARTS)
        self._out.append(dump(node))
        self._depth -= 1

    _writers: ClassVar[dict[str, Callable[[Encoder, Type, Any], None]]] = {
        "None": _none, "bool": _bool, "int": _int, "float": _float, "str": _str,
        "bytes": _text, "datetime": _text, "timedelta": _text, "list": _list,
        "tuple": _tuple, "dict": _dict, "File": _handle, "Dir": _handle,
        "DataFrame": _handle,
    }  # fmt: skip


_TAGS = {"float": "$float", "bytes": "$bytes", "datetime": "$datetime", "timedelta": "$timedelta", **_value.HANDLES}
_TEXTS: dict[str, Callable[[Any], str]] = {
    "bytes": base64_of, "datetime": datetime_text, "timedelta": timedelta_text,
}  # fmt: skip
