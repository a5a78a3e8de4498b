"""``glovebox.group``: a name for runs that belong together."""

from __future__ import annotations

import contextvars
from collections.abc import Generator
from contextlib import contextmanager

_MOST = 128  # characters of a name

_current: contextvars.ContextVar[str] = contextvars.ContextVar("glovebox_group", default="")


@contextmanager
def group(name: str) -> Generator[None, None, None]:
    """Gives the runs that are started within it a group, which ``glovebox show`` and ``Run.group`` show.

    Of groups within each other the inner one counts. It changes nothing else.

    >>> with glovebox.group("warm-up"):
    ...     first = fetch(url)
    """
    token = _current.set(_checked(name))
    try:
        yield
    finally:
        _current.reset(token)


def current_group() -> str:
    """Returns the group of what is started now, or an empty text."""
    return _current.get()


def _checked(name: object) -> str:
    if not isinstance(name, str):
        raise TypeError(f"group is {name!r} ({type(name).__name__}), expected a name such as 'warm-up'")
    if not 0 < len(name) <= _MOST or not name.isprintable():
        raise ValueError(f"group is {name!r}, expected a name of 1 to {_MOST} characters in one line")
    return name
