"""An engine that starts while this process still loads what speaks to it."""

from __future__ import annotations

import atexit
import functools
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from .._process import context
from .._process.fork import in_children
from .settings import names_engine, settings

if TYPE_CHECKING:
    from .launch import Launched

P = ParamSpec("P")
R = TypeVar("R")


def engine_ahead(function: Callable[P, R]) -> Callable[P, R]:
    """Makes the first call of a function that needs the engine begin with the start of it, where that is a child.

    To load the rest, asyncio first of all, takes as long as the start does.
    """

    @functools.wraps(function)
    def begun(*args: P.args, **kwargs: P.kwargs) -> R:
        if "asyncio" not in sys.modules:
            _ahead.begin()
        return function(*args, **kwargs)

    return begun


class _Ahead:
    """The engine that was started and that no connection has yet."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: tuple[str, str | None, Launched] | None = None  # with its program and home

    def begin(self) -> None:
        """Starts the engine. What keeps it from that is found again, and reported, by what needs it."""
        if names_engine() or context.in_cell() or context.loading.get():
            return
        from ..errors import GloveboxError  # lazy: only a child needs these
        from .launch import launch  # lazy: the same
        from .program import find_program  # lazy: the same

        with self._lock:
            if self._waiting is not None:
                return
            try:
                program, home = find_program(), settings().home
                self._waiting = (program, home, launch(program, home))
            except (OSError, GloveboxError):
                return
            atexit.register(self.end)

    def take(self, program: str, home: str | None) -> Launched | None:
        with self._lock:
            if self._waiting is None or self._waiting[:2] != (program, home):
                return None
            launched, self._waiting = self._waiting[2], None
            atexit.unregister(self.end)
            return launched

    def end(self) -> None:
        """Ends an engine that no connection was made to after all."""
        if self._waiting is not None:
            self._waiting[2].process.communicate()  # closes its standard input, which ends it

    def forget(self) -> None:
        """Lets go of it in a process that was forked off."""
        atexit.unregister(self.end)
        if self._waiting is not None:
            self._waiting[2].forget()


_ahead = _Ahead()


def take(program: str, home: str | None) -> Launched | None:
    """Returns the engine that was started so, to the first caller that needs one of that program and home."""
    return _ahead.take(program, home)


def _forget() -> None:
    global _ahead
    _ahead.forget()
    _ahead = _Ahead()


in_children(_forget)
