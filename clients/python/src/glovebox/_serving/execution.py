"""Runs one call of a function, in a thread that makes no other call meanwhile."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from .._process import context
from .._process.loop import run_sync
from .._values import codec
from .._values.types import Param, Signature
from .._values.value import holds_handles
from ..io._stage import materialize, stage_fields
from . import failure, output, threads
from .interruptible import Interruptible, Stopped
from .own_loop import run_awaitable

Json = dict[str, Any]

_MAX_OUTPUTS = (64 << 20) - (64 << 10)  # bytes of a message but for what is beside the outputs


@dataclass(frozen=True)
class Offered:
    """A function that this process offers to the engine.

    ``definition`` is the ``name`` and the ``signature`` of its task as JSON
    documents. ``call`` takes the inputs and returns the output, or an awaitable
    of it.
    """

    id: str
    definition: Json
    signature: Signature
    call: Callable[..., Any]
    report: bool = False  # whether its task is declared to have one

    @functools.cached_property
    def positional(self) -> tuple[str, ...]:
        """The parameters that have no name for the caller. Python takes longer to find out than most calls."""
        return positional_only(self.call)


class Execution:
    """One call under way.

    ``done`` gets the members of the message that ends the call, in the call's
    thread: JSON text of the outputs, or a failure.
    """

    def __init__(
        self,
        function: Offered,
        invocation: context.Invocation,
        inputs: object,
        sink: output.Sink,
        done: Callable[[str | Json], None],
        publish: Callable[[str, bool], None] = lambda page, last: None,
    ) -> None:
        self._function = function
        self._invocation = invocation
        self._inputs = inputs
        self._sink = sink
        self._done = done
        self._publish = publish
        self._interruptible = Interruptible()

    @property
    def stopped(self) -> bool:
        """Whether it has been asked to stop."""
        return self._interruptible.stopped

    def start(self) -> None:
        """Starts it in a thread. Raises RuntimeError if the system gives none."""
        threads.run(getattr(self._function.call, "__name__", self._function.id), self._main)

    def stop(self) -> None:
        """Asks the function to stop; ``done`` says how it ended.

        An async function is cancelled. In another one, Stopped is raised as soon
        as it executes Python code again: one that waits in a call of C, such as
        time.sleep, first returns from that.
        """
        self._interruptible.stop()

    def _main(self) -> None:
        ending: str | Json = failure.failed("function_failed", f"function {self._name} ended without a report")
        try:
            context.current.set(self._invocation)
            with output.captured(self._sink), self._reported():
                ending = self._ending()
        finally:
            self._done(ending)

    def _reported(self) -> AbstractContextManager[None]:
        """Gives the function a report, if its task is declared to have one."""
        if not self._function.report:
            return contextlib.nullcontext()
        from ..report._report import reported  # lazy: only a task with a report needs it

        return reported(self._name, self._publish)

    def _ending(self) -> str | Json:
        try:
            values = self._arguments()
        except BaseException as error:
            return failure.unfit(self._name, "invalid_input", "the inputs cannot be read", error, outcome="not_started")
        try:
            result = self._call(values)
        except BaseException as error:
            return self._raised(error)
        try:
            return self._outputs(result)
        except BaseException as error:
            return failure.unfit(self._name, "bad_output", "the output cannot be sent", error)

    def _raised(self, error: BaseException) -> Json:
        if isinstance(error, Stopped):
            return failure.failed("canceled", f"function {self._name} was stopped")
        failure.remember(self._invocation.run_id, error)
        return failure.failure_message(error)

    @property
    def _name(self) -> str:
        return str(self._function.definition.get("name") or self._function.id)

    def _arguments(self) -> dict[str, Any]:
        params = self._function.signature.inputs
        values = codec.decode_fields(params, self._inputs)
        self._inputs = None  # may be large
        if not _have_files(params):
            return values
        return run_sync(_materialized(params, values))

    def _call(self, values: Mapping[str, Any]) -> Any:
        args, kwargs = bound(self._function.positional, values)
        call = self._function.call
        if inspect.iscoroutinefunction(call):
            return run_awaitable(call(*args, **kwargs), self._interruptible)
        result = self._interruptible.call(lambda: call(*args, **kwargs))
        return run_awaitable(result, self._interruptible) if inspect.isawaitable(result) else result

    def _outputs(self, result: Any) -> str | Json:
        params = self._function.signature.outputs
        values = named_output(params, result)
        if _have_files(params):
            values = run_sync(_staged(params, values))
        text = codec.encode_fields(params, values)
        if len(text) > _MAX_OUTPUTS:
            return failure.failed(
                "output_too_large",
                f"function {self._name} returned {len(text)} bytes, more than a message can hold",
                hint="return large data as a File",
                limit=_MAX_OUTPUTS,
                peak=len(text),
            )
        return text


def positional_only(call: Callable[..., Any]) -> tuple[str, ...]:
    """Returns the parameters that can only be given by position."""
    try:
        parameters = inspect.signature(call).parameters
    except ValueError:  # some callables do not tell
        return ()
    return tuple(name for name, p in parameters.items() if p.kind is p.POSITIONAL_ONLY)


def bound(positional: tuple[str, ...], values: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns the arguments of a call by position and by name. Each input is a parameter."""
    only = [name for name in positional if name in values]
    return tuple(values[name] for name in only), {name: v for name, v in values.items() if name not in only}


def named_output(params: tuple[Param, ...], result: Any) -> dict[str, Any]:
    """Returns what a function returned by the name of its output. BadValue if it has none to be called by."""
    if params:
        return {params[0].name: result}
    if result is not None:
        raise codec.BadValue("the output", "None, as it is declared to return", type(result).__name__)
    return {}


def _have_files(params: tuple[Param, ...]) -> bool:
    return any(holds_handles(p.type) for p in params)


async def _materialized(params: tuple[Param, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    return {p.name: await materialize(p.type, values[p.name]) for p in params}


async def _staged(params: tuple[Param, ...], values: Mapping[str, Any]) -> dict[str, Any]:
    return await stage_fields(params, values)
