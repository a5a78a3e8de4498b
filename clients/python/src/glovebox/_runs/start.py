"""``glovebox.run`` and ``glovebox.start``."""

from __future__ import annotations

from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

from .._process.loop import syncify
from .._tasks.task import Task, TaskSource
from .run import Run, start_run

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class _Runnable(Protocol[P, R_co]):
    """A task to type checkers: ``aio`` has the type of its result, of an async function too."""

    async def aio(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


class _Starter(Protocol):
    """What ``run`` and ``start`` are to type checkers: the inputs are those of the task, and R is what it gives."""

    @overload
    def __call__(self, task: _Runnable[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]: ...
    @overload
    def __call__(self, task: TaskSource, *args: Any, **kwargs: Any) -> Run[Any]: ...

    @overload
    async def aio(self, task: _Runnable[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]: ...
    @overload
    async def aio(self, task: TaskSource, *args: Any, **kwargs: Any) -> Run[Any]: ...


async def _start(task: Task[P, R] | TaskSource, *args: P.args, **kwargs: P.kwargs) -> Run[R]:
    """Starts a task, or a sandbox, and returns when the run is durable, whichever engine it is.

    A run that needs this process, as it calls functions of it, is waited for
    when Python ends.

    >>> r = glovebox.start(pipeline, n=10)
    >>> r.outputs()[0]
    """
    return await start_run(task, args, dict(kwargs))


async def _run(task: Task[P, R] | TaskSource, *args: P.args, **kwargs: P.kwargs) -> Run[R]:
    """Runs a task, or a sandbox.

    With an engine of this process it returns when the run has ended, and raises
    its error if it failed. With a server it returns when the run is durable
    there; ``wait()`` and ``outputs()`` wait for its end.

    >>> r = glovebox.run(pipeline, n=10)
    >>> r.outputs()[0]
    """
    started = await start_run(task, args, dict(kwargs))
    if started.private:
        await started.wait.aio()
    return started


_start.__qualname__, _run.__qualname__ = "start", "run"  # what help() calls them
_start.__name__, _run.__name__ = "start", "run"

start = cast(_Starter, cast(Any, syncify)(_start))
run = cast(_Starter, cast(Any, syncify)(_run))
