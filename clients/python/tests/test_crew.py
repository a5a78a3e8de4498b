"""Calls that wait for calls: however many there are, none waits for a place for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
import glovebox
from glovebox._crew import crew_of
from glovebox._engine import current_engine
from glovebox._loop import run_sync

env = glovebox.TaskEnvironment(name="crew")
PLACES = 4


@pytest.fixture(autouse=True, params=engines.KINDS)
def engine(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not engines.PROGRAM.exists():
        pytest.skip(f"{engines.PROGRAM} is not built")
    monkeypatch.setattr("glovebox._worker._CAPACITY", PLACES)
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
    return len(crew_of(await current_engine()).workers)


def test_calls_that_take_all_places_and_wait_for_others() -> None:
    assert glovebox.run(top, 5 * PLACES).outputs()[0] == sum(range(5 * PLACES))
    assert glovebox.run(depth, 5 * PLACES).outputs()[0] == 5 * PLACES
    assert run_sync(_workers()) > 1


def test_one_worker_does_when_there_are_places() -> None:
    assert glovebox.run(depth, PLACES - 2).outputs()[0] == PLACES - 2
    assert run_sync(_workers()) == 1
