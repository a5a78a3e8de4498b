"""``glovebox.with_runcontext``: a run with other settings than usual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from .._process.loop import syncify_method
from .._tasks.labels import labels_of
from .._tasks.notify import Notify, receivers
from .._tasks.policies import check_priority
from .._tasks.submission import PLAIN, RunOptions
from .run import Run, start_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .._tasks.task import Task, TaskSource

Mode = Literal["local", "remote", "hybrid"]


@dataclass(frozen=True)
class Runner:
    """Runs tasks with settings of their own, made by ``with_runcontext``."""

    options: RunOptions = PLAIN

    @syncify_method
    async def run(self, task: Task[..., Any] | TaskSource, *args: Any, **kwargs: Any) -> Run[Any]:
        """Does what ``glovebox.run`` does."""
        started = await start_run(task, args, kwargs, options=self.options)
        if started.private:
            await started.wait.aio()
        return started


def with_runcontext(
    mode: Mode | None = None,
    *,
    overwrite_cache: bool = False,
    disable_run_cache: bool = False,
    notify: Notify | Sequence[Notify] | None = None,
    labels: Mapping[str, str] | None = None,
    node_selector: Mapping[str, str] | None = None,
    priority: int | None = None,
) -> Runner:
    """Returns what runs tasks with these settings: ``with_runcontext(...).run(task, ...)``.

    Args:
        mode: Taken, and changes nothing: where code runs follows from its environment, and which
            engine it is from ``init``.
        overwrite_cache: Takes no result of an earlier run, and keeps that of this one.
        disable_run_cache: Takes no result of an earlier run, and keeps none.
        notify: Receivers that hear of the end of the run, beside those of its task. Only a run that no other run
            started has some.
        labels: Those of the run, laid over those of its task; ``glovebox.runs(labels=...)`` finds it by them.
        node_selector: Labels that the node of the run has to have, laid over those of its task.
        priority: That of the run among those that wait, in place of that of its task: from -10 to 10, of which the
            higher is first. Each step is worth 30 seconds of waiting.

    >>> glovebox.with_runcontext(labels={"team": "data"}).run(pipeline, n=10)
    """
    if mode not in (None, "local", "remote", "hybrid"):
        raise ValueError(f"mode is {mode!r}, expected 'local', 'remote' or 'hybrid'")
    if overwrite_cache and disable_run_cache:
        raise ValueError("overwrite_cache and disable_run_cache exclude each other: what is not kept replaces nothing")
    cache = "override" if overwrite_cache else "disable" if disable_run_cache else None
    checked = None if priority is None else check_priority(priority)
    return Runner(
        RunOptions(cache, receivers(notify), labels_of(labels), labels_of(node_selector, "node_selector"), checked)
    )
