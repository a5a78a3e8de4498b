"""Functions of this process, called by the real engine."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import glovebox
from glovebox import errors
from glovebox._link.current import current_engine
from glovebox._process.context import current_run
from glovebox._process.loop import run_sync
from glovebox._serving.workers import pool_of
from glovebox.io import File

PATIENCE = 300.0
PROGRAM = Path(__file__).resolve().parents[3] / "bin" / "glovebox"
SOURCE = Path(glovebox.__file__).resolve().parents[1]

env = glovebox.TaskEnvironment(name="work")
began: dict[str, threading.Event] = {}
release: dict[str, threading.Event] = {}
tries: list[str] = []


async def _close() -> None:
    await (await current_engine()).close()


def _serve(home: Path) -> tuple[subprocess.Popen[str], threading.Thread, str, str]:
    """Starts an engine that listens on TCP, and returns it, who reads its log, its address and its token."""
    home.mkdir()
    token = secrets.token_hex(32)
    file = home / "token"
    file.write_text(token)
    file.chmod(0o600)
    server = subprocess.Popen(
        [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--token-file", file],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"GLOVEBOX_HOME": str(home / "home")},
    )
    assert server.stderr is not None
    seen = ""
    for line in server.stderr:
        seen += line
        if "listening on" in line:
            reader = threading.Thread(target=server.stderr.read)  # the server waits when nobody reads its log
            reader.start()
            return server, reader, "http://" + line.split("listening on", 1)[1].split()[0], token
    raise AssertionError(f"the server did not start: {seen}")


@pytest.fixture(scope="module", autouse=True, params=["child", "tcp"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    if not PROGRAM.exists():
        pytest.skip(f"{PROGRAM} is not built")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLOVEBOX_PROGRAM", str(PROGRAM))
        patch.setenv("GLOVEBOX_HOME", str(tmp_path_factory.mktemp("home")))
        patch.delenv("GLOVEBOX_URL", raising=False)
        if request.param == "child":
            yield
            run_sync(_close())
            return
        server, reader, address, token = _serve(tmp_path_factory.mktemp("server") / "s")
        try:
            patch.setenv("GLOVEBOX_URL", address)
            patch.setenv("GLOVEBOX_TOKEN", token)
            yield
            run_sync(_close())
        finally:
            server.terminate()
            server.wait(PATIENCE)
            reader.join()
            assert server.stderr is not None
            server.stderr.close()


class Unknown(Exception):
    pass


@env.task
def add(x: int, y: int) -> int:
    print("adding", x, y)
    return x + y


@env.task
async def gathered(n: int) -> list[int]:
    return await asyncio.gather(*(add.aio(i, i) for i in range(n)))


@env.task
def fail(kind: str) -> int:
    raise {"value": ValueError, "key": KeyError, "own": Unknown, "zero": ZeroDivisionError, "exit": SystemExit}[kind](
        kind
    )


@env.task
def outer(kind: str) -> int:
    return fail(kind)


@env.task
def handles(kind: str) -> str:
    try:
        fail(kind)
    except (ValueError, KeyError) as error:
        return f"{type(error).__name__} {error.args}"
    except errors.PythonExceptionError as error:
        return f"other {error.details['exception']['type']}"
    return "nothing"


@env.task
def wrong() -> int:
    return "text"  # type: ignore[return-value]


@env.task
async def forever(name: str) -> int:
    began[name].set()
    await asyncio.Event().wait()
    return 1


@env.task
def held(name: str) -> int:
    began[name].set()
    release[name].wait(PATIENCE)
    return 7


@env.task(retries=2)
def third_time() -> int:
    tries.append(current_run() or "")
    if len(tries) % 3:
        raise ValueError("not yet")
    return len(tries)


def test_a_run() -> None:
    run = glovebox.run(add, 1, 2)
    assert run.outputs()[0] == 3
    assert "".join(run.logs()) == "adding 1 2\n"


def test_calls_of_a_run_are_its_children() -> None:
    run = glovebox.run(gathered, 20)
    assert run.outputs()[0] == [2 * i for i in range(20)]
    assert [call["task"] for call in run.calls()] == ["work.add"] * 20


@pytest.mark.once
def test_many_at_once() -> None:
    runs = [glovebox.start(add, i, 1) for i in range(200)]
    assert [run.outputs()[0] for run in runs] == [i + 1 for i in range(200)]


@pytest.mark.parametrize(("kind", "builtin"), [("value", ValueError), ("key", KeyError), ("zero", ZeroDivisionError)])
def test_exceptions_are_what_they_were(kind: str, builtin: type[Exception]) -> None:
    for task in fail, outer:
        with pytest.raises(builtin) as info:
            glovebox.run(task, kind).outputs()
        assert isinstance(info.value, errors.PythonExceptionError)
        assert info.value.args == (kind,)
        assert "in fail\n    raise {" in str(info.value)
        assert type(info.value.__cause__) is builtin


def test_the_way_to_the_exception() -> None:
    with pytest.raises(ValueError, match="value") as info:
        glovebox.run(outer, "value").outputs()
    text = info.value.details["exception"]["traceback"]  # type: ignore[attr-defined]
    assert text.index(", in outer\n") < text.index(", in fail\n")
    assert "glovebox/_" not in text
    assert "threading.py" not in text


def test_other_exceptions() -> None:
    with pytest.raises(errors.PythonExceptionError) as info:
        glovebox.run(fail, "own").outputs()
    assert info.value.details["exception"]["type"] == f"{__name__}.Unknown"
    assert isinstance(info.value.__cause__, Unknown)
    with pytest.raises(errors.PythonExceptionError, match="SystemExit: exit"):
        glovebox.run(fail, "exit").outputs()


def test_code_handles_them() -> None:
    assert glovebox.run(handles, "value").outputs()[0] == "PythonExceptionError[ValueError] ('value',)"
    assert glovebox.run(handles, "key").outputs()[0] == "PythonExceptionError[KeyError] ('key',)"
    assert glovebox.run(handles, "own").outputs()[0] == f"other {__name__}.Unknown"


def test_an_output_that_does_not_fit() -> None:
    with pytest.raises(errors.BadOutputError, match=r"function work.wrong: o0: expected int, got str 'text'"):
        glovebox.run(wrong).outputs()


def test_files_come_and_go(tmp_path: Path) -> None:
    @env.task
    async def shout(files: list[File]) -> dict[str, File]:
        loud = tmp_path / "loud.txt"
        loud.write_text("".join(file.read().decode() for file in files).upper())
        return {"first": files[0], "loud": await File.from_local(str(loud))}

    for name in "a", "b":
        (tmp_path / name).write_text(name)
    result = glovebox.run(shout, [File(path=str(tmp_path / "a")), File(path=str(tmp_path / "b"))]).outputs()[0]
    assert {name: file.read() for name, file in result.items()} == {"first": b"a", "loud": b"AB"}


def test_retries() -> None:
    tries.clear()
    assert glovebox.run(third_time).outputs()[0] == 3
    assert len(set(tries)) == 1


def test_cancelling() -> None:
    began["a"] = threading.Event()
    run = glovebox.start(forever, "a")
    assert began["a"].wait(PATIENCE)
    run.cancel()
    with pytest.raises(errors.CanceledError) as info:
        run.wait()
    assert str(info.value.outcome) == "failed"  # the function said that it ended


def test_a_connection_that_breaks() -> None:
    began["b"], release["b"] = threading.Event(), threading.Event()
    run = glovebox.start(held, "b")
    assert began["b"].wait(PATIENCE)
    for _ in range(3):
        run_sync(_break_connection())
        assert glovebox.run(add, 1, 2).outputs()[0] == 3
    release["b"].set()
    assert run.outputs()[0] == 7


async def _break_connection() -> None:
    link: Any = pool_of(await current_engine()).workers[0]._link
    link._writer.transport.abort()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="later ones warn when a process with threads forks")
def test_children_that_are_forked_off() -> None:
    @env.task
    def forks() -> int:
        with multiprocessing.get_context("fork").Pool(2) as pool:
            return sum(pool.map(_square, range(10)))

    assert glovebox.run(forks).outputs()[0] == 285


def _square(x: int) -> int:
    print("in a child", x)
    return x * x


SCRIPT = """
import asyncio, sys, threading
import glovebox

