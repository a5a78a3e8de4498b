"""Ctrl-C and other ends of a process at a real terminal: the run ends with it, and nothing is left behind.

Those with cells run with GLOVEBOX_TEST_REAL=1.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from terminal import Terminal

HEAD = """\
import asyncio, sys, time
import glovebox
from glovebox import sandbox

env = glovebox.TaskEnvironment(name="here")
cellenv = glovebox.TaskEnvironment(name="celled", resources=glovebox.Resources(cpu=1, memory="256Mi"))
endless = sandbox.create(name="endless", code="while True: pass", cache="disable")
stubborn = sandbox.create(name="stubborn", command=["sh", "-c", "trap '' INT TERM; while :; do sleep 1000; done"])
unbuilt = sandbox.create(name="unbuilt", code="x = 1", additional_commands=["sleep 100000"])

@env.task
def turns() -> None:
    while True:
        time.sleep(0.01)

@env.task
def sleeps() -> None:
    time.sleep(100_000)

@env.task
async def awaits() -> None:
    await asyncio.sleep(100_000)

@cellenv.task
def celled() -> None:
    time.sleep(100_000)

@env.sandbox.orchestrator
def waits() -> None:
    turns()

@env.sandbox.orchestrator
def waits_for_cell() -> None:
    celled()

async def five() -> None:
    await asyncio.gather(*(endless.run.aio() for _ in range(5)))

if __name__ == "__main__":
    try:
        {call}
    except KeyboardInterrupt:
        print("INTERRUPTED")
"""

Start = Callable[[str], Terminal]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[Terminal] = []

    def make(call: str) -> Terminal:
        home = tmp_path / "home"
        home.mkdir(mode=0o700)
        if kept := os.environ.get("GLOVEBOX_TEST_HOME"):
            (home / "images").symlink_to(Path(kept, "images").resolve())
        terminal = Terminal(tmp_path, HEAD.replace("{call}", call), home)
        started.append(terminal)
        return terminal

    yield make
    for terminal in started:
        terminal.close()


def assert_interrupted(terminal: Terminal, *tasks: str) -> None:
    assert terminal.wait() == 0, terminal.shown
    assert terminal.shown.strip().endswith("^CINTERRUPTED"), terminal.shown
    terminal.wait_until_nothing_is_left()
    for task in tasks:
        runs = terminal.runs(task)
        assert {run["status"] for run in runs} == {"canceled"}, runs


@pytest.mark.parametrize("task", ["turns", "sleeps", "awaits"])
def test_ctrl_c_ends_a_function(start: Start, task: str) -> None:
    terminal = start(f"glovebox.run({task})")
    terminal.wait_until(f"here.{task}", "running")
    terminal.press_ctrl_c()
    assert_interrupted(terminal, f"here.{task}")


def test_ctrl_c_ends_an_orchestrator_and_what_it_waits_for(start: Start) -> None:
    terminal = start("waits()")
    terminal.wait_until("turns", "running")
    terminal.press_ctrl_c()
    assert_interrupted(terminal, "here.waits", "turns")


@pytest.mark.cells
@pytest.mark.parametrize(
    ("call", "tasks"),
    [
        ("endless.run()", ["endless"]),
        ("asyncio.run(endless.run.aio())", ["endless"]),
        ("asyncio.run(five())", ["endless"]),
        ("celled()", ["celled.celled"]),
        ("waits_for_cell()", ["here.waits_for_cell", "celled"]),
    ],
)
def test_ctrl_c_ends_cells(start: Start, call: str, tasks: list[str]) -> None:
    terminal = start(call)
    terminal.wait_until(tasks[-1], "running")
    terminal.press_ctrl_c()
    assert_interrupted(terminal, *tasks)


@pytest.mark.cells
@pytest.mark.parametrize("call", ["unbuilt.run()", "unbuilt.as_task()"])
def test_ctrl_c_ends_the_build_of_an_image_and_its_line(start: Start, call: str) -> None:
    terminal = start(call)
    terminal.wait_for("sleep 100000")
    terminal.press_ctrl_c()
    assert terminal.wait() == 0
    assert terminal.shown.endswith("^C\r\x1b[KINTERRUPTED\n")
    terminal.wait_until_nothing_is_left()


@pytest.mark.cells
def test_ctrl_c_twice(start: Start) -> None:
    terminal = start("stubborn.run()")
    terminal.wait_until("stubborn", "running")
    terminal.press_ctrl_c()
    terminal.press_ctrl_c()
    terminal.wait()
    terminal.wait_until_nothing_is_left()
    assert [run["status"] for run in terminal.runs("stubborn")] == ["canceled"]


@pytest.mark.cells
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGHUP])
@pytest.mark.parametrize(("call", "task"), [("stubborn.run()", "stubborn"), ("celled()", "celled.celled")])
def test_the_engine_and_cells_end_with_a_process_that_is_killed(
    start: Start, number: signal.Signals, call: str, task: str
) -> None:
    terminal = start(call)
    terminal.wait_until(task, "running")
    terminal.kill(number)
    assert terminal.wait() == -number
    terminal.wait_until_nothing_is_left()
