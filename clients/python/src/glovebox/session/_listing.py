"""Lists of sessions."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from .._link.current import current_engine
from .._process.loop import syncify
from ._session import Session

if TYPE_CHECKING:
    from .._link.current import Json

State = Literal["starting", "running", "pausing", "paused", "resuming", "ended", "lost"]

_PAGE = 1000  # sessions
_ALIVE: tuple[State, ...] = ("starting", "running", "pausing", "paused", "resuming")


async def _sessions(
    *,
    labels: Mapping[str, str] | None = None,
    state: State | Sequence[State] = _ALIVE,
    parent: str | Session | None = None,
    since: datetime.datetime | None = None,
    limit: int | None = 50,
) -> list[Session]:
    """Lists sessions, the newest first. It is called plainly, or awaited as ``sessions.aio``.

    >>> for session in glovebox.sessions(labels={"user": "ada"}):
    ...     session.kill()

    Args:
        labels: All of which they have.
        state: One, or several, of starting, running, pausing, paused, resuming, ended and lost; by default
            those that have not ended.
        parent: A session, or its id: only what was forked from it.
        since: Only sessions that were made then or later; a naive time is local.
        limit: How many at most; None for all.
    """
    from .._link.http import Request  # lazy: only a request needs it

    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, int) or limit < 1):
        raise ValueError(f"limit: expected a number of sessions from 1 on, or None, got {limit!r}")
    engine = await current_engine()
    query: dict[str, Any] = {
        "label": [f"{name}={value}" for name, value in (labels or {}).items()],
        "state": state if isinstance(state, str) else ",".join(state),
        "parent": parent.id if isinstance(parent, Session) else parent,
        "since": since.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z") if since else None,
    }
    found: list[Session] = []
    cursor: str | None = None
    while limit is None or len(found) < limit:
        page = {**query, "limit": str(min(_PAGE, (limit or _PAGE + len(found)) - len(found))), "cursor": cursor}
        asked = {name: value for name, value in page.items() if value}
        answer = await engine.ask(Request("GET", "/v1/sessions", asked, repeat=True))
        records: list[Json] = answer.get("sessions") or []
        found += [Session._of(engine, record, keep=True) for record in records]  # pyright: ignore[reportPrivateUsage]
        cursor = answer.get("next") or None
        if cursor is None:
            break
    return found


_sessions.__name__ = _sessions.__qualname__ = "sessions"  # what help() calls it
sessions = syncify(_sessions)
