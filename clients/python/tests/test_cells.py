"""Functions in real cells, with GLOVEBOX_TEST_REAL=1."""

from __future__ import annotations

import datetime
import importlib
import io
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import engines
import glovebox
from celled import tasks
from glovebox import errors
from glovebox._bundles.bundle import bundle_of
from glovebox.io import Dir, File

pytestmark = pytest.mark.cells

ROOT = Path(__file__).resolve().parent
SOURCE = Path(glovebox.__file__).resolve().parents[1]


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    home = Path(os.environ.get("GLOVEBOX_TEST_HOME") or tmp_path_factory.mktemp("home"))
    with engines.engine("child", home) as variables:
        engines.command("secret", "set", "celled-key", stdin=b"hush")
        yield variables


def result(task: Any, *args: Any, **kwargs: Any) -> Any:
    outputs = glovebox.run(task, *args, **kwargs).outputs()
    return outputs[0] if outputs else None


def test_plain_calls_run_in_a_cell_too() -> None:
    assert tasks.shift(1) == 1001
    assert tasks.where()["pid"] != os.getpid()


def test_modules_of_the_project_come_along() -> None:
    assert result(tasks.shift, 1) == 1001
    assert result(tasks.shift_async, 1, by=5) == 1006
    found = result(tasks.where)
    assert (found["cwd"], found["home"]) == ("/work", None)


def test_what_the_environment_gives() -> None:
    run = glovebox.run(tasks.outfitted)
    assert run.outputs()[0] == {"six": "six", "level": "DEBUG", "secret": 4, "table": "a,b\n1,2\n", "include": True}
    assert "".join(run.logs()) == "in the cell\n"


TZ = datetime.timezone(datetime.timedelta(hours=-3))


def test_all_types() -> None:
    given = {
        "i": 10**40, "f": float("-inf"), "s": "\u00e9\n\U0001f600", "b": True, "y": b"\xff\x00",
        "when": datetime.datetime(2024, 1, 2, 3, 4, 5, 6, TZ), "span": datetime.timedelta(days=-1, microseconds=3), "ints": [1],
        "table": {"b": [1.0], "a": []}, "pair": (1, "x"), "row": (1, 2, 3), "maybe": None, "group": {2},
        "frozen": frozenset("a"), "whatever": [1, {"a": (2, b"x")}], "nothing": None,
    }  # fmt: skip
    assert result(tasks.echo, **given) == {name: [type(value).__name__, repr(value)] for name, value in given.items()}


def test_returned_values() -> None:
    outputs = glovebox.run(tasks.both, 4).outputs()
    assert (outputs.o0, outputs.o1) == (4, "4")
    assert result(tasks.letters, "abba") == {"a", "b"}
    assert glovebox.run(tasks.nothing, 1).outputs() == (None,)


def test_a_task_under_another_name_than_its_function() -> None:
    assert result(tasks.renamed, 2) == 4


# Files.


def test_files_between_cells_and_this_process(tmp_path: Path) -> None:
    made = result(tasks.make, "hello")
    assert made.read() == b"hello"
    assert result(tasks.read, made) == "hello"
    (tmp_path / "own.txt").write_text("own")
    assert result(tasks.read, File.from_local_sync(tmp_path / "own.txt")) == "own"
    tree = result(tasks.make_tree, ["a", "deep/b"])
    assert isinstance(tree, Dir)
    assert result(tasks.names, tree) == ["a", "deep/b"]


def test_files_inside_of_values() -> None:
    assert result(tasks.files_between_cells) == "a+c+b"
    assert result(tasks.files_from_a_cell) == "x+yx"


# What a cell calls.


def test_what_needs_no_cell_runs_in_the_cell_of_the_caller() -> None:
    assert result(tasks.calls_inline) is True


@pytest.mark.parametrize(
    ("task", "given", "expected", "called"),
    [
        (tasks.calls_cell, 1, 1002, ["cells.shift"]),
        (tasks.calls_many, 3, [1001, 1002, 1003], ["cells.shift_async"] * 3),
        (tasks.calls_sandbox, 3, 6, ["double"]),
        (tasks.calls_sandbox_async, 3, 6, ["double"]),
        (tasks.calls_orchestrator, 1, 1003, ["inline.orchestrated"]),
        (tasks.calls_near, 1, 2, ["inline.near"]),
        (tasks.runs, 2, 4, ["double"]),
    ],
)
def test_calls_from_a_cell_are_its_children(task: Any, given: Any, expected: Any, called: list[str]) -> None:
    run = glovebox.run(task, given)
    assert run.outputs()[0] == expected
    assert [call["task"] for call in run.calls()] == called


