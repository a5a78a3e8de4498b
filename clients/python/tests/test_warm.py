"""Cells that are kept ready: what is refused, and what the engine is asked. No engine is needed, but for the last."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

import glovebox
from celled import tasks
from engines import KINDS, engine
from glovebox import TaskEnvironment, WarmPool, errors, remote
from glovebox.sandbox import create, orchestrator_from_str

NO_ENGINE: Any = None

celled = TaskEnvironment(name="celled", preload=["json"])
plain = TaskEnvironment(name="plain")


@celled.task
def double(x: int) -> int:
    return 2 * x


@plain.task
def triple(x: int) -> int:
    return 3 * x


class Engine:
    """Stands for an engine that keeps cells."""

    def __init__(self) -> None:
        self.built: list[Any] = []
        self.asked: list[Any] = []

    async def build_image(self, spec: Any, progress: Any = None) -> dict[str, Any]:
        self.built.append(spec)
        return {}

    async def put_blob(self, source: Any) -> tuple[str, int]:
        return "0" * 64, len(source)

    async def keep_warm(self, body: Any) -> dict[str, Any]:
        self.asked.append(body)
        return {"image": "sha256:i", "asked": body["cells"], "wanted": 1, "idle": 1, "starting": 2, "memory": 5}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine()

    async def current() -> Engine:
        return made

    monkeypatch.setattr("glovebox._runs.warm.current_engine", current)
    return made


# Preload.


def test_a_sandbox_tells_what_is_imported() -> None:
    made = create(code="y = 1", preload=("numpy", "xml.etree"))
    assert made.preload == ["numpy", "xml.etree"]
    assert asyncio.run(made._task(None)._definition(NO_ENGINE))["preload"] == ["numpy", "xml.etree"]
    assert "preload" not in asyncio.run(create(code="y = 1")._task(None)._definition(NO_ENGINE))
    assert create(code="y = 1", auto_io=False, preload=["json"]).preload == ["json"]


@pytest.mark.parametrize(
    ("preload", "error", "message"),
    [
        ("json", TypeError, "preload is 'json', expected a list of modules"),
        (5, TypeError, "preload is 5"),
        ([5], TypeError, r"preload has 5 \(int\)"),
        ([""], ValueError, "preload has ''"),
        (["numpy>=2"], ValueError, "preload has 'numpy>=2'"),
        ([".json"], ValueError, "preload has '.json'"),
        (["a/b"], ValueError, "preload has 'a/b'"),
        (["a" * 256], ValueError, "preload has 'aaa"),
        (["json"] * 101, ValueError, "preload names 101 modules, expected at most 100"),
    ],
)
def test_what_is_no_module(preload: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        create(code="y = 1", preload=preload)
    with pytest.raises(error, match=message):
        TaskEnvironment("env", preload=preload)


def test_a_command_imports_nothing() -> None:
    with pytest.raises(ValueError, match="preload is for Python"):
        create(command=["true"], preload=["json"])


def test_an_environment_that_preloads_has_cells() -> None:
    assert celled.in_cell and not plain.in_cell
    assert celled.cell.members == {"preload": ["json"]}
    assert celled.clone_with("other").preload == ["json"]
    assert celled.clone_with("other", preload=["re"]).cell.members == {"preload": ["re"]}


# Warm cells.


def test_a_sandbox_is_kept_warm(fake: Engine) -> None:
    pool = glovebox.warm(create(name="box", code="y = 1", outputs={"y": int}, packages=["numpy"], preload=["numpy"]), 2)
    assert pool == WarmPool(asked=2, wanted=1, ready=1, starting=2, memory=5)
    (asked,) = fake.asked
    assert (asked["cells"], asked["task"]["preload"], asked["task"]["code"]) == (2, ["numpy"], "y = 1")
    assert fake.built == [asked["task"]["image"]]


def test_a_function_in_a_cell_is_kept_warm(fake: Engine) -> None:
    asyncio.run(glovebox.warm.aio(double, cells=3))
    (asked,) = fake.asked
    assert (asked["cells"], asked["task"]["name"], "json" in asked["task"]["preload"]) == (3, "celled.double", True)


def test_a_deployed_task_is_kept_warm_by_its_name(fake: Engine) -> None:
    version = {"name": "demo.box", "version": 4, "signature": {}, "task": {"code": "y = 1", "image": {"ref": "r"}}}
    glovebox.warm(remote.Task(version))
    assert (fake.asked, fake.built) == ([{"name": "demo.box@4", "cells": 1}], [{"ref": "r"}])


def test_to_take_it_back_builds_nothing(fake: Engine) -> None:
    glovebox.warm(create(code="y = 1"), cells=0)
    assert (fake.built, fake.asked[0]["cells"]) == ([], 0)


def test_what_has_no_cell(fake: Engine) -> None:
    for task, error, message in (
        (triple, ValueError, "plain.triple runs in this process"),
        (orchestrator_from_str("1", inputs={}), ValueError, "is an orchestrator, which runs in no cell"),
        (print, TypeError, "expected a sandbox or a task that runs in a cell, got <built-in function print>"),
    ):
        unknown: Any = task
        with pytest.raises(error, match=message):
            glovebox.warm(unknown)
    assert (fake.asked, fake.built) == ([], [])


@pytest.mark.parametrize(("cells", "error"), [(-1, ValueError), (1.5, TypeError), ("2", TypeError), (True, TypeError)])
def test_what_is_no_number_of_cells(fake: Engine, cells: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="cells is"):
        glovebox.warm(create(code="y = 1"), cells=cells)
    assert fake.asked == []


# With cells.


@pytest.mark.cells
@pytest.mark.parametrize("kind", KINDS)
def test_runs_take_cells_that_are_ready(kind: str, tmp_path: Path) -> None:
    home = Path(os.environ.get("GLOVEBOX_TEST_HOME") or tmp_path / "home")
    box = create(
        name="ready",
        code="import sys\nloaded = 'xml.dom' in sys.modules\ny = x * 2",
        inputs={"x": int},
        outputs={"y": int, "loaded": bool},
        preload=["xml.dom"],
        cache="disable",
    )
    with engine(kind, home):
        pool = glovebox.warm(box, cells=2)
        assert (pool.asked, pool.ready >= 1, pool.memory > 0) == (2, True, True)
        for x in range(3):
            assert box.run(x=x) == (2 * x, True)
        assert glovebox.warm(tasks.shift).ready >= 1
        assert (tasks.shift(1), tasks.shift(2)) == (1001, 1002)
        with pytest.raises(errors.InvalidTaskError, match="no_such_module_7"):
            create(name="bad", code="y = 1", outputs={"y": int}, preload=["no_such_module_7"], cache="disable").run()
        assert glovebox.warm(box, cells=0).asked == 0
