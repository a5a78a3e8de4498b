"""A server for tests that says exactly what it is told to."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

CLOSE = None  # in place of an answer: the connection ends
HANG = ""  # in place of an answer: silence


class Cut(str):
    """An answer after which the connection ends."""


class Held(str):
    """An answer that is kept back until ``go`` is set."""

    def __new__(cls, answer: str) -> Held:
        held = super().__new__(cls, answer)
        held.asked, held.go = threading.Event(), threading.Event()
        return held

    asked: threading.Event
    go: threading.Event


def ok(body: str = "{}", *headers: str) -> str:
    return "\r\n".join(["HTTP/1.1 200 OK", *headers, f"Content-Length: {len(body.encode())}", "", body])


def problem(status: int, code: str, *headers: str) -> str:
    body = f'{{"code": "{code}", "detail": "it is {code}"}}'
    return "\r\n".join([f"HTTP/1.1 {status} No", *headers, f"Content-Length: {len(body)}", "", body])


class Peer:
    """Answers the requests of each connection with what the script has for that connection."""

    def __init__(self, listener: socket.socket, script: Sequence[Sequence[str | None]]) -> None:
        self.listener = listener
        self.script = [list(answers) for answers in script]
        self.requests: list[tuple[str, bytes]] = []  # head and body
        self.connections = 0
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def _serve(self) -> None:
        for answers in self.script:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection, contextlib.suppress(OSError):
                self._converse(connection, answers)

    def _converse(self, connection: socket.socket, answers: list[str | None]) -> None:
        with connection.makefile("rb") as stream:
            for answer in answers:
                if not self._take(stream):
                    return
                if answer is CLOSE:
                    return
                if answer == HANG:
                    stream.read(1)  # until the client goes
                    return
                if isinstance(answer, Held):
                    answer.asked.set()
                    answer.go.wait(60)
                connection.sendall(answer.encode("latin-1"))
                if isinstance(answer, Cut):
                    return
            stream.read(1)

    def _take(self, stream: BinaryIO) -> bool:
        head, size = "", 0
        while line := stream.readline().decode():
            if line == "\r\n":
                break
            head += line
            if line.lower().startswith("content-length:"):
                size = int(line.partition(":")[2])
        if not head:
            return False
        self.requests.append((head, stream.read(size)))
        return True


@contextlib.contextmanager
def peer(directory: Path, *script: Sequence[str | None]) -> Iterator[tuple[Peer, str]]:
    """Gives a server and its address; each argument is the answers of one connection."""
    path = directory / "s"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        server = Peer(listener, script)
        yield server, f"unix://{path}"
        listener.shutdown(socket.SHUT_RDWR)
    server.thread.join()
    path.unlink()
