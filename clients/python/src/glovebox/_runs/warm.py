"""``glovebox.warm``: cells that are ready before a run asks for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from .._link.current import current_engine
from .._orchestrators.orchestrator import SandboxedTaskTemplate
from .._process.loop import syncify
from .._tasks.function import FunctionTask
from .._tasks.progress import progress_of
from .._tasks.task import Task, TaskSource

if TYPE_CHECKING:
    from ..sandbox import Sandbox


@dataclass(frozen=True)
class WarmPool:
    """What an engine keeps ready of one sort of cell.

    >>> box = glovebox.sandbox.create(code="y = x * 2", inputs={"x": int}, outputs={"y": int})
    >>> glovebox.warm(box, cells=2).asked
    2
    """

    __module__ = "glovebox"  # where users find it

    asked: int  # what was asked for
    wanted: int  # what is to be ready at any time, as far as the engine has room
    ready: int
    starting: int
    memory: int  # bytes that the ready cells hold, and share with no other


async def _warm(task: Sandbox | Task[..., Any], cells: int = 1) -> WarmPool:
    """Asks the engine to keep cells ready for a sandbox, or a function that runs in a cell.

    They are started ahead, with Python up and what ``preload`` names imported.
    Every run that needs the same takes one of them first: the same image,
    resources and modules, a network or none; the code and its inputs do not
    count. Each cell is used once, as ever, and replaced meanwhile.

    It returns when the first is ready, with its image built, and holds for as
    long as the engine lives: an engine of this process ends with it.
    ``await glovebox.warm.aio(...)`` does not block the event loop.

    Args:
        task: A sandbox, its task, a function task of an environment with cells, or a deployed task.
        cells: How many are to be ready at any time; 0 takes it back. An engine keeps no more than it has
            room for.

    Raises:
        TypeError, ValueError: The task has no cell, or the number cannot be one.
        GloveboxError: No cell could be started, or the image not be built.

    >>> box = glovebox.sandbox.create(code="y = x * 2", inputs={"x": int}, outputs={"y": int})
    >>> pool = glovebox.warm(box, cells=2)
    """
    found = _task_of(task)
    if type(cells) is not int:
        raise TypeError(f"cells is {cells!r} ({type(cells).__name__}), expected a number of cells")
    if cells < 0:
        raise ValueError(f"cells is {cells}, expected 0 or more")
    engine = await current_engine()
    definition = await found._definition(engine)  # pyright: ignore[reportPrivateUsage]
    if cells > 0 and definition.get("kind", "sandbox") == "sandbox":
        with progress_of(found.name) as progress:  # which a request for cells does not tell
            await engine.build_image(definition.get("image") or {}, progress=progress)
    reference = found._reference  # pyright: ignore[reportPrivateUsage]
    if reference is None:
        pool = await engine.keep_warm({"task": definition, "cells": cells})
    else:
        pool = await engine.keep_warm({"name": reference, "cells": cells})
    counts = {"asked": "asked", "wanted": "wanted", "ready": "idle", "starting": "starting", "memory": "memory"}
    return WarmPool(**{ours: int(pool.get(theirs) or 0) for ours, theirs in counts.items()})


def _task_of(task: object) -> Task[..., Any]:
    """Returns the task whose cells are meant. One without cells is refused before the engine hears of it."""
    if isinstance(task, TaskSource):
        return task._as_task()  # pyright: ignore[reportPrivateUsage]
    if not isinstance(task, Task):
        raise TypeError(f"warm: expected a sandbox or a task that runs in a cell, got {task!r}")
    known = cast("Task[..., Any]", task)
    if isinstance(known, FunctionTask) and not known.in_cell:
        raise ValueError(
            f"{known.name} runs in this process, and cells would be of no use to it. "
            "Give its environment an image, resources or another of the arguments that ask for a cell."
        )
    if isinstance(known, SandboxedTaskTemplate):
        raise ValueError(f"{known.name} is an orchestrator, which runs in no cell; keep cells for what it calls")
    return known


_warm.__name__ = _warm.__qualname__ = "warm"  # what help() calls it

warm = syncify(_warm)
