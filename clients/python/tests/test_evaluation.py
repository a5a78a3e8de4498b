"""The light path: evaluations that keep nothing, and where they are runs all the same."""

from __future__ import annotations

import _thread
import asyncio
import contextvars
import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import glovebox
from engines import PATIENCE, PROGRAM
from glovebox import errors, sandbox
from glovebox._evaluation import evaluator

env = glovebox.TaskEnvironment(name="light")


@pytest.fixture(scope="module", autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("GLOVEBOX_URL", raising=False)
        made = tmp_path_factory.mktemp("home")
        patch.setenv("GLOVEBOX_HOME", str(made))
        patch.setenv("GLOVEBOX_PROGRAM", str(PROGRAM))
        yield made


def add(x: int, y: int) -> int:
    return x + y


async def later(x: int) -> int:
    await asyncio.sleep(0)
    return x * 10


def fail(kind: str) -> int:
    raise {"value": ValueError, "key": KeyError, "exit": SystemExit}[kind]("oh")


def same(value: Any) -> Any:
    return value


@env.task
def charge(x: int) -> int:
    return x


@env.task(retries=1)
def retried(x: int) -> int:
    return x


@env.sandbox.orchestrator
def inner(n: int) -> int:
    return charge(n) + 1


def both(source: str, **given: Any) -> Any:
    """Evaluates plainly and awaited, which gives the same, and returns it."""
    plain = sandbox.orchestrate_local_sync(source, **given)
    awaited = asyncio.run(sandbox.orchestrate_local(source, **given))
    assert plain == awaited
    return plain


def test_values() -> None:
    for value in (1, -(2**70), "ä\ud800", 1.5, float("inf"), None, True, [1, {"a": (2, {3})}], b"\0", {1: "x"}, {2}):
        kept = sandbox.orchestrate_local_sync("value", inputs={"value": value}, durable=True)
        assert both("value", inputs={"value": value}) == kept
        assert both("same(value)", inputs={"value": value}, tasks=[same]) == kept
    assert both("pass", inputs={}) is None


def test_nothing_is_kept() -> None:
    before = [run.id for run in glovebox.runs(limit=None)]
    result = sandbox.evaluate("print('one')\nadd(charge(1), 2)", inputs={}, tasks=[add, charge])
    assert (result.value, result.outputs.o0, result.stdout, result.run) == (3, 3, "one\n", None)
    assert [run.id for run in glovebox.runs(limit=None)] == before


def test_durable_is_a_run() -> None:
    result = sandbox.evaluate("add(1, 2)", inputs={}, tasks=[add], durable=True)
    assert result.value == 3
    assert result.run is not None
    assert result.run.id in [run.id for run in glovebox.runs()]
    assert sandbox.orchestrate_local_sync("add(1, 2)", inputs={}, tasks=[add], durable=True) == 3


def test_tasks_with_policies_are_runs() -> None:
    before = len(list(glovebox.runs(limit=None)))
    assert both("retried(2) + inner(3) + charge(1)", inputs={}, tasks=[retried, inner, charge]) == 7
    made = [run.task for run in glovebox.runs(limit=None)]
    assert sorted(made[: len(made) - before]) == ["light.inner", "light.inner", "light.retried", "light.retried"]


def test_within_a_run_it_is_a_run() -> None:
    @env.task
    def outer() -> str:
        result = sandbox.evaluate("1 + 1", inputs={})
        return "kept" if result.run is not None else "lost"

    assert glovebox.run(outer).outputs()[0] == "kept"


def test_a_tool_that_fails() -> None:
    with pytest.raises(ValueError, match="oh") as caught:
        both("fail('value')", inputs={}, tasks=[fail])
    assert isinstance(caught.value, errors.CallFailedError)
    assert type(caught.value.__cause__) is ValueError
    caught_by_code = "try:\n    fail('key')\nexcept KeyError as e:\n    r = 'caught'\nr"
    assert both(caught_by_code, inputs={}, tasks=[fail], dialect="extended") == "caught"
    with pytest.raises(errors.CallFailedError, match="int"):
        both("wrong()", inputs={}, tasks=[wrong])


def wrong() -> int:
    return "text"  # type: ignore[return-value]  # pyright: ignore


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("1 +", errors.CodeSyntaxError),
        ("missing", errors.CheckFailedError),
        ("[][n]", errors.PythonExceptionError),
        ("while True:\n    pass", errors.TaskTimeoutError),
    ],
)
def test_errors_are_those_of_runs(source: str, expected: type[Exception]) -> None:
    for durable in (False, True):
        with pytest.raises(expected):
            sandbox.orchestrate_local_sync(source, inputs={"n": 1}, timeout_ms=200, durable=durable)


