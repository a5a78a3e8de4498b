"""The report of a call: its tabs, and the functions that write into the one of the code that calls them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator

from .._process import context
from .._process.log import logger
from .._process.loop import with_aio
from ..errors import OutputTooLargeError
from ._page import MAIN, page_of

_logger = logger("glovebox.report")

MAX_BYTES = 8 << 20  # of the whole page, as the engine takes it
_FRAME = 64 << 10  # bytes that are left for what is around the tabs
_MAX_TABS = 100
_MAX_NAME = 200  # characters

Publish = Callable[[str, bool], None]  # gets a page, and whether it is the last one of the call


class _Meter:
    """Counts the bytes of a report before they are kept."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._bytes = 0

    def charge(self, added: int) -> None:
        total = self._bytes + added
        if added > 0 and total > MAX_BYTES - _FRAME:
            raise OutputTooLargeError(
                f"the report would have {total} bytes; it can have {MAX_BYTES - _FRAME}",
                hint="write less into the report, and return large data as a File",
                details={"limit": MAX_BYTES - _FRAME, "peak": total},
            )
        self._bytes = total


class Tab:
    """A part of a report with a name. ``get_tab`` makes it."""

    __module__ = "glovebox.report"  # where users find it

    def __init__(self, name: str, meter: _Meter) -> None:
        self.name = name
        self.content: list[str] = []
        self._meter = meter

    def log(self, content: str) -> None:
        """Adds HTML at the end.

        Raises:
            OutputTooLargeError: The report would be larger than 8 MiB. Nothing was added.
        """
        with self._meter.lock:
            self._meter.charge(_size(content) + 1)
            self.content.append(content)

    def replace(self, content: str) -> None:
        """Puts HTML in the place of what there is.

        Raises:
            OutputTooLargeError: The report would be larger than 8 MiB. Nothing was replaced.
        """
        with self._meter.lock:
            self._meter.charge(_size(content) + 1 - sum(_size(each) + 1 for each in self.content))
            self.content = [content]

    def get_html(self) -> str:
        """Returns what there is."""
        return "\n".join(self.content)

    def __repr__(self) -> str:
        return f"<Tab {self.name!r}>"


class Report:
    """What one call of a task shows people: tabs of HTML, of which ``main`` is there from the start.

    The page has what the task wrote as it is.
    """

    __module__ = "glovebox.report"

    def __init__(self, name: str, publish: Publish | None = None) -> None:
        self.name = name
        self._publish = publish
        self._meter = _Meter()
        self.tabs: dict[str, Tab] = {MAIN: Tab(MAIN, self._meter)}

    def has_content(self) -> bool:
        """Reports whether something was written."""
        return any(tab.content for tab in self.tabs.values())

    def get_tab(self, name: str, create_if_missing: bool = True) -> Tab:
        """Returns the tab of a name, and makes it if there is none.

        Raises:
            ValueError: There is none and none is to be made, or there are 100 already.
        """
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"the name of a tab is {name!r}, expected a str")
        with self._meter.lock:
            if name not in self.tabs:
                self._check_new(name, create_if_missing)
                self.tabs[name] = Tab(name, self._meter)
            return self.tabs[name]

    def _check_new(self, name: str, wanted: bool) -> None:
        if not wanted:
            raise ValueError(f"Tab {name} does not exist.")
        if not 0 < len(name) <= _MAX_NAME:
            raise ValueError(f"the name of a tab has {len(name)} characters, expected 1 to {_MAX_NAME}")
        if len(self.tabs) >= _MAX_TABS:
            raise ValueError(f"a report can have {_MAX_TABS} tabs; write {name!r} into one of those")

    def get_final_report(self) -> str:
        """Returns the page that the tabs make."""
        with self._meter.lock:
            tabs = {name: tab.get_html() for name, tab in self.tabs.items() if tab.content or name != MAIN}
        return page_of(self.name, tabs)

    def flush(self, last: bool = False) -> None:
        """Gives the page to the engine, in the place of the one before."""
        if self._publish is not None and self.has_content():
            self._publish(self.get_final_report(), last)

    def __repr__(self) -> str:
        return f"<Report {self.name!r}, tabs=[{', '.join(self.tabs)}]>"


@contextlib.contextmanager
def reported(name: str, publish: Publish) -> Generator[None, None, None]:
    """Gives the code within a report, and publishes that at the end, however the code ends."""
    report = Report(name, publish)
    context.report.set(report)
    try:
        yield
    finally:
        report.flush(last=True)


def current_report() -> Report:
    """Returns the report of the call that the code belongs to.

    Where there is none, outside of a run and in a task without ``report=True``, it is one that is not kept.
    """
    return context.report.get() or Report("dummy")


def get_tab(name: str, /, create_if_missing: bool = True) -> Tab:
    """Returns the tab of a name of the current report, and makes it if there is none.

    >>> glovebox.report.get_tab("Curves").log("<svg>...</svg>")

    Raises:
        ValueError: There is none and none is to be made, or there are 100 already.
    """
    return current_report().get_tab(name, create_if_missing=create_if_missing)


def _log(content: str, do_flush: bool = False) -> None:
    """Adds HTML at the end of the tab ``main`` of the current report.

    Args:
        content: A part of a page. It is put in as it is.
        do_flush: Show it now, as ``flush`` does.

    Raises:
        OutputTooLargeError: The report would be larger than 8 MiB. Nothing was added.
    """
    get_tab(MAIN).log(content)
    if do_flush:
        _flush()


def _replace(content: str, do_flush: bool = False) -> None:
    """Puts HTML in the place of what is in the tab ``main`` of the current report.

    Args:
        content: A part of a page, or a whole one if there is no other tab.
        do_flush: Show it now, as ``flush`` does.

    Raises:
        OutputTooLargeError: The report would be larger than 8 MiB. Nothing was replaced.
    """
    get_tab(MAIN).replace(content)
    if do_flush:
        _flush()


def _flush() -> None:
    """Shows what was written until now. At the end of a task that happens by itself.

    In a cell it is shown at the end.
    """
    report = context.report.get()
    if report is not None:
        report.flush()
    elif context.current_run() is not None:
        _logger.warning(
            "the task of run %s is declared without report=True: its report is not kept", context.current_run()
        )


async def _log_aio(content: str, do_flush: bool = False) -> None:
    get_tab(MAIN).log(content)
    if do_flush:
        await asyncio.to_thread(_flush)


async def _replace_aio(content: str, do_flush: bool = False) -> None:
    get_tab(MAIN).replace(content)
    if do_flush:
        await asyncio.to_thread(_flush)


async def _flush_aio() -> None:
    await asyncio.to_thread(_flush)  # which may wait for the connection


_log.__name__ = _log.__qualname__ = "log"
_replace.__name__ = _replace.__qualname__ = "replace"
_flush.__name__ = _flush.__qualname__ = "flush"
log = with_aio(_log, _log_aio)
replace = with_aio(_replace, _replace_aio)
flush = with_aio(_flush, _flush_aio)


def _size(content: object) -> int:
    if not isinstance(content, str):
        raise TypeError(f"the content of a report is {type(content).__name__}, expected HTML as str")
    return len(content) if content.isascii() else len(content.encode("utf-8", "replace"))
