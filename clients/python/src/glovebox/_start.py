"""``glovebox.run`` and ``glovebox.start``."""

from __future__ import annotations

from typing import ParamSpec, TypeVar

from ._loop import run_async, run_sync
from ._run import Run, start_run
from ._task import Task

P = ParamSpec("P")
R = TypeVar("R")


class _Starter:
    """A function of a task and its inputs, called plainly or awaited as ``.aio``."""

    __name__ = "start"

    def __call__(self, task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]:
        """Starts a task and returns when the run is durable, whichever engine it is.

        >>> r = glovebox.start(pipeline, n=10)
        >>> r.outputs()[0]
        """
        return run_sync(self._start(task, args, kwargs))

    async def aio(self, task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]:
        """Does the same without blocking the event loop of the caller."""
        return await run_async(self._start(task, args, kwargs))

    async def _start(self, task: Task[P, R], args: tuple[object, ...], kwargs: dict[str, object]) -> Run[R]:
        return await start_run(task, args, kwargs)

    def __repr__(self) -> str:
        return f"<glovebox.{self.__name__}, also as .aio>"


class _Runner(_Starter):
    __name__ = "run"

    def __call__(self, task: Task[P, R], *args: P.args, **kwargs: P.kwargs) -> Run[R]:
        """Runs a task.

        With an engine of this process it returns when the run has ended, and
        raises its error if it failed. With a server it returns when the run is
        durable there; ``wait()`` and ``outputs()`` wait for its end.

        >>> r = glovebox.run(pipeline, n=10)
        >>> r.outputs()[0]
        """
        return super().__call__(task, *args, **kwargs)

    async def _start(self, task: Task[P, R], args: tuple[object, ...], kwargs: dict[str, object]) -> Run[R]:
        started = await super()._start(task, args, kwargs)
        if started.private:
            await started.wait.aio()
        return started


start = _Starter()
run = _Runner()
