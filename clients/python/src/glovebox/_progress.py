"""A line that says what an image is waiting for while it is built."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import sys
import threading
from collections.abc import Callable, Generator
from typing import Any, Protocol

VARIABLE = "GLOVEBOX_PROGRESS"  # 0 turns the line off

_STAGES = {"resolve", "base", "build"}  # those of an image; the others are short
_logger = logging.getLogger("glovebox.progress")


class _Display(Protocol):
    """Where a line is shown."""

    def show(self, line: str) -> None: ...
    def erase(self) -> None: ...


@contextlib.contextmanager
def progress_of(what: str) -> Generator[Callable[[str, str], None] | None, None, None]:
    """Gives a function that is told stage and message of what happens to ``what``.

    It shows one line, which is gone in the end, on a terminal or in a notebook;
    elsewhere it logs. None: nobody wants to know.
    """
    display = _display_here()
    if display is None and not _logger.isEnabledFor(logging.INFO):
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
        self._text = ""

    def tell(self, stage: str, message: str) -> None:
        if stage not in _STAGES:
            self.end()
            return
        text = _printable(f"glovebox: {self._what}: {stage} {message}".rstrip())
        if text == self._text:
            return
        self._text = text
        _logger.info("%s", text)
        if self._display is not None:
            self._display.show(text)

    def end(self) -> None:
        if self._text and self._display is not None:
            self._display.erase()
        self._text = ""


class _Terminal:
    """The line at the end of a terminal. Those of several images take turns."""

    _lock = threading.Lock()

    def __init__(self, stream: Any) -> None:
        self._stream = stream

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

    def show(self, line: str) -> None:
        self._update({"text/plain": line})

    def erase(self) -> None:
        self._update({"text/plain": "", "text/html": ""})

    def _update(self, data: dict[str, str]) -> None:
        if self._handle is None:
            self._handle = self._display(data, raw=True, display_id=True)
        else:
            self._handle.update(data, raw=True)


def _display_here() -> _Display | None:
    if os.environ.get(VARIABLE) == "0":
        return None
    notebook = _notebook_display()
    if notebook is not None:
        return _Notebook(notebook)
    stream = sys.stderr
    try:
        return _Terminal(stream) if stream.isatty() and os.environ.get("TERM") != "dumb" else None
    except (AttributeError, ValueError):  # there is none, or it is closed
        return None


def _notebook_display() -> Callable[..., Any] | None:
    """Returns IPython's display if this is a notebook, without importing what is not there already."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or getattr(shell, "kernel", None) is None:
        return None
    from IPython.display import display  # type: ignore[import-not-found,unused-ignore]  # pyright: ignore

    return display  # type: ignore[no-any-return,unused-ignore]  # pyright: ignore


def _printable(text: str) -> str:
    """Returns text without what would move the cursor: it may come from a package index, say."""
    return "".join(character if character.isprintable() else " " for character in text)
