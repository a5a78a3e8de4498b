"""Lists of runs, and runs of earlier ones."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from .._link.current import current_engine
from .._process.loop import syncify
from .._tasks.labels import labels_of
from .._tasks.policies import CacheMode
from .run import Run

if TYPE_CHECKING:
    from .._link.current import Json

Status = Literal["queued", "running", "succeeded", "failed", "canceled", "interrupted"]
Kind = Literal["sandbox", "orchestrator", "function"]

_PAGE = 1000  # runs


async def _runs(
    *,
    status: Status | Sequence[Status] | None = None,
    task: str | None = None,
    kind: Kind | None = None,
    labels: Mapping[str, str] | None = None,
    parent: str | Run[Any] | None = None,
    since: datetime.datetime | None = None,
    until: datetime.datetime | None = None,
    calls: bool = False,
    limit: int | None = 50,
) -> list[Run[Any]]:
    """Lists runs, the newest first. It is called plainly, or awaited as ``runs.aio``.

    >>> for run in glovebox.runs(status="interrupted"):
    ...     run.resume()

    Args:
        status: One, or several, of queued, running, succeeded, failed, canceled and interrupted.
        task: The name of their task.
        kind: ``"sandbox"``, ``"orchestrator"`` or ``"function"``.
        labels: Only runs that have all of these, with these values.
        parent: A run, or its id: only what it called.
        since: Only runs that were made then or later; a naive time is local.
        until: Only runs that were made before.
        calls: Also the runs that other runs called.
        limit: How many at most; None for all.
    """
    engine = await current_engine()
    query: dict[str, Any] = {
        "status": status if status is None or isinstance(status, str) else ",".join(status),
        "task": task,
        "kind": kind,
        "label": [f"{name}={text}" for name, text in labels_of(labels).items()] or None,
        "parent": parent.id if isinstance(parent, Run) else parent,
        "since": _time("since", since),
        "until": _time("until", until),
        "top": None if calls or parent is not None else True,
    }
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ValueError(f"limit: expected a number of runs from 1 on, or None, got {limit!r}")
    found: list[Run[Any]] = []
    cursor: str | None = None
    while limit is None or len(found) < limit:
        page = await engine.runs(**query, limit=min(_PAGE, (limit or _PAGE + len(found)) - len(found)), cursor=cursor)
        records: list[Json] = page.get("runs") or []
        found += [Run(engine, None, record) for record in records]
        cursor = page.get("next") or None
        if cursor is None:
            break
    return found


def _time(field: str, given: datetime.datetime | None) -> str | None:
    if given is None:
        return None
    if not isinstance(given, datetime.datetime):
        raise TypeError(f"{field}: expected a datetime, got {given!r}")
    return given.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")


async def _rerun(
    run: str | Run[Any],
    *,
    code: str | None = None,
    inputs: Mapping[str, Any] | None = None,
    from_: int | None = None,
    fresh: bool = False,
    cache: CacheMode | None = None,
) -> Run[Any]:
    """Makes a new run of an earlier one, perhaps with other code. Calls that are the same are not repeated.

    So a program that failed after some calls can be mended, and continues there. It is called plainly, or awaited as
    ``rerun.aio``; ``Run.rerun`` does the same.

    >>> try:
    ...     glovebox.sandbox.orchestrate_local_sync(code, inputs={}, tasks=[charge, receipt])
    ... except glovebox.errors.GloveboxError as error:
    ...     run = glovebox.rerun(error.run_id, code=mended)

    Args:
        run: A run, or its id.
        code: Takes the place of the code; inputs, output and tools stay.
        inputs: Take the places of inputs of the same names.
        from_: The first call, counted from 1, that is made again in any case; by default none.
        fresh: Makes every call again, and takes no result from the cache.
        cache: Overrules the cache mode of the task. With ``fresh`` it is left out, or ``"override"`` to
            keep the new result.

    Raises:
        NotFoundError: There is no such run.
        ConflictError: It has not ended.
        ValueError: ``cache`` or ``from_`` is none.
    """
    if not isinstance(run, Run):
        engine = await current_engine()
        run = Run[Any](engine, None, await engine.run(run))
    return await run.rerun.aio(code=code, inputs=inputs, from_=from_, fresh=fresh, cache=cache)


_runs.__name__ = _runs.__qualname__ = "runs"  # what help() calls them
_rerun.__name__ = _rerun.__qualname__ = "rerun"
runs = syncify(_runs)
rerun = syncify(_rerun)
