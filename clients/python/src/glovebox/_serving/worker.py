"""The worker: this process as a provider of functions, over one stream to the engine.

docs/WORKER.md describes what is said. Everything here is for the loop's thread
but for what a call reports and prints.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import functools
import inspect
import json
import os
import secrets
import sys
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from .. import errors
from .._process import context
from .._process.log import logger
from .._process.time_limit import time_limit
from .._values import codec
from . import async_slots, failure, output
from .execution import Execution, Offered
from .stream import Link, ProtocolError

if TYPE_CHECKING:
    pass

__all__ = ["Connect", "Offered", "Worker"]

_logger = logger("glovebox.worker")

Json = dict[str, Any]
Connect = Callable[[], Awaitable[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]

_PROTOCOL = 1
_CAPACITY = 1024
_UNACKNOWLEDGED = 4096  # calls that have ended and of which the engine did not say so yet
_MAX_FUNCTIONS = 4096
_MAX_OFFER = 7 << 20  # bytes of all functions
_MAX_FUNCTION = 256 << 10  # bytes of one
_HANDSHAKE = 30.0  # seconds until the welcome
_PATIENCE = 1.0  # seconds for what is under way when the process ends
_PAUSES = (0.1, 10.0)  # seconds between attempts to connect again, the first and the longest


@dataclass
class _Call:
    """A call until the engine has acknowledged its end."""

    id: str
    execution: Execution | None = None
    ending: str | None = None  # the message of its end, once there is one
    page: Json | None = None  # the message of its last report, if it has one

    @property
    def is_working(self) -> bool:
        """Whether its function runs, and has not been asked to stop."""
        return self.execution is not None and not self.execution.stopped


class Worker:
    """Offers functions to one engine.

    It connects with the first offer, and again when the connection breaks. ``full``
    is called when a call has taken the last place.
    """

    def __init__(self, connect: Connect, *, private: bool = False, full: Callable[[], None] = lambda: None) -> None:
        self._connect = connect
        self._private = private  # an engine that does not come back when it is gone
        self._full = full
        self._id = secrets.token_hex(16)
        self._functions: OrderedDict[str, tuple[Offered, str]] = OrderedDict()  # with its JSON text
        self._told = 0  # of the changes of functions, those that the engine knows
        self._changes = 0
        self._calls: dict[str, _Call] = {}
        self._link: Link | None = None
        self._welcomed = False  # the engine took the last connection
        self._task: asyncio.Task[None] | None = None
        self._settled: asyncio.Event | None = None  # the first attempt to connect has ended
        self._refusal: Exception | None = None
        self._leaving = False

    @property
    def is_over(self) -> bool:
        """Whether its engine is gone, so that it can be forgotten."""
        return self._task is not None and self._task.done()

    @property
    def is_full(self) -> bool:
        """Whether the engine has no place left here."""
        return len(self._calls) >= _CAPACITY

    async def join(self, other: Worker) -> None:
        """Offers what another worker offers, and connects."""
        self._functions.update(other._functions)
        self._changes += 1
        await self._connected()

    async def offer(self, function: Offered) -> None:
        """Offers a function, from now on and on every connection. It connects first if need be.

        A function of the same id is replaced. Raises what keeps it from
        connecting, such as ServerUnavailableError.
        """
        text = _offer_text(function)
        _, before = self._functions.get(function.id, (None, None))
        self._functions[function.id] = (function, text)
        self._functions.move_to_end(function.id)
        if before != text:
            self._changes += 1
            self._forget_old()
            self._announce()
        await self._connected()

    async def close(self, *, drain: float = 0) -> None:
        """Takes no new calls, gives those under way a time to end, stops them, and leaves.

        ``drain`` is that time, in seconds.
        """
        self._leaving = True
        link, task = self._link, self._task
        if link is not None:
            link.put({"type": "drain"})  # before the ends of calls, which are those of a process that leaves
            await self._wait(drain, lambda: any(call.is_working for call in self._calls.values()))
        for call in list(self._calls):
            self._stop(call)
        if link is not None:
            link.wake_logs()
            await self._wait(_PATIENCE, lambda: bool(self._calls))
            link.put({"type": "bye"})
        if task is not None:
            await asyncio.wait([task], timeout=2 * _PATIENCE if link is not None else 0)
            task.cancel()
            await asyncio.wait([task])

    async def _wait(self, patience: float, busy: Callable[[], bool]) -> None:
        late = asyncio.get_running_loop().time() + patience
        while busy() and self._link is not None and asyncio.get_running_loop().time() < late:
            await asyncio.sleep(0.01)

    # --- what is offered ---

    def _forget_old(self) -> None:
        """Keeps within the bounds of the protocol. A function that is left out is offered again when it is called."""
        size = sum(len(text) + 2 for _, text in self._functions.values())
        while len(self._functions) > _MAX_FUNCTIONS or size > _MAX_OFFER:
            _, (_, text) = self._functions.popitem(last=False)
            size -= len(text) + 2

    def _announce(self) -> None:
        if self._link is not None and self._told != self._changes:
            self._told = self._changes
            self._link.put(f'{{"type":"offer","functions":{self._list()}}}')

    def _list(self) -> str:
        return "[" + ",".join(text for _, text in self._functions.values()) + "]"

    # --- the connection ---

    async def _connected(self) -> None:
        if self._leaving:
            raise errors.WorkerUnavailableError("this process is ending and offers no functions any more")
        if self._link is not None:
            return
        if self._task is None or self._task.done():
            self._refusal, self._settled = None, asyncio.Event()
            # In a context of its own: the first caller is no different from the others.
            self._task = contextvars.Context().run(asyncio.create_task, self._serve(self._settled))
        assert self._settled is not None
        await self._settled.wait()
        if self._refusal is not None:
            raise self._refusal

    async def _serve(self, settled: asyncio.Event) -> None:
        """Keeps a connection until we leave or the engine does not want us any more."""
        pause = _PAUSES[0]
        while not self._leaving:
            try:
                await self._speak(settled)
                return  # we said bye
            except Exception as error:
                if self._is_final(error, settled):
                    self._give_up(error)
                    settled.set()
                    return
                _logger.info("the connection over which functions are offered ended: %s; connecting again", error)
            pause = _PAUSES[0] if self._welcomed else min(2 * pause, _PAUSES[1])
            await asyncio.sleep(pause)

    def _is_final(self, error: Exception, settled: asyncio.Event) -> bool:
        """Reports whether there is no use in connecting again."""
        if not settled.is_set():
            return True
        if isinstance(error, errors.GloveboxError):
            return self._private or not error.retryable
        return False

    def _give_up(self, error: Exception) -> None:
        self._refusal = error
        if self._calls:
            _logger.warning("the engine is gone, and with it %d calls of functions: %s", len(self._calls), error)
        for call in list(self._calls):
            self._stop(call)
        self._calls.clear()

    async def _speak(self, settled: asyncio.Event) -> None:
        """Makes one connection and speaks over it to its end."""
        self._welcomed = False
        link = Link(*await self._connect())
        try:
            async with time_limit(_HANDSHAKE):
                heartbeat = await self._introduce(link)
        except BaseException:
            await link.close()
            raise
        self._link, self._welcomed = link, True
        settled.set()
        self._announce()
        for call in self._calls.values():
            if call.ending is not None:
                if call.page is not None:
                    link.put(call.page)
                link.put(call.ending)
        try:
            await link.run(heartbeat, functools.partial(self._handle, link))
        finally:
            self._link = None

    async def _introduce(self, link: Link) -> float:
        """Says hello, waits for the welcome and returns the seconds between heartbeats."""
        hello: Json = {
            "type": "hello",
            "protocol": _PROTOCOL,
            "worker": self._id,
            "name": _process_name(),
            "capacity": _CAPACITY,
            "blobs": True,
            "calls": [{"call": call, "started": True} for call in self._calls],
        }
        self._told = self._changes
        link.put(codec.dump(hello)[:-1] + f',"functions":{self._list()}}}')
        await link.send()
        answer = await link.read()
        if answer["type"] == "bye":
            raise _parting(answer)
        heartbeat = answer.get("heartbeat_seconds")
        if answer["type"] != "welcome" or not isinstance(heartbeat, int) or not 1 <= heartbeat <= 3600:
            raise errors.RequestInvalidError(
                "the server does not speak the protocol of workers that this version knows",
                hint="use a client of the version of the server",
            )
        return float(heartbeat)

    # --- messages ---

    def _handle(self, link: Link, message: Json) -> None:
        kind, call = message["type"], message.get("call")
        if kind == "bye":
            raise _parting(message)
        if not isinstance(call, str):
            return
        if kind == "call":
            self._begin(link, call, message)
        elif kind == "cancel":
            self._stop(call)
        elif kind == "ack":
            self._acknowledged(call)

    def _begin(self, link: Link, call_id: str, message: Json) -> None:
        if call_id in self._calls:
            return  # a repetition
        if len(self._calls) >= _CAPACITY + _UNACKNOWLEDGED:
            raise ProtocolError("the engine has more calls under way than were agreed")
        call = self._calls[call_id] = _Call(call_id)
        if self.is_full:
            self._full()
        found = self._functions.get(str(message.get("function")))
        if self._leaving:
            return self._refuse(call_id, "this process is ending and takes no calls any more")
        if found is None:
            return self._refuse(call_id, f"this process does not offer function {message.get('function')!r}")
        self._prepare(call, found[0], message)
        if inspect.iscoroutinefunction(found[0].call):
            async_slots.slots.enter(call_id, str(message.get("run")), lambda: self._start(call))
        else:
            self._start(call)

    def _refuse(self, call_id: str, why: str) -> None:
        self._report(call_id, failure.failed("worker_unavailable", why, outcome="not_started"))

    def _prepare(self, call: _Call, function: Offered, message: Json) -> None:
        invocation = context.Invocation(str(message.get("run") or ""), str(message.get("idempotency_key") or ""))
        loop = asyncio.get_running_loop()
        sink = output.Sink(functools.partial(self._print, call), threading.get_ident())
        call.execution = Execution(
            function,
            invocation,
            message.get("inputs") or {},
            sink,
            lambda ending: _soon(loop, lambda: self._report(call.id, ending)),
            functools.partial(self._publish, call),
        )

    def _start(self, call: _Call) -> None:
        assert call.execution is not None
        if self._link is not None:
            self._link.put_soon(f'{{"type":"started","call":{json.dumps(call.id)}}}')
        try:
            call.execution.start()
        except RuntimeError as error:
            self._report(
                call.id, failure.failed("overloaded", f"no thread for the function: {error}", outcome="not_started")
            )

    def _stop(self, call_id: str) -> None:
        call = self._calls.get(call_id)
        if call is None or call.execution is None:
            return
        call.execution.stop()
        if async_slots.slots.leave(call_id):
            self._report(call_id, failure.failed("canceled", "it was stopped before its turn", outcome="not_started"))
        if self._link is not None:
            self._link.wake_logs()

    def _acknowledged(self, call_id: str) -> None:
        call = self._calls.get(call_id)
        if call is not None and call.ending is not None:
            del self._calls[call_id]

    def _report(self, call_id: str, ending: str | Json) -> None:
        """Sends the end of a call, and keeps it until it is acknowledged."""
        async_slots.slots.leave(call_id)
        call = self._calls.get(call_id)
        if call is None:
            return  # given up
        call.execution = None
        call.ending = _ending_message(call_id, ending)
        if self._link is not None:
            self._link.put(call.ending)

    def _print(self, call: _Call, stream: output.StreamName, text: str) -> None:
        """Sends what a call printed, from its thread. Without a connection it is lost."""
        link, execution = self._link, call.execution
        if link is not None and execution is not None:
            link.log({"type": "log", "call": call.id, "stream": stream, "text": text}, lambda: execution.stopped)

    def _publish(self, call: _Call, page: str, last: bool) -> None:
        """Sends a report of a call, from its thread. The last one is kept until the engine has the end of the call."""
        message: Json = {"type": "report", "call": call.id, "html": output.readable(page), "last": last}
        if last:
            call.page = message
        link, execution = self._link, call.execution
        if link is not None and execution is not None:
            link.log(message, lambda: execution.stopped)


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    with contextlib.suppress(RuntimeError):  # the loop is closed: the process ends
        loop.call_soon_threadsafe(call)


def _ending_message(call_id: str, ending: str | Json) -> str:
    if isinstance(ending, str):
        return f'{{"type":"result","call":{json.dumps(call_id)},"outputs":{ending}}}'
    return codec.dump({"type": "failure", "call": call_id, **ending})


def _offer_text(function: Offered) -> str:
    text = codec.dump({"id": function.id, "task": function.definition})
    size = len(text.encode())
    if size > _MAX_FUNCTION:
        name = function.definition.get("name")
        raise ValueError(f"task {name!r}: its signature takes {size} bytes; at most {_MAX_FUNCTION} can be offered")
    return text


def _parting(message: Mapping[str, Any]) -> Exception:
    """Returns why the engine said bye."""
    error = message.get("error")
    if isinstance(error, Mapping):
        return errors.from_problem(cast("Mapping[str, Any]", error))
    return ProtocolError("the engine ended the session")


def _process_name() -> str:
    """Returns what people see of this process in the list of workers."""
    program = os.path.basename(sys.argv[0]) if sys.argv and sys.argv[0] else "python"
    printable = "".join(c if c.isascii() and c.isprintable() else "?" for c in program)
    return f"{printable[:100]} ({os.getpid()})"
