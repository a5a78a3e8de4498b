"""Calls of tools under way in this process."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import Any, Protocol

from .._process.tracebacks import users_frames
from .._serving import failure
from .._serving.interruptible import Interruptible, Stopped
from .tool import Answer, Tool, failed, stopped

Done = Callable[[Answer, "BaseException | None"], None]  # gets the end of a call, and what it raised


class Call(Protocol):
    """A call under way."""

    def stop(self) -> None:
        """Ends it, as far as it can be: nobody wants its answer."""


class Plain:
    """Makes calls of plain functions in the thread that asks for them, one at a time."""

    def __init__(self) -> None:
        self._interruptible = Interruptible()

    def make(self, tool: Tool, arguments: bytes) -> tuple[Answer, BaseException | None]:
        """Calls a tool, and returns the end of the call, and what it raised."""
        try:
            args, kwargs = tool.arguments(arguments)
        except Exception as error:
            return tool.unreadable(error), None
        try:
            value = self._called(tool, args, kwargs)
            if hasattr(value, "__await__"):
                from .._serving.own_loop import run_awaitable  # lazy: plain functions need no loop

                value = run_awaitable(value, self._interruptible)
        except Exception as error:
            return ended(tool, error)
        except Stopped:
            return stopped(tool.name), None
        return tool.returned(value), None

    def _called(self, tool: Tool, args: list[Any], kwargs: dict[str, Any]) -> Any:
        if tool.is_async:  # its code runs when it is awaited
            return tool.call(args, kwargs)
        return self._interruptible.call(lambda: tool.call(args, kwargs))

    def stop(self) -> None:
        """Stops the one under way, and makes none any more."""
        self._interruptible.stop()


class Threaded:
    """A call in a thread of its own."""

    def __init__(self, tool: Tool, arguments: bytes, done: Done) -> None:
        self._tool, self._arguments, self._done = tool, arguments, done
        self._plain = Plain()
        context = contextvars.copy_context()
        threading.Thread(target=context.run, args=(self._main,), name=f"glovebox-{tool.name}", daemon=True).start()

    def stop(self) -> None:
        """Ends it."""
        self._plain.stop()

    def _main(self) -> None:
        ending: Any = stopped(self._tool.name), None
        try:
            ending = self._plain.make(self._tool, self._arguments)
        except BaseException as error:  # such as SystemExit: it is the end of this call, and of nothing else
            ending = ended(self._tool, error)
        finally:
            self._done(*ending)


def ended(tool: Tool, error: BaseException) -> tuple[Answer, BaseException]:
    """Returns the end of a call that raised, and what it raised."""
    error.__traceback__ = users_frames(error.__traceback__)
    return failed(failure.failure_message(error)), error
