"""Values of modules that are imported only where such values occur."""

from __future__ import annotations

import dataclasses
import sys
from collections import deque
from collections.abc import Iterable
from typing import Any, cast

# The kinds and their modules; the class has the name of the kind.
_MODULES = {"Decimal": "decimal", "UUID": "uuid"}


def rare_class(kind: str) -> Any:
    """Returns the class of a kind, if its module is imported: without that there are no values of it."""
    return getattr(sys.modules.get(_MODULES[kind]), kind, None)


def rare_kind(value: Any) -> str | None:
    """Returns Decimal or UUID if value is one, exactly."""
    for kind in _MODULES:
        if type(value) is rare_class(kind):
            return kind
    return None


def kind_of_class(annotation: Any) -> str | None:
    """Returns the kind whose class annotation is."""
    for kind in _MODULES:
        if annotation is rare_class(kind) is not None:
            return kind
    return None


def rare_base(value: Any) -> Any:
    """Returns a Decimal or UUID of a subclass as what it is; None for something else."""
    decimal, uuid = rare_class("Decimal"), rare_class("UUID")
    if decimal is not None and isinstance(value, decimal):
        return decimal(value)
    if uuid is not None and isinstance(value, uuid):
        return uuid(int=value.int)
    return None


def decimal_value(text: str) -> Any:
    """Reads what the engine writes; None if text is something else."""
    import decimal  # lazy: it is loaded with the first such value

    try:
        return decimal.Decimal(text)
    except (decimal.InvalidOperation, ValueError):
        return None


def uuid_value(text: str) -> Any:
    """Reads what the engine writes; None if text is something else."""
    import uuid  # lazy: it asks the platform when it is imported

    try:
        return uuid.UUID(text) if len(text) == 36 else None
    except ValueError:
        return None


def fields_of(value: Any) -> dict[str, Any] | None:
    """Returns the fields of an instance of a dataclass."""
    if isinstance(value, type) or not dataclasses.is_dataclass(value):
        return None
    return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}


def items_of(value: Any) -> list[Any] | None:
    """Returns the items of a deque."""
    return list(cast("Iterable[Any]", value)) if isinstance(value, deque) else None
