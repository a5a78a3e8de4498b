"""Streams of an engine, cut into what they consist of."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass

MAX_MESSAGE = 64 << 20  # bytes of one message, all its lines together


@dataclass
class Message:
    """One message of a stream of server-sent events."""

    id: str = ""
    kind: str = ""
    data: bytes | None = None
    size: int = 0

    def take(self, line: bytes) -> None:
        """Takes one line of the message in; one that begins with a colon is a comment."""
        self.size += len(line)
        if self.size > MAX_MESSAGE:
            raise ValueError(f"a message of the stream is longer than {MAX_MESSAGE} bytes")
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"id":
            self.id = value.decode("utf-8", "replace")
        elif name == b"event":
            self.kind = value.decode("utf-8", "replace")
        elif name == b"data":
            self.data = value if self.data is None else self.data + b"\n" + value


async def messages(pieces: AsyncIterator[bytes]) -> AsyncGenerator[Message, None]:
    """Yields the messages that have data. One without its end is not one."""
    message = Message()
    async for line in lines(pieces):
        if line:
            message.take(line)
            continue
        if message.data is not None:
            yield message
        message = Message()


async def lines(pieces: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """Yields the lines of a stream without their ends. One that is cut off is not one."""
    rest: list[bytes] = []  # of a line whose end has not come
    size = 0
    async for piece in pieces:
        first, *others = piece.split(b"\n")
        size += len(first)
        if size > MAX_MESSAGE:
            raise ValueError(f"a line of the stream is longer than {MAX_MESSAGE} bytes")
        rest.append(first)
        for following in others:
            yield b"".join(rest).removesuffix(b"\r")
            rest, size = [following], len(following)
