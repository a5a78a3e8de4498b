"""Slots of async functions: each has an event loop of its own, which takes open files.

So as many run concurrently as there is room for. A call that waits for another one
keeps its slot, and lends one more to the call that it waits for. Otherwise all slots
could be held by calls that wait for calls without one.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Generator

from .._process import context
from .._process.fork import in_children
from .._process.open_files import open_files

_LEAST, _MOST = 16, 1024
_FILES = 8  # that a process may open, for each slot: a loop takes 3, and calls wait for calls

_CALLERS = ("orchestrator", "agent")  # kinds of tasks that call functions

_OWN, _ANY = "", "*"  # kinds of slots; any other is one that the run of that id lends to one below it


class Slots:
    """The slots of this process. For the loop's thread."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[str, str] = {}  # by call, the kind of its slot
        self._taken: Counter[str] = Counter()  # how many of each kind
        self._waiting: dict[str, tuple[str, Callable[[], None]]] = {}  # by call, its run and how it begins
        self._parents: dict[str, str] = {}  # by run, the one of this process that waits for it
        self._any = 0  # waits for orchestrators and agents, which may call any function

    def enter(self, call: str, run: str, begin: Callable[[], None]) -> None:
        """Calls begin when the call has a slot, perhaps immediately."""
        self._waiting[call] = (run, begin)
        self._serve()

    def leave(self, call: str) -> bool:
        """Gives the slot of a call back, if it had one, and reports whether it was still waiting for one."""
        waited = self._waiting.pop(call, None) is not None
        kind = self._held.pop(call, None)
        if kind is not None:
            self._taken -= Counter([kind])  # and forgets it when there are no more
            self._serve()
        return waited

    @contextlib.contextmanager
    def lent(self, run: str, kind: str) -> Generator[None, None, None]:
        """Lends a slot while the calling code waits for a run of a task of that kind."""
        parent = context.current_run()
        if parent is None or kind not in ("function", *_CALLERS):  # a cell calls no function of this process
            yield
            return
        self._any += kind in _CALLERS
        self._parents[run] = parent
        self._serve()
        try:
            yield
        finally:
            self._any -= kind in _CALLERS
            self._parents.pop(run, None)

    def _serve(self) -> None:
        for call, (run, begin) in list(self._waiting.items()):
            kind = self._kind(run)
            if kind is not None and self._waiting.pop(call, None) is not None:
                self._held[call] = kind
                self._taken[kind] += 1
                begin()

    def _kind(self, run: str) -> str | None:
        """Returns the kind of slot that there is for a call of that run, or None if there is none."""
        if self._taken[_OWN] < self._most:
            return _OWN
        parent = self._parents.get(run)
        if parent is not None and self._taken[parent] <= 0:
            return parent
        return _ANY if self._taken[_ANY] < self._any else None


def _made() -> Slots:
    return Slots(max(_LEAST, min(_MOST, open_files() // _FILES)))


slots = _made()


def _renew() -> None:
    global slots
    slots = _made()


in_children(_renew)