def test_runs_of_a_cell_end_with_it() -> None:
    left = result(tasks.leaves_a_run_behind)
    assert glovebox.Run.get(left).status() == "canceled"
    assert result(tasks.cancels_a_run) == "canceled"
    assert result(tasks.looks_at_a_run, 4) == [8, "succeeded", []]


def test_cancelling_ends_the_cells_below() -> None:
    run = glovebox.start(tasks.waits_for_a_cell)
    while [call["status"] for call in run.calls()] != ["running"]:
        pass
    run.cancel()
    with pytest.raises(errors.CanceledError):
        run.wait()
    (call,) = run.calls()
    assert call["status"] == "canceled"


# Failures.


def test_exceptions_are_told_in_the_users_own_files() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        glovebox.run(tasks.fails, 1)
    assert isinstance(caught.value, errors.PythonExceptionError)
    told = str(caught.value)
    assert told.index(f'File "{ROOT}/celled/tasks.py", line') < told.index(
        f'File "{ROOT}/celled/parts/arithmetic.py", line'
    )
    assert f"at {ROOT}/celled/parts/arithmetic.py:" in caught.value.message
    assert "/work/celled" not in told
    assert "glovebox-function" not in told
    frames = caught.value.details["exception"]["frames"]
    assert [Path(frame["file"]).name for frame in frames] == ["tasks.py", "arithmetic.py"]


def test_exceptions_pass_through_cells() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        glovebox.run(tasks.fails_below, 1)
    assert caught.value.args == ("division by zero",)
    told = str(caught.value)
    assert told.index(", in fails_below") < told.index(", in fails\n") < told.index(", in divide")
    with pytest.raises(errors.TaskTimeoutError):
        glovebox.run(tasks.waits_for_one_that_is_late)


def test_callers_catch_exceptions_of_cells() -> None:
    assert result(tasks.handles, 1) == result(tasks.handles_in_cell, 1) == "caught division by zero"


@pytest.mark.parametrize(
    ("task", "given", "kind", "message"),
    [
        (tasks.eats, [900], errors.OOMError, "256 MiB"),
        (tasks.forever, [], errors.TaskTimeoutError, "2s"),
        (tasks.wrong, [], errors.BadOutputError, "o0: expected int"),
        (tasks.exits, [], errors.NonzeroExitError, "3"),
        (tasks.shift, ["x"], errors.InvalidInputError, "cells.shift: x: expected int"),
        (tasks.misses_a_package, [], ModuleNotFoundError, "numpy"),
    ],
)
def test_other_failures(task: Any, given: list[Any], kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        glovebox.run(task, *given)


def test_retries() -> None:
    with pytest.raises(OSError, match="again") as caught:
        glovebox.run(tasks.tries)
    assert caught.value.attempts == 2  # type: ignore[attr-defined]


def test_cache() -> None:
    assert result(tasks.random) == result(tasks.random)


# What a cell may not do.


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (tasks.asks_for_a_secret, 'the secret "celled-key", which its own task does not have'),
        (tasks.asks_for_environment, 'the secret "celled-key", which its own task does not have'),
        (tasks.asks_for_network, "more of the network than its own task has"),
    ],
)
def test_the_authority_of_a_cell_does_not_grow(task: Any, message: str) -> None:
    with pytest.raises(errors.UnauthorizedError, match=message) as caught:
        glovebox.run(task)
    assert isinstance(caught.value, errors.PythonExceptionError)


def test_no_other_code_for_a_task(tmp_path: Path) -> None:
    """The code of an orchestrator is nobody's that is trusted, and a tool has secrets and network."""
    bundle = bundle_of(tasks.reveals.func)
    with zipfile.ZipFile(io.BytesIO(bundle.data)) as archive, zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        for name in archive.namelist():
            evil = b"import os\ndef call(*_): return os.environ['CELLED_KEY']\n" if name.endswith("/_cell.py") else None
            other.writestr(name, archive.read(name) if evil is None else evil)
    code = "reveals(_bundle=other)"
    with pytest.raises(errors.CallFailedError, match="_bundle is the code of the task"):
        glovebox.sandbox.orchestrate_local_sync(
            code, inputs={"other": File.from_local_sync(tmp_path / "other.zip")}, tasks=[tasks.reveals]
        )


