"""Names that the documents' library has beside sandboxes: map, trace, group, ContainerTask, with_runcontext.

Those with cells run with GLOVEBOX_TEST_REAL=1.
"""

from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import glovebox
from glovebox import sandbox
from glovebox._link.current import current_engine
from glovebox._process.loop import run_sync
from glovebox._tasks.image import PythonWheels
from glovebox.extras import ContainerTask
from glovebox.io import File

PROGRAM = Path(__file__).resolve().parents[3] / "bin" / "glovebox"
needs_program = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")

env = glovebox.TaskEnvironment(name="extras")
asked: list[str] = []


@env.task
def half(x: int) -> int:
    if x % 2:
        raise ValueError(f"{x} is odd")
    return x // 2


@env.task
async def add(x: int, y: int) -> int:
    return x + y


@env.task
def halves(n: int) -> list[int]:
    return [-1 if isinstance(x, ValueError) else x for x in glovebox.map(half, range(n), concurrency=2)]


@env.task
async def sums(n: int) -> list[int]:
    return [x async for x in glovebox.map.aio(add, range(n), range(n), group_name="sums")]


@glovebox.trace
def ask(question: str) -> str:
    asked.append(question)
    return question.upper()


@glovebox.trace
async def ask_later(question: str) -> str:
    asked.append(question)
    return question.title()


@env.task
async def talk() -> str:
    with glovebox.group("talk"):
        return ask("one") + await ask_later("two")


@env.task
def fails_at_first() -> str:
    answer = ask("expensive")
    if len(asked) == 1:
        asked.append("failed")
        raise RuntimeError("at first")
    return answer


@env.task
async def written() -> File:
    f = File.new_remote("sales.csv")
    async with f.open("wb") as stream:
        await stream.write(b"north,1\n")
    return f


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("GLOVEBOX_HOME", os.environ.get("GLOVEBOX_TEST_HOME") or str(tmp_path / "home"))
    monkeypatch.setenv("GLOVEBOX_PROGRAM", str(PROGRAM))
    asked.clear()
    yield

    async def close() -> None:
        await (await current_engine()).close()

    run_sync(close())


class TestMapOutsideOfARun:
    def test_results_come_in_order(self) -> None:
        assert list(glovebox.map(half, [2, 4, 6])) == [1, 2, 3]
        assert list(glovebox.map(add, [1, 2], (x for x in [10, 20]), concurrency=1)) == [11, 22]
        assert list(glovebox.map(functools.partial(add, y=5), [1, 2])) == [6, 7]
        assert list(glovebox.map(functools.partial(add, 5), [1, 2])) == [6, 7]
        assert list(glovebox.map(half, [])) == []

    def test_below_a_running_loop(self) -> None:
        async def main() -> tuple[list[Any], list[Any]]:
            return list(glovebox.map(half, [2])), [x async for x in glovebox.map.aio(half, [4])]

        assert asyncio.run(main()) == ([1], [2])

    def test_exceptions_take_the_place_of_results(self) -> None:
        got = list(glovebox.map(half, [2, 3, 4]))
        assert (got[0], str(got[1]), got[2]) == (1, "3 is odd", 2)

    def test_the_first_exception_is_raised_where_asked(self) -> None:
        results = glovebox.map(half, [2, 3, 4], return_exceptions=False)
        assert next(results) == 1
        with pytest.raises(ValueError, match="3 is odd"):
            next(results)

    def test_who_stops_early_leaves_nothing(self) -> None:
        results = glovebox.map(half, range(0, 100, 2))
        assert next(results) == 0
        results.close()
        assert not [thread for thread in threading.enumerate() if thread.name == "glovebox-map"]

    def test_no_more_at_once_than_asked(self) -> None:
        under_way: list[int] = []
        most: list[int] = []

        @env.task
        async def counted(x: int) -> int:
            under_way.append(x)
            most.append(len(under_way))
            while max(most) < 3:  # until so many have met
                await asyncio.sleep(0.001)
            under_way.remove(x)
            return x

        assert list(glovebox.map(counted, range(20), concurrency=3)) == list(range(20))
        assert max(most) == 3

    @pytest.mark.parametrize(
        ("wrong", "said"),
        [
            (lambda: glovebox.map(half), "one iterable or more"),
            (lambda: glovebox.map(len, [1]), "expected a task or a sandbox"),
            (lambda: glovebox.map(half, [1], concurrency=-1), "concurrency is -1"),
            (lambda: glovebox.map(functools.partial(add, 1, 2), [1]), "leaves one input open"),
            (lambda: glovebox.map(functools.partial(add), [1]), "leaves one input open"),
        ],
    )
    def test_what_is_wrong_is_told_at_once(self, wrong: Any, said: str) -> None:
        with pytest.raises((TypeError, ValueError), match=said):
            wrong()


