"""A connection to the evaluator, which speaks in frames: a kind, a length, a body."""

from __future__ import annotations

import os
import socket
import struct
import time

# From this process.
EVALUATE, RETURNED, FAILED = b"E", b"A", b"F"
# To it.
CALLING, GIVEN_UP, WAITING, ENDED = ord("C"), ord("X"), ord("W"), ord("R")

MAX_FRAME = 64 << 20  # bytes of the body of a frame to the evaluator
_HEAD = struct.Struct("<BI")
_TASK = struct.Struct("<I")
_CALL = struct.Struct("<Q")
_CALLED = struct.Struct("<QH")
_PIECE = 64 << 10  # bytes
_MOST = 1 << 20  # bytes of one read
# An answer that comes while this thread looks for it needs no wake-up by the kernel, which takes longer than most.
_LOOK_FOR = 50e-6  # seconds


class LinkClosedError(Exception):
    """The other end has closed the connection."""


class Link:
    """One connection. It has one evaluation at a time, and is used by one thread at a time."""

    def __init__(self, end: socket.socket) -> None:
        self._socket = end
        self._read = b""
        self._at = 0  # what of it is taken

    def fileno(self) -> int:
        """Returns the descriptor, for those who wait for several."""
        return self._socket.fileno()

    @property
    def waits(self) -> bool:
        """Whether something was read that is not taken yet."""
        return self._at < len(self._read)

    def send(self, data: bytes) -> None:
        """Sends frames. LinkClosedError if nobody reads them any more."""
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise LinkClosedError(str(error)) from None

    def receive(self) -> tuple[int, bytes]:
        """Waits for a frame and returns its kind and its body."""
        kind, size = _HEAD.unpack(self._take(_HEAD.size))
        return kind, self._take(size)

    def abort(self) -> None:
        """Ends what reads and writes here, in any thread. The evaluator ends its evaluation."""
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:  # it is closed
            pass

    def close(self) -> None:
        """Ends the connection, also where a child that was forked off has its descriptor."""
        self.abort()
        self._socket.close()

    def forget(self) -> None:
        """Lets go of it in a process that was forked off, whose parent still uses it."""
        self._socket.close()

    def _take(self, size: int) -> bytes:
        if len(self._read) - self._at < size:
            self._fill(size)
        at = self._at
        self._at = at + size
        return self._read[at : self._at]

    def _fill(self, size: int) -> None:
        pieces = [self._read[self._at :]]
        have = len(pieces[0])
        while have < size:
            piece = self._piece(min(max(_PIECE, size - have), _MOST))
            pieces.append(piece)
            have += len(piece)
        self._read, self._at = b"".join(pieces), 0

    def _piece(self, most: int) -> bytes:
        try:
            piece = self._received(most)
        except OSError as error:
            raise LinkClosedError(str(error)) from None
        if not piece:
            raise LinkClosedError("it closed the connection")
        return piece

    def _received(self, most: int) -> bytes:
        """Reads what is there, and waits for something if nothing is."""
        until = time.perf_counter() + _LOOK_FOR
        while True:
            try:
                return self._socket.recv(most, socket.MSG_DONTWAIT)
            except BlockingIOError:
                if time.perf_counter() > until:
                    return self._socket.recv(most)
                os.sched_yield()  # the evaluator may need this processor


def evaluate_frame(task: bytes, inputs: bytes) -> bytes:
    """Returns the frame that begins an evaluation."""
    size = _TASK.size + len(task) + len(inputs)
    return b"".join((_HEAD.pack(EVALUATE[0], size), _TASK.pack(len(task)), task, inputs))


def answer_frame(kind: bytes, call: int, text: bytes) -> bytes:
    """Returns the frame that ends a call."""
    return _HEAD.pack(kind[0], _CALL.size + len(text)) + _CALL.pack(call) + text


def call_of(body: bytes) -> tuple[int, str, bytes]:
    """Returns the id of a call, the name of its tool, and its inputs as JSON."""
    call, size = _CALLED.unpack_from(body)
    begin = _CALLED.size + size
    return call, body[_CALLED.size : begin].decode(), body[begin:]


def id_of(body: bytes) -> int:
    """Returns the id of a call that was given up."""
    return int(_CALL.unpack(body)[0])
