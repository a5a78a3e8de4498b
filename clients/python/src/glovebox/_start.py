"""``glovebox.run`` and ``glovebox.start``."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

from ._loop import syncify
from ._run import Run, start_run

if TYPE_CHECKING:
    from ._task import Task

P = ParamSpec("P")
R = TypeVar("R")



async def _run(task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]:
    """Runs a task.

    With an engine of this process it returns when the run has ended, and raises
    its error if it failed. With a server it returns when the run is durable
    there; ``wait()`` and ``outputs()`` wait for its end.

    >>> r = glovebox.run(pipeline, n=10)
    >>> r.outputs()[0]
    """
    started = await start_run(task, args, dict(kwargs))
    if started._engine.private:  # pyright: ignore[reportPrivateUsage]
        await started.wait.aio()
    return started


async def _start(task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]:
    """Starts a task and returns when the run is durable, whichever engine it is."""
    return await start_run(task, args, dict(kwargs))


run = syncify(_run)
start = syncify(_start)
