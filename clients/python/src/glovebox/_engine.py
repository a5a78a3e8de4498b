"""The engine as the rest of the client sees it: the HTTP API, one method a route."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]  # a decoded JSON object, with ints of any length


class Engine:
    """A connection to an engine. Every method runs on the loop of ``_loop``.

    Errors are those of ``glovebox.errors``: what the server answered, or
    ServerUnavailableError.
    """

    url: str  # as GLOVEBOX_URL
    private: bool  # a child of this process, which ends with it

    async def submit(
        self, *, task: Mapping[str, Any] | None = None, name: str | None = None, inputs: str = "{}",
        parent: str | None = None, cache: str | None = None, idempotency_key: str | None = None,
    ) -> Json:
        """Makes a run and returns it (POST /v1/runs). ``inputs`` is JSON text, an object by name."""
        raise NotImplementedError

    async def wait(self, run_id: str, *, timeout: float | None = None, progress: Callable[[str, str], None] | None = None) -> Json | None:
        """Waits until a run has ended and returns its result (``run``, ``outputs``, ``stdout``, ``stderr``).

        None if it has not after ``timeout`` seconds. A failed run is no error
        here. ``progress`` gets stage and message of what happens meanwhile.
        """
        raise NotImplementedError

    async def run(self, run_id: str) -> Json: raise NotImplementedError
    async def runs(self, **query: Any) -> Json: raise NotImplementedError
    async def cancel(self, run_id: str, reason: str) -> None: raise NotImplementedError
    async def resume(self, run_id: str, *, retry_unknown: bool = False) -> Json: raise NotImplementedError
    async def rerun(self, run_id: str, body: Mapping[str, Any]) -> Json: raise NotImplementedError
    def logs(self, run_id: str, *, after: int = 0, follow: bool = False) -> AsyncIterator[Json]: raise NotImplementedError
    def events(self, run_id: str, *, after: int = 0) -> AsyncIterator[Json]: raise NotImplementedError
    async def check(self, task: Mapping[str, Any]) -> list[Json]: raise NotImplementedError

    async def put_blob(self, source: bytes | Path) -> tuple[str, int]:
        """Stores bytes, or those of a file, and returns their SHA-256 in hexadecimal and their number."""
        raise NotImplementedError

    def open_blob(self, digest: str) -> AsyncIterator[bytes]:
        """Yields the bytes of a blob in pieces. The caller checks the digest."""
        raise NotImplementedError

    async def deploy(self, environment: str, tasks: Sequence[Mapping[str, Any]], source: str = "") -> list[Json]: raise NotImplementedError
    async def task(self, ref: str) -> Json: raise NotImplementedError
    async def set_secret(self, name: str, value: bytes) -> None: raise NotImplementedError
    async def build_image(self, spec: Mapping[str, Any], progress: Callable[[str, str], None] | None = None) -> Json: raise NotImplementedError
    async def version(self) -> Json: raise NotImplementedError

    async def connect_worker(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Opens the stream of docs/WORKER.md, after the 101."""
        raise NotImplementedError

    async def close(self) -> None: raise NotImplementedError


async def current_engine() -> Engine:
    """Returns the engine of this process, and connects to it, or starts it, first."""
    raise NotImplementedError
