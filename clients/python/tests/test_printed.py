"""What runs print: results with stdout and stderr, and logs by lines."""

from __future__ import annotations

import asyncio
import base64
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engines
import glovebox
from glovebox import errors, sandbox
from glovebox._runs.log_lines import Line, Lines

env = glovebox.TaskEnvironment(name="printed")


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    home = os.environ.get("GLOVEBOX_TEST_HOME")
    with engines.engine("child", Path(home) if home else tmp_path_factory.mktemp("home")):
        yield


@env.task
def add(x: int, y: int) -> int:
    print("adding", x, y)
    return x + y


def lines(*entries: dict[str, Any]) -> list[tuple[str, str]]:
    made = Lines()
    found = [line for entry in entries for line in made.add(entry)]
    return [(line.stream, str(line)) for line in [*found, *made.end()]]


class TestLines:
    def test_pieces_become_lines(self) -> None:
        pieces = [{"stream": "stdout", "text": text} for text in ("line", " ", "0\nli", "ne 1\n", "end")]
        assert lines(*pieces) == [("stdout", "line 0\n"), ("stdout", "line 1\n"), ("stdout", "end")]

    def test_each_stream_has_its_own(self) -> None:
        found = lines(
            {"stream": "stdout", "text": "a"}, {"stream": "stderr", "text": "b\n"}, {"stream": "stdout", "text": "c\n"}
        )
        assert found == [("stderr", "b\n"), ("stdout", "ac\n")]

    def test_only_a_newline_ends_a_line(self) -> None:
        assert lines({"stream": "stdout", "text": "1%\r2%\u2028\x0c3\r\n"}) == [("stdout", "1%\r2%\u2028\x0c3\r\n")]

    def test_a_character_in_two_pieces_and_what_is_none(self) -> None:
        pieces = [{"stream": "stdout", "data": base64.b64encode(data).decode()} for data in (b"\xc3", b"\xa9\xff\n")]
        assert lines(*pieces) == [("stdout", "\u00e9\ufffd\n")]

    def test_what_was_cut_says_so_and_nothing_else_of_the_system(self) -> None:
        retry, cut = (
            {"stream": "system", "text": "attempt failed\n"},
            {"stream": "system", "text": "the log ends here\n", "cut": True},
        )
        assert lines(retry, {"stream": "stdout", "text": "a"}, cut) == [
            ("stdout", "a"),
            ("system", "the log ends here\n"),
        ]

    def test_a_line_is_text(self) -> None:
        line = pickle.loads(pickle.dumps(Line("a\n", "stderr")))
        assert (line, line.stream, line.strip()) == ("a\n", "stderr", "a")


def test_a_result_of_code_that_is_used_once() -> None:
    code = "print('first', n)\nx = add(n, 1)\nprint('second')\nx"
    result = sandbox.evaluate(code, inputs={"n": 1}, tasks=[add], durable=True)
    assert (result.value, result.outputs.o0, result.stdout, result.stderr) == (2, 2, "first 1\nsecond\n", "")
    assert result.run is not None
    assert [(line.stream, str(line)) for line in result.run.logs()] == [("stdout", "first 1\n"), ("stdout", "second\n")]
    again = asyncio.run(sandbox.evaluate.aio(code, inputs={"n": 2}, tasks=[add]))
    assert (again.value, again.stdout) == (3, "first 2\nsecond\n")


def test_a_result_of_a_function() -> None:
    result = glovebox.run(add, 1, 2).result()
    assert (result.value, result.stdout) == (3, "adding 1 2\n")


def test_a_run_that_failed_has_its_logs() -> None:
    with pytest.raises(errors.PythonExceptionError) as caught:
        sandbox.evaluate("print('before')\nraise ValueError('x')", inputs={}, durable=True)
    assert caught.value.run_id is not None
    assert "".join(glovebox.Run.get(caught.value.run_id).logs()) == "before\n"


@pytest.mark.parametrize(
    ("code", "limit", "names"),
    [
        ("[0] * 100_000", {"max_memory": 64 << 10}, "max_memory"),
        ("def f(n):\n    return f(n)\nf(1)", {"max_stack_depth": 5}, "max_stack_depth"),
    ],
)
def test_a_limit_that_an_error_names_can_be_given(code: str, limit: dict[str, Any], names: str) -> None:
    with pytest.raises(errors.GloveboxError) as caught:
        sandbox.orchestrate_local_sync(code, inputs={}, **limit)
    assert names in caught.value.hint
    with pytest.raises(errors.GloveboxError):
        asyncio.run(sandbox.orchestrate_local(code, inputs={}, **limit))
    with pytest.raises(errors.GloveboxError):
        sandbox.orchestrator_from_str(code, inputs={}, **limit)()


def test_types_that_are_not_held() -> None:
    loose = sandbox.orchestrator_from_str("n", inputs={"n": int}, output=str, type_check=False)
    assert loose(n="text") == "text"
    assert loose(n=3) == 3


@pytest.mark.parametrize("given", [add.func, print, None, "add"])
def test_what_is_no_task_is_not_run(given: object) -> None:
    with pytest.raises(TypeError, match=r"expected a task or a sandbox, got .*@env\.task"):
        glovebox.run(given)  # type: ignore[call-overload]  # pyright: ignore


@pytest.mark.cells
class TestSandboxes:
    CODE = "import sys\nfor i in range(2):\n    print('line', i)\nprint('oops', file=sys.stderr)\nprint('end', end='')\ny = x * 2"

    def test_a_result(self) -> None:
        box = sandbox.create(name="prints", code=self.CODE, inputs={"x": int}, outputs={"y": int}, cache="disable")
        result = box.execute(x=21)
        assert (result.value, result.stdout, result.stderr) == (42, "line 0\nline 1\nend", "oops\n")
        assert result.run is not None
        found = [str(line) for line in result.run.logs() if line.stream == "stdout"]
        assert found == ["line 0\n", "line 1\n", "end"]
        assert asyncio.run(box.execute.aio(x=2)).value == 4

    def test_several_outputs_are_the_tuple_of_a_run(self) -> None:
        box = sandbox.create(code="a, b = 1, 'x'", outputs={"a": int, "b": str})
        assert box.execute().value == box.run() == (1, "x")
        assert sandbox.create(code="print(1)").execute().value is None

    def test_a_sandbox_is_run_as_it_is(self) -> None:
        box = sandbox.create(name="plain", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
        assert glovebox.run(box, x=21).outputs().y == 42
        assert glovebox.start(box, 4).outputs()[0] == 8
