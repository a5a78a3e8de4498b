from __future__ import annotations

import io
import logging
import sys
import types
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

from glovebox._tasks import progress
from glovebox._tasks.progress import progress_of


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    """The time, and what is to happen later."""

    def __init__(self) -> None:
        self.now = 100.0
        self._timers: list[Timer] = []

    def monotonic(self) -> float:
        return self.now

    def later(self, seconds: float, call: Callable[[], None]) -> Timer:
        timer = Timer(self.now + seconds, call)
        self._timers.append(timer)
        return timer

    def go_on(self, seconds: float) -> None:
        end = self.now + seconds
        while due := [timer for timer in self._timers if timer.at <= end and not timer.cancelled]:
            timer = min(due, key=lambda timer: timer.at)
            self._timers.remove(timer)
            self.now = timer.at
            timer.call()
        self.now = end


class Timer:
    def __init__(self, at: float, call: Callable[[], None]) -> None:
        self.at, self.call, self.cancelled = at, call, False

    def cancel(self) -> None:
        self.cancelled = True


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(progress, "time", made)
    monkeypatch.setattr(progress, "_later", made.later)
    return made


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress._Log, "_latest", deque(maxlen=64))
    monkeypatch.delenv("GLOVEBOX_PROGRESS", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setitem(sys.modules, "IPython", None)


def at_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Makes standard error a terminal. Not a fixture: pytest replaces standard error after those."""
    made = Terminal()
    monkeypatch.setattr(sys, "stderr", made)
    return made


def test_a_terminal_has_one_line_that_is_gone_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with progress_of("box") as tell:
        assert tell is not None
        tell("base", "pulling debian")
        tell("base", "pulling debian")
        tell("build", "pip: " + "x" * 100)
    erase = "\r\x1b[K"
    assert terminal.getvalue() == (
        f"{erase}{'glovebox: box, 0 s: base (the first time, a minute'[:39]}{erase}{('glovebox: box, 0 s: build pip: ' + 'x' * 100)[:39]}{erase}"
    )


def test_the_line_goes_when_the_image_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with progress_of("box") as tell:
        assert tell is not None
        tell("build", "pip")
        tell("run", "")
        assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_run_without_a_build_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with progress_of("box") as tell:
        assert tell is not None
        tell("start", "")
        tell("run", "")
    assert terminal.getvalue() == ""


def test_what_comes_from_outside_cannot_move_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    with progress_of("box") as tell:
        assert tell is not None
        tell("build", "\x1b[2J\r\nevil\x07")
    assert "\x1b[2J" not in terminal.getvalue() and "\n" not in terminal.getvalue()


@pytest.mark.parametrize("why", ["turned off", "closed", "none"])
def test_elsewhere_there_is_nothing(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    if why == "turned off":
        monkeypatch.setenv("GLOVEBOX_PROGRESS", "0")
    elif why == "closed":
        terminal.close()
        monkeypatch.setattr(Terminal, "isatty", io.StringIO.isatty)
    else:
        monkeypatch.setattr(sys, "stderr", None)
    with progress_of("box") as tell:
        assert tell is None


@pytest.mark.parametrize("why", ["no terminal", "dumb"])
def test_off_a_terminal_there_is_a_line_for_each_stage_and_now_and_then(
    why: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = at_terminal(monkeypatch)
    if why == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    else:
        stream.isatty = lambda: False  # type: ignore[method-assign]
    with progress_of("run-06h05v4trqjg9cd74lllv6uq") as tell:
        assert tell is not None
        tell("resolve", "resolving numpy")
        tell("base", "base: Debian bookworm from a mirror; this takes a minute or two, once")
        clock.go_on(29)
        tell("base", "mmdebstrap: unpacking\x1b[2J")
        clock.go_on(40)
        tell("build", "pip: numpy")
        tell("run", "")
        clock.go_on(100)
    assert stream.getvalue().splitlines() == [
        "glovebox: image: resolving numpy",
        "glovebox: image: base: Debian bookworm from a mirror; this takes a minute or two, once",
        "glovebox: image, 30 s: base (the first time, a minute or two) mmdebstrap: unpacking [2J",
        "glovebox: image, 60 s: base (the first time, a minute or two) mmdebstrap: unpacking [2J",
        "glovebox: image: pip: numpy",
    ]


def test_off_a_terminal_many_runs_that_wait_for_one_image_tell_it_once(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_of("run-1") as first, progress_of("run-2") as second:
        for tell in (first, second):
            assert tell is not None
            tell("build", "pip: numpy")
        clock.go_on(31)
    assert stream.getvalue().splitlines() == ["glovebox: image: pip: numpy", "glovebox: image, 30 s: build pip: numpy"]


def test_off_a_terminal_a_run_without_a_build_tells_nothing(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_of("run-1") as tell:
        assert tell is not None
        tell("start", "")
        tell("run", "")
        clock.go_on(100)
    assert stream.getvalue() == ""


def test_a_stream_that_is_gone_is_no_error(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with progress_of("box") as tell:
        assert tell is not None
        stream.close()
        tell("build", "pip")
        monkeypatch.setattr(sys, "stderr", None)
        clock.go_on(31)


def test_the_line_has_the_time_and_no_id_of_a_run(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    monkeypatch.setattr(progress, "_display_here", lambda logged: Shown(shown))
    with progress_of("run-06h05v4trqjg9cd74lllv6uq") as tell:
        assert tell is not None
        tell("base", "unpacking")
        clock.go_on(1.5)
        clock.now += 74
        tell("build", "pip")
    clock.go_on(100)
    assert shown == [
        "glovebox: image, 0 s: base (the first time, a minute or two) unpacking",
        "glovebox: image, 1 s: base (the first time, a minute or two) unpacking",
        "glovebox: image, 75 s: build pip",
    ]


class Shown:
    def __init__(self, lines: list[str]) -> None:
        self.show = lines.append

    def begin(self, line: str) -> None:
        pass

    def erase(self) -> None:
        pass


def test_who_logs_gets_the_lines(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with caplog.at_level(logging.INFO, "glovebox"), progress_of("box") as tell:
        assert tell is not None
        tell("build", "pip")
    assert stream.getvalue() == ""
    assert [record.getMessage() for record in caplog.records] == ["glovebox: box: build pip"]


def test_a_notebook_has_one_line_that_is_emptied(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, str]] = []

    class Handle:
        def update(self, data: dict[str, str], raw: bool) -> None:
            shown.append(data)

    def display(data: dict[str, str], raw: bool, display_id: bool) -> Handle:
        shown.append(data)
        return Handle()

    notebook: Any = types.ModuleType("IPython")
    notebook.get_ipython = lambda: types.SimpleNamespace(kernel=object())
    tools: Any = types.ModuleType("IPython.display")
    tools.display = display
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", tools)
    with progress_of("box") as tell:
        assert tell is not None
        tell("build", "pip")
        tell("build", "apt")
    assert [data["text/plain"] for data in shown] == [
        "glovebox: box, 0 s: build pip",
        "glovebox: box, 0 s: build apt",
        "",
    ]
