"""Functions of this process as tasks, on each kind of engine."""

from __future__ import annotations

import asyncio
import datetime
import decimal
import enum
import os
import resource
import threading
import time
import traceback
import uuid
from pathlib import Path
from typing import Any, Optional, Union

import pytest

import engines
import glovebox
from glovebox import errors
from glovebox.io import Dir, File
from glovebox.sandbox import gather

env = glovebox.TaskEnvironment(name="functions")
began: dict[str, threading.Event] = {}
counted: list[str] = []


pytestmark = pytest.mark.usefixtures("each_engine")


def result(task: Any, *args: Any, **kwargs: Any) -> Any:
    run = glovebox.run(task, *args, **kwargs)
    outputs = run.outputs()
    return outputs[0] if outputs else None


@env.task
def add(x: int, y: int = 10) -> int:
    """Adds."""
    return x + y


@env.task
async def slowly(x: int) -> int:
    await asyncio.sleep(0)
    return x * 2


@env.task
def chain(x: int) -> int:
    return add(x, y=1) + add(x=x)


@env.task
async def chain_async(x: int) -> int:
    return await slowly(x) + await slowly.aio(x) + await add.aio(x)


@env.task
def depth(n: int) -> int:
    return 0 if n == 0 else 1 + depth(n - 1)


@env.task
async def many(n: int) -> int:
    return sum(await asyncio.gather(*(slowly(i) for i in range(n))))


@env.task
async def in_threads(n: int) -> list[int]:
    return await asyncio.gather(*(asyncio.to_thread(add, i) for i in range(n)))


def test_plain_calls_make_no_run() -> None:
    assert add(1) == 11
    assert asyncio.run(slowly(4)) == 8
    assert asyncio.run(add.aio(1, y=2)) == 3


def test_runs_by_position_by_name_and_with_defaults() -> None:
    assert [result(add, 1), result(add, 1, 2), result(add, y=3, x=1), result(chain, 5)] == [11, 3, 4, 21]
    assert result(chain_async, 3) == 25


def test_deep_recursion() -> None:
    assert result(depth, 50) == 50


@pytest.mark.once
def test_a_gather_of_five_hundred() -> None:
    run = glovebox.run(many, 500)
    assert run.outputs()[0] == 500 * 499
    assert len(run.calls()) == 500


def test_calls_from_threads_of_a_function() -> None:
    run = glovebox.run(in_threads, 4)
    assert run.outputs()[0] == [10, 11, 12, 13]
    assert len(run.calls()) == 4


@env.task
def keyword(a: int, /, b: int, *, c: int = 3, d: Optional[str] = None) -> list[Any]:
    return [a, b, c, d]


def test_kinds_of_parameters() -> None:
    assert result(keyword, 1, 2) == [1, 2, 3, None]
    assert result(keyword, 1, b=2, c=4, d="x") == [1, 2, 4, "x"]
    with pytest.raises(TypeError, match=r"functions.keyword\(a: int, .* too many positional arguments"):
        glovebox.run(keyword, 1, 2, 3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="'b'"):
        glovebox.run(keyword, 1)  # type: ignore[call-overload]


TZ = datetime.timezone(datetime.timedelta(hours=-3))


class Color(enum.Enum):
    RED = "red"


@env.task
def everything(
    i: int, f: float, s: str, b: bool, y: bytes, when: datetime.datetime, span: datetime.timedelta, ints: list[int],
    table: dict[str, list[float]], pair: tuple[int, str], row: tuple[int, ...], maybe: Optional[int],
    either: Union[int, str], group: set[int], frozen: frozenset[str], day: datetime.date, clock: datetime.time, price: decimal.Decimal, key: uuid.UUID,
    color: Color, years: dict[int, datetime.date], days: dict[datetime.date, bool], whatever: Any, nothing: None = None,
) -> dict[str, Any]:  # fmt: skip
    given = dict(locals())
    return {name: [type(value).__name__, repr(value)] for name, value in given.items()}


