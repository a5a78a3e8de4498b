"""A call of a user's function that another thread can stop."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any


class Stopped(BaseException):
    """Raised inside of a function that has to stop."""


class Interruptible:
    """One call, which is made at most once and can be stopped at any time, before it too."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stopped = False
        self._interrupt: Callable[[], None] | None = None  # how the user's code is stopped, while it runs

    @property
    def stopped(self) -> bool:
        """Whether it has been asked to stop."""
        return self._stopped

    def stop(self) -> None:
        """Has the call stop: it raises Stopped as soon as it executes Python code again.

        One that waits in a call of C, such as time.sleep, first returns from that.
        """
        with self._lock:
            if self._stopped:
                return
            self._stopped = True
            if self._interrupt is not None:
                self._interrupt()

    def call(self, call: Callable[[], Any]) -> Any:
        """Calls it so that Stopped can be raised in it, and nowhere behind it."""
        thread = threading.get_ident()
        try:
            try:
                self.enter(lambda: _raise_in(thread, Stopped))
                return call()
            finally:
                self.leave()
                _let_in()
        except Stopped:  # it may have come when the function had ended already; it comes once
            self.leave()
            raise

    def enter(self, interrupt: Callable[[], None]) -> None:
        """Says how what begins now is stopped. Raises Stopped if it should not begin."""
        with self._lock:
            if self._stopped:
                raise Stopped
            self._interrupt = interrupt

    def leave(self) -> None:
        """Says that it has ended."""
        with self._lock:
            self._interrupt = None


def _raise_in(thread: int, kind: type[BaseException]) -> None:
    """Raises kind in a thread when it next executes Python code."""
    import ctypes  # lazy: only what is stopped needs it

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


def _let_in() -> None:
    """Has what was raised in this thread, and did not come yet, come here: Python looks for it at each turn of a loop.

    Taking it back, as PyThreadState_SetAsyncExc can, would leave Python looking
    for it for ever; 3.11 then hangs in the next function that is traced.
    """
    for _ in range(2):
        pass
