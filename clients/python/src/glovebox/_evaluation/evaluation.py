"""One evaluation: asks for it, has the tools called that the code calls, and returns its result."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from .._serving.interruptible import Stopped
from .._values.codec import BadValue, loads
from ..errors import InvalidInputError, RequestTooLargeError
from .evaluator import current
from .link import ENDED, MAX_FRAME, Link, LinkClosedError, evaluate_frame

if TYPE_CHECKING:
    from .calls import Begin, Calls
    from .program import Program

Json = dict[str, Any]


class Evaluation:
    """One evaluation, for one thread, but for ``stop``.

    ``begin`` calls async tools; by default each is in a thread with a loop of its own.
    """

    def __init__(self, program: Program, inputs: Mapping[str, Any], begin: Begin | None = None) -> None:
        self._program = program
        self._frame = _first_frame(program, inputs)
        self._begin = begin
        self._link: Link | None = None
        self._calls: Calls | None = None
        self._stopping = threading.Lock()
        self._stopped = False

    def run(self) -> Json:
        """Evaluates, and returns ``outputs``, ``stdout`` and ``error`` as far as there are."""
        try:
            kind, body = self._started()
            while kind != ENDED:
                kind, body = self._calls_made().take(kind, body)
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
            calls = self._calls
        if calls is not None:
            calls.stop()

    def cause(self, error: Mapping[str, Any]) -> BaseException | None:
        """Returns what a tool raised here that the error of this evaluation comes from."""
        return None if self._calls is None else self._calls.cause(error)

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

    def _calls_made(self) -> Calls:
        """Returns the calls of the code, from the first one on."""
        if self._calls is not None:
            return self._calls
        from .calls import Calls  # lazy: much code makes none

        with self._stopping:
            if self._stopped or self._link is None:
                raise Stopped
            self._calls = Calls(self._program.tools, self._link, self._begin)
            return self._calls

    def _release(self) -> None:
        """Gives the connection back, which is as it was before."""
        with self._stopping:
            link, self._link = self._link, None
        if link is not None and not self._stopped:
            current().give(link)
        elif link is not None:
            link.close()

    def _end(self) -> None:
        if self._calls is not None:
            self._calls.end()
        with self._stopping:
            link, self._link = self._link, None
        if link is not None:
            link.close()


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
