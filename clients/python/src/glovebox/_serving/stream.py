"""One connection to the engine over which functions are offered: docs/WORKER.md.

A link carries messages, one a line, and knows whether the other side lives.
What the messages mean is the business of ``_worker``.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, cast

from .._values import codec

Json = dict[str, Any]

MAX_LINE = 64 << 20  # bytes, with the line end
_CHUNK = 64 << 10  # bytes of one write, so that a slow connection does not look dead
_MISSED_BEATS = 3
_FAREWELL = 1.0  # seconds for the engine to close the connection after our bye
_MAX_WAITING = 1 << 16  # messages that wait to be sent; more than the calls of an honest engine make
_SOON = 0.002  # seconds until a message is sent that can wait
_MAX_LOGS = 64  # log messages that may wait; a call that prints more waits, too


class ProtocolError(Exception):
    """The engine sent what the protocol does not allow."""


class Link:
    """Lines to and from the engine. All but ``log`` is for the loop's thread."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._loop = asyncio.get_running_loop()
        self._incoming = bytearray()
        self._searched = 0  # bytes of incoming that hold no line end
        self._outgoing: deque[bytes | None] = deque()  # None is the end of a log, which gives its room back
        self._logs = _Logs(_MAX_LOGS)
        self._held = b""  # lines that go out with the next one
        self._sending_held: asyncio.TimerHandle | None = None
        self._wake = asyncio.Event()
        self._parting = False
        self._writing = False
        self._read_bytes = 0
        self._written_bytes = 0

    def put(self, message: Json | str) -> None:
        """Queues a message, given as an object or as JSON text. After a bye, nothing is sent."""
        if self._parting:
            return
        self._take_logs()
        text = message if isinstance(message, str) else codec.dump(message)
        self._write(self._released() + text.encode() + b"\n")
        self._parting = not isinstance(message, str) and message.get("type") == "bye"

    def put_soon(self, text: str) -> None:
        """Queues a message that can wait. It goes with the next one, which saves both sides a turn."""
        if self._parting:
            return
        self._held += text.encode() + b"\n"
        if self._sending_held is None:
            self._sending_held = self._loop.call_later(_SOON, lambda: self._write(self._released()))

    def _released(self) -> bytes:
        held, self._held = self._held, b""
        if self._sending_held is not None:
            self._sending_held.cancel()
            self._sending_held = None
        return held

    def _write(self, lines: bytes) -> None:
        if self._is_idle and len(lines) <= _CHUNK:
            self._writer.write(lines)
            self._written_bytes += _CHUNK
        else:
            self._outgoing.append(lines)
        self._wake.set()

    @property
    def _is_idle(self) -> bool:
        """Whether a line can go out without waiting for others, and for a turn of the task that sends."""
        return not (self._outgoing or self._writing or self._writer.transport.get_write_buffer_size())

    def log(self, message: Json, given_up: Callable[[], bool]) -> None:
        """Queues a log message from the thread of a call.

        It waits while too many are queued, but not once the connection has ended
        or the call is given up; then the text is lost.
        """
        if not self._logs.put(codec.dump(message).encode() + b"\n", given_up):
            return
        with contextlib.suppress(RuntimeError):  # the loop is closed: the process ends
            self._loop.call_soon_threadsafe(self._take_logs)

    def wake_logs(self) -> None:
        """Wakes the threads that wait in log, to see whether their calls are given up."""
        self._logs.wake()

    def _take_logs(self) -> None:
        lines = self._logs.take()
        if lines and self._held:
            self._outgoing.append(self._released())
        for line in lines:
            self._outgoing.extend((line, None))
            self._wake.set()

    async def read(self) -> Json:
        """Waits for the next message. Raises ConnectionError at the end of the stream."""
        line = await self._line()
        try:
            message = codec.loads(line.decode())
        except ValueError as error:
            raise ProtocolError(f"the engine sent a line that is no JSON: {error}") from None
        if not isinstance(message, dict) or not isinstance(cast(Json, message).get("type"), str):
            raise ProtocolError("the engine sent a line that is no message")
        return cast(Json, message)

    async def _line(self) -> bytes:
        while True:
            end = self._incoming.find(b"\n", self._searched)
            if end >= 0:
                line = bytes(self._incoming[:end])
                del self._incoming[: end + 1]
                self._searched = 0
                return line
            self._searched = len(self._incoming)
            if self._searched >= MAX_LINE:
                raise ProtocolError(f"the engine sent a line of more than {MAX_LINE} bytes")
            part = await self._reader.read(_CHUNK)
            if not part:
                raise ConnectionResetError("the engine closed the connection")
            self._read_bytes += len(part)
            self._incoming += part

    async def run(self, heartbeat: float, handle: Callable[[Json], None]) -> None:
        """Sends what is queued and hands over what comes until the connection ends, and closes it.

        ``heartbeat`` is in seconds. It returns after a bye of ours, and raises
        what ended the connection otherwise.
        """
        parts = [asyncio.create_task(part) for part in (self._send(), self._receive(handle), self._watch(heartbeat))]
        try:
            await asyncio.wait(parts, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for part in parts:
                part.cancel()
            ends = await asyncio.gather(*parts, return_exceptions=True)
            await self.close()
        for end in ends:
            if isinstance(end, BaseException) and not isinstance(end, asyncio.CancelledError):
                raise end

    async def close(self) -> None:
        """Closes the connection. Threads that wait in log return."""
        self._logs.close()
        self._released()
        if self._writer.transport.get_write_buffer_size():
            self._writer.transport.abort()  # an engine that has not read it by now might never do so
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def send(self) -> None:
        """Sends what is queued now."""
        while self._outgoing:
            line = self._outgoing.popleft()
            if line is None:
                self._logs.sent()
                continue
            self._writing = True
            for at in range(0, len(line), _CHUNK):
                self._writer.write(line[at : at + _CHUNK])
                await self._writer.drain()
                self._written_bytes += _CHUNK
            self._writing = False

    async def _send(self) -> None:
        while True:
            await self.send()
            if self._parting:
                # Closing immediately could make the engine lose what it has not read yet.
                await asyncio.sleep(_FAREWELL)
                return
            self._wake.clear()
            await self._wake.wait()

    async def _receive(self, handle: Callable[[Json], None]) -> None:
        while True:
            try:
                message = await self.read()
            except ConnectionError:
                if self._parting:
                    return
                raise
            if message["type"] == "ping":
                self.put({"type": "pong"})
            elif message["type"] != "pong":
                handle(message)
            if len(self._outgoing) > _MAX_WAITING:
                raise ProtocolError("the engine asks, and does not take the answers")

    async def _watch(self, heartbeat: float) -> None:
        """Asks for a sign of life at each beat; ends the connection when none comes for some of them."""
        silent = stuck = read = written = 0
        while True:
            await asyncio.sleep(heartbeat)
            silent = silent + 1 if self._read_bytes == read else 0
            stuck = stuck + 1 if self._writing and self._written_bytes == written else 0
            read, written = self._read_bytes, self._written_bytes
            if silent >= _MISSED_BEATS or stuck >= _MISSED_BEATS:
                raise TimeoutError(f"the engine was silent for {_MISSED_BEATS * heartbeat:g} s")
            if not self._writing:
                self.put({"type": "ping"})


class _Logs:
    """The log messages that wait to be sent, of which there are not too many; threads wait for room.

    A thread of a call that has to stop gets an exception wherever it is. So
    the messages themselves count, and nothing that it would have to give back.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._put: deque[bytes] = deque()
        self._taken = 0  # and not sent
        self._closed = False
        self._lock = threading.RLock()  # "with" of a condition could be interrupted when it has the lock already
        self._changed = threading.Condition(self._lock)

    def put(self, line: bytes, given_up: Callable[[], bool]) -> bool:
        """Adds one when there is room, and reports whether it did."""
        try:
            return self._put_in(line, given_up)
        except RuntimeError as error:
            # It was stopped when wait did not have the lock again, so that "with" had none to give back.
            raise error.__context__ or error from None

    def _put_in(self, line: bytes, given_up: Callable[[], bool]) -> bool:
        with self._lock:
            while self._is_full() and not self._closed and not given_up():
                self._changed.wait()
            if self._closed or self._is_full():
                return False
            self._put.append(line)
            return True

    def take(self) -> list[bytes]:
        """Returns those that have come. They count until they are sent."""
        with self._lock:
            lines = list(self._put)
            self._put.clear()
            self._taken += len(lines)
            return lines

    def sent(self) -> None:
        with self._lock:
            self._taken -= 1
            self._changed.notify()

    def wake(self) -> None:
        with self._lock:
            self._changed.notify_all()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._changed.notify_all()

    def _is_full(self) -> bool:
        return len(self._put) + self._taken >= self._most
