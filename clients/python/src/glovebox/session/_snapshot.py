"""Saved states of sessions."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._link.current import current_engine
from .._process.loop import syncify, syncify_method
from .._tasks.image import check_image_name
from .._tasks.progress import progress_of
from .._tasks.secret import Secret
from .._values.json_text import dump
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
    async def image(self, name: str | None = None) -> SnapshotImage:
        """Makes an image of its files, with what the session changed as one more layer, and without its memory.

        It leaves out ``/tmp`` and ``/run``, which are in memory.

        Args:
            name: A name for it, in small letters; by default one that is made of its content.

        Example::

            image = s.snapshot().image("tools")
            reference = image.push("ghcr.io/my-org/tools:1", secret="ghcr-credentials")
            other = glovebox.Session(image=reference)
        """
        if name is not None:
            check_image_name("name", name)
        document = await _ask("POST", self.id, below="/image", body={"name": name} if name else {})
        return SnapshotImage(id=str(document["id"]), name=str(document["name"]), size=int(document.get("size") or 0))

    @syncify_method
    async def remove(self) -> None:
        """Removes it. Sessions that were started from it stay."""
        await _ask("DELETE", self.id)


@dataclass(frozen=True)
class SnapshotImage:
    """An image that an engine has, made of a snapshot. ``size`` is in bytes."""

    __module__ = "glovebox.session"  # where users find it

    id: str
    name: str
    size: int

    @syncify_method
    async def push(self, reference: str, *, secret: str | Secret | None = None) -> str:
        """Pushes it to a registry, and returns its reference there by digest, ``NAME@sha256:...``.

        Args:
            reference: Where to, such as ``"ghcr.io/my-org/tools:1"``, which is then the ``image`` of others.
            secret: The key of the stored secret ``user:password``, or a ``Secret``; by default what
                ``docker login`` left on the machine of the engine counts.

        Raises:
            RegistryDeniedError, RegistryUnavailableError: The registry does not take it.
        """
        key = secret.name if isinstance(secret, Secret) else secret
        engine = await current_engine()
        with progress_of(self.name) as progress:
            body = {"ref": reference, **({"secret": key} if key else {})}
            return await engine.push_image(self.id, body, progress)


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


async def _ask(
    method: str,
    ref: str = "",
    query: dict[str, Any] | None = None,
    *,
    below: str = "",
    body: dict[str, Any] | None = None,
) -> Json:
    from .._link.documents import segment  # lazy: only a request needs it
    from .._link.http import Request  # lazy: the same

    path = f"/v1/snapshots/{segment(ref)}{below}" if ref else "/v1/snapshots"
    data = b"" if body is None else dump(body).encode()
    engine = await current_engine()
    return await engine.ask(Request(method, path, query or {}, data, repeat=True, silence=None))


_snapshots.__name__ = _snapshots.__qualname__ = "snapshots"  # what help() calls it
snapshots = syncify(_snapshots)
