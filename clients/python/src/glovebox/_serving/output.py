"""What functions print: through to the terminal, and into the logs of their runs.

While calls run, sys.stdout and sys.stderr are replaced by streams that pass
everything on to the ones before, and copy what the code of a call prints. Whose
code it is, a context variable says: that of the call's own thread and of its
asyncio tasks, not of threads that it starts by itself.
"""

from __future__ import annotations

import codecs
import contextlib
import contextvars
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterable
from typing import Any, Literal, cast

from .._process.fork import in_children

StreamName = Literal["stdout", "stderr"]

PIECE = 32 << 10  # characters of one log message, at most
_KEPT = 8  # streams of ours that were put away, of each name


def readable(text: str) -> str:
    """Returns text with U+FFFD for what is no character: half of a surrogate pair."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class Sink:
    """Takes what one call prints and sends it in lines, or in pieces of long ones.

    ``send`` gets the name of the stream and at most PIECE characters. It may wait
    until there is room. Nothing is sent from ``deaf``, the thread that carries
    all input and output, nor from a process that was forked off.
    """

    def __init__(self, send: Callable[[StreamName, str], None], deaf: int) -> None:
        self._send = send
        self._deaf = deaf
        self._process = os.getpid()
        self._lock = threading.RLock()  # a signal handler may print while its thread prints
        self._closed = False
        self._rest: dict[StreamName, list[str]] = {"stdout": [], "stderr": []}
        self._size: dict[StreamName, int] = {"stdout": 0, "stderr": 0}
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {"stdout": decoder("replace"), "stderr": decoder("replace")}

    def write(self, stream: StreamName, text: str) -> None:
        """Takes text. It is sent when its line is complete."""
        if self._is_deaf() or not text:
            return
        with self._lock:
            if self._closed:
                return
            self._rest[stream].append(text)
            self._size[stream] += len(text)
            if "\n" in text or self._size[stream] >= PIECE:
                self._send_rest(stream)

    def write_bytes(self, stream: StreamName, data: bytes) -> None:
        """Takes bytes in UTF-8; what is none becomes U+FFFD."""
        if self._is_deaf():
            return
        with self._lock:
            text = self._decoders[stream].decode(data)
            self.write(stream, text)

    def flush(self, stream: StreamName) -> None:
        """Sends what there is of a line."""
        if self._is_deaf():
            return
        with self._lock:
            self._send_rest(stream)

    def close(self) -> None:
        """Sends the rest. What comes later is dropped: the call has ended."""
        with self._lock:
            for stream in ("stdout", "stderr"):
                self.write(stream, self._decoders[stream].decode(b"", True))
                self._send_rest(stream)
            self._closed = True

    def _is_deaf(self) -> bool:
        return threading.get_ident() == self._deaf or os.getpid() != self._process

    def _send_rest(self, stream: StreamName) -> None:
        text = "".join(self._rest[stream])
        self._rest[stream], self._size[stream] = [], 0
        for at in range(0, len(text), PIECE):
            self._send(stream, readable(text[at : at + PIECE]))


_sink: contextvars.ContextVar[Sink | None] = contextvars.ContextVar("glovebox_sink", default=None)


def _pass_on(call: Callable[..., Any], *arguments: object) -> Any:
    """Calls a stream below, from which another one of ours may follow: that one copies nothing, as the first does."""
    token = _sink.set(None)
    try:
        return call(*arguments)
    finally:
        _sink.reset(token)


class _Copying:
    """A stream that passes on what it gets, and copies it to the sink of the caller."""

    def __init__(self, below: Any, stream: StreamName) -> None:
        self.below = below
        self._stream: StreamName = stream

    def write(self, data: Any, /) -> int:
        count = _pass_on(self.below.write, data)
        sink = _sink.get()
        if sink is not None:
            self._copy(sink, data)
        return cast(int, count)

    def _copy(self, sink: Sink, data: Any) -> None:
        raise NotImplementedError

    def writelines(self, lines: Iterable[Any], /) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        _pass_on(self.below.flush)
        sink = _sink.get()
        if sink is not None:
            sink.flush(self._stream)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.below, name)


class _BytesTee(_Copying):
    """The bytes below a text stream."""

    def _copy(self, sink: Sink, data: Any) -> None:
        sink.write_bytes(self._stream, bytes(data))


class _Tee(_Copying):
    """A text stream."""

    def __init__(self, below: Any, stream: StreamName) -> None:
        super().__init__(below, stream)
        self._bytes: _BytesTee | None = None

    def _copy(self, sink: Sink, data: Any) -> None:
        sink.write(self._stream, data)

    @property
    def buffer(self) -> Any:
        below = self.below.buffer  # AttributeError where it has none, as without us
        if self._bytes is None or self._bytes.below is not below:
            self._bytes = _BytesTee(below, self._stream)
        return self._bytes


class _Installation:
    """Replaces the streams while there are calls.

    Code may replace them, too, and put ours back when we are gone: then ours
    stays, passes on, and is used again for the next call. Each call begins with
    streams of ours, whatever others have put there since the one before it began,
    which may run for long. So output that a call redirects while another one begins
    can be in its logs.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callers: set[threading.Thread] = set()
        # The last ones, the latest at the end. CPython's print() does not hold the stream that it
        # writes to (gh-130163), so ours must not go when it is put away: somebody may be printing.
        self._kept: dict[StreamName, list[_Tee]] = {"stdout": [], "stderr": []}

    def enter(self) -> None:
        """Replaces the streams for a call of this thread."""
        with self._lock:
            self._callers.add(threading.current_thread())
            for name in self._kept:
                stream = getattr(sys, name)
                if stream is not None and not isinstance(stream, _Tee):
                    setattr(sys, name, self._tee(name, stream))

    def leave(self) -> None:
        """Puts them back if the call of this thread was the last one."""
        with self._lock:
            # A thread that has ended has no call, however it ended.
            self._callers = {t for t in self._callers if t.is_alive() and t is not threading.current_thread()}
            if self._callers:
                return
            for name in self._kept:
                stream = getattr(sys, name)
                if isinstance(stream, _Tee):
                    setattr(sys, name, stream.below)

    def _tee(self, name: StreamName, below: Any) -> _Tee:
        """Returns the one above a stream, which is the same as before if there was one lately."""
        kept = self._kept[name]
        tee = next((tee for tee in kept if tee.below is below), None) or _Tee(below, name)
        self._kept[name] = [*(other for other in kept if other is not tee), tee][-_KEPT:]
        return tee


_installation = _Installation()


def _renew() -> None:
    """In a child that was forked off, whose lock may be held by a thread that is not there."""
    global _installation
    _installation = _Installation()


in_children(_renew)


@contextlib.contextmanager
def captured(sink: Sink) -> Generator[None, None, None]:
    """Copies what the calling code prints to sink, and sends the rest at its end."""
    _installation.enter()
    token = _sink.set(sink)
    try:
        yield
    finally:
        _sink.reset(token)
        _installation.leave()
        sink.close()
