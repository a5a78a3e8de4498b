"""Saved states of sessions."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._link.current import current_engine
from .._process.loop import syncify, syncify_method
from ._times import moment_of

if TYPE_CHECKING:
    from .._link.current import Json


@dataclass(frozen=True)
class Snapshot:
    """The saved state of a session, from which any number of sessions start.

    ``memory`` says that processes are in it, too; ``size`` is in bytes.

    >>> snapshot = s.snapshot("tools:1")
    >>> with glovebox.Session(snapshot="tools:1") as other:
    ...     other.files.list()
    """

    __module__ = "glovebox"  # where users find it

    id: str
    name: str
    session: str
    memory: bool
    size: int
    created: datetime.datetime

    @syncify_method
    async def remove(self) -> None:
        """Removes it. Sessions that were started from it stay."""
        await _ask("DELETE", self.id)


async def _snapshots(session: str | None = None) -> list[Snapshot]:
    """Lists snapshots, the newest first: of one session, if its id is given.

    ``await glovebox.snapshots.aio()`` does not block the event loop.

    >>> for snapshot in glovebox.snapshots():
    ...     print(snapshot.name, snapshot.size)
    """
    answer = await _ask("GET", query={"session": session} if session else {})
    return [snapshot_of(each) for each in answer.get("snapshots") or ()]


def snapshot_of(document: Json) -> Snapshot:
    """Reads what the engine says of a snapshot."""
    return Snapshot(
        id=str(document.get("id")),
        name=str(document.get("name") or ""),
        session=str(document.get("session") or ""),
        memory=bool(document.get("memory")),
        size=int(document.get("size") or 0),
        created=moment_of(str(document.get("created"))),
    )


async def _ask(method: str, ref: str = "", query: dict[str, Any] | None = None) -> Json:
    from .._link.documents import segment  # lazy: only a request needs it
    from .._link.http import Request  # lazy: the same

    path = f"/v1/snapshots/{segment(ref)}" if ref else "/v1/snapshots"
    engine = await current_engine()
    return await engine.ask(Request(method, path, query or {}, repeat=True))


_snapshots.__name__ = _snapshots.__qualname__ = "snapshots"  # what help() calls it
snapshots = syncify(_snapshots)