def test_all_types() -> None:
    given = {
        "i": 10**40, "f": float("-inf"), "s": "\u00e9\0\n\U0001f600", "b": True, "y": b"\xff\x00",
        "when": datetime.datetime(2024, 1, 2, 3, 4, 5, 6, TZ), "span": datetime.timedelta(days=-1, microseconds=3), "ints": [1],
        "table": {"b": [1.0], "a": []}, "pair": (1, "x"), "row": (1, 2, 3), "maybe": None, "either": "1", "group": {2},
        "frozen": frozenset("a"), "day": datetime.date(2024, 2, 29), "clock": datetime.time(1, 2, 3, 4, TZ), "price": decimal.Decimal("1.50"),
        "key": uuid.UUID(int=7), "color": Color.RED, "years": {2024: datetime.date(2024, 1, 1)}, "days": {datetime.date(2024, 2, 29): True},
        "whatever": [1, {"a": (2, b"x")}, {3}, {4: decimal.Decimal(5)}], "nothing": None,
    }  # fmt: skip
    assert result(everything, **given) == {name: [type(value).__name__, repr(value)] for name, value in given.items()}


@env.task
def pair(x: int) -> tuple[int, str]:
    return x, str(x)


@env.task
def silent(x: int) -> None:
    counted.append(str(x))


@env.task
def letters(word: str) -> set[str]:
    return set(word)


def test_returned_values() -> None:
    outputs = glovebox.run(pair, 4).outputs()
    assert (outputs.o0, outputs.o1, tuple(outputs)) == (4, "4", (4, "4"))
    assert glovebox.run(silent, 1).outputs() == (None,)
    assert result(letters, "abba") == {"a", "b"}


@pytest.mark.parametrize(("x", "expected"), [("1", "int"), (1.0, "int"), (True, "int"), (None, "int")])
def test_wrong_inputs(x: Any, expected: str) -> None:
    with pytest.raises(errors.InvalidInputError, match=f"functions.add: x.*{expected}"):
        glovebox.run(add, x)


def test_inputs_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glovebox._link.engine._MAX_JSON", 10_000)
    with pytest.raises(errors.RequestTooLargeError, match=r"at most 10000\n.*as a File"):
        glovebox.run(letters, "x" * 10_000)


# Files.


@env.task
async def make(text: str, where: str) -> File:
    path = Path(where) / "made.txt"
    path.write_text(text)
    return await File.from_local(str(path))


@env.task
async def read(file: File) -> str:
    return (await file.read.aio()).decode()


@env.task
def list_dir(tree: Dir) -> list[str]:
    local = Path(tree.download_sync())
    return sorted(str(path.relative_to(local)) for path in local.rglob("*"))


@env.task
async def through_files(where: str) -> str:
    return await read(await make("from one to the other", where))


def test_files(tmp_path: Path) -> None:
    made = result(make, "hello", str(tmp_path))
    assert made.read() == b"hello"
    assert result(read, made) == "hello"
    assert result(read, File.from_local_sync(tmp_path / "made.txt")) == "hello"
    assert result(through_files, str(tmp_path)) == "from one to the other"


def test_directories(tmp_path: Path) -> None:
    (tmp_path / "t" / "deep").mkdir(parents=True)
    (tmp_path / "t" / "deep" / "a.txt").write_text("a")
    assert result(list_dir, Dir(path=str(tmp_path / "t"))) == ["deep", "deep/a.txt"]


# Failures and policies.


class OwnError(Exception):
    pass


@env.task
def fails(kind: str) -> int:
    raise {"value": ValueError, "own": OwnError, "type": TypeError, "os": FileNotFoundError}[kind](f"it was {kind}")


@env.task
def fails_deeper(kind: str) -> int:
    return fails(kind)


@env.task
def recovers() -> str:
    try:
        fails("value")
    except ValueError as error:
        return f"caught {error.args[0]}"
    return "no"


@pytest.mark.parametrize(("kind", "class_"), [("value", ValueError), ("type", TypeError), ("os", FileNotFoundError)])
def test_exceptions(kind: str, class_: type[Exception]) -> None:
    with pytest.raises(class_, match=f"it was {kind}") as caught:
        glovebox.run(fails_deeper, kind).wait()
    assert isinstance(caught.value, errors.PythonExceptionError)
    told = "".join(traceback.format_exception(caught.value))  # as Python shows it
    assert told.index(", in fails_deeper\n") < told.index(", in fails\n")
    assert told.count(__file__) >= 2


def test_exceptions_are_caught_by_callers() -> None:
    assert result(recovers) == "caught it was value"
    with pytest.raises(errors.PythonExceptionError, match="OwnError: it was own"):
        result(fails, "own")


@env.task
async def talks() -> None:
    print("one")
    await asyncio.sleep(0)
    print("two", flush=True)
    print("no line end", end="")


