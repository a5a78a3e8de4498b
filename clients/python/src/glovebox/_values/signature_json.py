"""Signatures as members of a task in JSON."""

from __future__ import annotations

from typing import Any

from .json_text import dump, loads
from .types import Param, Signature, Type

Json = dict[str, Any]


def params_json(params: tuple[Param, ...]) -> list[dict[str, Any]]:
    """Returns inputs or outputs in the JSON of a task."""
    return [
        {"name": p.name, "type": str(p.type)} | ({} if p.default is None else {"default": loads(p.default)})
        for p in params
    ]


def signature_json(signature: Signature) -> dict[str, Any]:
    """Returns a signature in the JSON of a task."""
    node: dict[str, Any] = {"inputs": params_json(signature.inputs), "outputs": params_json(signature.outputs)}
    return node | {"async": True} if signature.is_async else node


def signature_from(node: Json) -> Signature:
    """Returns a signature that the engine tells."""
    return Signature(_params_from(node.get("inputs")), _params_from(node.get("outputs")), bool(node.get("async")))


def _params_from(nodes: list[Json] | None) -> tuple[Param, ...]:
    return tuple(
        Param(node["name"], Type.parse(node["type"]), dump(node["default"]) if "default" in node else None)
        for node in nodes or ()
    )
