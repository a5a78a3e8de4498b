"""Evaluations at a server: runs, unless durable=False asks for none."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import glovebox
from engines import engine
from glovebox import errors, sandbox


@pytest.fixture(scope="module", params=["unix", "tcp"], autouse=True)
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with engine(request.param, tmp_path_factory.mktemp("home")):
        yield


def add(x: int, y: int) -> int:
    return x + y


def fail() -> int:
    raise KeyError("oh")


def _runs() -> list[str]:
    return [str(run.task) for run in glovebox.runs(limit=None)]


def test_an_argument_decides() -> None:
    before = len(_runs())
    result = sandbox.evaluate("print('hello')\n[x, 1.5, 'a']", inputs={"x": 3}, durable=False)
    assert (result.value, result.stdout, result.run) == ([3, 1.5, "a"], "hello\n", None)
    assert len(_runs()) == before
    assert sandbox.evaluate("x", inputs={"x": 3}).run is not None
    assert len(_runs()) == before + 1


def test_tools_of_this_process_are_runs() -> None:
    before = len(_runs())
    got = sandbox.orchestrate_local_sync("add(x, 1) * 2", inputs={"x": 3}, tasks=[add], durable=False)
    assert got == 8
    assert _runs()[: len(_runs()) - before] == ["add"]


def test_errors_are_those_of_the_code() -> None:
    with pytest.raises(ZeroDivisionError):
        sandbox.orchestrate_local_sync("x = 1\nx // 0", inputs={}, durable=False)
    with pytest.raises(errors.CallFailedError):
        sandbox.orchestrate_local_sync("fail()", inputs={}, tasks=[fail], durable=False)
    with pytest.raises(errors.CheckFailedError):
        sandbox.orchestrate_local_sync("unknown", inputs={}, durable=False)


def test_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("a")
    with pytest.raises(errors.InvalidTaskError, match="without a run"):
        sandbox.orchestrate_local_sync("f", inputs={"f": glovebox.io.File(path=str(path))}, durable=False)


def test_cancelling_ends_it() -> None:
    async def main() -> None:
        code = "import time\ntime.sleep(3600)"
        task = asyncio.create_task(sandbox.orchestrate_local(code, inputs={}, dialect="extended", durable=False))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    began = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - began < 30