def test_prints_are_the_logs_of_the_run() -> None:
    run = glovebox.run(talks)
    run.wait()
    assert "".join(run.logs()) == "one\ntwo\nno line end"


tries: list[int] = []


@env.task(retries=2)
def third() -> int:
    tries.append(1)
    if len(tries) < 3:
        raise OSError("not yet")
    return len(tries)


@env.task(retries=1)
def never() -> int:
    tries.append(1)
    raise OSError("not at all")


def test_retries() -> None:
    tries.clear()
    assert result(third) == 3
    tries.clear()
    with pytest.raises(OSError, match="not at all") as caught:
        result(never)
    assert (len(tries), caught.value.attempts) == (2, 2)  # type: ignore[attr-defined]


@env.task(timeout=0.3)
async def late() -> int:
    await asyncio.Event().wait()
    return 1


@env.task(timeout=datetime.timedelta(milliseconds=300))
def late_and_busy() -> int:
    while True:
        time.sleep(0.001)


def test_time_limits() -> None:
    task: Any
    for task in late, late_and_busy:
        with pytest.raises(errors.TaskTimeoutError):
            glovebox.run(task).wait()


@env.task
def waits(name: str) -> int:
    began[name].set()
    while True:
        time.sleep(0.001)


@env.task
async def waits_below(name: str) -> int:
    return await waits.aio(name)


def test_cancelling_ends_the_calls_below() -> None:
    began["c"] = threading.Event()
    run = glovebox.start(waits_below, "c")
    assert began["c"].wait(engines.PATIENCE)
    run.cancel()
    with pytest.raises(errors.CanceledError):
        run.wait()
    (call,) = run.calls()
    assert call["status"] == "canceled"


CACHED = """
import glovebox
env = glovebox.TaskEnvironment(name="cached", cache="auto")
times = []
@env.task
def f(x: int) -> int:
    times.append(x)
    return x + OFFSET
"""


def test_the_cache_knows_the_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib
    import sys

    monkeypatch.syspath_prepend(str(tmp_path))
    name = f"cached_{os.urandom(4).hex()}"

    def answers(offset: int) -> list[Any]:
        (tmp_path / f"{name}.py").write_text(CACHED.replace("OFFSET", str(offset)))
        sys.modules.pop(name, None)
        importlib.invalidate_caches()
        module = importlib.import_module(name)
        values = [result(module.f, x) for x in (1, 1, 2)]
        return [values, module.times]

    assert answers(10) == [[11, 11, 12], [1, 2]]
    assert answers(200) == [[201, 201, 202], [1, 2]]
    assert answers(10) == [[11, 11, 12], []]


# In orchestrators.


@env.sandbox.orchestrator
def arithmetic(n: int) -> dict[str, int]:
    return {"sum": add(n, 1), "default": add(n), "chained": chain(n)}


@env.sandbox.orchestrator
async def side_by_side(xs: list[int]) -> list[int]:
    return await gather(*[slowly(x) for x in xs])


@env.task
def orchestrates(n: int) -> dict[str, int]:
    return arithmetic(n)


def test_tools_of_orchestrators() -> None:
    assert arithmetic(1) == result(arithmetic, 1) == result(orchestrates, 1) == {"sum": 2, "default": 11, "chained": 13}
    assert result(side_by_side, list(range(100))) == [2 * x for x in range(100)]


both = threading.Barrier(2)


@env.task
def meets(x: int) -> int:
    both.wait(engines.PATIENCE)
    return x


@env.sandbox.orchestrator
async def parallel() -> list[int]:
    return await gather(meets(1), meets(2))


def test_calls_of_an_orchestrator_are_parallel() -> None:
    assert result(parallel) == [1, 2]


# Many.


@pytest.mark.once
def test_a_thousand_at_once_are_bounded() -> None:
    peak = 0

    async def watch(ended: asyncio.Event) -> None:
        nonlocal peak
        while not ended.is_set():
            peak = max(peak, len(os.listdir("/proc/self/fd")))
            await asyncio.sleep(0.01)

    async def all_of_them() -> list[Any]:
        ended = asyncio.Event()
        watching = asyncio.create_task(watch(ended))

        async def one(x: int) -> Any:
            return (await (await glovebox.run.aio(add, x)).outputs.aio())[0]

        values = await asyncio.gather(*(one(x) for x in range(1000)))
        ended.set()
        await watching
        return values

    assert asyncio.run(all_of_them()) == [x + 10 for x in range(1000)]
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    assert peak < min(soft, 1500)
