"""Orchestrators whose tools run in real cells, with GLOVEBOX_TEST_REAL=1."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import glovebox
from glovebox import errors, sandbox
from orchestrated import add, both, breaks, here, near, only, outer, parallel

pytestmark = pytest.mark.cells


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLOVEBOX_HOME", os.environ.get("GLOVEBOX_TEST_HOME") or str(tmp_path_factory.mktemp("home")))
        patch.setenv("GLOVEBOX_PROGRAM", str(Path(__file__).resolve().parents[3] / "bin" / "glovebox"))
        yield


def test_tools_in_cells_and_in_this_process() -> None:
    assert both(5) == {"cell": 7, "local": 6}
    assert asyncio.run(parallel.aio([1, 2, 3])) == [2, 4, 6]
    assert sandbox.orchestrate_local_sync("add(x, 1) * 2", inputs={"x": 1}, tasks=[add]) == 4


def test_errors_of_a_cell() -> None:
    with pytest.raises(errors.CallFailedError, match="key 3") as caught:
        breaks(3)
    assert "orchestrated.py" in str(caught.value)
    assert 'raise KeyError(f"key {x}")' in str(caught.value)


def test_within_a_run() -> None:
    run = glovebox.run(near, 5)
    assert run.outputs()[0] == {"cell": 7, "local": 6}
    assert [call["task"] for call in run.calls()] == ["here.both"]


def test_from_a_cell() -> None:
    assert outer(5) == 110


def test_a_sandbox_as_a_tool() -> None:
    double = sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
    assert sandbox.orchestrate_local_sync("double(x=4) + double(5)", inputs={}, tasks=[double]) == 18
    assert double(5) == double(x=5) == 10
    with pytest.raises(TypeError, match="takes 1 inputs"):
        double(1, 2)


def test_deployed() -> None:
    glovebox.deploy(here)
    deployed = glovebox.remote.Task.get("here.both")
    assert glovebox.run(deployed, n=5).outputs()[0] == {"cell": 7, "local": 6}
    assert sandbox.orchestrate_local_sync("both(n=6)", inputs={}, tasks=[deployed]) == {"cell": 8, "local": 7}
    assert only(4) == 8


def test_several_outputs_are_a_tuple_as_in_plain_python() -> None:
    split = sandbox.create(name="split", code="a, b = x // 10, str(x)", inputs={"x": int}, outputs={"a": int, "b": str})
    assert split.run(x=42) == (4, "42")
    code = "a, b = split(x=42)\n[a + 1, b, split(42)]"
    assert sandbox.orchestrate_local_sync(code, inputs={}, tasks=[split]) == [5, "42", (4, "42")]
