"""Signatures as members of a task in JSON."""

from __future__ import annotations

import enum
from typing import Any

from .codec import encode
from .json_text import dump, loads
from .types import Choice, Param, Signature, Type

_MOST_CHOICES = 100  # that the engine takes of one input; with more, any value counts for it

Json = dict[str, Any]


def params_json(params: tuple[Param, ...]) -> list[dict[str, Any]]:
    """Returns inputs or outputs in the JSON of a task."""
    return [
        {"name": p.name, "type": str(p.type)} | ({} if p.default is None else {"default": loads(p.default)})
        for p in params
    ]


def _inputs_json(params: tuple[Param, ...]) -> list[dict[str, Any]]:
    return [node | _choices_json(p) for node, p in zip(params_json(params), params, strict=True)]


def _choices_json(param: Param) -> dict[str, Any]:
    """Returns the values that an Enum or a Literal leaves an input, for forms and for the engine to hold others off."""
    declared = param.type
    if declared.kind == "Union" and len(declared.args) == 2 and declared.args[1].kind == "None":
        declared = declared.args[0]
    values = _values(declared.python)
    if not 0 < len(values) <= _MOST_CHOICES:
        return {}
    return {"choices": [loads(encode(Type(declared.kind), value, param.name)) for value in values]}


def _values(python: Any) -> list[Any]:
    if isinstance(python, Choice):
        return list(python.values)
    if isinstance(python, type) and issubclass(python, enum.Enum):
        return [member.value for member in python]
    return []


def signature_json(signature: Signature) -> dict[str, Any]:
    """Returns a signature in the JSON of a task."""
    node: dict[str, Any] = {"inputs": _inputs_json(signature.inputs), "outputs": params_json(signature.outputs)}
    return node | {"async": True} if signature.is_async else node


def signature_from(node: Json) -> Signature:
    """Returns a signature that the engine tells."""
    return Signature(_params_from(node.get("inputs")), _params_from(node.get("outputs")), bool(node.get("async")))


def _params_from(nodes: list[Json] | None) -> tuple[Param, ...]:
    return tuple(
        Param(node["name"], Type.parse(node["type"]), dump(node["default"]) if "default" in node else None)
        for node in nodes or ()
    )
