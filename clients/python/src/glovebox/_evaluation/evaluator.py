"""The evaluator: a child of this process, which ends with it."""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import shutil
import subprocess
import tempfile
import threading
from typing import IO

from .._link.child import find_program, private_directory
from .._process.fork import in_children
from ..errors import ServerUnavailableError
from .link import Link, LinkClosedError

_IDLE = 16  # connections that are kept
_SHOWN = 4 << 10  # bytes of what it printed last, in an error
_START_PATIENCE = 60.0  # seconds
_STOP_PATIENCE = 2.0  # seconds
_END_PATIENCE = 1.0  # seconds


class Evaluator:
    """The child, which starts with the first evaluation, and connections to it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._directory = ""
        self._log: IO[bytes] | None = None  # what it prints; the file has no name, so nothing is left if this is killed
        self._idle: list[Link] = []

    def take(self) -> Link:
        """Returns a connection that nobody uses."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
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

    def stop(self) -> None:
        """Ends it."""
        with self._lock:
            process, self._process = self._process, None
            idle, self._idle = self._idle, []
        for link in idle:
            link.close()
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(_STOP_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._clear()

    def forget(self) -> None:
        """Lets go of it in a process that was forked off the one that started it."""
        for link in self._idle:
            link.forget()
        if self._log is not None:
            self._log.close()
        if self._process is not None:
            if self._process.stdin is not None:
                self._process.stdin.close()  # else it would live as long as this process
            self._process.returncode = 0  # it is no child of this one: there is nothing to wait for

    def _start(self) -> None:
        self._clear()
        program, self._directory = find_program(), str(private_directory())
        self._log = tempfile.TemporaryFile()
        try:
            self._process = _spawn(program, self._directory, self._log)
        except BaseException:
            self._clear()
            raise
        assert self._process.stdout is not None
        with self._process.stdout as ready:
            poll = select.poll()
            poll.register(ready, select.POLLIN)
            in_time = poll.poll(_START_PATIENCE * 1000)
            if in_time and ready.readline():
                return
            self._process.kill()
            self._process.wait()
            why = "ended before it listened" if in_time else f"did not listen within {_START_PATIENCE:g} s"
            error = self.gone(LinkClosedError(f"it {why}"))
            self._clear()
            raise error

    def _connected(self) -> Link:
        try:
            return Link(os.path.join(self._directory, "s"))
        except OSError as error:
            raise self.gone(LinkClosedError(f"it cannot be reached: {error}")) from None

    def _clear(self) -> None:
        """Removes what is left of one that has ended."""
        idle, self._idle = self._idle, []
        for link in idle:
            link.close()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None
        if self._log is not None:
            self._log.close()
            self._log = None
        if self._directory:
            shutil.rmtree(self._directory, ignore_errors=True)
            self._directory = ""


def _spawn(program: str, directory: str, log: IO[bytes]) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [program, "evaluator", "--listen", os.path.join(directory, "s")],
            stdin=subprocess.PIPE,
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


evaluator = Evaluator()
atexit.register(evaluator.stop)


def _renew() -> None:
    global evaluator
    evaluator.forget()
    atexit.unregister(evaluator.stop)
    evaluator = Evaluator()
    atexit.register(evaluator.stop)


in_children(_renew)


def current() -> Evaluator:
    """Returns the evaluator of this process."""
    return evaluator
