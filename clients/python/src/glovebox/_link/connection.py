"""One connection to an engine, and what is read from it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import ssl
import time
from collections.abc import AsyncGenerator, Coroutine
from typing import Any

from .._process.time_limit import time_limit
from .address import Address, Proxy
from .header import DamagedError, Header

CONNECT_PATIENCE = 10.0  # seconds
_MAX_HEAD = 64 << 10  # bytes of the header of an answer
_MAX_PRELIMINARY = 100  # answers before the answer
_PIECE = 256 << 10  # bytes
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9][0-9])(?: .*)?")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;.*)?")
_LENGTH = re.compile(r"[0-9]{1,18}")


class ProtocolError(Exception):
    """The other side does not speak HTTP as it should."""


class Unreachable(OSError):
    """No connection could be made, so nothing was sent."""


class Broken(OSError):
    """The connection ended, or fell silent, before the answer was whole."""


class Connection:
    """A connection, which carries one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.used = False  # it has carried a request before
        self.heard = False  # something of the answer has come
        self._period = 0.0
        self._moved = 0.0  # when something was read or written last
        self._silent: float | None = None  # so long, when it was cut for that
        self._timer: asyncio.TimerHandle | None = None

    @property
    def alive(self) -> bool:
        """Reports whether nothing speaks against using it once more."""
        return not (self.reader.at_eof() or self.writer.is_closing())

    def watch(self, seconds: float | None) -> None:
        """Has the connection cut once nothing has been read or written for so long; None: never."""
        self._stop_timer()
        self._silent = None
        if seconds is not None:
            self._period = seconds
            self.moved()
            self._look()

    def moved(self) -> None:
        """Notes that something was read or written: to set the timer anew each time would be a tenth of a request."""
        self._moved = time.monotonic()

    async def write(self, data: bytes) -> None:
        try:
            self.writer.write(data)
            await self.writer.drain()
        except (ConnectionError, ssl.SSLError) as error:
            raise self._broken(error) from None
        self.moved()

    async def read_head(self) -> tuple[int, Header]:
        """Returns status and header of the answer, after those that are only preliminary."""
        for _ in range(_MAX_PRELIMINARY):
            status, header = self._parse(await self._head())
            if status >= 200 or status == 101:
                return status, header
        raise ProtocolError("the answer does not come")

    async def read_some(self, limit: int = _PIECE) -> bytes:
        """Returns at least one byte."""
        data = await self._read(self.reader.read(min(limit, _PIECE)))
        if not data:
            raise self._broken(None)
        return data

    async def read_line(self) -> bytes:
        """Returns a short line without its end."""
        try:
            line = await self._read(self.reader.readuntil(b"\n"))
        except (asyncio.LimitOverrunError, asyncio.IncompleteReadError):
            raise self._broken(None) from None
        return line.rstrip(b"\r\n")

    def close(self) -> None:
        self._stop_timer()
        self.writer.close()

    async def closed(self) -> None:
        """Closes it and waits until that is done."""
        self.close()
        with contextlib.suppress(OSError, asyncio.TimeoutError, ssl.SSLError):
            async with time_limit(1):
                await self.writer.wait_closed()

    async def _head(self) -> bytes:
        try:
            return await self._read(self.reader.readuntil(b"\r\n\r\n"))
        except asyncio.LimitOverrunError:
            raise ProtocolError("the header of the answer is too long") from None
        except asyncio.IncompleteReadError as error:
            self.heard = self.heard or bool(error.partial)
            raise self._broken(None) from None

    async def _read(self, reading: Coroutine[Any, Any, bytes]) -> bytes:
        try:
            data = await reading
        except (ConnectionError, ssl.SSLError) as error:
            raise self._broken(error) from None
        self.heard = self.heard or bool(data)
        self.moved()
        return data

    def _parse(self, head: bytes) -> tuple[int, Header]:
        line, _, rest = head.partition(b"\r\n")
        match = _STATUS.fullmatch(line)
        if match is None or len(head) > _MAX_HEAD:
            raise ProtocolError("the answer is not HTTP")
        try:
            return int(match[1]), Header.read(rest)
        except DamagedError:
            raise ProtocolError("the header of the answer is damaged") from None

    def _broken(self, error: BaseException | None) -> Broken:
        if self._silent is not None:
            return Broken(f"it was silent for {self._silent:g} s")
        return Broken(str(error) if error and str(error) else "the connection was closed")

    def _look(self) -> None:
        """Cuts the connection if it was silent for too long, or looks again when it may have been."""
        left = self._moved + self._period - time.monotonic()
        if left > 0:
            self._timer = asyncio.get_running_loop().call_later(left, self._look)
            return
        self._timer = None
        self._silent = self._period
        self.writer.transport.abort()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


