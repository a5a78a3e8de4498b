"""Async functions that are called in a thread, in a loop of their own."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from typing import Any

from .interruptible import Interruptible, Stopped


def run_awaitable(value: Awaitable[Any], interruptible: Interruptible) -> Any:
    """Awaits what a function returned, in a loop of its own. Raises Stopped if it was cancelled to stop it."""
    return asyncio.run(_awaited(value, interruptible))


async def _awaited(value: Awaitable[Any], interruptible: Interruptible) -> Any:
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    try:
        interruptible.enter(lambda: _cancel(loop, task))
    except Stopped:
        if inspect.iscoroutine(value):
            value.close()  # else Python says that it was never awaited
        raise
    try:
        return await value
    except asyncio.CancelledError:
        if interruptible.stopped:
            raise Stopped from None
        raise
    finally:
        interruptible.leave()


def _cancel(loop: asyncio.AbstractEventLoop, task: asyncio.Task[Any]) -> None:
    loop.call_soon_threadsafe(task.cancel)
