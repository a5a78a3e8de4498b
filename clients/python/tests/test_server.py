"""Servers: cells, files and functions over TCP with a token and over a Unix socket, for several processes.

Those with cells need GLOVEBOX_TEST_REAL=1.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import engines
import glovebox
from celled import tasks
from glovebox import errors
from glovebox.io import Dir, File

ROOT = Path(__file__).resolve().parent
SOURCE = Path(glovebox.__file__).resolve().parents[1]


@pytest.fixture(scope="module", autouse=True, params=["tcp", "unix"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    if not engines.PROGRAM.exists():
        pytest.skip(f"{engines.PROGRAM} is not built")
    home = Path(os.environ.get("GLOVEBOX_TEST_HOME") or tmp_path_factory.mktemp("home"))
    with engines.engine(request.param, home) as variables:
        yield variables


@pytest.fixture(scope="module", autouse=True)
def lost(server: dict[str, str]) -> str:
    """The run of a process that died within its function. The other tests run while the server waits for it."""
    code = OFFERS + "r = glovebox.start(die, 1)\nprint(r.id, flush=True)\nprinted.set()\nr.wait()"
    process = script(code, server)
    run_id = process.communicate(timeout=engines.PATIENCE)[0].strip()
    assert process.returncode == -9
    return run_id


def result(task: Any, *args: Any, **kwargs: Any) -> Any:
    return glovebox.run(task, *args, **kwargs).outputs()[0]


def script(code: str, variables: dict[str, str], **more: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env={**os.environ, **variables, **more, "PYTHONPATH": f"{SOURCE}:{ROOT}"},
    )  # fmt: skip


# Who is there.


def test_a_wrong_token_is_refused(server: dict[str, str]) -> None:
    if "GLOVEBOX_TOKEN" not in server:
        pytest.skip("a Unix socket has no token")
    code = "import glovebox\nglovebox.sandbox.create(code='x = 1').run()"
    told = script(code, server, GLOVEBOX_TOKEN="wrong" * 10).communicate(timeout=engines.PATIENCE)[1]
    assert "UnauthorizedError" in told
    assert "wrongwrong" not in told


OFFERS = """
import sys, threading
import glovebox
env = glovebox.TaskEnvironment(name="offered")
printed = threading.Event()

@env.task
def whose(x: int) -> str:
    return f"{sys.argv[1:]} {x}"

@env.task
def die(x: int) -> int:
    import os, signal
    printed.wait()
    os.kill(os.getpid(), signal.SIGKILL)
    return x

"""


def test_functions_run_in_the_process_that_asks(server: dict[str, str]) -> None:
    code = OFFERS + "import os\n@env.task\ndef pid() -> int:\n    return os.getpid()\n"
    code += "print(os.getpid(), glovebox.run(pid).outputs()[0])"
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(script(code, server)) for _ in range(3)]
        ends = [process.communicate(timeout=engines.PATIENCE) for process in processes]
    for process, (told, failed) in zip(processes, ends):
        assert not failed
        mine, ran = told.split()
        assert ran in {str(p.pid) for p in processes}  # the same code: one stands in for another
        assert mine == str(process.pid)


# Cells.


@pytest.mark.cells
def test_functions_in_cells() -> None:
    assert tasks.shift(2) == 1002
    assert result(tasks.calls_cell, 1) == 1002
    assert result(tasks.calls_sandbox, 3) == 6
    assert tasks.orchestrated(3) == 1004


@pytest.mark.cells
def test_files_travel_by_content(tmp_path: Path) -> None:
    data = os.urandom(3 << 20)
    (tmp_path / "big").write_bytes(data)
    (tmp_path / "tree" / "deep").mkdir(parents=True)
    (tmp_path / "tree" / "deep" / "x").write_text("x")
    copy = glovebox.sandbox.create(
        code="import shutil\nshutil.copy(f, '/var/outputs/g')", inputs={"f": File}, outputs={"g": File}
    )
    made = copy.run(f=tmp_path / "big")
    assert made.read() == data
    assert result(tasks.names, Dir.from_local_sync(str(tmp_path / "tree"))) == ["deep/x"]
    assert result(tasks.files_from_a_cell) == "x+yx"


@pytest.mark.cells
def test_exceptions_of_cells() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        glovebox.run(tasks.fails, 1).wait()
    assert f"{ROOT}/celled/parts/arithmetic.py" in str(caught.value)
    assert result(tasks.handles, 1) == "caught division by zero"


@pytest.mark.cells
def test_one_deploys_and_another_starts(server: dict[str, str]) -> None:
    glovebox.deploy(tasks.lasting)
    code = "import glovebox\nprint(glovebox.remote.Task.get('lasting.lasts')(x=1))"
    told, failed = script(code, server).communicate(timeout=engines.PATIENCE)
    assert (told, failed) == ("1011\n", "")


@pytest.mark.cells
def test_twenty_cells_at_once() -> None:
    double = glovebox.sandbox.create(
        code="y = x * 2", inputs={"x": int}, outputs={"y": int}, resources=tasks.SMALL, cache="disable"
    )

    async def all_of_them() -> list[Any]:
        return await asyncio.gather(*(double.run.aio(x=x) for x in range(20)))

    assert asyncio.run(all_of_them()) == [2 * x for x in range(20)]


@pytest.mark.cells
def test_threads_share_the_connection() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tasks.shift, range(4))) == [1000, 1001, 1002, 1003]


# At the end, by when the server does not wait any longer.


def test_a_process_that_dies_within_its_function(lost: str) -> None:
    with pytest.raises(errors.WorkerLostError, match="lost its connection") as caught:
        glovebox.Run.get(lost).wait()
    assert (caught.value.outcome, caught.value.retryable) == ("unknown", True)