def test_bad_input() -> None:
    with pytest.raises(errors.InvalidInputError, match=r"n\[1\]"):
        both("n", inputs={"n": [1, object()]})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"source": 5}, "source: expected Python code"),
        ({"source": ["1"]}, "source: expected Python code"),
        ({"tasks": 5}, "tasks: expected a list"),
        ({"tasks": "add"}, "tasks: expected a list"),
        ({"tasks": [5]}, "Expected a callable"),
        ({"inputs": [1]}, "inputs: expected a dict"),
        ({"timeout_ms": "1"}, "timeout_ms: expected"),
    ],
)
def test_what_cannot_be(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        both(**{"source": "1", "inputs": {}, **given})


def test_a_program_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLOVEBOX_PROGRAM", "/bin/false")
    monkeypatch.setattr(evaluator, "evaluator", evaluator.Evaluator())
    with pytest.raises(errors.ServerUnavailableError, match="ended before it listened"):
        both("1", inputs={})


def test_plain_evaluation_loads_no_more_than_it_needs() -> None:
    """What a process that evaluates plain code waits for before it gets its value."""
    loaded = """
        import sys
        def add(x: int, y: int) -> int:
            return x + y
        from glovebox import sandbox
        assert sandbox.orchestrate_local_sync("1 + x", inputs={"x": 1}) == 2
        print(*sys.modules)
        assert sandbox.orchestrate_local_sync("x + [add(1, 2)]", inputs={"x": [1]}, tasks=[add]) == [1, 3]
        assert sandbox.evaluate("print(1)", inputs={}).stdout == "1\\n"
        print(*sys.modules)
        """
    without, with_tools = (set(line.split()) for line in script(loaded).stdout.splitlines())
    heavy = {"asyncio", "concurrent.futures", "http.client", "logging", "ssl", "urllib.request", "tempfile", "decimal"}
    heavy |= {"glovebox._link.http", "glovebox._process.io_thread", "glovebox.io._dataframe", "glovebox._runs.run"}
    assert not heavy & with_tools
    assert "glovebox._evaluation.evaluation" in without
    assert not {"glovebox._tasks.task", "glovebox._evaluation.calls", "ctypes", "hashlib", "traceback"} & without


def test_several_at_once() -> None:
    meet = threading.Barrier(2)

    def wait(x: int) -> int:
        meet.wait(PATIENCE)
        return x

    code = "import asyncio\nsum(await asyncio.gather(*[later(i) for i in range(100)]))"
    assert both(code, inputs={}, tasks=[later], dialect="extended") == 49500
    assert both("sum(glovebox_map('wait', [1, 2]))", inputs={}, tasks=[wait]) == 3


def test_calls_that_nobody_waits_for() -> None:
    """They end with the evaluation, whenever that comes, and the next one on the same connection is not disturbed."""

    async def slow(x: int) -> int:
        await asyncio.sleep(x / 1000)
        if x == 2:
            raise ValueError("no")
        return x

    def quick(x: int) -> int:
        if x == 2:
            raise ValueError("no")
        return x

    for _ in range(30):
        for tool in (slow, quick):
            with pytest.raises(ValueError, match="no"):
                both(
                    f"glovebox_map('{tool.__name__}', [1, 2, 2, 3, 3], return_exceptions=False)",
                    inputs={},
                    tasks=[tool],
                )
            assert both("1", inputs={}) == 1
    gc.collect()  # a coroutine that was never awaited warns when it is collected


def test_async_tools_are_tasks_of_the_callers_loop() -> None:
    seen: list[asyncio.AbstractEventLoop] = []
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name")

    async def look(x: int) -> str:
        seen.append(asyncio.get_running_loop())
        return name.get()

    async def main() -> None:
        name.set("mine")
        assert await sandbox.orchestrate_local("look(1)", inputs={}, tasks=[look]) == "mine"
        assert seen == [asyncio.get_running_loop()]

    asyncio.run(main())


def test_a_plain_function_may_return_what_has_to_be_awaited() -> None:
    name: contextvars.ContextVar[str] = contextvars.ContextVar("name")

    async def tell(x: int) -> str:
        await asyncio.sleep(0)
        if x < 0:
            raise ValueError("no")
        return f"{name.get()} {x}"

    def plain(x: int) -> Any:
        return tell(x)

    code = "try:\n    plain(-1)\nexcept ValueError:\n    pass\nplain(1) + ', ' + plain(2)"

    def evaluated() -> str:
        name.set("mine")
        return str(sandbox.orchestrate_local_sync(code, inputs={}, tasks=[plain], dialect="extended"))

    async def below_a_loop() -> str:
        return evaluated()

    assert contextvars.copy_context().run(evaluated) == "mine 1, mine 2"
    assert asyncio.run(below_a_loop()) == "mine 1, mine 2"


def test_an_interruption_below_a_loop_ends_what_is_awaited() -> None:
    cleaned: list[bool] = []

    async def wait() -> int:
        asyncio.get_running_loop().call_later(0.1, _thread.interrupt_main)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            cleaned.append(True)
        return 1

    def plain() -> Any:
        return wait()

    async def below_a_loop() -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # asyncio would cancel, and wait for it
        with pytest.raises(KeyboardInterrupt):
            sandbox.orchestrate_local_sync("plain()", inputs={}, tasks=[plain])

    asyncio.run(below_a_loop())
    assert cleaned == [True]
    assert both("1", inputs={}) == 1


def test_a_cancelled_one_ends_its_calls() -> None:
    async def main() -> None:
        begun, cleaned = asyncio.Event(), asyncio.Event()

        async def wait(x: int) -> int:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                cleaned.set()
            return x

        running = asyncio.create_task(sandbox.orchestrate_local("wait(1)", inputs={}, tasks=[wait]))
        await asyncio.wait_for(begun.wait(), PATIENCE)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert cleaned.is_set()
        assert await sandbox.orchestrate_local("1", inputs={}) == 1

    asyncio.run(main())


def test_a_cancelled_one_stops_code_and_plain_functions() -> None:
    begun = threading.Event()

    def spin(x: int) -> int:
        begun.set()
        while True:
            time.sleep(0.01)

    async def main() -> None:
        for source, tools in (("while True:\n    pass", []), ("spin(1)", [spin])):
            running = asyncio.create_task(
                sandbox.orchestrate_local(source, inputs={}, tasks=tools, timeout_ms=3_600_000)
            )
            await asyncio.to_thread(begun.wait, PATIENCE) if tools else await asyncio.sleep(0.2)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running

    asyncio.run(main())
    for _ in range(int(PATIENCE * 100)):
        if not any(thread.name == "glovebox-evaluation" for thread in threading.enumerate()):
            return
        time.sleep(0.01)
    pytest.fail("a thread of a cancelled evaluation is still there")


def test_from_many_threads() -> None:
    results: list[int] = []

    def work(n: int) -> None:
        for i in range(10):
            results.append(sandbox.orchestrate_local_sync("add(n, i)", inputs={"n": n, "i": i}, tasks=[add]))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(results) == sorted(n + i for n in range(20) for i in range(10))


def test_an_evaluator_that_died_is_replaced() -> None:
    assert both("1", inputs={}) == 1
    process = evaluator.current()._process  # pyright: ignore[reportPrivateUsage]
    assert process is not None
    process.kill()
    process.wait()
    assert both("2", inputs={}) == 2

    def kill(x: int) -> int:
        child = evaluator.current()._process  # pyright: ignore[reportPrivateUsage]
        assert child is not None
        child.kill()
        return x

    with pytest.raises(errors.ServerUnavailableError, match="went away") as caught:
        sandbox.orchestrate_local_sync("kill(1)", inputs={}, tasks=[kill])
    assert caught.value.outcome == "unknown"
    assert both("3", inputs={}) == 3


def test_nothing_is_left_open() -> None:
    both("1", inputs={})
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        assert both("later(1) + add(1, 2)", inputs={}, tasks=[later, add]) == 13
        with pytest.raises(ValueError):
            sandbox.orchestrate_local_sync("fail('value')", inputs={}, tasks=[fail])
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) <= before + 2


