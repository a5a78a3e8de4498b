"""Type guards whose types have items of type Any; isinstance leaves their types unknown to type checkers."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, TypeGuard


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Reports whether value is a dict or the like."""
    return isinstance(value, Mapping)


def is_sequence(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Reports whether value is a list or a tuple."""
    return isinstance(value, (list, tuple))


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Reports whether value is a tuple."""
    return isinstance(value, tuple)


def is_set(value: object) -> TypeGuard[set[Any] | frozenset[Any]]:
    """Reports whether value is a set or a frozenset."""
    return isinstance(value, (set, frozenset))


def is_partial(value: object) -> TypeGuard[functools.partial[Any]]:
    """Reports whether value is a functools.partial."""
    return isinstance(value, functools.partial)


def object_in(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """Returns a member of a JSON object that is an object itself; an empty one if it is anything else."""
    value = document.get(name)
    return value if is_mapping(value) else {}