@needs_program
@pytest.mark.usefixtures("engine")
class TestInARun:
    def test_map(self) -> None:
        run = glovebox.run(halves, 5)
        assert run.outputs()[0] == [0, -1, 1, -1, 2]
        assert {call["group"] for call in run.calls()} == {"extras.half_map"}

    def test_map_awaited(self) -> None:
        run = glovebox.run(sums, 3)
        assert run.outputs()[0] == [0, 2, 4]
        assert {call["group"] for call in run.calls()} == {"sums"}

    def test_traces_are_calls(self) -> None:
        run = glovebox.run(talk)
        assert run.outputs()[0] == "ONETwo"
        assert [(call["task"], call["group"]) for call in run.calls()] == [
            ("trace.ask", "talk"),
            ("trace.ask_later", "talk"),
        ]

    def test_a_resumed_run_does_not_ask_again(self) -> None:
        run = glovebox.start(fails_at_first)
        with pytest.raises(RuntimeError, match="at first"):
            run.wait()
        assert run.resume().outputs()[0] == "EXPENSIVE"
        assert asked == ["expensive", "failed"]

    def test_a_new_file(self) -> None:
        made = glovebox.run(written).outputs()[0]
        assert (made.name, made.read()) == ("sales.csv", b"north,1\n")

    def test_settings_of_a_run(self) -> None:
        kept = sandbox.orchestrator_from_str("x * 2", inputs={"x": int}, output=int, name="twice(x)")
        assert glovebox.with_runcontext(mode="remote", overwrite_cache=True).run(kept, x=4).outputs()[0] == 8

    def test_names_for_people(self) -> None:
        formula = sandbox.orchestrator_from_str("a * b", inputs={"a": int, "b": int}, output=int, name="formula-a*b")
        assert formula.name == "formula-a*b"
        run = glovebox.run(formula, a=6, b=7)
        assert run.outputs()[0] == 42
        assert glovebox.Run.get(run.id, formula).outputs()[0] == 42


def test_outside_of_a_run_a_trace_is_a_call() -> None:
    asked.clear()
    assert ask("one") + asyncio.run(ask_later.aio("two")) == "ONETwo"
    assert asked == ["one", "two"]


def test_a_group_needs_a_name() -> None:
    for wrong in "", "two\nlines", "x" * 129, 5:
        with pytest.raises((TypeError, ValueError), match="group is"), glovebox.group(wrong):  # type: ignore[arg-type]
            pass


def test_a_new_file_is_written_once() -> None:
    made = File.new_remote()
    with made.open("w") as stream:
        stream.write("first")
    assert made.read() == b"first"
    with pytest.raises(FileExistsError):
        made.open("wb").__enter__()
    with pytest.raises(ValueError, match="directories"):
        File.new_remote("../up")
    with pytest.raises(ValueError, match="new_remote"):
        File(__file__).open("wb")


def test_settings_that_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="exclude each other"):
        glovebox.with_runcontext(overwrite_cache=True, disable_run_cache=True)
    with pytest.raises(ValueError, match="mode is 'nowhere'"):
        glovebox.with_runcontext("nowhere")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_wheels_of_others_would_be_missing() -> None:
    image = glovebox.Image.from_debian_base()
    assert image.clone(name="mine", addl_layer=PythonWheels(wheel_dir="dist", package_name="glovebox")).name == "mine"
    with pytest.raises(ValueError, match="index_url"):
        image.clone(addl_layer=PythonWheels(wheel_dir="dist", package_name="numpy"))


class TestContainerTask:
    @pytest.mark.parametrize(
        ("more", "said"),
        [
            ({"command": ["echo", "{{.inputs.other}}"]}, "is no input"),
            ({"command": "echo"}, "list of strings"),
            ({"input_data_dir": "/in"}, "input_data_dir is '/in'"),
        ],
    )
    def test_what_is_wrong_is_told(self, more: dict[str, Any], said: str) -> None:
        arguments: dict[str, Any] = {"name": "t", "image": "auto", "command": ["true"], "inputs": {"x": str}, **more}
        with pytest.raises((TypeError, ValueError), match=said):
            ContainerTask(**arguments)

    @pytest.mark.cells
    @pytest.mark.usefixtures("engine")
    def test_inputs_in_the_command(self) -> None:
        greet = ContainerTask(
            name="greet",
            image="auto",
            inputs={"name": str, "times": int},
            outputs={"greeting": str, "count": str},
            command=[
                "/bin/sh",
                "-c",
                'printf "%s|" "$@" > /var/outputs/greeting; printf {{.inputs.times}} > /var/outputs/count',
            ],
            arguments=["sh", "Hello, {{.inputs.name}}!", "it's", ""],
        )
        assert greet(name="$(id) `x` \"'; * Z\u00fcrich", times=3) == (
            "Hello, $(id) `x` \"'; * Z\u00fcrich!|it's||", "3"
        )  # fmt: skip

    @pytest.mark.cells
    @pytest.mark.usefixtures("engine")
    def test_a_plain_command(self) -> None:
        task = ContainerTask(
            name="count", image="auto", inputs={"f": File}, outputs={"n": int},
            command=["/bin/sh", "-c", "grep -c . /var/inputs/f > /var/outputs/n"],
        )  # fmt: skip
        assert task(f=__file__) > 100
