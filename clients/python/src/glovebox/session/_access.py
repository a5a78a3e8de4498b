"""The way of everything that belongs to one session to the engine."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._link.current import current_engine
from .._tasks.dockerfile import with_stored_image
from .._tasks.progress import progress_of
from .._values.json_text import dump

if TYPE_CHECKING:
    from .._link.current import Engine, Json

_PATIENCE = 30.0  # seconds with an engine that was there and is gone
_AGAIN = 0.5  # seconds between tries to reach it


class Access:
    """Requests to one session, which is made with the first of them.

    ``wanted`` is what is asked of the engine. A session that is there has
    ``engine`` and ``record`` instead.
    """

    def __init__(self, wanted: Json | None = None, engine: Engine | None = None, record: Json | None = None) -> None:
        self._wanted = wanted or {}
        self._engine = engine
        self._making = asyncio.Lock()
        self.record = record

    @property
    def id(self) -> str:
        return str((self.record or {}).get("id", ""))

    async def engine(self) -> Engine:
        """Returns the engine of the session, and makes the session first."""
        async with self._making:
            if self.record is None:
                self._engine = await current_engine()
                self.record = await self._made(self._engine)
            elif self._engine is None or not self._engine.alive:  # a child may have ended by itself
                self._engine = await current_engine()
            return self._engine

    async def ask(
        self,
        method: str,
        below: str = "",
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        content: bytes | Path | None = None,
        headers: Mapping[str, str] | None = None,
        repeat: bool = False,
    ) -> Json:
        """Makes a request and returns the answer. The body is JSON, or ``content``, which is bytes."""
        from .._link.http import Request  # lazy: to name a session loads nothing of HTTP

        engine = await self.engine()
        data = content if content is not None else b"" if body is None else dump(body).encode()
        kind = "application/json" if content is None else "application/octet-stream"
        return await engine.ask(
            Request(
                method, self._path(below), query or {}, data, kind, headers or {}, repeat, None
            )  # however long it takes
        )

    async def content(
        self, below: str, query: Mapping[str, str], headers: Mapping[str, str] | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yields bytes of the session in pieces."""
        from .._link.http import Request  # lazy: to name a session loads nothing of HTTP

        engine = await self.engine()
        asked = Request(
            "GET", self._path(below), query, headers={"Accept": "*/*", **(headers or {})}, repeat=True, silence=None
        )
        async with contextlib.aclosing(engine.content(asked)) as pieces:
            async for piece in pieces:
                yield piece

    async def entries(
        self,
        method: str,
        below: str,
        body: Mapping[str, Any] | None = None,
        *,
        query: Mapping[str, str] | None = None,
        last: Callable[[Json], bool] | None = None,
    ) -> AsyncGenerator[Json, None]:
        """Yields what a stream of the session brings. One that has a last entry is broken if it ends without it."""
        from .._link.http import Request  # lazy: to name a session loads nothing of HTTP

        engine = await self.engine()
        data = b"" if body is None else dump(body).encode()
        asked = Request(method, self._path(below), query or {}, data, repeat=method == "GET")
        over = last is None
        async with contextlib.aclosing(engine.entries(asked)) as entries:
            async for entry in entries:  # to the end of the answer, so that the connection is used again
                over = over or (last is not None and last(entry))
                yield entry
        if not over:
            raise engine.broke_off("its last entry has not come")

    async def connect(self, below: str, protocol: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Makes a connection to something in the session."""
        engine = await self.engine()
        return await engine.upgrade("GET", self._path(below), protocol)

    def _path(self, below: str) -> str:
        from .._link.documents import segment  # lazy: to name a session loads nothing of HTTP

        return f"/v1/sessions/{segment(self.id)}{below}"

    async def _made(self, engine: Engine) -> Json:
        from .._link.http import Request  # lazy: to name a session loads nothing of HTTP

        wanted = await with_stored_image(self._wanted, engine)
        if "snapshot" not in wanted:
            with progress_of("session") as progress:  # which the request for a session does not tell
                await engine.build_image(wanted.get("image") or {}, progress)
        body = dump(wanted).encode()
        return await engine.ask(Request("POST", "/v1/sessions", body=body, silence=None))


class Patience:
    """Patience with an engine that was there and is gone."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._since: float | None = None

    def met(self) -> None:
        """Notes that the engine is there."""
        self._since = None

    async def wait(self, error: Exception) -> None:
        """Waits before the next try, or raises error if there should be none."""
        from .._link.engine import may_return  # lazy: to name a session loads nothing of HTTP
        from ..errors import GloveboxError  # lazy: the same

        self._since = self._since or time.monotonic()
        gone = not isinstance(error, GloveboxError) or not may_return(error) or self._engine.private
        if gone or time.monotonic() - self._since > _PATIENCE:
            raise error
        await asyncio.sleep(_AGAIN)
