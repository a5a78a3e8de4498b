"""Ways to servers in the cell of a session."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from dataclasses import dataclass, field

from .._process.loop import syncify_method
from ._access import Access

_PIECE = 64 << 10  # bytes
_PROTOCOL = "glovebox-port"
_joins: set[asyncio.Task[None]] = set()  # a loop keeps no task by itself


@dataclass(frozen=True)
class Port:
    """An open port of a session, made by ``Session.open_port``.

    ``url`` is where the server answers for it, empty if it has no address. A request shows ``token`` in the header
    ``Glovebox-Port-Token``, or once in the parameter ``glovebox_port_token``, unless the port is ``public``.
    """

    __module__ = "glovebox.session"  # where users find it

    number: int
    url: str
    public: bool
    token: str = field(repr=False)
    _access: Access = field(repr=False, compare=False)

    @syncify_method
    async def close(self) -> None:
        """Closes it, and ends the connections to it."""
        await self._access.ask("DELETE", f"/ports/{self.number}", repeat=True)


async def opened(access: Access, port: int, public: bool) -> Port:
    """Opens a port."""
    answer = await access.ask("PUT", f"/ports/{port}", {"public": public}, repeat=True)
    return Port(port, str(answer.get("url") or ""), bool(answer.get("public")), str(answer.get("token")), access)


async def dialed(access: Access, port: int) -> socket.socket:
    """Connects to a port, and returns a socket whose other end leads there."""
    there = await access.connect(f"/ports/{port}/connect", _PROTOCOL)
    try:
        ours, near = socket.socketpair()
    except BaseException:
        there[1].close()
        raise
    try:
        near.setblocking(False)
        here = await asyncio.open_connection(sock=near)
    except BaseException:
        ours.close()
        near.close()
        there[1].close()
        raise
    join = asyncio.create_task(_join(here, there))
    _joins.add(join)
    join.add_done_callback(_joins.discard)
    return ours


_Way = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _join(here: _Way, there: _Way) -> None:
    """Carries bytes both ways until both have ended, or one is broken."""
    copies = [asyncio.create_task(_copy(here[0], there[1])), asyncio.create_task(_copy(there[0], here[1]))]
    try:
        with contextlib.suppress(OSError):
            await asyncio.gather(*copies)
    finally:
        for copy in copies:
            copy.cancel()
        await asyncio.gather(*copies, return_exceptions=True)
        for _, writer in (here, there):
            writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(_PIECE):
        writer.write(data)
        await writer.drain()
    if not writer.can_write_eof():  # TLS, which ends in both directions or in none
        raise ConnectionError("the connection has ended")
    writer.write_eof()
