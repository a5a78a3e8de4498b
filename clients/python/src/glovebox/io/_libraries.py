"""The libraries of tables, which are known by the names of their classes: none has to be imported."""

from __future__ import annotations

_CLASSES = {("pandas", "DataFrame"): "pandas", ("polars", "DataFrame"): "polars", ("pyarrow", "Table"): "pyarrow"}


def library_of_class(kind: object) -> str | None:
    """Returns the library whose table class, or a subclass of it, that is; also for the name of the library."""
    if isinstance(kind, str):
        return kind if kind in _CLASSES.values() else None
    if not isinstance(kind, type):
        return None
    for base in kind.__mro__:
        found = _CLASSES.get((base.__module__.partition(".")[0], base.__name__))
        if found:
            return found
    return None


def library_of(value: object) -> str | None:
    """Returns the library that value is a table of."""
    return library_of_class(type(value))
