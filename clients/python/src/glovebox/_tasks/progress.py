"""What an image is waiting for while it is built, in one line, or off a terminal in a line now and then."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, Protocol

from .._process.log import logger

if TYPE_CHECKING:
    import asyncio

VARIABLE = "GLOVEBOX_PROGRESS"  # 0 turns the lines off

_STAGES = {"resolve", "base", "build"}  # those of an image; the others are short
_CHOICE = "base: "  # begins the message that explains the choice of a base, which people want to find in a log, too
_REDRAWING = 1.0  # seconds
_TELLING = 30.0  # seconds between lines that stay, unless a stage begins
_logger = logger("glovebox.progress")


class _Display(Protocol):
    """Where a line is shown."""

    def begin(self, line: str) -> None:
        """Shows each stage when it begins."""

    def show(self, line: str) -> None:
        """Shows every change, if only of the time."""

    def erase(self) -> None: ...


@contextlib.contextmanager
def progress_of(what: str) -> Generator[Callable[[str, str], None] | None, None, None]:
    """Yields a function that takes stage and message of what happens to ``what``, in an event loop.

    It shows one line, which is gone in the end, on a terminal or in a notebook;
    elsewhere it logs, or without a logger prints a line now and then. It yields
    None when progress is turned off.
    """
    logged = _logger.isEnabledFor(logging.INFO)
    display = _display_here(logged)
    if display is None and not logged:
        yield None
        return
    line = _Line(what, display)
    try:
        yield line.tell
    finally:
        line.end()


class _Line:
    """What is shown of one image."""

    def __init__(self, what: str, display: _Display | None) -> None:
        self._what, self._display = what, display
        self._stage = self._message = ""
        self._begun = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None

    def tell(self, stage: str, message: str) -> None:
        if stage not in _STAGES:
            self.end()
            return
        if (stage, message) == (self._stage, self._message):
            return
        begins = stage != self._stage or message.startswith(_CHOICE)
        self._stage, self._message = stage, message
        _logger.info("%s", _printable(f"glovebox: {self._what}: {stage} {message}".rstrip()))
        if self._display is None:
            return
        if begins:
            self._display.begin(_printable(f"glovebox: {self._name()}: {message or stage}"))
        self._display.show(self._shown())
        if self._timer is None:
            self._timer = _later(_REDRAWING, self._tick)

    def _tick(self) -> None:
        """Shows that time has gone by."""
        assert self._display is not None
        self._display.show(self._shown())
        self._timer = _later(_REDRAWING, self._tick)

    def _shown(self) -> str:
        """Returns the line for people: how long it takes by now, and no id, which would fill a narrow terminal."""
        seconds = int(time.monotonic() - self._begun)
        hint = " (the first time, a minute or two)" if self._stage == "base" else ""
        return _printable(f"glovebox: {self._name()}, {seconds} s: {self._stage}{hint} {self._message}".rstrip())

    def _name(self) -> str:
        return "image" if self._what.startswith("run-") else self._what

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._stage and self._display is not None:
            self._display.erase()
        self._stage = self._message = ""


def _later(seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
    import asyncio  # lazy: it takes longer to load than all that a declaration needs

    return asyncio.get_running_loop().call_later(seconds, call)


class _Log:
    """Lines that stay. Many runs may wait for one image, which is reported once."""

    _lock = threading.Lock()
    _latest: deque[tuple[float, str]] = deque(maxlen=64)  # when, and what

    def begin(self, line: str) -> None:
        with self._lock:
            now = time.monotonic()
            if all(line != known or now - then >= _TELLING for then, known in self._latest):
                self._tell(now, line)

    def show(self, line: str) -> None:
        with self._lock:
            now = time.monotonic()
            if now - self._latest[-1][0] >= _TELLING:
                self._tell(now, line)

    def erase(self) -> None:
        pass

    def _tell(self, now: float, line: str) -> None:
        self._latest.append((now, line))
        with contextlib.suppress(AttributeError, OSError, ValueError):  # there is no such stream any more
            print(line, file=sys.stderr, flush=True)


class _Terminal:
    """The line at the end of a terminal. Those of several images take turns."""

    _lock = threading.Lock()

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def begin(self, line: str) -> None:
        pass

    def show(self, line: str) -> None:
        self._write("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1])

    def erase(self) -> None:
        self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        with self._lock, contextlib.suppress(OSError, ValueError):  # the terminal is gone
            self._stream.write(text)
            self._stream.flush()


class _Notebook:
    """A line below the cell of a notebook."""

    def __init__(self, display: Callable[..., Any]) -> None:
        self._display = display
        self._handle: Any = None

    def begin(self, line: str) -> None:
        pass

    def show(self, line: str) -> None:
        self._update({"text/plain": line})

    def erase(self) -> None:
        self._update({"text/plain": "", "text/html": ""})

    def _update(self, data: dict[str, str]) -> None:
        if self._handle is None:
            self._handle = self._display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def _display_here(logged: bool) -> _Display | None:
    """Returns where lines are shown. Where they are logged, only a display that keeps none has them, too."""
    if os.environ.get(VARIABLE) == "0":
        return None
    notebook = _notebook_display()
    if notebook is not None:
        return _Notebook(notebook)
    stream = sys.stderr
    try:
        if stream.isatty() and os.environ.get("TERM") != "dumb":
            return _Terminal(stream)
    except (AttributeError, ValueError):  # there is none, or it is closed
        return None
    return None if logged else _Log()


def _notebook_display() -> Callable[..., Any] | None:
    """Returns IPython's display if this is a notebook, without importing what is not there already."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display  # lazy: optional  # type: ignore[import-not-found,unused-ignore]  # pyright: ignore

    return display  # type: ignore[no-any-return,unused-ignore]  # pyright: ignore


def _printable(text: str) -> str:
    """Returns text without what would move the cursor: it may come from a package index, say."""
    return "".join(character if character.isprintable() else " " for character in text)
