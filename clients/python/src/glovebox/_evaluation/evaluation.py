"""One evaluation: asks for it, calls the tools that the code calls, and returns its result."""

from __future__ import annotations

import collections
import contextlib
import select
import socket
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol, cast

from .._serving.interruptible import Stopped
from .._values.codec import BadValue, loads
from .._values.type_guards import object_in
from ..errors import InvalidInputError, RequestTooLargeError
from .call import Call, Plain, Threaded
from .evaluator import current
from .link import (
    CALLING,
    ENDED,
    GIVEN_UP,
    MAX_FRAME,
    WAITING,
    Link,
    LinkClosedError,
    answer_frame,
    call_of,
    evaluate_frame,
    id_of,
)
from .program import Program
from .tool import Answer, Tool

Json = dict[str, Any]

_KEPT_CAUSES = 64


class Begin(Protocol):
    """Begins a call of an async tool; done gets its end, in any thread."""

    def __call__(
        self, tool: Tool, arguments: bytes, done: Callable[[Answer, BaseException | None], None], /
    ) -> Call: ...


class Evaluation:
    """One evaluation, for one thread, but for ``stop``.

    A tool that is called alone is called in this thread, several at once each in
    a thread of its own. ``begin`` calls async ones; by default each in a thread
    with a loop of its own.
    """

    def __init__(self, program: Program, inputs: Mapping[str, Any], begin: Begin = Threaded) -> None:
        self._program = program
        self._frame = _first_frame(program, inputs)
        self._begin = begin
        self._link: Link | None = None
        self._stopping = threading.Lock()
        self._stopped = False
        self._here = Plain()  # the call that is made in this thread
        self._begun: list[tuple[int, str, bytes]] = []  # calls that wait for the code to wait
        self._under: dict[int, Call] = {}
        self._causes: collections.OrderedDict[int, BaseException] = collections.OrderedDict()
        self._answers: collections.deque[bytes] = collections.deque()
        self._wake: tuple[socket.socket, socket.socket] | None = None

    def run(self) -> Json:
        """Evaluates, and returns ``outputs``, ``stdout`` and ``error`` as far as there are."""
        try:
            kind, body = self._started()
            while kind != ENDED:
                self._take(kind, body)
                kind, body = self._next()
            self._release()
            return cast("Json", loads(body))
        except LinkClosedError as error:
            if self._stopped:
                raise Stopped from None
            raise current().gone(error) from None
        finally:
            self._end()

    def stop(self) -> None:
        """Ends it, from another thread: ``run`` raises Stopped."""
        with self._stopping:
            self._stopped = True
            if self._link is not None:
                self._link.abort()
        self._here.stop()

    def cause(self, error: Mapping[str, Any]) -> BaseException | None:
        """Returns what a tool raised here that the error of this evaluation comes from."""
        call = object_in(object_in(error, "details"), "call")
        return self._causes.get(call.get("id", 0))

    def _started(self) -> tuple[int, bytes]:
        """Sends what is to be evaluated, and returns the first frame that comes.

        The evaluator may have ended since it was used last. Nothing was called
        then, so it is sent again, to another one.
        """
        for last in (False, True):
            link = current().take()
            with self._stopping:
                if self._stopped:
                    link.close()
                    raise Stopped
                self._link = link
            try:
                link.send(self._frame)
                return link.receive()
            except LinkClosedError:
                if last or self._stopped:
                    raise
                link.close()
                current().await_end()
        raise AssertionError("unreachable")

    def _release(self) -> None:
        """Gives the connection back, which is as it was before."""
        with self._stopping:
            link, self._link = self._link, None
        if link is not None and not self._stopped:
            current().give(link)
        elif link is not None:
            link.close()

    def _end(self) -> None:
        for call in self._under.values():
            call.stop()
        with self._stopping:
            link, self._link = self._link, None
        if link is not None:
            link.close()
        wake, self._wake = self._wake, None
        for end in wake or ():
            end.close()

    def _take(self, kind: int, body: bytes) -> None:
        if kind == CALLING:
            self._begun.append(call_of(body))
        elif kind == GIVEN_UP:
            self._give_up(id_of(body))
        elif kind == WAITING:
            self._call()

    def _give_up(self, call: int) -> None:
        self._begun = [begun for begun in self._begun if begun[0] != call]
        under = self._under.pop(call, None)
        if under is not None:
            under.stop()

    def _call(self) -> None:
        """Makes the calls that were begun. One alone is made here."""
        begun, self._begun = self._begun, []
        if len(begun) == 1 and not self._under:
            call, name, arguments = begun[0]
            tool = self._program.tools[name]
            if not tool.is_async:
                answer, raised = self._here.make(tool, arguments)
                self._remember(call, raised)
                self._send(answer_frame(answer[0], call, answer[1]))
                return
        for call, name, arguments in begun:
            tool = self._program.tools[name]
            begin = self._begin if tool.is_async else Threaded
            self._under[call] = begin(tool, arguments, self._done(call))

    def _done(self, call: int) -> Callable[[Answer, BaseException | None], None]:
        if self._wake is None:
            self._wake = socket.socketpair()
            for end in self._wake:
                end.setblocking(False)
        wake = self._wake[1]

        def done(answer: Answer, raised: BaseException | None) -> None:
            self._remember(call, raised)
            self._answers.append(answer_frame(answer[0], call, answer[1]))
            with contextlib.suppress(OSError):  # it is full, which wakes as well, or nobody waits any more
                wake.send(b"\0")

        return done

    def _remember(self, call: int, raised: BaseException | None) -> None:
        if raised is None:
            return
        self._causes[call] = raised
        while len(self._causes) > _KEPT_CAUSES:
            self._causes.popitem(last=False)

    def _next(self) -> tuple[int, bytes]:
        """Waits for a frame, and sends the ends of calls meanwhile."""
        link = self._link
        assert link is not None
        if self._under and not link.waits:
            self._wait(link)
        return link.receive()

    def _wait(self, link: Link) -> None:
        assert self._wake is not None
        woken = self._wake[0]
        poll = select.poll()
        poll.register(link, select.POLLIN)
        poll.register(woken, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poll.poll()}
            if woken.fileno() in ready:
                self._pass_on(woken)
            if link.fileno() in ready:
                return

    def _pass_on(self, woken: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError):
            woken.recv(4096)
        frames: list[bytes] = []
        while self._answers:
            frames.append(self._answers.popleft())
        self._send(b"".join(frames))

    def _send(self, data: bytes) -> None:
        assert self._link is not None
        self._link.send(data)


def _first_frame(program: Program, inputs: Mapping[str, Any]) -> bytes:
    try:
        text = program.inputs(inputs)
    except BadValue as e:
        details = {"field": e.where, "expected": e.expected, "got": e.got}
        raise InvalidInputError(f"orchestrate-local: {e}", details=details) from None
    size = len(program.definition) + len(text)
    if size > MAX_FRAME - 4:
        raise RequestTooLargeError(
            f"the code and its inputs have {size} bytes, and at most {MAX_FRAME - 4} are taken",
            hint="give large data to tools as a File, with durable=True",
        )
    return evaluate_frame(program.definition, text)
