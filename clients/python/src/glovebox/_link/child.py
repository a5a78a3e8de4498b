"""The engine as a child of this process, which ends with it."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
import os
import re
import shutil
import threading
import time

from .._process.log import logger
from .._process.time_limit import time_limit
from ..errors import GloveboxError, Outcome, ServerUnavailableError
from .ahead import take
from .launch import Launched, launch
from .program import find_program

_START_PATIENCE = 60.0  # seconds: the first start of a home makes its files
_STOP_PATIENCE = 10.0  # seconds
_TERM_PATIENCE = 1.0  # seconds
_LOOK = 0.1  # seconds between looks at it
_KEPT = 64 << 10  # bytes of what it printed, for the error if it ends
_SHOWN = 20  # lines of that in the error
_READY = "glovebox: listening on "
_LEVEL = re.compile(r"\blevel=(DEBUG|INFO|WARN|ERROR)\b")
_LEVELS = {"DEBUG": logging.DEBUG, "INFO": logging.INFO, "WARN": logging.WARNING, "ERROR": logging.ERROR}
_logger = logger("glovebox.engine")


class Child:
    """A running engine, made by ``start``."""

    def __init__(self, launched: Launched) -> None:
        self.socket = launched.socket
        self._launched = launched
        self._process = launched.process
        self._owner = os.getpid()
        self._kept: collections.deque[str] = collections.deque()
        self._size = 0
        self._loop = asyncio.get_running_loop()
        self._ready = asyncio.Event()
        self._ended = asyncio.Event()
        self._reader = threading.Thread(target=self._read, name="glovebox-engine", daemon=True)
        self._reader.start()

    @classmethod
    async def start(cls, home: str | None = None) -> Child:
        """Starts an engine and waits until it takes requests."""
        program = find_program()
        try:
            child = cls(take(program, home) or launch(program, home))
        except OSError as error:
            raise _failure(f"the engine {program} cannot be started: {error}", "check the program") from None
        try:
            await child._started()
        except BaseException:
            await child.stop()
            raise
        return child

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    async def has_ended(self, patience: float) -> bool:
        """Reports whether it has ended, or does so within patience seconds."""
        deadline = time.monotonic() + patience
        # It may have ended though something that it started holds its stderr.
        while self.alive and time.monotonic() < deadline:
            with contextlib.suppress(asyncio.TimeoutError):
                async with time_limit(min(_LOOK, patience)):
                    await self._ended.wait()
        return not self.alive

    def failure(self) -> GloveboxError:
        """Returns the error for an engine that has ended by itself."""
        status = self._process.poll()
        how = f"was ended by signal {-status}" if status is not None and status < 0 else f"ended with status {status}"
        last = "\n".join(list(self._kept)[-_SHOWN:])
        return _failure(
            f"the engine, a child of this process, {how}" + (f". It said last:\n{last}" if last else ""),
            "the next call starts another one; runs that were under way can be resumed",
            outcome="unknown",
        )

    async def stop(self) -> None:
        """Ends it, with patience, and then without."""
        if self._owner != os.getpid():
            return
        stdin = self._process.stdin
        if stdin is not None:
            stdin.close()
        if not await self.has_ended(_STOP_PATIENCE):
            self._process.terminate()
            if not await self.has_ended(_TERM_PATIENCE):
                self._process.kill()
                await self.has_ended(_TERM_PATIENCE)
        # Its last lines; threads cannot be waited for when Python ends.
        with contextlib.suppress(asyncio.TimeoutError):
            async with time_limit(_TERM_PATIENCE):
                await self._ended.wait()
        self._reader.join(_LOOK)
        shutil.rmtree(self._launched.directory, ignore_errors=True)

    def forget(self) -> None:
        """Lets go of it in a process that was forked off the one that started it."""
        self._launched.forget()

    async def _started(self) -> None:
        waits = [asyncio.ensure_future(event.wait()) for event in (self._ready, self._ended)]
        try:
            await asyncio.wait(waits, timeout=_START_PATIENCE, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        if self._ready.is_set():
            return
        if self._ended.is_set():
            raise self.failure()
        raise _failure(
            f"the engine did not begin to listen within {_START_PATIENCE:g} s", "look at the log glovebox.engine"
        )

    def _read(self) -> None:
        """Reads what the engine prints; in a thread of its own."""
        stream = self._process.stderr
        assert stream is not None
        with stream:
            while line := stream.readline(_KEPT):
                self._take(line.decode("utf-8", "replace").rstrip())
        self._process.wait()
        self._tell(self._ended)

    def _take(self, line: str) -> None:
        if line.startswith(_READY):
            self._tell(self._ready)
            return
        level = _LEVEL.search(line)
        # One line for every request helps to find a fault.
        noise = " msg=request " in line
        _logger.log(logging.DEBUG if noise else _LEVELS[level[1]] if level else logging.WARNING, "%s", line)
        if noise:
            return
        self._kept.append(line)
        self._size += len(line)
        while self._size > _KEPT:
            self._size -= len(self._kept.popleft())

    def _tell(self, event: asyncio.Event) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: no caller waits
            self._loop.call_soon_threadsafe(event.set)


def _failure(message: str, hint: str, outcome: Outcome = "not_started") -> GloveboxError:
    return ServerUnavailableError(message, hint=hint, retryable=False, outcome=outcome)
