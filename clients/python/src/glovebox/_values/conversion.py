"""Which type of a union a value fits, by the rules of the engine."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, cast

from .integers import decimal_of
from .lazy_classes import decimal_value
from .types import ANY, Choice, Type
from .value import (
    BadValue,
    class_of,
    describe,
    exact_float,
    index_step,
    key_step,
    key_text,
    kind_of,
    mismatch,
    natural,
    too_deep,
)
from .wire import MAX_DEPTH, MAX_INT_BITS


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
    """Reports whether values of t are sets in Python. Those of files travel as lists."""
    return t.kind == "set" or (t.kind == "list" and t.python is not None)


def check_int(value: int) -> int:
    """Refuses an int that is too long for the engine."""
    if value.bit_length() > MAX_INT_BITS:
        raise BadValue("", f"int of at most {MAX_INT_BITS} bits", f"int of {value.bit_length()} bits")
    return value


def as_float(t: Type, value: Any) -> float:
    """Returns a float, or an int that is one exactly, as float."""
    if type(value) is float:
        return value
    if type(value) is not int:
        raise mismatch(t, value)
    return exact_float(value)


def as_decimal(t: Type, value: Any) -> Any:
    """Returns a Decimal, or an int as one."""
    if kind_of(value) == "Decimal":
        return value
    if type(value) is not int:
        raise mismatch(t, value)
    return decimal_value(decimal_of(check_int(value)))


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
    if t.kind == "set":
        if issubclass(shape, (set, frozenset)):
            return made_set(t, _fit_items(t, list(value), exact, sets, depth))
    elif t.kind == "list":
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
    elif t.kind == "Decimal" and not exact:
        return as_decimal(t, value)
    elif kind_of(value) == t.kind:
        return check_choice(t, value)
    raise mismatch(t, value)


def check_choice(t: Type, value: Any) -> Any:
    """Returns a value of the kind of t, and refuses one that is none of those that a Literal allows."""
    if isinstance(t.python, Choice) and value not in t.python.values:
        raise mismatch(t, value)
    return value


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
            elem = item_type(t, i) if t.kind == "tuple" else t.args[0]
            fitted.append(fit(elem, item, exact=exact, sets=sets, depth=depth + 1))
        except BadValue as e:
            raise e.below(index_step(i)) from None
    return fitted


def _fit_dict(t: Type, members: dict[Any, Any], exact: bool, sets: bool, depth: int) -> dict[Any, Any]:
    fitted: dict[Any, Any] = {}
    for key, item in members.items():
        text = key_text(t.args[0].kind, key)
        check_choice(t.args[0], natural(key))
        try:
            fitted[natural(key)] = fit(t.args[1], item, exact=exact, sets=sets, depth=depth + 1)
        except BadValue as e:
            raise e.below(key_step(text)) from None
    return fitted


def is_shaped(t: Type) -> bool:
    """Reports whether values of t, or some of them, are of a class of their own in Python."""
    return is_set(t) or is_enum(t) or isinstance(t.python, Choice) or any(map(is_shaped, t.args))


def is_enum(t: Type) -> bool:
    """Reports whether values of t are members of an Enum in Python."""
    return isinstance(t.python, type) and issubclass(t.python, enum.Enum)


def shaped(t: Type, value: Any) -> Any:
    """Returns a value that fits t exactly, with sets and members of an Enum made those that t has in Python.

    BadValue for one that is no member, or none of the values of a Literal.
    """
    if is_enum(t):
        return _member_of(t, value)
    if isinstance(t.python, Choice):
        return check_choice(t, value)
    if t.kind == "Union":
        inner = optional(t)
        return shaped(inner if inner is not None and value is not None else _member(t, value), value)
    if is_set(t):
        return made_set(t, [shaped(t.args[0], item) for item in value])
    if t.kind == "list":
        return [shaped(t.args[0], item) for item in value]
    if t.kind == "tuple":
        return tuple(shaped(item_type(t, i), item) for i, item in enumerate(value))
    if t.kind == "dict":
        return {shaped(t.args[0], key): shaped(t.args[1], item) for key, item in value.items()}
    return value


def _member_of(t: Type, value: Any) -> Any:
    try:
        return t.python(value)
    except ValueError:
        shown = ", ".join(describe(natural(member)) for member in t.python)
        raise BadValue("", f"a value of {t.python.__name__} ({shown[:200]})", describe(value)) from None


def _member(t: Type, value: Any) -> Type:
    for member in t.args:
        try:
            fit(member, value, exact=True)
        except BadValue:
            continue
        return member
    return ANY


def made_set(t: Type, items: list[Any]) -> Any:
    """Returns the set of a type with these items. Sets within it are frozen."""
    made: Any = t.python or set
    try:
        return made(map(_frozen, items))
    except TypeError:
        raise BadValue("", f"items of a {made.__name__}", "one that has no hash") from None


def _frozen(item: Any) -> Any:
    if type(item) is set:
        return frozenset(cast("Iterable[Any]", item))
    if type(item) is tuple:
        return tuple(map(_frozen, cast("Iterable[Any]", item)))
    return item
