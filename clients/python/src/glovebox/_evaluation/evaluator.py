"""The evaluator: a child of this process, which ends with it."""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import socket
import subprocess
import threading
from typing import IO

from .._link.program import find_program
from .._process.fork import in_children
from ..errors import ServerUnavailableError
from .link import Link, LinkClosedError

_IDLE = 16  # connections that are kept
_SHOWN = 4 << 10  # bytes of what it printed last, in an error
_START_PATIENCE = 60.0  # seconds
_END_PATIENCE = 1.0  # seconds


class Evaluator:
    """The child, which starts with the first evaluation, and connections to it.

    Its standard input is a socket, over which it is handed one end of each
    connection, and which ends it by being closed.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._log: IO[bytes] | None = None  # what it prints; the file has no name, so nothing is left if this is killed
        self._ready = False
        self._idle: list[Link] = []

    def begin(self) -> None:
        """Has it start, if it has not, while there is something else to do."""
        if self._process is not None:
            return
        with self._lock, contextlib.suppress(ServerUnavailableError):  # take raises it again
            if self._process is None:
                self._start()

    def take(self) -> Link:
        """Returns a connection that nobody uses."""
        with self._lock:
            if self._process is None or self._ready and self._process.poll() is not None:
                self._start()
            if not self._ready:
                self._await_start()
            return self._idle.pop() if self._idle else self._connected()

    def give(self, link: Link) -> None:
        """Takes a connection back whose evaluation has ended."""
        with self._lock:
            if len(self._idle) < _IDLE:
                self._idle.append(link)
                return
        link.close()

    def gone(self, error: LinkClosedError) -> ServerUnavailableError:
        """Returns the error for an evaluator that went away."""
        self.await_end()
        said = self._said()
        return ServerUnavailableError(
            f"the evaluator, a child of this process, went away: {error}"
            + (f". It said last:\n{said}" if said else ""),
            hint="the next evaluation starts another one",
            retryable=False,
            outcome="unknown",
        )

    def _said(self) -> str:
        """Returns the end of what it printed."""
        log, said = self._log, b""
        with contextlib.suppress(ValueError):  # another thread has started the next one
            if log is not None:
                said = os.pread(log.fileno(), _SHOWN, max(0, os.fstat(log.fileno()).st_size - _SHOWN))
        return said.decode("utf-8", "replace").strip()

    def await_end(self) -> None:
        """Waits a moment until it is known that one that closed a connection has ended."""
        if self._process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_END_PATIENCE)

    def leave(self) -> None:
        """Lets go of it, in a process that ends, or was forked off the one that started it.

        It ends when the last process that had its standard input does.
        """
        for link in self._idle:
            link.forget()
        for held in (self._control, self._log):
            if held is not None:
                held.close()
        if self._process is not None:
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process.returncode = 0  # nobody waits for it

    def _start(self) -> None:
        self._clear()
        program = find_program()
        self._log = _nameless_file()
        ours, its = socket.socketpair()
        try:
            with its:
                self._process = _spawn(program, its, self._log)
        except BaseException:
            ours.close()
            self._clear()
            raise
        self._control = ours

    def _await_start(self) -> None:
        """Waits until it takes connections."""
        process = self._process
        assert process is not None
        try:
            why = _silence(process)
            self._ready = not why
            if why:
                process.kill()
                raise self.gone(LinkClosedError(f"it {why}"))
        finally:
            if not self._ready:  # after an interruption, too
                process.kill()
                process.wait()
                self._clear()

    def _connected(self) -> Link:
        assert self._control is not None
        ours, its = socket.socketpair()
        try:
            with its:
                socket.send_fds(self._control, [b"\0"], [its.fileno()])
        except OSError as error:
            ours.close()
            raise self.gone(LinkClosedError(f"it cannot be reached: {error}")) from None
        return Link(ours)

    def _clear(self) -> None:
        """Closes what is left of one that has ended."""
        idle, self._idle = self._idle, []
        for link in idle:
            link.close()
        for held in (self._control, self._log):
            if held is not None:
                held.close()
        self._process = self._control = self._log = None
        self._ready = False


def _nameless_file() -> IO[bytes]:
    if hasattr(os, "memfd_create"):
        return os.fdopen(os.memfd_create("glovebox-evaluator"), "w+b")
    import tempfile  # lazy: Linux needs none

    return tempfile.TemporaryFile()


def _spawn(program: str, control: socket.socket, log: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [program, "evaluator"],
            stdin=control.fileno(),
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,  # Ctrl-C is for this process
        )
    except OSError as error:
        raise ServerUnavailableError(
            f"the evaluator {program} cannot be started: {error}",
            hint="check the program",
            retryable=False,
            outcome="not_started",
        ) from None


def _silence(process: subprocess.Popen[bytes]) -> str:
    """Waits for the line that says that it takes connections, and returns why there is none, if so."""
    assert process.stdout is not None
    with process.stdout as said:
        poll = select.poll()
        poll.register(said, select.POLLIN)
        if not poll.poll(_START_PATIENCE * 1000):
            return f"did not listen within {_START_PATIENCE:g} s"
        return "" if said.readline() else "ended before it listened"


evaluator = Evaluator()
atexit.register(evaluator.leave)


def _renew() -> None:
    global evaluator
    evaluator.leave()
    atexit.unregister(evaluator.leave)
    evaluator = Evaluator()
    atexit.register(evaluator.leave)


in_children(_renew)


def current() -> Evaluator:
    """Returns the evaluator of this process."""
    return evaluator
