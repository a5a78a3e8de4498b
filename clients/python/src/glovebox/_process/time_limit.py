"""A limit of time for what a coroutine waits for: ``async with time_limit(seconds)`` raises asyncio.TimeoutError.

``asyncio.wait_for`` will not do: before Python 3.12 it loses a cancellation
that comes together with what it waits for (https://bugs.python.org/issue37658).
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncGenerator

__all__ = ["time_limit"]

if sys.version_info >= (3, 11):
    from asyncio import timeout as time_limit
else:

    @contextlib.asynccontextmanager
    async def time_limit(seconds: float) -> AsyncGenerator[None, None]:
        task = asyncio.current_task()
        assert task is not None
        late = False

        def expire() -> None:
            nonlocal late
            late = task.cancel()

        timer = asyncio.get_running_loop().call_later(seconds, expire)
        try:
            yield
        except asyncio.CancelledError:
            if late:
                raise asyncio.TimeoutError from None
            raise
        finally:
            timer.cancel()
