from __future__ import annotations

import io
import logging
import sys
import types
from typing import Any

import pytest

from glovebox._progress import progress_of


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
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
        f"{erase}glovebox: box: base pulling debian{erase}{('glovebox: box: build pip: ' + 'x' * 100)[:39]}{erase}"
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


@pytest.mark.parametrize("why", ["no terminal", "turned off", "dumb", "closed", "none"])
def test_elsewhere_there_is_nothing(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = at_terminal(monkeypatch)
    if why == "no terminal":
        monkeypatch.setattr(sys, "stderr", io.StringIO())
    elif why == "turned off":
        monkeypatch.setenv("GLOVEBOX_PROGRESS", "0")
    elif why == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    elif why == "closed":
        terminal.close()
        monkeypatch.setattr(Terminal, "isatty", io.StringIO.isatty)
    else:
        monkeypatch.setattr(sys, "stderr", None)
    with progress_of("box") as tell:
        assert tell is None


def test_who_logs_gets_the_lines(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with caplog.at_level(logging.INFO, "glovebox"), progress_of("box") as tell:
        assert tell is not None
        tell("build", "pip")
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
    assert [data["text/plain"] for data in shown] == ["glovebox: box: build pip", "glovebox: box: build apt", ""]
