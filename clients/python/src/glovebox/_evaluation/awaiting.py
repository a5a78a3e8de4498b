"""Evaluations that are awaited, and tools that are."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import threading
from collections.abc import Mapping
from typing import Any

from .call import Done, ended
from .evaluation import Evaluation, Json
from .program import Program
from .tool import Tool, stopped

_CANCEL_PATIENCE = 10.0  # seconds for what was cancelled to clean up


async def run_awaited(program: Program, inputs: Mapping[str, Any]) -> tuple[Evaluation, Json]:
    """Evaluates without blocking the event loop of the caller, in which its async tools are tasks.

    Plain functions are called in another thread. Cancelling it ends the
    evaluation and what it called, and waits until that has cleaned up.
    """
    loop = asyncio.get_running_loop()
    tasks: set[asyncio.Task[None]] = set()
    evaluation = Evaluation(program, inputs, functools.partial(_InLoop, loop, tasks))
    over = _in_thread(loop, evaluation)
    try:
        await asyncio.wait([over])  # which leaves it alone when it is cancelled itself
    except BaseException:
        evaluation.stop()
        await asyncio.wait([over], timeout=_CANCEL_PATIENCE)
        raise
    finally:
        await _cancelled(tasks)
    return evaluation, over.result()


def _in_thread(loop: asyncio.AbstractEventLoop, evaluation: Evaluation) -> asyncio.Future[Json]:
    """Runs an evaluation in a thread of its own, and returns its end."""
    over: asyncio.Future[Json] = loop.create_future()

    def end(result: Json | None, error: BaseException | None) -> None:
        if over.done():
            return
        if error is not None:
            over.set_exception(error)
            over.exception()  # whoever was cancelled does not ask for it
        elif result is not None:
            over.set_result(result)

    def main() -> None:
        result: Json | None = None
        raised: BaseException | None = None
        try:
            result = evaluation.run()
        except BaseException as error:
            raised = error
        try:
            loop.call_soon_threadsafe(end, result, raised)
        except RuntimeError:  # the loop is closed: nobody waits
            pass

    context = contextvars.copy_context()
    threading.Thread(target=context.run, args=(main,), name="glovebox-evaluation", daemon=True).start()
    return over


async def _cancelled(tasks: set[asyncio.Task[None]]) -> None:
    """Ends calls whose answers nobody wants any more."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(set(tasks), timeout=_CANCEL_PATIENCE)


class _InLoop:
    """A call of an async tool, as a task of the loop of the caller."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        tasks: set[asyncio.Task[None]],
        tool: Tool,
        arguments: bytes,
        done: Done,
    ) -> None:
        self._loop, self._tasks = loop, tasks
        self._tool, self._arguments, self._done = tool, arguments, done
        self._stopped = False
        self._task: asyncio.Task[None] | None = None
        loop.call_soon_threadsafe(self._begin)

    def stop(self) -> None:
        """Cancels it."""
        self._stopped = True
        try:
            self._loop.call_soon_threadsafe(self._cancel)
        except RuntimeError:  # the loop is closed, and with it the task
            pass

    def _begin(self) -> None:
        if self._stopped:
            return
        self._task = self._loop.create_task(self._main())
        self._tasks.add(self._task)
        self._task.add_done_callback(self._tasks.discard)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _main(self) -> None:
        ending: Any = stopped(self._tool.name), None
        try:
            ending = await self._ending()
        finally:
            self._done(*ending)

    async def _ending(self) -> Any:
        try:
            args, kwargs = self._tool.arguments(self._arguments)
        except Exception as error:
            return self._tool.unreadable(error), None
        try:
            value = await self._tool.call(args, kwargs)
        except Exception as error:
            return ended(self._tool, error)
        except asyncio.CancelledError as error:
            if self._stopped:
                raise
            return ended(self._tool, error)
        return self._tool.returned(value), None