def test_a_cell_sees_its_own_runs_alone() -> None:
    other = glovebox.run(tasks.double.as_task(), x=1)
    with pytest.raises(errors.UnauthorizedError, match="not below its own"):
        glovebox.run(tasks.looks_at, other.id)


def test_no_network_unless_asked_for() -> None:
    with pytest.raises(OSError, match="unreachable"):
        glovebox.run(tasks.reaches, "1.1.1.1")


def test_functions_that_no_cell_can_find() -> None:
    cells = glovebox.TaskEnvironment(name="nowhere", isolation="gvisor")

    @cells.task
    def local() -> int:
        return 1

    with pytest.raises(TypeError, match="only functions at the top of a module"):
        local()


# Deployment.


def elsewhere(code: str, variables: dict[str, str], folder: Path) -> str:
    """Runs code in a process that knows nothing of the project."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True, timeout=engines.PATIENCE,
        cwd=folder, env={**os.environ, **variables, "PYTHONPATH": str(SOURCE)},
    ).stdout  # fmt: skip


def test_deployed_functions_need_no_process_of_theirs(engine: dict[str, str], tmp_path: Path) -> None:
    (deployment,) = glovebox.deploy(tasks.lasting)
    (version,) = deployment.tasks
    assert deployment.summary_repr() == f"Deployment(env=lasting, tasks=[lasting.lasts@{version.version}])"
    (again,) = glovebox.deploy(tasks.lasting)
    assert again.tasks[0].unchanged
    assert again.tasks[0].version == version.version
    code = """
import glovebox
task = glovebox.remote.Task.get("lasting.lasts")
print(task(x=1), task(2), glovebox.run(task, x=3, by=7).outputs()[0])
print(glovebox.sandbox.orchestrate_local_sync("lasts(x=a) + 1", inputs={"a": 5}, tasks=[task]))
"""
    assert elsewhere(code, engine, tmp_path) == "1011 1012 1010\n1016\n"
    assert b"1014" in engines.command("start", "lasting.lasts", "-i", "x=4")


def test_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"versions_{os.urandom(4).hex()}"
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / f"{name}_constants.py").write_text("N = 1")
    (tmp_path / f"{name}.py").write_text(
        f"import glovebox, {name}_constants\nenv = glovebox.TaskEnvironment(name={name!r})\n"
        f"@env.task\ndef f() -> int:\n    return {name}_constants.N\n"
    )
    module = importlib.import_module(name)

    def deployed() -> tuple[int, bool]:
        (version,) = glovebox.deploy(module.env)[0].tasks
        return version.version, version.unchanged

    assert [deployed(), deployed()] == [(1, False), (1, True)]
    (tmp_path / f"{name}_constants.py").write_text("N = 22")  # what it imports counts, too
    assert deployed() == (2, False)
    task = f"{name}.f"
    assert [glovebox.remote.Task.get(task)(), glovebox.remote.Task.get(task, version=1)()] == [22, 1]
    engines.command("tasks", "rollback", task, "1")
    assert glovebox.remote.Task.get(task)() == 1


def test_deployed_functions_call_others() -> None:
    glovebox.deploy(tasks.cells)
    assert result(glovebox.remote.Task.get("cells.calls_cell"), x=1) == 1002


def test_a_cell_learns_how_to_call_a_deployed_task_and_not_what_is_in_it() -> None:
    glovebox.deploy(tasks.cells)
    message = "cells.shift can be run from inside of a cell, and not be a part of another task"
    assert result(tasks.calls_by_name, "cells.shift") == ["1001", "False", message]


def test_a_deployed_task_that_is_not_there() -> None:
    with pytest.raises(errors.NotFoundError, match=r"no\.such"):
        glovebox.remote.Task.get("no.such")


def test_a_cell_deploys(tmp_path: Path) -> None:
    assert result(tasks.deploys).startswith("Deployment(env=from-a-cell, tasks=[from-a-cell@")
    (tmp_path / "data.json").write_text("[1, 2]")
    assert result(glovebox.remote.Task.get("from-a-cell"), payload=File.from_local_sync(tmp_path / "data.json")) == 3
