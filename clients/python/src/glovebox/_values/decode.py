"""JSON to values, as their declared type says. What is read was written by a cell, or came over the network."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable
from typing import Any, Protocol, cast

from .conversion import check_int, fit, item_type, made_set, optional, unbounded
from .integers import decimal_of
from .json_text import short
from .lazy_classes import decimal_value, uuid_value
from .times import date_of, datetime_of, time_of, timedelta_of
from .types import ANY, Type
from .value import HANDLES, BadValue, class_of, exact_float, index_step, key_of, key_step, too_deep
from .wire import MAX_DEPTH, TAGS, bytes_text, has_pair

_WORDS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
_TEXTS: dict[str, Callable[[str], Any]] = {
    "datetime": datetime_of, "timedelta": timedelta_of, "date": date_of, "time": time_of, "Decimal": decimal_value,
    "UUID": uuid_value,
}  # fmt: skip
_DICTS = {"$dict": "str", **{tag: kind for tag, kind in TAGS.items() if tag.startswith("$dict[")}}
_MEMBERS = {
    "File": frozenset(("path", "size", "sha256")), "Dir": frozenset(("path", "size", "sha256", "files")),
    "DataFrame": frozenset(("path", "size", "sha256", "format")),
}  # fmt: skip
_MAX_SIZE = 1 << 63
_MAX_FILES = 1 << 31


def read(t: Type, node: Any, depth: int = 0) -> Any:
    """Returns the value of type t that a node of JSON stands for."""
    inner = optional(t)
    if inner is not None:
        return None if node is None else read(inner, node, depth)
    if t.kind == "Any":
        return _any(node, depth)
    if t.kind == "Union":
        return fit(t, _any(node, depth))
    shape = class_of(node)
    if t.kind in ("list", "set", "tuple") and shape is list:
        return _sequence(t, node, depth)
    if t.kind == "dict" and shape is dict:
        return _dict(t, node, depth)
    if t.kind in HANDLES:
        return _handle(t, node, depth)
    if shape in (int, float) and t.kind in ("int", "float"):
        return _number(t, node)
    if shape is str:
        return _text(t, node)
    if t.kind == "str" and shape is dict and list(node) == ["$str"]:
        return _surrogates(node["$str"])
    if (node is None and t.kind == "None") or (shape is bool and t.kind == "bool"):
        return node
    raise _unexpected(t, node)


def _unexpected(t: Type, node: Any) -> BadValue:
    return BadValue("", str(t), f"JSON {_shown(node)}")


def _shown(node: Any) -> str:
    if isinstance(node, str):
        return short(node)
    if isinstance(node, (list, dict)):
        return f"{'array' if isinstance(node, list) else 'object'} of length {len(cast('list[Any]', node))}"
    if node is None or isinstance(node, bool):
        return {None: "null", True: "true", False: "false"}[node]
    return decimal_of(node) if isinstance(node, int) and node.bit_length() < 200 else short(repr(node)[:100])


def _number(t: Type, node: int | float) -> int | float:
    if t.kind == "int" and isinstance(node, int):
        return check_int(node)
    if t.kind == "float":
        return node if isinstance(node, float) else exact_float(node)
    raise _unexpected(t, node)


def _text(t: Type, node: str) -> Any:
    if t.kind == "str":
        return node
    if t.kind == "bytes":
        return _bytes(node)
    value: Any = None
    if t.kind == "float":
        value = _WORDS.get(node)
    elif t.kind in _TEXTS:
        value = _TEXTS[t.kind](node)
    if value is None:
        raise BadValue("", str(t), f"str {short(node)}")
    return value


def _bytes(node: str) -> bytes:
    try:
        data = base64.b64decode(node, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if bytes_text(data) != f'"{node}"':
        raise BadValue("", "bytes in base64", short(node))
    return data


def _surrogates(node: Any) -> str:
    if type(node) is not str:
        raise _unexpected(Type("bytes"), node).below(key_step("$str"))
    try:
        return _bytes(node).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise BadValue(key_step("$str"), "str in UTF-8 (bytes hold anything)", short(node)) from None


def _sequence(t: Type, nodes: list[Any], depth: int) -> Any:
    if depth >= MAX_DEPTH:
        raise too_deep()
    if t.kind == "tuple" and not unbounded(t) and len(nodes) != len(t.args):
        raise BadValue("", str(t), f"JSON array of length {len(nodes)}")
    items: list[Any] = []
    for i, node in enumerate(nodes):
        try:
            items.append(read(item_type(t, i) if t.kind == "tuple" else t.args[0], node, depth + 1))
        except BadValue as e:
            raise e.below(index_step(i)) from None
    if t.kind == "set":
        return made_set(t, items)
    return items if t.kind == "list" else tuple(items)


def _dict(t: Type, node: dict[str, Any], depth: int) -> dict[Any, Any]:
    if depth >= MAX_DEPTH:
        raise too_deep()
    members: dict[Any, Any] = {}
    for key, item in node.items():
        try:
            members[key_of(t.args[0].kind, key)] = read(t.args[1], item, depth + 1)
        except BadValue as e:
            raise e.below(key_step(key)) from None
    return members


def _any(node: Any, depth: int) -> Any:
    """Returns the value of a node that describes itself."""
    shape = class_of(node)
    if shape is dict:
        return _object(node, depth)
    if shape is list:
        return _sequence(Type("list", (ANY,)), node, depth)
    if shape is int:
        return check_int(node)
    return node


def _object(node: dict[str, Any], depth: int) -> Any:
    tag = next(iter(node), None)
    if tag not in TAGS:
        return _dict(Type("dict", (Type("str"), ANY)), node, depth)
    if len(node) != 1:
        raise BadValue(key_step(tag), "a tag alone in its object", f"an object with {len(node)} keys")
    try:
        if tag == "$tuple":
            return read(Type("tuple", (ANY, Type("..."))), node[tag], depth)
        if tag == "$set":
            return read(Type("set", (ANY,)), node[tag], depth)
        if tag in _DICTS:
            return read(Type("dict", (Type(_DICTS[tag]), ANY)), node[tag], depth)
        if tag == "$str":
            return _surrogates(node[tag])
        return read(Type(TAGS[tag]), node[tag], depth)
    except BadValue as e:
        raise e if tag == "$str" else e.below(key_step(tag)) from None


class _HandleClass(Protocol):
    def _from_reference(self, node: dict[str, Any]) -> Any: ...


def _handle(t: Type, node: Any, depth: int) -> Any:
    if depth >= MAX_DEPTH:
        raise too_deep()
    shape = class_of(node)
    if shape is not str and shape is not dict:
        raise _unexpected(t, node)
    return handle_of(t.kind, {"path": node} if shape is str else node)


def handle_of(kind: str, node: dict[str, Any]) -> Any:
    """Returns the File, Dir or DataFrame of an object of the engine. BadValue if it is none."""
    for key in node:
        if key not in _MEMBERS[kind]:
            raise BadValue(key_step(key), f"no such key in {kind}", "one")
    counts = ((node.get("size", 0), _MAX_SIZE), (node.get("files", 0), _MAX_FILES))
    texts = [node.get("path", ""), node.get("format", ""), node.get("sha256", "")]
    good = all(type(n) is int and 0 <= n < most for n, most in counts)
    good = good and all(type(text) is str and not has_pair(text) for text in texts)
    if not good or not texts[0]:
        raise BadValue("", f'{kind} with a "path" and counts that are not negative', "an object without")
    from .. import io  # lazy: only files need it

    return cast(_HandleClass, getattr(io, kind))._from_reference(node)  # pyright: ignore[reportPrivateUsage]
