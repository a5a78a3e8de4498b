"""Threads for calls, which are used again: making one takes longer than most functions do."""

from __future__ import annotations

import contextvars
import queue
import threading
from collections.abc import Callable

from .._process.fork import in_children

_MOST = 64  # threads that wait for a call
_PATIENCE = 10.0  # seconds that one waits

Main = Callable[[], None]


class _Thread:
    """A thread that makes one call after the other."""

    def __init__(self, threads: Threads) -> None:
        self._threads = threads
        self._calls: queue.SimpleQueue[tuple[str, Main]] = queue.SimpleQueue()

    def start(self) -> None:
        """Starts it. Raises RuntimeError if the system gives no thread."""
        threading.Thread(target=contextvars.Context().run, args=(self._run,), name="glovebox", daemon=True).start()

    def make(self, name: str, main: Main) -> None:
        """Has it make a call, in a context of its own."""
        self._calls.put((name, main))

    def _run(self) -> None:
        while True:
            try:
                name, main = self._calls.get(timeout=_PATIENCE)
            except queue.Empty:
                if self._threads.leave(self):
                    return
                continue  # somebody gives it a call just now
            threading.current_thread().name = f"glovebox-{name}"
            contextvars.Context().run(main)
            del main  # which may hold much
            if not self._threads.wait(self):
                return


class Threads:
    """The threads of this process that make calls."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: list[_Thread] = []  # the one that made a call last comes last

    def run(self, name: str, main: Main) -> None:
        """Runs main in a thread that waits, or else in a new one. Raises RuntimeError if the system gives none."""
        with self._lock:
            thread = self._waiting.pop() if self._waiting else None
        if thread is None:
            thread = _Thread(self)
            thread.start()
        thread.make(name, main)

    def wait(self, thread: _Thread) -> bool:
        """Reports whether a thread that has made its call waits for another one."""
        with self._lock:
            if len(self._waiting) >= _MOST:
                return False
            self._waiting.append(thread)
            return True

    def leave(self, thread: _Thread) -> bool:
        """Reports whether a thread that has waited for long may end."""
        with self._lock:
            if thread not in self._waiting:
                return False
            self._waiting.remove(thread)
            return True


_threads = Threads()


def run(name: str, main: Main) -> None:
    """Runs main in a thread of this process. Raises RuntimeError if the system gives none."""
    _threads.run(name, main)


def _renew() -> None:
    global _threads
    _threads = Threads()


in_children(_renew)
