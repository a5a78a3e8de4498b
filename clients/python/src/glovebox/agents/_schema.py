"""Signatures as JSON Schemas of the inputs, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from .._values.codec import loads
from .._values.types import ANY, NONE, Choice, Param, Signature, Type

Json = dict[str, Any]

_SCHEMAS: dict[str, Json] = {
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "None": {"type": "null"},
    "bytes": {"type": "string", "contentEncoding": "base64"},
    "datetime": {"type": "string", "format": "date-time"},
    "timedelta": {"type": "string", "format": "duration"},
    "date": {"type": "string", "format": "date"},
    "time": {"type": "string", "format": "time"},
    "Decimal": {"type": "string"},
    "UUID": {"type": "string", "format": "uuid"},
    "Any": {},
}
_TYPES = {
    "integer": Type("int"),
    "number": Type("float"),
    "string": Type("str"),
    "boolean": Type("bool"),
    "null": NONE,
    "array": Type("list", (ANY,)),
    "object": Type("dict", (Type("str"), ANY)),
}


def schema_of(signature: Signature) -> Json:
    """Returns the schema of an object that has the inputs."""
    properties: Json = {}
    for param in signature.inputs:
        default = {} if param.default is None else {"default": loads(param.default)}
        properties[param.name] = _schema(param.type) | default
    required = [param.name for param in signature.inputs if param.default is None]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _schema(t: Type) -> Json:
    if isinstance(t.python, Choice):
        return _SCHEMAS[t.kind] | {"enum": list(t.python.values)}
    if t.kind == "Union":
        return {"anyOf": [_schema(arg) for arg in t.args]}
    if t.kind in ("list", "set"):
        return {"type": "array", "items": _schema(t.args[0])}
    if t.kind == "tuple":
        return {"type": "array"}
    if t.kind == "dict":
        return {"type": "object", "additionalProperties": _schema(t.args[1])}
    return dict(_SCHEMAS.get(t.kind) or {"type": "object", "title": t.kind})


def signature_of_schema(parameters: Mapping[str, Any]) -> Signature:
    """Returns inputs that an object of that schema has, and an output of any type.

    An input that is not required may be None, which stands for its absence.
    """
    properties = cast("Mapping[str, Mapping[str, Any]]", parameters.get("properties") or {})
    required = set(cast("list[str]", parameters.get("required") or []))
    needed = [Param(name, _type(schema)) for name, schema in properties.items() if name in required]
    optional = [
        Param(name, _optional(_type(schema)), "null") for name, schema in properties.items() if name not in required
    ]
    return Signature((*needed, *optional), (Param("o0", ANY),))


def _type(schema: Mapping[str, Any]) -> Type:
    kind = schema.get("type")
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        return Type("list", (_type(cast("Mapping[str, Any]", schema["items"])),))
    return _TYPES.get(kind, ANY) if isinstance(kind, str) else ANY


def _optional(t: Type) -> Type:
    return t if t in (ANY, NONE) else Type("Union", (t, NONE))


def summary(name: str, parameters: Mapping[str, Any]) -> str:
    """Returns a call for people, such as ``search(query: string, limit?: integer)``."""
    properties = cast("Mapping[str, Mapping[str, Any]]", parameters.get("properties") or {})
    required = set(cast("list[str]", parameters.get("required") or []))
    shown = [
        f"{key}{'' if key in required else '?'}: {schema.get('type', 'any')}" for key, schema in properties.items()
    ]
    return f"{name}({', '.join(shown)})"
