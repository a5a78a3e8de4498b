"""An engine for tests that only keeps blobs."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest


class BlobStore:
    """Keeps blobs, tells what was sent, and lies where it is told to."""

    def __init__(self, url: str = "unix:///store") -> None:
        self.url = url
        self.blobs: dict[str, bytes] = {}
        self.sent: list[bytes] = []
        self.fetched: list[str] = []
        self.lies: dict[str, bytes] = {}  # what comes instead of a blob
        self.stuck: threading.Event | None = None  # is set when a blob is asked for, of which only a piece comes
        self.on_send: Callable[[], object] = lambda: None

    def add(self, content: bytes) -> str:
        """Stores bytes without counting them as sent."""
        digest = hashlib.sha256(content).hexdigest()
        self.blobs[digest] = content
        return digest

    async def put_blob(self, source: bytes | Path) -> tuple[str, int]:
        content = _bytes_of(source)
        self.on_send()
        self.sent.append(content)
        return self.add(content), len(content)

    async def open_blob(self, digest: str) -> AsyncIterator[bytes]:
        from glovebox.errors import from_problem

        self.fetched.append(digest)
        content = self.lies.get(digest, self.blobs.get(digest))
        if content is None:
            raise from_problem({"code": "not_found", "message": f"there is no blob {digest}"})
        for start in range(0, len(content), 7):
            yield content[start : start + 7]
            if self.stuck is not None:
                self.stuck.set()
                await asyncio.Event().wait()


def use(monkeypatch: pytest.MonkeyPatch, store: BlobStore) -> None:
    """Makes the handles of this process use the store."""
    from glovebox.io import _blob, _dir, _stage

    async def current() -> BlobStore:
        return store

    for module in (_blob, _dir, _stage):
        monkeypatch.setattr(module, "current_engine", current)


def _bytes_of(source: bytes | Path) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()


def fresh(monkeypatch: pytest.MonkeyPatch) -> BlobStore:
    """Returns an empty store that the handles of this process use."""
    made = BlobStore()
    use(monkeypatch, made)
    return made
