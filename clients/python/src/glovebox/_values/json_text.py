"""JSON text: strict, bounded, and with long integers."""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Mapping
from itertools import accumulate
from typing import Any, TypeVar

from . import wire
from .integers import decimal_of, int_of

R = TypeVar("R")

# A value has at most 200 nested containers, each of which may have a tag
# around it, and documents have some more around values.
MAX_DEPTH = 512

_SURROGATE = re.compile("[\ud800-\udfff]")
_STRING = re.compile(rb'"[^"\\]*(?:\\.?[^"\\]*)*(?:"|\Z)', re.DOTALL)  # one without an end goes to the end: no retries
_BRACKETS = b"[]{}"
_NOT_BRACKETS = bytes(set(range(256)) - set(_BRACKETS))
_STEP = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def loads(text: str | bytes | bytearray) -> Any:
    """Reads JSON: what ``json.loads`` returns, but strictly.

    Ints may have 200,000 digits. ValueError if it is no JSON, is not in UTF-8, has
    a key twice in one object, a number beyond the floats, NaN, or more than 512
    containers within each other.
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)
    _check_depth(data)
    try:
        decoded = text if isinstance(text, str) else data.decode("utf-8")
    except UnicodeDecodeError as e:
        raise ValueError(f"expected JSON in UTF-8, got the byte {data[e.start]:#04x} at byte {e.start}") from None
    return with_room(lambda: _decoder.decode(decoded))


def _check_depth(data: bytes) -> None:
    """Refuses deep nesting. The work is done in C, and only where depth is possible at all."""
    if data.count(b"[") + data.count(b"{") <= MAX_DEPTH:
        return
    brackets = _STRING.sub(b"", data).translate(None, _NOT_BRACKETS)
    if max(accumulate(map(_STEP.__getitem__, brackets)), default=0) > MAX_DEPTH:
        raise ValueError(f"expected JSON with at most {MAX_DEPTH} nested containers, got a deeper one")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        left = dict.fromkeys(members, 1)
        twice = next(key for key, _ in pairs if not left.pop(key, 0))
        raise ValueError(f"expected every key once, got {short(twice)} again")
    return members


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"expected a float, got {short(text)}, which is out of its range")
    return value


def _constant(word: str) -> Any:
    raise ValueError(f"expected JSON, got {word}")


_decoder = json.JSONDecoder(
    object_pairs_hook=_members, parse_float=_float, parse_int=int_of, parse_constant=_constant, strict=True
)


def dump(document: Any) -> str:
    """Writes plain JSON: None, bools, ints of any length, floats, strs, lists, tuples, and mappings by str.

    ValueError or TypeError for what JSON has no form for.
    """
    out: list[str] = []
    todo: list[Any] = [document]  # what is to be written, the next at the end
    depth = 0
    while todo:
        node = todo.pop()
        if isinstance(node, _Text):
            out.append(node.text)
            depth -= node.closes
        elif _is(node, (Mapping, list, tuple)):
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"expected at most {MAX_DEPTH} nested containers, got a deeper one")
            todo.extend(reversed(_object(node) if _is(node, Mapping) else _array(node)))
        else:
            out.append(_leaf(node))
    return "".join(out)


class _Text:
    """A piece of JSON as it stands."""

    __slots__ = ("closes", "text")

    def __init__(self, text: str, closes: int = 0) -> None:
        self.text = text
        self.closes = closes  # how many containers end with it


def _is(node: Any, classes: Any) -> bool:
    """Is isinstance, after which node is still Any to type checkers."""
    return isinstance(node, classes)


def _leaf(node: Any) -> str:
    if isinstance(node, str):
        return quote(node)
    if node is None or node is True or node is False:
        return "null" if node is None else "true" if node else "false"
    if isinstance(node, int):
        return decimal_of(int.__index__(node))
    if not isinstance(node, float):
        raise TypeError(f"expected something that JSON has, got {type(node).__name__}")
    if not math.isfinite(node):
        raise ValueError(f"expected a float that JSON has, got {node}")
    return float.__repr__(node)


def _object(node: Mapping[Any, Any]) -> list[Any]:
    """Returns the parts of an object, as text and as nodes."""
    parts: list[Any] = []
    for key, value in node.items():
        if not isinstance(key, str):
            raise TypeError(f"expected str as the key of a JSON object, got {type(key).__name__}")
        parts += (_Text(("," if parts else "{") + quote(key) + ":"), value)
    return [*parts, _Text("}" if parts else "{}", closes=1)]


def _array(node: list[Any] | tuple[Any, ...]) -> list[Any]:
    parts: list[Any] = []
    for value in node:
        parts += (_Text("," if parts else "["), value)
    return [*parts, _Text("]" if parts else "[]", closes=1)]


def quote(text: str) -> str:
    """Returns text as a JSON string. ValueError for two surrogates that JSON would read as one character."""
    quoted = wire.quote(text)
    if quoted is None:
        raise ValueError(f"expected text in UTF-8, got {short(text)}")
    return quoted


def short(text: str, most: int = 60) -> str:
    """Returns text for a message: its repr, cut to what fits into one."""
    if len(text) <= most:
        return ascii(text) if _SURROGATE.search(text) else repr(text)
    return f"{short(text[:most])}... ({len(text)} characters)"


def with_room(work: Callable[[], R]) -> R:
    """Does work that may need several hundred frames.

    Where the caller has too few left, a thread of its own has them. Work is
    done from the start there.
    """
    try:
        return work()
    except RecursionError:
        return _in_thread(work)


def _in_thread(work: Callable[[], R]) -> R:
    results: list[R] = []
    failures: list[BaseException] = []

    def body() -> None:
        try:
            results.append(work())
        except BaseException as e:
            failures.append(e)

    thread = threading.Thread(target=body, name="glovebox-deep-value")
    thread.start()
    thread.join()
    if not failures:
        return results[0]
    if isinstance(failures[0], RecursionError):
        raise ValueError("the value is nested too deeply for the recursion limit of this Python") from None
    raise failures[0]