env = glovebox.TaskEnvironment(name="script")
began = threading.Semaphore(0)

@env.task
async def forever() -> int:
    began.release()
    await asyncio.Event().wait()
    return 1

@env.task
def spin() -> int:
    began.release()
    while True:
        print("spinning")

@env.task
def stuck() -> int:
    began.release()
    threading.Event().wait()
    return 1

runs = [glovebox.start(task) for task in (forever, spin, stuck)]
for _ in runs:
    began.acquire()
print("ready", file=sys.stderr, flush=True)
if sys.argv[1] == "wait":
    runs[0].wait()
if sys.argv[1] == "raise":
    raise ValueError("mine")
"""


def _script(tmp_path: Path, how: str) -> subprocess.Popen[str]:
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    return subprocess.Popen(
        [sys.executable, "-W", "error", file, how],
        env=os.environ | {"PYTHONPATH": str(SOURCE)},
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def _ended(process: subprocess.Popen[str]) -> str:
    try:
        told: Any = process.communicate(timeout=PATIENCE)[1]
        return str(told)
    finally:
        process.kill()


def _read_until(process: subprocess.Popen[str], text: str) -> None:
    assert process.stderr is not None
    assert any(text in line for line in process.stderr), "it ended before"


def test_a_process_that_fails_ends_whatever_its_functions_do(tmp_path: Path) -> None:
    process = _script(tmp_path, "raise")
    told = _ended(process)
    assert process.returncode == 1, told
    assert "\nValueError: mine\nglovebox: not waiting any longer for run-" in told


def test_an_interrupted_process_ends_whatever_its_functions_do(tmp_path: Path) -> None:
    process = _script(tmp_path, "wait")
    _read_until(process, "ready")
    process.send_signal(signal.SIGINT)  # as Ctrl-C does
    told = _ended(process)
    assert process.returncode == -signal.SIGINT, told
    assert "\nKeyboardInterrupt\nglovebox: not waiting any longer for run-" in told


def test_a_process_that_waits_for_its_functions_can_be_interrupted(tmp_path: Path) -> None:
    process = _script(tmp_path, "end")
    _read_until(process, "waiting for run")
    process.send_signal(signal.SIGINT)
    told = _ended(process)
    assert process.returncode == 0, told
    assert told.startswith("glovebox: not waiting any longer for run-")
