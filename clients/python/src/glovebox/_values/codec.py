"""The JSON encoding of values: one, decided by the declared type, lossless in both directions.

docs/API.md, "Values in JSON", describes it; the engine has the same in Go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from .conversion import is_shaped, shaped
from .decode import handle_of, read
from .encode import Encoder
from .json_text import dump, loads, quote, with_room
from .types import Param, Type
from .value import BadValue, class_of

__all__ = [
    "BadValue", "decode", "decode_fields", "dump", "encode", "encode_fields", "handle_of", "loads",
]  # fmt: skip


def encode(type: Type, value: Any, where: str = "") -> str:
    """Returns a value of a declared type as JSON text.

    An int is taken for a float where that is exact, a list for a tuple, and a
    scalar of numpy for what it holds. BadValue, which names the field below
    ``where``, for what does not fit.
    """
    try:
        return with_room(lambda: _encoded(type, value))
    except BadValue as e:
        raise e.below(where) from None


def _encoded(type: Type, value: Any) -> str:
    encoder = Encoder()
    encoder.typed(type, value)
    return encoder.text()


def decode(type: Type, node: Any, where: str = "") -> Any:
    """Returns the value of a declared type that a node, as ``loads`` returns it, stands for.

    BadValue, which names the field below ``where``, if it is none.
    """
    try:
        return with_room(lambda: _decoded(type, node))
    except BadValue as e:
        raise e.below(where) from None


def _decoded(type: Type, node: Any) -> Any:
    value = read(type, node)
    return shaped(type, value) if is_shaped(type) else value


def encode_fields(params: Sequence[Param], values: Mapping[str, Any]) -> str:
    """Returns values by name as the text of one JSON object, with defaults for those that are missing.

    BadValue for one that is missing without a default, unknown, or does not fit.
    """
    _check_names(params, values)
    members: list[str] = []
    for param in params:
        text = param.default if param.name not in values else encode(param.type, values[param.name], param.name)
        if text is None:
            raise _missing(param)
        members.append(f"{quote(param.name)}:{text}")
    return "{" + ",".join(members) + "}"


def decode_fields(params: Sequence[Param], node: Any) -> dict[str, Any]:
    """Returns values by name, with defaults for those that are missing.

    ``node`` is an object by name, or the array of objects with name and value
    that the outputs of a run are. BadValue as for ``encode_fields``.
    """
    nodes = _by_name(node)
    _check_names(params, nodes)
    values: dict[str, Any] = {}
    for param in params:
        if param.name in nodes:
            values[param.name] = decode(param.type, nodes[param.name], param.name)
        elif param.default is not None:
            values[param.name] = decode(param.type, loads(param.default), param.name)
        else:
            raise _missing(param)
    return values


def _by_name(node: Any) -> Mapping[str, Any]:
    if node is None:
        return {}
    shape = class_of(node)
    if shape is dict:
        return cast("dict[str, Any]", node)
    if shape is not list:
        raise BadValue("", "a JSON object with one member for each name", f"JSON {shape.__name__}")
    found: dict[str, Any] = {}
    for member in node:
        if class_of(member) is not dict or "name" not in member:
            raise BadValue("", "an array of objects with name and value", "something else")
        found[member["name"]] = member.get("value")
    return found


def _missing(param: Param) -> BadValue:
    return BadValue(param.name, str(param.type), "nothing", "it is missing")


def _check_names(params: Sequence[Param], values: Mapping[str, Any]) -> None:
    names = [param.name for param in params]
    for name in values:
        if name not in names:
            raise _unknown(name, names)


def _unknown(name: str, names: Sequence[str]) -> BadValue:
    import difflib  # lazy: only errors need it

    near = difflib.get_close_matches(name, names, n=1)
    shown = ", ".join(names) or "none"
    return BadValue(name, f"only declared names ({shown})", "a value", f"did you mean {near[0]}?" if near else "")