async def connect(address: Address, context: ssl.SSLContext | None, limit: int = _PIECE) -> Connection:
    """Makes a connection. Raises Unreachable."""
    try:
        async with time_limit(CONNECT_PATIENCE):
            reader, writer = await _open(address, context, limit)
    except asyncio.TimeoutError:
        raise Unreachable(f"no connection within {CONNECT_PATIENCE:g} s") from None
    except ssl.SSLCertVerificationError as error:
        raise Unreachable(
            f"its certificate is not trusted: {error.verify_message}; name the file of its authority in SSL_CERT_FILE"
        ) from None
    except (OSError, ssl.SSLError, UnicodeError, ProtocolError) as error:
        raise Unreachable(str(error) or type(error).__name__) from None
    return Connection(reader, writer)


async def _open(
    address: Address, context: ssl.SSLContext | None, limit: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if address.socket:
        return await asyncio.open_unix_connection(address.socket, limit=limit)
    name = address.host if context else None
    if address.proxy is None:
        reader, writer = await asyncio.open_connection(
            address.host, address.port, limit=limit, ssl=context, server_hostname=name
        )
    else:
        tunnel = await _tunnel(address.proxy, address)
        try:
            reader, writer = await asyncio.open_connection(sock=tunnel, limit=limit, ssl=context, server_hostname=name)
        except BaseException:
            tunnel.close()
            raise
    wire = writer.get_extra_info("socket")
    if wire is not None:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    return reader, writer


async def _tunnel(proxy: Proxy, target: Address) -> socket.socket:
    """Returns a socket that leads through proxy to target."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(proxy.host, proxy.port, type=socket.SOCK_STREAM)
    wire = socket.socket(found[0][0], socket.SOCK_STREAM)
    try:
        wire.setblocking(False)
        await loop.sock_connect(wire, found[0][4])
        host = f"[{target.host}]" if ":" in target.host else target.host
        request = f"CONNECT {host}:{target.port} HTTP/1.1\r\nHost: {host}:{target.port}\r\n"
        if proxy.authorization:
            request += f"Proxy-Authorization: {proxy.authorization}\r\n"
        await loop.sock_sendall(wire, (request + "\r\n").encode())
        await _accepted(loop, wire)
    except BaseException:
        wire.close()
        raise
    return wire


async def _accepted(loop: asyncio.AbstractEventLoop, wire: socket.socket) -> None:
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        byte = await loop.sock_recv(wire, 1)  # what follows the header is not ours
        if not byte or len(head) > _MAX_HEAD:
            raise ProtocolError("the proxy gave no answer")
        head += byte
    line = head.partition(b"\r\n")[0]
    match = _STATUS.fullmatch(line)
    if match is None or match[1] != b"200":
        raise ProtocolError(f"the proxy refused: {line.decode('latin-1')[:200]!r}")


async def body_of(connection: Connection, status: int, header: Header, *, head: bool) -> AsyncGenerator[bytes, None]:
    """Yields the body of an answer in pieces, up to its end."""
    if head or status in (101, 204, 304):
        return
    coding = header.get_all("Transfer-Encoding")
    lengths = set(header.get_all("Content-Length"))
    if coding:
        if [c.strip().lower() for c in coding] != ["chunked"] or lengths:
            raise ProtocolError("the encoding of the answer is unknown")
        async for piece in _chunks(connection):
            yield piece
        return
    if len(lengths) != 1 or not _LENGTH.fullmatch(length := lengths.pop()):
        raise ProtocolError("the answer does not say how long it is")
    left = int(length)
    while left:
        piece = await connection.read_some(left)
        left -= len(piece)
        yield piece


async def _chunks(connection: Connection) -> AsyncGenerator[bytes, None]:
    while True:
        match = _SIZE.fullmatch(await connection.read_line())
        if match is None:
            raise ProtocolError("the answer is cut up wrongly")
        left = int(match[1], 16)
        if left == 0:
            break
        while left:
            piece = await connection.read_some(left)
            left -= len(piece)
            yield piece
        if await connection.read_line():
            raise ProtocolError("the answer is cut up wrongly")
    for _ in range(100):
        if not await connection.read_line():
            return
    raise ProtocolError("the trailer of the answer is too long")
