"""The calls of one evaluation: makes them as the code asks for them, and sends their ends."""

from __future__ import annotations

import collections
import contextlib
import select
import socket
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from .._values.type_guards import object_in
from .call import Call, Plain, Threaded
from .link import CALLING, GIVEN_UP, WAITING, Link, answer_frame, call_of, id_of
from .tool import Answer, Tool

_KEPT_CAUSES = 64


class Begin(Protocol):
    """Begins a call of an async tool; done gets its end, in any thread."""

    def __call__(
        self, tool: Tool, arguments: bytes, done: Callable[[Answer, BaseException | None], None], /
    ) -> Call: ...


class Calls:
    """The calls of one evaluation, for its thread, but for ``stop``.

    A tool that is called alone is called in this thread, several at once each in
    a thread of its own. ``begin`` calls async ones; by default each in a thread
    with a loop of its own.
    """

    def __init__(self, tools: Mapping[str, Tool], link: Link, begin: Begin | None) -> None:
        self._tools, self._link, self._begin = tools, link, begin or Threaded
        self._here = Plain()  # the call that is made in this thread
        self._begun: list[tuple[int, str, bytes]] = []  # calls that wait for the code to wait
        # Those that have ended stay: code that made several at once may begin the next one at the end of each.
        self._under: dict[int, Call] = {}
        self._causes: collections.OrderedDict[int, BaseException] = collections.OrderedDict()
        self._answers: collections.deque[bytes] = collections.deque()
        self._wake: tuple[socket.socket, socket.socket] | None = None

    def take(self, kind: int, body: bytes) -> tuple[int, bytes]:
        """Does what a frame asks for, and returns the next one. Meanwhile it sends the ends of calls."""
        if kind == CALLING:
            self._begun.append(call_of(body))
        elif kind == GIVEN_UP:
            self._give_up(id_of(body))
        elif kind == WAITING:
            self._call()
        if self._under and not self._link.waits:
            self._wait()
        return self._link.receive()

    def stop(self) -> None:
        """Stops the call that is made in the thread of the evaluation, from another thread."""
        self._here.stop()

    def end(self) -> None:
        """Ends the calls under way: nobody wants their answers."""
        for call in self._under.values():
            call.stop()
        wake, self._wake = self._wake, None
        for end in wake or ():
            end.close()

    def cause(self, error: Mapping[str, Any]) -> BaseException | None:
        """Returns what a tool raised that an error of the evaluation comes from."""
        call = object_in(object_in(error, "details"), "call")
        return self._causes.get(call.get("id", 0))

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
            tool = self._tools[name]
            if not tool.is_async:
                answer, raised = self._here.make(tool, arguments)
                self._remember(call, raised)
                self._link.send(answer_frame(answer[0], call, answer[1]))
                return
        for call, name, arguments in begun:
            tool = self._tools[name]
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

    def _wait(self) -> None:
        """Waits for a frame, and sends the ends of calls meanwhile."""
        assert self._wake is not None
        woken = self._wake[0]
        poll = select.poll()
        poll.register(self._link, select.POLLIN)
        poll.register(woken, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poll.poll()}
            if woken.fileno() in ready:
                self._pass_on(woken)
            if self._link.fileno() in ready:
                return

    def _pass_on(self, woken: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError):
            woken.recv(4096)
        frames: list[bytes] = []
        while self._answers:
            frames.append(self._answers.popleft())
        self._link.send(b"".join(frames))
