"""Limits of time for coroutines."""

from __future__ import annotations

import asyncio

import pytest

from glovebox._process.time_limit import time_limit


def test_what_ends_in_time_has_no_limit() -> None:
    async def wait() -> str:
        async with time_limit(60):
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        return "ended"

    assert asyncio.run(wait()) == "ended"


def test_what_takes_longer_is_cancelled() -> None:
    cleaned: list[bool] = []

    async def wait() -> None:
        async with time_limit(0.01):
            try:
                await asyncio.Event().wait()
            finally:
                cleaned.append(True)

    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(wait())
    assert cleaned == [True]


def test_a_cancellation_is_one() -> None:
    async def wait() -> None:
        async with time_limit(60):
            await asyncio.Event().wait()

    async def cancel() -> None:
        task = asyncio.create_task(wait())
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())


def test_a_cancellation_that_comes_with_the_end_is_not_lost() -> None:
    async def wait(ending: asyncio.Future[None]) -> None:
        async with time_limit(60):
            await ending
        await asyncio.sleep(60)

    async def cancel() -> None:
        ending = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(wait(ending))
        await asyncio.sleep(0)
        ending.set_result(None)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancel())
