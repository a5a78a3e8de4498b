"""Runs outlive the process that started them: it is killed, and another one goes on."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import durable_tasks
import engines
import glovebox
from glovebox import errors
from glovebox._link.current import current_engine
from glovebox._process.loop import run_sync

SOURCE = Path(glovebox.__file__).resolve().parents[1]


Killed = dict[str, tuple[str, Path]]


@pytest.fixture(scope="module", params=["child", "tcp"], autouse=True)
def killed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killed]:
    """The runs of processes that were killed within the last function, by task: their ids and logs.

    An engine takes some seconds to be sure that a process is gone, here those of all of them at once.
    """
    if not engines.PROGRAM.exists():
        pytest.skip(f"{engines.PROGRAM} is not built")
    directory = tmp_path_factory.mktemp("durable")
    with engines.engine(request.param, directory / "home") as variables:
        logs = {task: directory / task for task in durable_tasks.TASKS}
        yield {task: (_kill_within(task, variables, log), log) for task, log in logs.items()}


def _kill_within(task: str, variables: dict[str, str], log: Path) -> str:
    """Starts a run in a process, kills that when it is within the last function, and returns the id of the run."""
    process = subprocess.Popen(
        [sys.executable, durable_tasks.__file__, task], text=True, stdout=subprocess.PIPE,
        env={**os.environ, **variables, "DURABLE_LOG": str(log), "DURABLE_BLOCK": "1", "PYTHONPATH": str(SOURCE)},
    )  # fmt: skip
    assert process.stdout is not None
    with process, process.stdout:
        try:
            run_id = process.stdout.readline().strip()
            assert process.stdout.readline() == "blocked\n"
        finally:
            process.kill()
    return run_id


def test_another_process_goes_on(killed: Killed, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id, log = killed["repeated"]
    monkeypatch.setenv("DURABLE_LOG", str(log))
    run = glovebox.Run.get(run_id, durable_tasks.repeated)
    if run.private:  # its engine has died, too
        with pytest.raises(errors.TaskInterruptedError, match="resume"):
            run.wait()
        run.resume()
    assert run.outputs()[0] == 101
    assert log.read_text().splitlines() == ["step 1", "step 10", "again 100", "again 100"]
    assert [call["status"] for call in run.calls()] == ["succeeded"] * 3


def test_a_plain_function_goes_on_without_doing_again_what_succeeded(
    killed: Killed, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, log = killed["parent"]
    monkeypatch.setenv("DURABLE_LOG", str(log))
    run = glovebox.Run.get(run_id, durable_tasks.parent)
    if not run.private:
        with pytest.raises(errors.WorkerLostError):  # whose process it was
            run.wait()
    assert run.resume().outputs()[0] == 3001
    lines = log.read_text().splitlines()
    assert sorted(lines[:3]) == ["step 0", "step 1", "step 2"]
    assert lines[3:] == ["step 30", "step 300", "again 3000", "again 3000"]


def test_a_call_in_doubt_is_not_repeated_unless_told_so(killed: Killed, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id, log = killed["doubtful"]
    monkeypatch.setenv("DURABLE_LOG", str(log))
    run = glovebox.Run.get(run_id, durable_tasks.doubtful)
    with pytest.raises((errors.TaskInterruptedError, errors.OutcomeUnknownError)):
        run.wait()
    with pytest.raises((errors.ConflictError, errors.OutcomeUnknownError), match="it is unknown whether"):
        run.resume().wait()
    assert log.read_text().splitlines() == ["step 1", "once 10"]
    assert run.resume(retry_unknown=True).outputs()[0] == 11
    assert log.read_text().splitlines() == ["step 1", "once 10", "once 10"]


@pytest.mark.parametrize("how", ["resolved", "failed"])
def test_a_call_in_doubt_is_answered(killed: Killed, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    run_id, log = killed[how]
    monkeypatch.setenv("DURABLE_LOG", str(log))
    run = glovebox.Run.get(run_id, durable_tasks.doubtful)
    with pytest.raises((errors.TaskInterruptedError, errors.OutcomeUnknownError)):
        run.wait()
    with pytest.raises(TypeError, match="either"):
        run.resolve()
    with pytest.raises(errors.InvalidInputError, match="int"):
        run.resolve(2, value="11")
    with pytest.raises(errors.ConflictError, match="not in doubt"):
        run.resolve(1, value=10)
    if how == "resolved":
        assert run.resolve(value=50).status() == "succeeded"
        assert run.resume().outputs()[0] == 50
    else:
        assert run.resolve(2, failed=ValueError("declined")).status() == "failed"
        with pytest.raises(errors.CallFailedError, match="declined"):
            run.resume().wait()
    assert log.read_text().splitlines() == ["step 1", "once 10"]


def test_an_engine_that_dies_is_replaced() -> None:
    if "GLOVEBOX_URL" in os.environ:
        pytest.skip("the engine is no child of this process")
    durable_tasks.go_on.clear()
    run = glovebox.start(durable_tasks.patient, 5)
    try:
        assert durable_tasks.began.acquire(timeout=engines.PATIENCE)
        run_sync(_engine()).kill()
        # The engine that dies tells, or the next one, if that one was dead already when wait looked.
        with pytest.raises((errors.ServerUnavailableError, errors.TaskInterruptedError), match=r"signal 9|is gone"):
            run.wait()
    finally:
        durable_tasks.go_on.set()  # else the function would go on as long as the other tests
    assert run.resume().outputs()[0] == 6


async def _engine() -> Any:
    return (await current_engine())._http.child._process  # type: ignore[union-attr]


def test_a_run_is_found_by_its_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DURABLE_LOG", str(tmp_path / "log"))
    made = glovebox.run(durable_tasks.step, 4)
    made.wait()
    for found in glovebox.Run.get(made.id), glovebox.remote.Run.get(made.id, durable_tasks.step):
        assert (found.id, found.task, found.outputs()[0], found.status()) == (made.id, "durable.step", 40, "succeeded")
    with pytest.raises(ValueError, match=r"a run of task durable\.step, not of durable\.once"):
        glovebox.Run.get(made.id, durable_tasks.once)
    with pytest.raises(errors.NotFoundError):
        glovebox.Run.get("run-00000000000000000000000o")
