"""``glovebox.run`` and ``glovebox.start``."""

from __future__ import annotations

from typing import Any, ParamSpec, Protocol, TypeVar, cast

from ._loop import syncify
from ._run import Run, start_run
from ._task import Task

P = ParamSpec("P")
R = TypeVar("R")


class _Starter(Protocol):
    """What ``run`` and ``start`` are to type checkers: the inputs are those of the task."""

    def __call__(self, task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]: ...

    async def aio(self, task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]: ...


async def _start(task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]:
    """Starts a task and returns when the run is durable, whichever engine it is.

    A run that needs this process, as it calls functions of it, is waited for
    when Python ends.

    >>> r = glovebox.start(pipeline, n=10)
    >>> r.outputs()[0]
    """
    return await start_run(task, args, dict(kwargs))


async def _run(task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]:
    """Runs a task.

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
