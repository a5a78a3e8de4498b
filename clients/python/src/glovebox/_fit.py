"""Which type of a union a value fits, by the rules of the engine."""

from __future__ import annotations

from typing import Any

from ._signature import ANY, Type
from ._value import (
    MAX_BITS,
    MAX_DEPTH,
    BadValue,
    class_of,
    describe,
    exact_float,
    index_step,
    key_step,
    kind_of,
    mismatch,
    natural,
    too_deep,
)


def optional(t: Type) -> Type | None:
    """Returns T of ``Optional[T]``."""
    if t.kind == "Union" and len(t.args) == 2 and t.args[1].kind == "None":
        return t.args[0]
    return None


def item_type(t: Type, index: int) -> Type:
    """Returns the type of an item of a tuple whose length is right."""
    return t.args[0] if unbounded(t) else t.args[index]


def unbounded(t: Type) -> bool:
    """Reports whether a tuple type has any length."""
    return len(t.args) == 2 and t.args[1].kind == "..."


def check_length(t: Type, items: Any) -> None:
    """Refuses a tuple of another length."""
    if not unbounded(t) and len(items) != len(t.args):
        raise mismatch(t, items)


def is_set(t: Type) -> bool:
    """Reports whether values of t are sets in Python."""
    return t.kind == "list" and t.python is not None


def check_int(value: int) -> int:
    """Refuses an int that is too long for the engine."""
    if value.bit_length() > MAX_BITS:
        raise BadValue("", f"int of at most {MAX_BITS} bits", f"int of {value.bit_length()} bits")
    return value


def as_float(t: Type, value: Any) -> float:
    """Returns a float, or an int that is one exactly, as float."""
    if type(value) is float:
        return value
    converted = exact_float(value) if type(value) is int else None
    if converted is None:
        raise mismatch(t, value)
    return converted


def fit(t: Type, value: Any, *, exact: bool = False, sets: bool = False, depth: int = 0) -> Any:
    """Returns value as one of type t, or raises BadValue.

    Unless exact, an int becomes a float and a list a tuple where t asks for
    that. ``sets`` says that sets stand where t has them; else lists do.
    """
    if depth > MAX_DEPTH:
        raise too_deep()
    value = natural(value)
    shape = class_of(value)
    if t == ANY:
        return value
    if t.kind == "Union":
        return _fit_union(t, value, exact, sets, depth)
    if t.kind == "list":
        wanted = (set, frozenset) if sets and is_set(t) else list
        if issubclass(shape, wanted):
            return _fit_items(t, list(value), exact, sets, depth)
    elif t.kind == "tuple":
        if shape is tuple or (shape is list and not exact):
            check_length(t, value)
            return tuple(_fit_items(t, list(value), exact, sets, depth))
    elif t.kind == "dict":
        if shape is dict:
            return _fit_dict(t, value, exact, sets, depth)
    elif t.kind == "float" and not exact:
        return as_float(t, value)
    elif kind_of(value) == t.kind:
        return value
    raise mismatch(t, value)


def _fit_union(t: Type, value: Any, exact: bool, sets: bool, depth: int) -> Any:
    """Prefers the member that value fits as it is to one that needs a conversion."""
    inner = optional(t)
    if inner is not None and value is not None:
        return fit(inner, value, exact=exact, sets=sets, depth=depth)
    for exactly in (True, False)[: 1 if exact else 2]:
        for member in t.args:
            try:
                return fit(member, value, exact=exactly, sets=sets, depth=depth)
            except BadValue:
                continue
    raise mismatch(t, value)


def _fit_items(t: Type, items: list[Any], exact: bool, sets: bool, depth: int) -> list[Any]:
    fitted: list[Any] = []
    for i, item in enumerate(items):
        try:
            elem = t.args[0] if t.kind == "list" else item_type(t, i)
            fitted.append(fit(elem, item, exact=exact, sets=sets, depth=depth + 1))
        except BadValue as e:
            raise e.below(index_step(i)) from None
    return fitted


def _fit_dict(t: Type, members: dict[Any, Any], exact: bool, sets: bool, depth: int) -> dict[Any, Any]:
    fitted: dict[Any, Any] = {}
    for key, item in members.items():
        if not isinstance(key, str):
            raise BadValue("", "str as the key of a dict", describe(key))
        try:
            fitted[key] = fit(t.args[1], item, exact=exact, sets=sets, depth=depth + 1)
        except BadValue as e:
            raise e.below(key_step(key)) from None
    return fitted


def holds_sets(t: Type) -> bool:
    """Reports whether values of t hold sets in Python."""
    return is_set(t) or any(holds_sets(arg) for arg in t.args)


def with_sets(t: Type, value: Any) -> Any:
    """Returns a value that fits t exactly, with lists made the sets that t has in Python."""
    if t.kind == "Union":
        return with_sets(_member(t, value), value)
    if t.kind == "list":
        items = [with_sets(t.args[0], item) for item in value]
        return _made_set(t, items) if is_set(t) else items
    if t.kind == "tuple":
        return tuple(with_sets(item_type(t, i), item) for i, item in enumerate(value))
    if t.kind == "dict":
        return {key: with_sets(t.args[1], item) for key, item in value.items()}
    return value


def _member(t: Type, value: Any) -> Type:
    for member in t.args:
        try:
            fit(member, value, exact=True)
        except BadValue:
            continue
        return member
    return ANY


def _made_set(t: Type, items: list[Any]) -> Any:
    try:
        return t.python(items)
    except TypeError:
        raise BadValue("", f"items of a {t.python.__name__}", "one that has no hash") from None
