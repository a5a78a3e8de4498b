"""Files of a session."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import json
import os
import tempfile
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from .._process.loop import run_async, run_sync, syncify_method
from ..errors import GloveboxError, NotFoundError
from ..io._local import place, replacing, safe_name
from ._access import Access
from ._stream import End, Stream
from ._times import moment_of
from ._trees import pack, unpack

if TYPE_CHECKING:
    from .._link.current import Json


@dataclass(frozen=True)
class FileInfo:
    """What is known of a file of a session.

    ``path`` is absolute, ``type`` is ``"file"``, ``"dir"``, ``"symlink"`` or ``"other"``, ``mode`` has the permission
    bits, and ``link`` says where a link leads.
    """

    __module__ = "glovebox.session"  # where users find it

    path: str
    type: str
    size: int
    mode: int
    owner: str
    group: str
    modified: datetime.datetime
    link: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def name(self) -> str:
        """The last part of its path."""
        return self.path.rpartition("/")[2]

    @property
    def is_dir(self) -> bool:
        """Whether it is a directory."""
        return self.type == "dir"


@dataclass(frozen=True)
class FileChange:
    """A change in a directory.

    ``type`` is ``"create"``, ``"write"``, ``"remove"``, ``"rename"`` or ``"chmod"``; or ``"overflow"``: more happened
    than somebody listened to. ``path`` is relative to the directory, and ``info`` says what is there now.
    """

    __module__ = "glovebox.session"  # where users find it

    type: str
    path: str
    info: FileInfo | None


class Files:
    """The files of a session, as ``Session.files``.

    A path that is not absolute starts at the directory of the session, and ``~`` is the home of the user. ``user``
    says whose rights count and who owns what is new: that of the session unless it is given.
    """

    __module__ = "glovebox.session"  # where users find it

    def __init__(self, access: Access) -> None:
        self._access = access

    @syncify_method
    async def read(self, path: str, *, offset: int = 0, limit: int | None = None, user: str | None = None) -> bytes:
        """Returns the bytes of a file, or ``limit`` of them from ``offset`` on. A large file is better downloaded.

        >>> s.files.read("plot.png")[:4]
        b'\\x89PNG'
        """
        headers: dict[str, str] = {}
        if offset or limit is not None:
            if offset < 0 or (limit is not None and limit < 0):
                raise ValueError(f"read: expected an offset and a limit from 0 on, got {offset} and {limit}")
            if limit == 0:
                return b""
            headers["Range"] = f"bytes={offset}-{'' if limit is None else offset + limit - 1}"
        content = bytearray()
        try:
            async with contextlib.aclosing(self._content(path, user, headers)) as pieces:
                async for piece in pieces:
                    content += piece
        except GloveboxError as error:
            if error.code != "request_invalid" or error.details.get("field") != "Range":
                raise
        return bytes(content)  # of a file that ends before the offset there are none

    @syncify_method
    async def read_text(self, path: str, *, user: str | None = None) -> str:
        """Returns a file as text. Bytes that are not UTF-8 are a UnicodeDecodeError."""
        return (await self.read.aio(path, user=user)).decode()

    @syncify_method
    async def write(
        self,
        path: str,
        data: str | bytes,
        *,
        append: bool = False,
        mode: int | None = None,
        attributes: Mapping[str, str] | None = None,
        user: str | None = None,
    ) -> FileInfo:
        """Writes a file, in place of what was there, and makes the directories above it. A text is UTF-8.

        Args:
            path: The file.
            data: What is to be in it.
            append: Writes behind what is there.
            mode: Permission bits of a new file; ``0o644`` unless it is given.
            attributes: Take the place of the extended attributes below ``user.``.
            user: Whose rights count.
        """
        content = data.encode() if isinstance(data, str) else bytes(data)
        return await self._put(path, content, append=append, mode=mode, attributes=attributes, user=user)

    @syncify_method
    async def stat(self, path: str, *, user: str | None = None) -> FileInfo:
        """Returns what is known of a file; of a link, of what it leads to."""
        return info_of(await self._access.ask("GET", "/files/stat", query=_query(path, user), repeat=True))

    @syncify_method
    async def exists(self, path: str, *, user: str | None = None) -> bool:
        """Reports whether a file is there."""
        try:
            await self.stat.aio(path, user=user)
        except NotFoundError:
            return False
        return True

    @syncify_method
    async def mkdir(self, path: str, *, exist_ok: bool = False, user: str | None = None) -> FileInfo:
        """Makes a directory, and those above it. One that is there is a ConflictError, unless ``exist_ok``."""
        try:
            return info_of(await self._access.ask("POST", "/files/directory", query=_query(path, user)))
        except GloveboxError as error:
            if error.code != "conflict" or not exist_ok:
                raise
        found = await self.stat.aio(path, user=user)
        if not found.is_dir:
            raise FileExistsError(f"{path} is there already, and is no directory")
        return found

    @syncify_method
    async def move(self, source: str, target: str, *, user: str | None = None) -> FileInfo:
        """Moves a file or a directory, and makes the directories above its new place."""
        body = {"from": source, "to": target, **({"user": user} if user else {})}
        return info_of(await self._access.ask("POST", "/files/move", body))

    @syncify_method
    async def remove(self, path: str, *, user: str | None = None) -> None:
        """Removes a file, or a directory with all that is in it. What is not there is removed already."""
        await self._access.ask("DELETE", "/files", query=_query(path, user), repeat=True)

    @syncify_method
    async def upload(self, local: str | os.PathLike[str], remote: str, *, user: str | None = None) -> None:
        """Copies a file or a directory of this machine into the session.

        The files of a directory come below ``remote``, which is made if it must be.
        """
        source = Path(local)
        if not await asyncio.to_thread(source.is_dir):
            await self._put(remote, source, user=user)
            return
        with tempfile.TemporaryDirectory(prefix="glovebox-") as private:
            archive = Path(private, "tree.tar")
            await asyncio.to_thread(pack, source, archive)
            await self._access.ask("PUT", "/files/tree", query=_query(remote, user), content=archive)

    @syncify_method
    async def download(self, remote: str, local: str | os.PathLike[str], *, user: str | None = None) -> list[str]:
        """Copies a file or a directory of the session to this machine.

        A file takes the place of what is there, or goes into the directory that is there. A directory becomes a new
        one, or fills an empty one.

        Returns:
            What was left out of a directory: what is no file, no directory and no link within it.
        """
        info = await self.stat.aio(remote, user=user)
        if not info.is_dir:
            with replacing(place(local, safe_name(info.path, "file"))) as file:
                await _keep(self._content(remote, user, {}), file)
            return []
        with tempfile.TemporaryFile() as archive:
            await _keep(self._access.content("/files/tree", _query(remote, user)), archive)
            archive.seek(0)
            return await asyncio.to_thread(unpack, archive, os.fspath(local))

    def watch(self, path: str = ".", *, recursive: bool = False, user: str | None = None) -> Stream[FileChange]:
        """Yields changes in a directory as they happen, for ``for`` and ``async for``, until it is closed.

        From ``with`` or ``async with`` on none is missed; without them, from the first step of the loop on.

        >>> with s.files.watch("out") as changes:
        ...     for change in changes:
        ...         print(change.type, change.path)
        """
        query = {**_query(path, user), **({"recursive": "true"} if recursive else {})}
        return Watch(_changes(self._access.entries("GET", "/files/watch", query=query)))

    @syncify_method
    async def list(self, path: str = ".", *, depth: int = 1, user: str | None = None) -> list[FileInfo]:
        """Lists a directory, in the order of the paths, ``depth`` levels deep. Links are not followed."""
        query = {**_query(path, user), "depth": str(depth)}
        answer = await self._access.ask("GET", "/files/list", query=query, repeat=True)
        return [info_of(entry) for entry in answer.get("files") or ()]

    async def _put(
        self,
        path: str,
        content: bytes | Path,
        *,
        append: bool = False,
        mode: int | None = None,
        attributes: Mapping[str, str] | None = None,
        user: str | None = None,
    ) -> FileInfo:
        query = _query(path, user)
        if append:
            query["append"] = "true"
        if mode is not None:
            query["mode"] = f"{mode:o}"
        headers = {} if attributes is None else {"Glovebox-Attributes": json.dumps(dict(attributes))}
        return info_of(await self._access.ask("PUT", "/files/content", query=query, content=content, headers=headers))

    def _content(self, path: str, user: str | None, headers: Mapping[str, str]) -> AsyncGenerator[bytes, None]:
        return self._access.content("/files/content", _query(path, user), headers)


class Watch(Stream[FileChange]):
    """Changes in a directory, of which ``with`` waits until none is missed any more."""

    __module__ = "glovebox.session"  # where users find it

    def __enter__(self) -> Watch:
        run_sync(self._begin())
        return self

    async def __aenter__(self) -> Watch:
        await run_async(self._begin())
        return self

    async def _begin(self) -> None:
        await super()._next()  # which says that it is watched

    async def _next(self) -> FileChange | End:
        change = await super()._next()
        return await super()._next() if change is _WATCHED else change


_WATCHED = FileChange("watched", "", None)


async def _changes(entries: AsyncGenerator[Json, None]) -> AsyncGenerator[FileChange, None]:
    async with contextlib.aclosing(entries):
        async for entry in entries:
            info, kind = entry.get("info"), str(entry.get("type"))
            change = FileChange(kind, str(entry.get("path") or ""), info_of(info) if info else None)
            yield _WATCHED if kind == _WATCHED.type else change


async def _keep(content: AsyncGenerator[bytes, None], file: IO[bytes]) -> None:
    async with contextlib.aclosing(content) as pieces:
        async for piece in pieces:
            await asyncio.to_thread(file.write, piece)


def info_of(document: Mapping[str, Any]) -> FileInfo:
    """Reads what the engine says of a file."""
    return FileInfo(
        path=str(document.get("path")),
        type=str(document.get("type")),
        size=int(document.get("size") or 0),
        mode=int(document.get("mode") or 0),
        owner=str(document.get("owner") or ""),
        group=str(document.get("group") or ""),
        modified=moment_of(str(document.get("modified"))),
        link=str(document.get("link") or ""),
        attributes=dict(document.get("attributes") or {}),
    )


def _query(path: str, user: str | None) -> dict[str, str]:
    return {"path": os.fspath(path), **({"user": user} if user else {})}
