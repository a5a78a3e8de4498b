"""Async functions that are called in a thread, in a loop of their own."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
from collections.abc import Awaitable
from concurrent import futures
from typing import Any

from .interruptible import Interruptible, Stopped

# How long a signal may go unnoticed, in seconds: one that comes just before the wait does not end it.
_SIGNAL_PATIENCE = 0.25


def run_awaitable(value: Awaitable[Any], interruptible: Interruptible) -> Any:
    """Awaits what a function returned, in a loop of its own. Raises Stopped if it was cancelled to stop it.

    Where a loop runs already, as below a coroutine that calls plainly, the other
    one is in another thread: a thread has one at a time.
    """
    if not _in_loop():
        return asyncio.run(_awaited(value, interruptible))
    context = contextvars.copy_context()
    with futures.ThreadPoolExecutor(1, thread_name_prefix="glovebox-await") as other:
        running = other.submit(context.run, asyncio.run, _awaited(value, interruptible))
        try:
            while not running.done():
                futures.wait([running], _SIGNAL_PATIENCE)
        except BaseException:  # such as Ctrl-C: it is the end of both
            interruptible.stop()
            raise
        return running.result()


def _in_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


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
