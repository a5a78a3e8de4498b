"""The engine's side of the worker protocol, by hand, for tests."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import json
import queue
import socket
from collections.abc import Callable, Iterator
from typing import Any

from glovebox._process.loop import run_sync
from glovebox._serving.execution import Offered
from glovebox._serving.worker import Worker
from glovebox._values.types import Param, Signature, Type

Json = dict[str, Any]
PATIENCE = 300.0  # seconds after which a test fails instead of hanging


class Peer:
    """One connection of a worker, seen from the engine."""

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(PATIENCE)
        self._sock = sock
        self._file = sock.makefile("rb")

    def send(self, **message: Any) -> None:
        self._sock.sendall(json.dumps(message).encode() + b"\n")

    def send_raw(self, data: bytes) -> None:
        self._sock.sendall(data)

    def receive(self, *kinds: str) -> Json:
        """Returns the next message; of those kinds, if some are given."""
        while True:
            line = self._file.readline()
            if not line:
                raise EOFError
            message: Json = json.loads(line)
            if not kinds or message["type"] in kinds:
                return message

    def until(self, kind: str) -> list[Json]:
        """Returns the messages up to one of that kind, and that one."""
        messages = [self.receive()]
        while messages[-1]["type"] != kind:
            messages.append(self.receive())
        return messages

    def welcome(self, heartbeat: int = 3600) -> Json:
        hello = self.receive()
        assert hello["type"] == "hello"
        self.send(type="welcome", session="s", heartbeat_seconds=heartbeat)
        return hello

    def call(self, call: str, function: str, **inputs: Any) -> None:
        self.send(
            type="call",
            call=call,
            run=f"run-{call}",
            function=function,
            inputs=inputs,
            timeout_ns=10**12,
            idempotency_key="key",
        )

    def end(self, call: str) -> Json:
        """Returns the message that ends the call, and acknowledges it."""
        message = self.receive("result", "failure")
        assert message["call"] == call
        self.send(type="ack", call=call)
        return message

    def close(self) -> None:
        self._file.close()
        self._sock.close()

    def part(self) -> None:
        """Waits for the bye, and closes as the engine does."""
        with contextlib.suppress(EOFError, OSError, ValueError):  # closed already
            self.receive("bye")
        self.close()


class FakeEngine:
    """Takes the connections of workers."""

    def __init__(self) -> None:
        self._sockets: queue.Queue[socket.socket] = queue.Queue()
        self._threads = concurrent.futures.ThreadPoolExecutor()
        self._peers: list[Peer] = []
        self.refuse: list[Exception] = []  # what the next attempts to connect raise

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self.refuse:
            raise self.refuse.pop(0)
        here, there = socket.socketpair()
        self._sockets.put(there)
        return await asyncio.open_connection(sock=here)

    def accept(self) -> Peer:
        peer = Peer(self._sockets.get(timeout=PATIENCE))
        self._peers.append(peer)
        return peer

    def offer(self, worker: Worker, function: Offered) -> concurrent.futures.Future[None]:
        return self._threads.submit(lambda: run_sync(worker.offer(function)))

    def connected(self, worker: Worker, *functions: Offered) -> Peer:
        """Offers the functions and returns the connection that is ready for calls."""
        first = self.offer(worker, functions[0])
        peer = self.accept()
        peer.welcome()
        first.result(PATIENCE)
        for function in functions[1:]:
            run_sync(worker.offer(function))
            peer.receive("offer")
        return peer

    def close(self) -> None:
        for peer in self._peers:
            peer.part()
        self._threads.shutdown()


@contextlib.contextmanager
def fake_engine() -> Iterator[tuple[FakeEngine, Worker]]:
    """An engine and a worker that is not connected yet."""
    engine = FakeEngine()
    worker = Worker(engine.connect)
    try:
        yield engine, worker
    finally:
        leaving = engine._threads.submit(lambda: run_sync(worker.close()))
        engine.close()
        leaving.result(PATIENCE)


def offered(call: Callable[..., Any], inputs: str = "", output: str = "int", name: str = "") -> Offered:
    """A function to offer, with inputs such as "x:int y:str"."""
    params = tuple(Param(n, Type(kind)) for n, kind in (p.split(":") for p in inputs.split()))
    outputs = (Param("o0", Type(output)),) if output else ()
    name = name or getattr(call, "__name__", "function")
    signature = {
        "inputs": [{"name": p.name, "type": str(p.type)} for p in params],
        "outputs": [{"name": p.name, "type": str(p.type)} for p in outputs],
    }
    return Offered(name, {"name": name, "signature": signature}, Signature(params, outputs), call)
