"""Tools called for many items: loops, gather, glovebox_map."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from glovebox import errors
from glovebox._tasks.environment import TaskEnvironment
from glovebox.sandbox import gather, glovebox_map, orchestrate_local_sync, orchestrator_from_str

env = TaskEnvironment(name="mapping")


@pytest.fixture(scope="module", autouse=True)
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GLOVEBOX_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("GLOVEBOX_PROGRAM", str(Path(__file__).resolve().parents[3] / "bin" / "glovebox"))
        yield


@env.task
def double(x: int) -> int:
    return x * 2


@env.task
def add(x: int, y: int) -> int:
    return x + y


@env.task
def odd(x: int) -> int:
    if x % 2 == 0:
        raise ValueError(f"{x} is even")
    return x


def evaluated(source: str, **inputs: Any) -> Any:
    return orchestrate_local_sync(source, inputs=inputs, tasks=[double, add, odd])


@pytest.mark.parametrize(
    ("source", "inputs", "result"),
    [
        ("out = []\nfor x in xs:\n    out.append(double(x))\nout", {"xs": [1, 2, 3]}, [2, 4, 6]),
        ("[double(x) for x in xs]", {"xs": []}, []),
        ("[add(x, y) for x, y in zip(xs, ys)]", {"xs": [1, 2], "ys": [10, 20]}, [11, 22]),
        ("sum([double(x) for x in xs])", {"xs": [1, 2, 3]}, 12),
        ("[add(double(x), i) for i, x in enumerate(xs)]", {"xs": [5, 6]}, [10, 13]),
        ("glovebox_map('double', xs)", {"xs": [1, 2, 3]}, [2, 4, 6]),
        ("glovebox_map(double, xs)", {"xs": [1, 2, 3]}, [2, 4, 6]),
        ("sum(glovebox_map('double', xs))", {"xs": [1, 2, 3]}, 12),
        ("glovebox_map('double', xs)", {"xs": []}, []),
        ("glovebox_map('add', xs, ys)", {"xs": [1, 2], "ys": [10, 20]}, [11, 22]),
        ("glovebox_map('double', xs, concurrency=2, group_name='doubles')", {"xs": [1, 2, 3]}, [2, 4, 6]),
        ("[str(r) for r in glovebox_map('odd', xs)]", {"xs": [1, 2, 3]}, ["1", "2 is even", "3"]),
        ("[isinstance(r, ValueError) for r in glovebox_map('odd', xs)]", {"xs": [1, 2]}, [False, True]),
        ("await gather(*[double(x) for x in xs])", {"xs": [1, 2]}, [2, 4]),
        ("(await double(1)) + double(2)", {}, 6),
    ],
)
def test_mapping(source: str, inputs: dict[str, Any], result: Any) -> None:
    assert evaluated(source, **inputs) == result


def test_errors() -> None:
    with pytest.raises(errors.CallFailedError, match="2 is even"):
        evaluated("glovebox_map('odd', [1, 2, 3], return_exceptions=False)")
    with pytest.raises(errors.GloveboxError, match="doubel"):
        evaluated("glovebox_map('doubel', [1])")
    with pytest.raises(ValueError, match="tool 'doubel' not found in registered tools. Available: double, add, odd"):
        evaluated("name = 'dou' + 'bel'\nglovebox_map(name, [1])")


def test_in_functions() -> None:
    @env.sandbox.orchestrator
    def by_name(xs: list[int]) -> list[int]:
        return glovebox_map("double", xs)

    @env.sandbox.orchestrator
    def by_itself(xs: list[int]) -> list[int]:
        return glovebox_map(add, xs, xs, concurrency=1)

    @env.sandbox.orchestrator
    async def gathered(xs: list[int]) -> list[int]:
        return await gather(*[double(x) for x in xs])

    assert by_name([1, 2]) == [2, 4]
    assert by_itself([1, 2]) == [2, 4]
    assert asyncio.run(gathered.aio([1, 2])) == [2, 4]


def test_calls_run_at_the_same_time() -> None:
    together = threading.Barrier(3, timeout=300)

    def meet(x: int) -> int:
        together.wait()
        return x

    async def meet_later(x: int) -> int:
        return await asyncio.to_thread(meet, x)

    for call in (meet, meet_later):
        for source in ("glovebox_map(meet, xs)", "await gather(*[meet(x) for x in xs])"):
            assert orchestrate_local_sync(source, inputs={"xs": [1, 2, 3]}, tasks={"meet": call}) == [1, 2, 3]


def test_concurrency_bounds_the_calls() -> None:
    lock, now, most = threading.Lock(), [0], [0]
    pairs = threading.Barrier(2, timeout=300)

    def counted(x: int) -> int:
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        pairs.wait()
        with lock:
            now[0] -= 1
        return x

    xs = list(range(30))
    assert orchestrate_local_sync("glovebox_map(counted, xs, concurrency=2)", inputs={"xs": xs}, tasks=[counted]) == xs
    assert most[0] == 2


def test_as_a_task() -> None:
    mapped = orchestrator_from_str(
        "glovebox_map('double', xs)", inputs={"xs": list[int]}, output=list[int], tasks=[double]
    )
    assert mapped([4, 5]) == [8, 10]


def test_outside_of_the_sandbox() -> None:
    async def plus(x: int) -> int:
        return x + 1

    assert asyncio.run(gather(plus(1), 5)) == [2, 5]
    assert glovebox_map(double, [1, 2]) == [2, 4]
    assert glovebox_map(double.forward, []) == []
    outcomes = glovebox_map(odd, [1, 2])
    assert outcomes[0] == 1
    assert isinstance(outcomes[1], ValueError)
    with pytest.raises(ValueError, match="2 is even"):
        glovebox_map(odd, [1, 2], return_exceptions=False)
    with pytest.raises(TypeError, match="give the tool itself"):
        glovebox_map("double", [1])
    with pytest.raises(TypeError, match="at least one iterable"):
        glovebox_map(double)
