"""One event loop in a thread of its own carries all input and output.

So a call works the same in plain code, below a running event loop and in a
notebook: the caller waits in its own way for what happens there.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import os
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

P = ParamSpec("P")
R = TypeVar("R")
S = TypeVar("S")

# How long a sync caller that was interrupted waits for what it started to be
# told so, in seconds.
_CANCEL_PATIENCE = 10.0


class _Loop:
    """The loop of this process. A child that was forked off makes its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def submit(self, coroutine: Coroutine[Any, Any, R]) -> concurrent.futures.Future[R]:
        return asyncio.run_coroutine_threadsafe(coroutine, self._running())

    def is_current(self) -> bool:
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            return False

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="glovebox-io", daemon=True).start()
            return self._loop


_loop = _Loop()


def _forget() -> None:
    global _loop
    _loop = _Loop()


os.register_at_fork(after_in_child=_forget)


def run_sync(coroutine: Coroutine[Any, Any, R]) -> R:
    """Runs coroutine on the loop and blocks until it has ended.

    An interruption of the caller, such as Ctrl-C, cancels it.
    """
    if _loop.is_current():
        coroutine.close()
        raise RuntimeError("a blocking call was made on the thread that carries all input and output")
    future = _loop.submit(coroutine)
    try:
        return future.result()
    except concurrent.futures.CancelledError:
        raise
    except BaseException:
        if not future.done():
            future.cancel()
            concurrent.futures.wait([future], timeout=_CANCEL_PATIENCE)
        raise


async def run_async(coroutine: Coroutine[Any, Any, R]) -> R:
    """Runs coroutine on the loop and awaits it from any other loop.

    Cancelling the caller cancels it.
    """
    if _loop.is_current():
        return await coroutine
    return await asyncio.wrap_future(_loop.submit(coroutine))


class Syncified(Generic[P, R]):
    """A function that is called plainly, or awaited as ``.aio``."""

    def __init__(self, function: Callable[P, Coroutine[Any, Any, R]]) -> None:
        self._function = function
        functools.update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return run_sync(self._function(*args, **kwargs))

    async def aio(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Does the same without blocking the event loop of the caller."""
        return await run_async(self._function(*args, **kwargs))

    def __repr__(self) -> str:
        return f"<{self._function.__qualname__}, also as .aio>"


class SyncifiedMethod(Generic[S, P, R]):
    """The same for methods."""

    def __init__(self, function: Callable[Concatenate[S, P], Coroutine[Any, Any, R]]) -> None:
        self._function = function
        functools.update_wrapper(self, function)  # type: ignore[arg-type]

    @overload
    def __get__(self, instance: None, owner: type) -> SyncifiedMethod[S, P, R]: ...
    @overload
    def __get__(self, instance: S, owner: type) -> Syncified[P, R]: ...
    def __get__(self, instance: S | None, owner: type) -> SyncifiedMethod[S, P, R] | Syncified[P, R]:
        if instance is None:
            return self
        bound: Syncified[P, R] = Syncified(functools.partial(self._function, instance))  # type: ignore[arg-type]
        functools.update_wrapper(bound, self._function)  # type: ignore[arg-type]
        return bound


def syncify(function: Callable[P, Coroutine[Any, Any, R]]) -> Syncified[P, R]:
    """Makes a coroutine function callable plainly and as ``.aio``."""
    return Syncified(function)


def syncify_method(function: Callable[Concatenate[S, P], Coroutine[Any, Any, R]]) -> SyncifiedMethod[S, P, R]:
    """The same for a method."""
    return SyncifiedMethod(function)
