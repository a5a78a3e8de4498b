"""Runs one call of a function, in a thread of its own."""

from __future__ import annotations

import asyncio
import contextvars
import ctypes
import inspect
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import errors
from .._process import context
from .._process.loop import run_sync
from .._values import codec
from .._values.types import Param, Signature
from .._values.value import holds_handles
from ..io._stage import materialize, stage_fields
from . import failure, output

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


class Stopped(BaseException):
    """Raised inside of a function that has to stop."""


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
    ) -> None:
        self._function = function
        self._invocation = invocation
        self._inputs = inputs
        self._sink = sink
        self._done = done
        self._lock = threading.Lock()
        self._stopped = False
        self._interrupt: Callable[[], None] | None = None  # how the user's code is stopped, while it runs

    @property
    def stopped(self) -> bool:
        """Whether it has been asked to stop."""
        return self._stopped

    def start(self) -> None:
        """Starts the thread. Raises RuntimeError if the system gives none."""
        name = getattr(self._function.call, "__name__", self._function.id)
        context = contextvars.Context()
        threading.Thread(target=context.run, args=(self._main,), name=f"glovebox-{name}", daemon=True).start()

    def stop(self) -> None:
        """Asks the function to stop; ``done`` says how it ended.

        An async function is cancelled. In another one, Stopped is raised as soon
        as it executes Python code again: one that waits in a call of C, such as
        time.sleep, first returns from that.
        """
        with self._lock:
            if self._stopped:
                return
            self._stopped = True
            if self._interrupt is not None:
                self._interrupt()

    def _main(self) -> None:
        ending: str | Json = failure.failed("function_failed", f"function {self._name} ended without a report")
        try:
            context.current.set(self._invocation)
            with output.captured(self._sink):
                ending = self._ending()
        finally:
            self._done(ending)

    def _ending(self) -> str | Json:
        try:
            values = self._arguments()
        except BaseException as error:
            return self._failed("invalid_input", "the inputs cannot be read", error, outcome="not_started")
        try:
            result = self._call(values)
        except BaseException as error:
            return self._raised(error)
        try:
            return self._outputs(result)
        except BaseException as error:
            return self._failed("bad_output", "the output cannot be sent", error)

    def _raised(self, error: BaseException) -> Json:
        if isinstance(error, Stopped) or (self._stopped and isinstance(error, asyncio.CancelledError)):
            return failure.failed("canceled", f"function {self._name} was stopped")
        failure.remember(self._invocation.run_id, error)
        return failure.failure_message(error)

    def _failed(self, code: str, what: str, error: BaseException, outcome: str = "failed") -> Json:
        """Returns the failure of what happened around the function, which is not what it raised."""
        if isinstance(error, codec.BadValue):
            return failure.failed(
                code,
                f"function {self._name}: {error}",
                outcome=outcome,
                field=str(error.where),
                expected=str(error.expected),
                got=str(error.got),
            )
        if isinstance(error, errors.GloveboxError):
            return failure.failure_message(error)
        why = f"{type(error).__name__}: {failure.safe_str(error)[:4096]}"
        return failure.failed(code, f"function {self._name}: {what}: {why}", outcome=outcome)

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
        args, kwargs = bound(self._function.call, values)
        call = self._function.call
        if inspect.iscoroutinefunction(call):
            return asyncio.run(self._awaited(call, args, kwargs))
        result = self._interruptible(lambda: call(*args, **kwargs))
        if inspect.isawaitable(result):
            return asyncio.run(self._awaited(lambda: result, (), {}))
        return result

    async def _awaited(self, call: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None
        self._enter(lambda: _cancel(loop, task))
        try:
            return await call(*args, **kwargs)
        finally:
            self._leave()

    def _interruptible(self, call: Callable[[], Any]) -> Any:
        """Calls it so that Stopped can be raised in it, and nowhere behind it."""
        thread = threading.get_ident()
        try:
            try:
                self._enter(lambda: _raise_in(thread, Stopped))
                return call()
            finally:
                self._leave()
                _let_in()
        except Stopped:  # it may have come when the function had ended already; it comes once
            self._leave()
            raise

    def _enter(self, interrupt: Callable[[], None]) -> None:
        with self._lock:
            if self._stopped:
                raise Stopped
            self._interrupt = interrupt

    def _leave(self) -> None:
        with self._lock:
            self._interrupt = None

    def _outputs(self, result: Any) -> str | Json:
        params = self._function.signature.outputs
        values = _named(params, result)
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


def _cancel(loop: asyncio.AbstractEventLoop, task: asyncio.Task[Any]) -> None:
    loop.call_soon_threadsafe(task.cancel)


def bound(call: Callable[..., Any], values: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Returns the arguments of a call by position and by name. Each input is a parameter."""
    try:
        parameters = inspect.signature(call).parameters
    except ValueError:  # some callables do not tell
        return (), dict(values)
    only = [name for name, p in parameters.items() if p.kind is p.POSITIONAL_ONLY and name in values]
    return tuple(values[name] for name in only), {name: v for name, v in values.items() if name not in only}


def _named(params: tuple[Param, ...], result: Any) -> dict[str, Any]:
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


def _raise_in(thread: int, kind: type[BaseException]) -> None:
    """Raises kind in a thread when it next executes Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))


def _let_in() -> None:
    """Has what was raised in this thread, and did not come yet, come here: Python looks for it at each turn of a loop.

    Taking it back, as PyThreadState_SetAsyncExc can, would leave Python looking
    for it for ever; 3.11 then hangs in the next function that is traced.
    """
    for _ in range(2):
        pass
