"""The error of an annotation that is no type of a task."""

from __future__ import annotations

from typing import Any

_MAX_SHOWN = 500  # characters of an annotation

SUPPORTED = (
    "primitives (int, float, str, bool, bytes, datetime, timedelta, date, time, Decimal, UUID, None), enums of these, "
    "collections (list, dict, tuple, set), and glovebox.io types (File, Dir, DataFrame)"
)


class UnsupportedType(TypeError):
    """An annotation that is no type which can cross the boundary of a task.

    ``what`` says whose it is, such as ``input 'x'``; ``annotation`` is the whole
    of it, and ``reason`` says what is wrong with which part, or is empty.
    """

    __module__ = "glovebox.errors"  # where users find it

    def __init__(self, annotation: Any, what: str, reason: str = "") -> None:
        self.annotation = annotation
        self.what = what
        self.reason = reason
        because = f" ({reason})" if reason else ""
        super().__init__(f"{what} has unsupported type {shown(annotation)}{because}. Supported types: {SUPPORTED}.")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.annotation, self.what, self.reason)


def shown(annotation: Any) -> str:
    """Returns the repr of an annotation, cut to what a message needs."""
    try:
        text = repr(annotation)
    except RecursionError:
        return "an annotation that is nested too deeply to be shown"
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."
