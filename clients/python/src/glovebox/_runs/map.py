"""``glovebox.map``: a task over many inputs."""

from __future__ import annotations

import asyncio
import contextvars
import itertools
import threading
from collections import deque
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from .._tasks.group import group
from .._tasks.task import Task, task_of
from .._values.type_guards import is_partial

Call = Callable[..., Coroutine[Any, Any, Any]]

_AHEAD = 4096  # calls that are made before the first of them is taken


class Map:
    """Calls a task for each item, or each tuple of items as zip makes them: ``glovebox.map(task, xs, ys)``.

    The calls run concurrently, also before their results are taken, and the
    results come in the order of the items. ``async for result in
    glovebox.map.aio(task, xs)`` does not block the event loop.

    Args:
        func: A task or a sandbox, or a ``functools.partial`` of one that leaves one input open.
        iterables: The inputs, in the order in which the task declares them.
        group_name: What the calls are listed under; by default the name of the task and ``_map``.
        concurrency: How many calls may be under way; 0 is no bound but that of the engine.
        return_exceptions: Give the exception of a call that failed in the place of its result, which
            is the default; otherwise the first one is raised, and the other calls are cancelled.

    >>> list(glovebox.map(double, [1, 2, 3]))
    [2, 4, 6]
    """

    def __call__(
        self,
        func: Any,
        *iterables: Iterable[Any],
        group_name: str | None = None,
        concurrency: int = 0,
        return_exceptions: bool = True,
    ) -> Generator[Any, None, None]:
        name, call, items = _checked(func, iterables, group_name, concurrency)
        return _in_thread(lambda: _results(name, call, items, concurrency, return_exceptions))

    def aio(
        self,
        func: Any,
        *iterables: Iterable[Any],
        group_name: str | None = None,
        concurrency: int = 0,
        return_exceptions: bool = True,
    ) -> AsyncGenerator[Any, None]:
        name, call, items = _checked(func, iterables, group_name, concurrency)
        return _results(name, call, items, concurrency, return_exceptions)

    def __repr__(self) -> str:
        return "<function glovebox.map>"


map = Map()


def _checked(
    task: Any, iterables: tuple[Iterable[Any], ...], group_name: str | None, concurrency: object
) -> tuple[str, Call, Iterable[tuple[Any, ...]]]:
    """Returns the name of the group, what is called, and with what."""
    made, call = _call_of(task)
    if not iterables:
        raise TypeError(f"map: expected one iterable or more after {made.name}, got none")
    if isinstance(concurrency, bool) or not isinstance(concurrency, int) or concurrency < 0:
        raise ValueError(f"concurrency is {concurrency!r}, expected a number of calls, or 0 for no bound")
    return group_name or f"{made.name}_map", call, zip(*iterables)


def _call_of(given: Any) -> tuple[Task[..., Any], Call]:
    if not is_partial(given):
        task = task_of(given)
        return task, task.aio
    task = task_of(given.func)
    names = [param.name for param in task.signature.inputs][len(given.args) :]
    left = [name for name in names if name not in given.keywords]
    if len(left) != 1:
        raise TypeError(f"map: a partial call leaves one input open, this one of {task.name} leaves {left}")

    def call(item: Any) -> Coroutine[Any, Any, Any]:
        return task.aio(*given.args, **{**given.keywords, left[0]: item})

    return task, call


async def _results(
    name: str, call: Call, items: Iterable[tuple[Any, ...]], concurrency: int, keep: bool
) -> AsyncGenerator[Any, None]:
    places = asyncio.Semaphore(concurrency or _AHEAD)
    calls: deque[asyncio.Task[Any]] = deque()

    async def one(item: tuple[Any, ...]) -> Any:
        async with places:
            return await call(*item)

    def begin() -> None:
        with group(name):
            room = _AHEAD - len(calls)
            calls.extend(asyncio.ensure_future(one(item)) for item in itertools.islice(left, room))

    left = iter(items)
    try:
        begin()
        while calls:
            yield await _end(calls[0], keep)
            calls.popleft()
            begin()
    finally:
        for each in calls:
            each.cancel()
        await asyncio.gather(*calls, return_exceptions=True)


async def _end(call: asyncio.Task[Any], keep: bool) -> Any:
    try:
        return await call
    except Exception as error:
        if keep:
            return error
        raise


def _in_thread(make: Callable[[], AsyncGenerator[Any, None]]) -> Generator[Any, None, None]:
    """Takes from an asynchronous generator in plain code, whose thread may run a loop already."""
    context = contextvars.copy_context()
    results = make()

    async def take() -> Any:
        return await anext(results, _END)

    async def close() -> None:
        """Cancels the calls under way, also where the generator waits for one."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for each in others:
            each.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await results.aclose()

    with _loop_in_thread() as loop:

        def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
            return asyncio.run_coroutine_threadsafe(coroutine, loop).result()

        try:
            while (result := context.run(run, take())) is not _END:
                yield result
        finally:
            run(close())


_END = object()


@contextmanager
def _loop_in_thread() -> Generator[asyncio.AbstractEventLoop, None, None]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="glovebox-map", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
