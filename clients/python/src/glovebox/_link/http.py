"""HTTP/1.1 to an engine: requests, answers, and connections that are used again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import ssl
import time
import urllib.parse
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

from .._values.json_text import loads
from ..errors import (
    GloveboxError,
    NotFoundError,
    Outcome,
    OverloadedError,
    ServerUnavailableError,
    UnauthorizedError,
    from_problem,
)
from .address import Address
from .connection import Broken, Connection, ProtocolError, Unreachable, body_of, connect
from .header import Header

SILENCE = 60.0  # seconds without a byte after which an engine counts as gone
MAX_ANSWER = 256 << 20  # bytes: values of 64 MiB, and the ends of stdout and stderr in base64
_MAX_PROBLEM = 4 << 20  # bytes of an error
_PIECE = 256 << 10  # bytes of a file that are sent in one piece
_IDLE_PATIENCE = 60.0  # seconds; the engine ends a connection that was idle for two minutes
_MAX_IDLE = 32  # connections kept for later
_TRIES = 6  # of a request that the engine has no room for, or that could not be sent
_PAUSE = 0.1  # seconds before the second try
_MAX_RETRY_AFTER = 10.0  # seconds, however long the engine asks to wait
_VISIBLE = re.compile(r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?")


@dataclass(frozen=True)
class Request:
    """One request. ``body`` is JSON text, bytes, or a file."""

    method: str
    path: str  # below the address, escaped
    query: Mapping[str, str | list[str]] = field(default_factory=dict[str, "str | list[str]"])
    body: bytes | Path = b""
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    repeat: bool = False  # making it twice is as good as making it once
    silence: float | None = SILENCE
    limit: int = 256 << 10  # bytes of one line of the answer

    @property
    def target(self) -> str:
        return f"{self.path}?{urllib.parse.urlencode(self.query, doseq=True)}" if self.query else self.path


class Answer:
    """The answer to a request; it has to be closed."""

    def __init__(self, http: Http, connection: Connection, request: Request, status: int, header: Header) -> None:
        self.status, self.header = status, header
        self._http, self._connection = http, connection
        self._whole = False
        self._body = body_of(connection, status, header, head=request.method == "HEAD")

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yields the body in pieces."""
        try:
            async for piece in self._body:
                yield piece
        except (Broken, ProtocolError) as error:
            raise self._http.unavailable("broke off its answer", error) from None
        self._whole = True

    async def read(self, limit: int = MAX_ANSWER) -> bytes:
        """Returns the whole body and closes the answer."""
        body = bytearray()  # a list of pieces, which may be of one byte each, would take many times as much
        try:
            async for piece in self.pieces():
                body += piece
                if len(body) > limit:
                    raise self._http.unavailable("answered", f"with more than {limit} bytes")
        finally:
            await self.aclose()
        return bytes(body)

    def detach(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Hands the connection over to the caller."""
        self._http.let_go(self._connection)
        return self._connection.reader, self._connection.writer

    async def aclose(self) -> None:
        """Gives the connection back, or closes it if it has not been read to its end."""
        await self._body.aclose()
        self._http.give_back(self._connection, self._whole and not _ends(self.header))


class Http:
    """The client of one engine. It is used on one event loop."""

    def __init__(self, address: Address, token: str | None = None, ca_file: str | None = None) -> None:
        self.address = address
        self._token = _checked_token(token)
        self._context = ssl.create_default_context(cafile=ca_file) if address.tls else None
        self._idle: list[tuple[float, Connection]] = []
        self._open: set[Connection] = set()

    def __repr__(self) -> str:
        return f"<client of {self.address.text}>"

    async def send(self, request: Request) -> Answer:
        """Sends a request, again if that can help and does no harm, and returns the answer of a success."""
        pause = _PAUSE
        for tries_left in reversed(range(_TRIES)):
            wait = pause
            try:
                answer = await self._once(request)
                if answer.status < 300:
                    return answer
                wait = max(pause, _retry_after(answer.header))
                raise await self._problem(answer)
            except Unreachable as error:
                failure = self.unavailable("could not be reached", error, outcome="not_started")
                again = True
            except Broken as error:
                failure = self.unavailable("did not answer", error)
                again = request.repeat
            except ProtocolError as error:
                raise self.unavailable("answered, but not as Glovebox does", error) from None
            except GloveboxError as error:
                failure, again = error, error.code == "overloaded"
            if not again or not tries_left or self.is_gone():
                raise failure from None
            await asyncio.sleep(wait * random.uniform(0.5, 1.5))
            pause *= 2
        raise AssertionError  # the loop ends in one of its branches

    async def ask(self, request: Request, limit: int = MAX_ANSWER) -> bytes:
        """Sends a request and returns the body of the answer."""
        return await (await self.send(request)).read(limit)

    async def upgrade(
        self, method: str, path: str, protocol: str, limit: int
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Makes a connection of its own of which the protocol is another one. ``limit`` is above that of a piece."""
        headers = {"Connection": "Upgrade", "Upgrade": protocol}
        request = Request(method, path, headers=headers, limit=limit)
        answer = await self.send(request)  # never on a connection that was used, as its limit tells
        if answer.status != 101:
            await answer.aclose()
            raise self.unavailable(f"does not speak {protocol}", f"status {answer.status}")
        return answer.detach()

    def is_gone(self) -> bool:
        """Reports whether the engine will not come back, so that a repetition is in vain."""
        return False

    def unavailable(self, what: str, why: object, outcome: Outcome = "unknown") -> GloveboxError:
        """Returns the error for an engine that does not answer as it should."""
        return ServerUnavailableError(
            f"the engine at {self.address.text} {what}: {why}",
            hint="check that it runs and that GLOVEBOX_URL is its address",
            outcome=outcome,
        )

    def give_back(self, connection: Connection, usable: bool) -> None:
        """Keeps a connection for later, or closes it."""
        self._open.discard(connection)
        connection.watch(None)
        if usable and connection.alive and len(self._idle) < _MAX_IDLE:
            connection.used = True
            self._idle.append((time.monotonic(), connection))
        else:
            connection.close()

    def let_go(self, connection: Connection) -> None:
        """Forgets a connection that is somebody else's now."""
        self._open.discard(connection)
        connection.watch(None)

    async def close(self) -> None:
        """Closes every connection."""
        connections = [*self._open, *(connection for _, connection in self._idle)]
        self._open.clear()
        self._idle.clear()
        await asyncio.gather(*(connection.closed() for connection in connections))

    async def _once(self, request: Request) -> Answer:
        connection = self._reused() if request.limit <= _PIECE else None
        if connection is not None:
            try:
                return await self._exchange(connection, request)
            except Broken:
                # The engine ends idle connections at any time.
                if connection.heard or not (request.repeat or request.method in ("GET", "HEAD")):
                    raise
        connection = await connect(self.address, self._context, request.limit)
        return await self._exchange(connection, request)

    def _reused(self) -> Connection | None:
        while self._idle:
            since, connection = self._idle.pop()
            if connection.alive and time.monotonic() - since < _IDLE_PATIENCE:
                connection.heard = False
                return connection
            connection.close()
        return None

    async def _exchange(self, connection: Connection, request: Request) -> Answer:
        self._open.add(connection)
        connection.watch(request.silence)
        try:
            refused = await self._write(connection, request)
            try:
                status, header = await connection.read_head()
            except Broken as error:
                raise refused or error from None
            return Answer(self, connection, request, status, header)
        except BaseException:
            self.give_back(connection, False)
            raise

    async def _write(self, connection: Connection, request: Request) -> Broken | None:
        """Sends a request. An engine that does not take all of it may have said why, so that is no error yet."""
        try:
            if isinstance(request.body, Path):
                await self._write_file(connection, request, request.body)
            else:
                await connection.write(self._head(request, len(request.body)) + request.body)
        except Broken as error:
            return error
        return None

    async def _write_file(self, connection: Connection, request: Request, path: Path) -> None:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            await connection.write(self._head(request, size))
            async for piece in _pieces(file, size):
                await connection.write(piece)

    def _head(self, request: Request, size: int) -> bytes:
        headers = {
            "Host": self.address.host_header,
            "Accept": "application/json, application/problem+json",
            "User-Agent": "glovebox-python",
        }
        if size:
            headers["Content-Type"] = request.content_type
        if size or request.method not in ("GET", "HEAD"):
            headers["Content-Length"] = str(size)
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        headers.update(request.headers)
        lines = [f"{request.method} {self.address.base}{request.target} HTTP/1.1"]
        lines += (f"{name}: {_checked_header(name, value)}" for name, value in headers.items())
        return ("\r\n".join(lines) + "\r\n\r\n").encode("ascii")

    async def _problem(self, answer: Answer) -> GloveboxError:
        """Returns the error that an answer stands for."""
        text = await answer.read(_MAX_PROBLEM)
        with contextlib.suppress(ValueError):
            document: Any = loads(text)
            if isinstance(document, dict) and "code" in document:
                return from_problem(cast("dict[str, Any]", document))
        return self._strange(answer)

    def _strange(self, answer: Answer) -> GloveboxError:
        """Returns the error for an answer that says nothing of Glovebox."""
        where = f"the engine at {self.address.text}"
        if answer.status == 404:  # that of HEAD has no body
            return NotFoundError(f"{where} does not have it")
        if answer.status == 401:
            return UnauthorizedError(f"{where} did not accept the token", hint="set GLOVEBOX_TOKEN to its token")
        if answer.status == 429:
            return OverloadedError(f"{where} has too much to do")
        if answer.status < 400:
            return self.unavailable("points elsewhere", f"status {answer.status}")
        return self.unavailable("answered, but not as Glovebox does", f"status {answer.status}")


async def _pieces(file: BinaryIO, size: int) -> AsyncIterator[bytes]:
    while size:
        piece = await asyncio.to_thread(file.read, min(size, _PIECE))
        if not piece:
            raise OSError(f"the file {file.name} became shorter while it was read")
        size -= len(piece)
        yield piece


def _ends(header: Header) -> bool:
    return "close" in header.get("Connection").lower()


def _retry_after(header: Header) -> float:
    text = header.get("Retry-After")
    return min(float(text), _MAX_RETRY_AFTER) if re.fullmatch(r"[0-9]{1,6}", text) else 0.0


def _checked_header(name: str, value: str) -> str:
    if not _VISIBLE.fullmatch(value):
        raise ValueError(f"the header {name} cannot be sent: expected printable ASCII")
    return value


def _checked_token(token: str | None) -> str | None:
    if token and not _VISIBLE.fullmatch(token):
        raise ValueError(
            "the token cannot be sent: expected printable ASCII on one line, such as in a file of one line"
        )
    return token or None
