"""Types of values and code without a declared type."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any, cast

from .._tasks.task import Task
from .._values.codec import decode, encode, loads
from .._values.types import ANY, Param, Signature, Type
from .._values.value import handle_kind, holds_handles
from ..io._libraries import library_of

_MAX_DEPTH = 32  # containers within containers


def type_of_value(value: Any, depth: int = 0) -> Type:
    """Returns a type that a value fits.

    It is Any but for handles, and for lists, tuples and dicts of them, which
    cross into the sandbox only under types of their own.
    """
    kind = "DataFrame" if library_of(value) else handle_kind(value)
    if kind:
        return Type(kind)
    if depth > _MAX_DEPTH:
        return ANY
    if not isinstance(value, (list, tuple, dict)):
        return ANY
    values = cast("Iterable[Any]", value.values() if isinstance(value, dict) else value)
    items = tuple(type_of_value(item, depth + 1) for item in values)
    if not any(map(holds_handles, items)):
        return ANY
    if isinstance(value, tuple):
        return Type("tuple", items)
    if any(item != items[0] for item in items):
        return ANY
    return Type("list", items[:1]) if isinstance(value, list) else Type("dict", (Type("str"), items[0]))


def unchecked(signature: Signature) -> Signature:
    """Returns a signature that takes and gives every value, but for handles, which need types of their own."""

    def free(param: Param) -> Param:
        if holds_handles(param.type):
            return param
        if param.default is None:
            return Param(param.name, ANY)
        value = decode(param.type, loads(param.default), param.name)
        return Param(param.name, ANY, encode(ANY, value, param.name))

    return Signature(tuple(map(free, signature.inputs)), tuple(map(free, signature.outputs)), signature.is_async)


def result_type(code: str, inputs: Mapping[str, Type], tools: Mapping[str, Task[Any, Any]]) -> Type:
    """Returns the type of the last expression of code: Any, unless it is plainly a handle.

    That is an input, or the result of a call of a tool, directly or by the name of a variable.
    """
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # the engine says what is wrong with it
        return ANY
    known = dict(inputs)
    for statement in body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                known[target.id] = _type_of(statement.value, known, tools)
    last = body[-1] if body else None
    found = _type_of(last.value, known, tools) if isinstance(last, ast.Expr) else ANY
    return found if holds_handles(found) else ANY


def _type_of(node: ast.expr, known: Mapping[str, Type], tools: Mapping[str, Task[Any, Any]]) -> Type:
    if isinstance(node, ast.Await):
        return _type_of(node.value, known, tools)
    if isinstance(node, ast.Name):
        return known.get(node.id, ANY)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in tools:
        outputs = tools[node.func.id].signature.outputs
        return outputs[0].type if len(outputs) == 1 else ANY
    return ANY
