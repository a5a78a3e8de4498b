"""Calls that wait for calls: however many there are, none waits for a place for ever."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
import glovebox
from glovebox import errors
from glovebox._link.current import current_engine
from glovebox._process.loop import run_sync
from glovebox._serving.async_slots import Slots
from glovebox._serving.workers import pool_of
from glovebox.sandbox import gather

env = glovebox.TaskEnvironment(name="workers")
PLACES = 4


@pytest.fixture(autouse=True, params=engines.KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not engines.PROGRAM.exists():
        pytest.skip(f"{engines.PROGRAM} is not built")
    monkeypatch.setattr("glovebox._serving.worker._CAPACITY", PLACES)
    with engines.engine(request.param, tmp_path / "home"):
        yield


@env.task
async def leaf(x: int) -> int:
    return x


@env.task
async def middle(x: int) -> int:
    return await leaf(x)


@env.task
async def top(n: int) -> int:
    return sum(await asyncio.gather(*(middle(x) for x in range(n))))


@env.task
def depth(n: int) -> int:
    return 0 if n == 0 else 1 + depth(n - 1)


async def _workers() -> int:
    return len(pool_of(await current_engine()).workers)


def test_calls_that_take_all_places_and_wait_for_others() -> None:
    assert glovebox.run(top, 5 * PLACES).outputs()[0] == sum(range(5 * PLACES))
    assert glovebox.run(depth, 5 * PLACES).outputs()[0] == 5 * PLACES
    assert run_sync(_workers()) > 1


def test_one_worker_does_when_there_are_places() -> None:
    assert glovebox.run(depth, PLACES - 2).outputs()[0] == PLACES - 2
    assert run_sync(_workers()) == 1


# Slots of async functions.

SLOTS = 2
running: list[int] = []
peaks: list[int] = []
began = threading.Semaphore(0)


@pytest.fixture
def few_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glovebox._serving.async_slots.slots", Slots(SLOTS))


@env.task
async def counted(x: int) -> int:
    running.append(x)
    peaks.append(len(running))
    await asyncio.sleep(0.01)
    running.remove(x)
    return x


@env.sandbox.orchestrator
async def orchestrated(n: int) -> list[int]:
    return await gather(*[middle(x) for x in range(n)])


@env.task
async def by_orchestrator(n: int) -> int:
    return sum(await orchestrated.aio(n))


@env.task
async def all_of_them(n: int) -> list[int]:
    return await asyncio.gather(*(by_orchestrator(3) for _ in range(n)))


@env.task
async def blocks(x: int) -> int:
    began.release()
    await asyncio.Event().wait()
    return x


@pytest.mark.usefixtures("few_turns")
def test_no_more_async_functions_run_at_once_than_there_are_turns() -> None:
    peaks.clear()
    runs = [glovebox.start(counted, x) for x in range(20)]
    assert [run.outputs()[0] for run in runs] == list(range(20))
    assert max(peaks) <= SLOTS


@pytest.mark.usefixtures("few_turns")
def test_calls_that_hold_all_turns_and_wait_for_others() -> None:
    assert glovebox.run(top, 20).outputs()[0] == sum(range(20))
    assert glovebox.run(all_of_them, 6).outputs()[0] == [3] * 6


@pytest.mark.usefixtures("few_turns")
def test_a_call_is_cancelled_before_its_turn() -> None:
    runs = [glovebox.start(blocks, x) for x in range(SLOTS)]
    for _ in runs:
        assert began.acquire(timeout=engines.PATIENCE)
    late = glovebox.start(blocks, SLOTS)
    for run in (late, *runs):
        run.cancel()
        with pytest.raises(errors.CanceledError):
            run.wait()
    assert not began.acquire(blocking=False)
