"""What waits for people to decide, and their decisions."""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .._link.current import current_engine
from .._process.loop import syncify
from .._process.user import user_name
from .run import Run

if TYPE_CHECKING:
    from .._link.current import Json

State = Literal["waiting", "decided", "closed"]

_PAGE = 1000  # approvals


@dataclass(frozen=True)
class Approval:
    """A run, or a call of a tool, that asks for approval, or did.

    ``arguments`` are as JSON has them, and None in lists where they are long.

    >>> [(asked.task, asked.arguments) for asked in glovebox.approvals()]
    []
    """

    __module__ = "glovebox"  # where users find it

    run: str
    task: str
    state: State
    since: datetime.datetime
    root: str
    arguments: dict[str, Any] | None = None
    asks: str | None = None
    line: int | None = None
    deadline: datetime.datetime | None = None
    approved: bool | None = None
    reason: str = ""
    by: str = ""
    record: Json = field(default_factory=dict[str, Any], repr=False, compare=False)


def _approval(record: Json) -> Approval:
    decision: Json = record.get("decision") or {}
    return Approval(
        run=record["run"],
        task=record["task"],
        state=record["state"],
        since=_instant(record["since"]),
        root=record["root"],
        arguments=record.get("inputs"),
        asks=record.get("asks"),
        line=record.get("line"),
        deadline=_instant(record["deadline"]) if record.get("deadline") else None,
        approved=decision.get("approved"),
        reason=decision.get("reason", ""),
        by=decision.get("by", ""),
        record=record,
    )


def _instant(text: str) -> datetime.datetime:
    whole, _, fraction = text.removesuffix("Z").partition(".")
    instant = datetime.datetime.fromisoformat(whole).replace(tzinfo=datetime.timezone.utc)
    return instant + datetime.timedelta(microseconds=int(fraction[:6].ljust(6, "0")))


async def _approvals(
    *, state: State = "waiting", task: str | None = None, root: str | Run[Any] | None = None, limit: int | None = 50
) -> list[Approval]:
    """Lists what asks for approval, those that ask for longest first. It is called plainly, or awaited as ``.aio``.

    >>> for asked in glovebox.approvals():
    ...     glovebox.approve(asked.run)

    Args:
        state: Those that wait, that were decided, or that ended before (``"closed"``).
        task: The name of their task.
        root: A run, or its id: only what is below it, and itself.
        limit: How many at most; None for all.
    """
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ValueError(f"limit: expected a number of approvals from 1 on, or None, got {limit!r}")
    engine = await current_engine()
    found: list[Approval] = []
    cursor: str | None = None
    while limit is None or len(found) < limit:
        page = await engine.approvals(
            state=state,
            task=task,
            root=root.id if isinstance(root, Run) else root,
            limit=_PAGE if limit is None else min(_PAGE, limit - len(found)),
            cursor=cursor,
        )
        found += [_approval(record) for record in page["approvals"]]
        cursor = page.get("next") or None
        if cursor is None:
            break
    return found


async def _approve(
    run: str | Approval, *, arguments: Mapping[str, Any] | None = None, reason: str = "", by: str | None = None
) -> Approval:
    """Lets a run or a call go on that waits for approval. The first decision counts.

    >>> for asked in glovebox.approvals(task="pay"):
    ...     glovebox.approve(asked, arguments={"amount": 12.5}, reason="half of it")

    Args:
        run: What waits, or the id of it.
        arguments: Take the places of arguments of the same names; each is a value that JSON has.
        reason: Why, for people.
        by: Who decides; by default the user of this host.

    Raises:
        ConflictError: Somebody decided otherwise before, or the run has ended; the message says who.
        InvalidInputError: An argument does not fit its declared type.
        NotFoundError: There is no such run, or it asks for nothing.
    """
    return await _decide(run, {"approved": True, "reason": reason, "arguments": arguments}, by)


async def _refuse(run: str | Approval, reason: str = "", *, by: str | None = None) -> Approval:
    """Refuses a run or a call that waits for approval. The code that called gets a PermissionError with the reason.

    >>> for asked in glovebox.approvals(task="pay"):
    ...     glovebox.refuse(asked, "over the budget of this month")

    Args:
        run: What waits, or the id of it.
        reason: Why, for people and for the code that called.
        by: Who decides; by default the user of this host.

    Raises:
        ConflictError: Somebody decided otherwise before, or the run has ended; the message says who.
        NotFoundError: There is no such run, or it asks for nothing.
    """
    return await _decide(run, {"approved": False, "reason": reason}, by)


async def _decide(run: str | Approval, body: dict[str, Any], by: str | None) -> Approval:
    engine = await current_engine()
    decision = {name: value for name, value in body.items() if value is not None}
    decision["by"] = user_name() if by is None else by
    return _approval(await engine.decide(run.run if isinstance(run, Approval) else run, decision, uuid.uuid4().hex))


_approvals.__name__ = _approvals.__qualname__ = "approvals"  # what help() calls them
_approve.__name__ = _approve.__qualname__ = "approve"
_refuse.__name__ = _refuse.__qualname__ = "refuse"
approvals = syncify(_approvals)
approve = syncify(_approve)
refuse = syncify(_refuse)
