"""Bytes to the engine and back, held to their digest."""

from __future__ import annotations

import asyncio
import hashlib
import os
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ..errors import StorageCorruptError
from ._local import Stamp, replacing

if TYPE_CHECKING:
    from .._link.current import Engine

AT_ONCE = 8  # files that are sent or fetched concurrently
EMPTY = hashlib.sha256().hexdigest()


def is_digest(text: object) -> bool:
    """Reports whether text is a SHA-256 in lower-case hexadecimal."""
    return isinstance(text, str) and len(text) == 64 and not set(text) - set("0123456789abcdef")


async def send(engine: Engine, fd: int, path: str) -> tuple[str, int, Stamp]:
    """Stores an open file. Returns digest, size, and the stamp of what was stored."""
    before = Stamp.of(os.fstat(fd))
    try:
        digest, size = await engine.put_blob(_same_file(fd, path))
    except Exception:
        _check_unchanged(fd, path, before)
        raise
    _check_unchanged(fd, path, before)
    return digest, size, before


def _check_unchanged(fd: int, path: str, before: Stamp) -> None:
    if Stamp.of(os.fstat(fd)) != before:
        raise OSError(f"{path} changed while it was read; wait until nothing writes to it, or copy it first")


def _same_file(fd: int, path: str) -> Path:
    """Returns a path of the very file that is open, whatever lies at its own path by now."""
    opened = Path(f"/proc/self/fd/{fd}")
    return opened if opened.exists() else Path(path)


async def fetch(engine: Engine, digest: str, size: int | None, path: str) -> None:
    """Makes a file of a blob. It appears as a whole, and only with the right bytes."""
    with replacing(path) as file:
        await receive(engine, digest, size, file)


async def receive(engine: Engine, digest: str, size: int | None, file: IO[bytes]) -> None:
    """Writes the bytes of a blob to file, at most as many as it is said to have, and checks them."""
    hasher, count = hashlib.sha256(), 0
    stream = engine.open_blob(digest)
    try:
        async for piece in stream:
            count += len(piece)
            if size is not None and count > size:
                raise _damaged(digest, f"more than the {size} bytes that it is said to have")
            await asyncio.to_thread(_keep, file, hasher, piece)
    finally:
        await close(stream)
    if hasher.hexdigest() != digest:
        raise _damaged(digest, "other bytes")
    if size is not None and count != size:
        raise _damaged(digest, f"{count} bytes, and is said to have {size}")


async def fetch_bytes(engine: Engine, digest: str, limit: int) -> bytes:
    """Returns the bytes of a blob, which must not be more than limit."""
    held = bytearray()
    stream = engine.open_blob(digest)
    try:
        async for piece in stream:
            held += piece
            if len(held) > limit:
                raise _damaged(digest, f"more than {limit} bytes")
    finally:
        await close(stream)
    if hashlib.sha256(held).hexdigest() != digest:
        raise _damaged(digest, "other bytes")
    return bytes(held)


async def close(stream: Any) -> None:
    """Ends a stream that may not have been read to its end."""
    end = getattr(stream, "aclose", None)
    if end is not None:
        await end()


def _keep(file: IO[bytes], hasher: Any, piece: bytes) -> None:
    hasher.update(piece)
    file.write(piece)


def _damaged(digest: str, what: str) -> Exception:
    return StorageCorruptError(f"the stored file {digest} has {what}", hint="upload it again")