def script(source: str, *, interrupt: bool = False) -> subprocess.CompletedProcess[str]:
    """Runs a script, and has it interrupted when it has printed its first line."""
    environment = {**os.environ, "PYTHONPATH": str(Path(glovebox.__file__).parents[1])}
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(source)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        first = process.stdout.readline()
        if interrupt:
            process.send_signal(signal.SIGINT)
        rest, said = process.communicate(timeout=PATIENCE)
    return subprocess.CompletedProcess(process.args, process.returncode, first + rest, said)


def test_ctrl_c() -> None:
    done = script(
        """
        from glovebox import sandbox
        def begin() -> int:
            print("begun", flush=True)
            return 1
        try:
            sandbox.orchestrate_local_sync(
                "begin()\\nwhile True:\\n    pass", inputs={}, tasks=[begin], timeout_ms=3_600_000
            )
        except KeyboardInterrupt:
            print("interrupted")
        print(sandbox.orchestrate_local_sync("1 + 1", inputs={}))
        """,
        interrupt=True,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("begun\ninterrupted\n2\n", "", 0)


def test_a_forked_child_has_an_evaluator_of_its_own() -> None:
    done = script(
        """
        import os, warnings
        from glovebox import sandbox
        from glovebox._evaluation import evaluator
        print(sandbox.orchestrate_local_sync("1", inputs={}), flush=True)
        mine = list(evaluator.current()._idle)
        child = os.fork()
        if child == 0:
            print(sandbox.orchestrate_local_sync("2", inputs={}), flush=True)
        else:
            os.waitpid(child, 0)
            print(sandbox.orchestrate_local_sync("3", inputs={}))
            assert evaluator.current()._idle == mine
        """
    )
    assert (done.stdout, done.stderr, done.returncode) == ("1\n2\n3\n", "", 0)


def test_it_ends_with_its_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    done = script(
        """
        import os
        from glovebox import sandbox
        from glovebox._evaluation import evaluator
        sandbox.orchestrate_local_sync("1", inputs={})
        print(evaluator.current()._process.pid, flush=True)
        os._exit(0)
        """
    )
    pid = done.stdout.strip()
    assert pid
    for _ in range(int(PATIENCE * 100)):
        if not os.path.exists(f"/proc/{pid}"):
            break
        time.sleep(0.01)
    assert not os.path.exists(f"/proc/{pid}")
    assert not list(tmp_path.iterdir())
