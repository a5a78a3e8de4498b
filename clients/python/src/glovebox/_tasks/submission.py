"""Runs of tasks: inputs are encoded, the run is made durable, and its end is waited for."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from .._link.current import current_engine
from .._process import context
from .._process.at_exit import needs_process
from .._serving import async_slots
from .._values.codec import BadValue, decode, encode_fields, loads
from .._values.types import Param, Signature
from .._values.value import holds_handles
from ..errors import BadOutputError, GloveboxError, InvalidInputError
from .failure import failure_of
from .group import current_group
from .progress import progress_of

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from .notify import Notify
    from .task import Task


@dataclass(frozen=True)
class Submitted:
    """A run that is durable."""

    engine: Engine
    record: Json
    bound: bool  # it calls functions of this process, or its engine belongs to it

    @property
    def id(self) -> str:
        return str(self.record["id"])


@dataclass(frozen=True)
class RunOptions:
    """What is asked for of one run beside its inputs."""

    cache: str | None = None
    notify: tuple[Notify, ...] = ()
    labels: Mapping[str, str] | None = None
    node_selector: Mapping[str, str] | None = None
    priority: int | None = None

    def members(self) -> dict[str, Any]:
        """Returns the members of a request for a run."""
        receivers = [each.definition() for each in self.notify]
        return {
            "cache": self.cache,
            "notify": receivers or None,
            "labels": dict(self.labels or {}) or None,
            "node_selector": dict(self.node_selector or {}) or None,
            "priority": self.priority,
        }


PLAIN = RunOptions()  # a run as its task declares it
_SIMPLE = frozenset((int, float, str, bool, bytes, type(None)))  # classes of values that hold no files


async def submit(task: Task[Any, Any], inputs: Mapping[str, Any], *, options: RunOptions = PLAIN) -> Submitted:
    """Makes a run of a task, below the run that the caller belongs to."""
    engine = await current_engine()
    text = await encode_inputs(task, inputs)
    parent, group = context.current_run(), current_group() or None
    reference = task._reference  # pyright: ignore[reportPrivateUsage]
    if reference is not None:
        run = await engine.submit(name=reference, inputs=text, parent=parent, group=group, **options.members())
        return Submitted(engine, run, engine.private)
    definition = await task._definition(engine)  # pyright: ignore[reportPrivateUsage]
    run = await engine.submit(task=definition, inputs=text, parent=parent, group=group, **options.members())
    return Submitted(engine, run, engine.private or needs_process(definition))


async def encode_inputs(task: Task[Any, Any], inputs: Mapping[str, Any]) -> str:
    """Returns inputs as JSON. InvalidInputError says which one does not fit."""
    return await _encode(task.name, task.signature.inputs, inputs)


async def encode_some(name: str, signature: Signature, inputs: Mapping[str, Any]) -> Json:
    """Returns some of the inputs of a task, as they are in JSON. InvalidInputError says which one does not fit."""
    known = {param.name for param in signature.inputs}
    every = any(given not in known for given in inputs)  # the error names what there is
    wanted = tuple(param for param in signature.inputs if every or param.name in inputs)
    return cast("Json", loads(await _encode(name, wanted, inputs)))


async def encode_value(name: str, signature: Signature, value: Any) -> Any:
    """Returns what a task is said to have given, as it is in JSON. InvalidInputError says what does not fit."""
    outputs = signature.outputs
    if not outputs:
        if value is not None:
            raise InvalidInputError(f"{name}: value: expected None, got {type(value).__name__}")
        return None
    values: tuple[Any, ...] = value if len(outputs) > 1 else (value,)
    if not isinstance(values, tuple) or len(values) != len(outputs):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidInputError(f"{name}: value: expected a tuple of {len(outputs)} values, got {type(value).__name__}")
    given = {param.name: one for param, one in zip(outputs, values, strict=True)}
    encoded = list(cast("Json", loads(await _encode(name, outputs, given))).values())
    return encoded if len(outputs) > 1 else encoded[0]


async def _encode(name: str, params: tuple[Param, ...], inputs: Mapping[str, Any]) -> str:
    try:
        return encode_fields(params, await _staged(params, inputs) if _may_hold_files(params, inputs) else inputs)
    except BadValue as e:
        details = {"field": e.where, "expected": e.expected, "got": e.got}
        raise InvalidInputError(f"{name}: {e}", details=details) from None


def _may_hold_files(params: tuple[Param, ...], values: Mapping[str, Any]) -> bool:
    return any(type(value) not in _SIMPLE for value in values.values()) or any(holds_handles(p.type) for p in params)


async def _staged(params: tuple[Param, ...], values: Mapping[str, Any]) -> Mapping[str, Any]:
    from ..io._stage import stage_fields  # lazy: most runs have no files

    return await stage_fields(params, values)


@dataclass(frozen=True)
class Evaluated:
    """What an evaluation that made no run gave and printed."""

    outputs: dict[str, Any]
    stdout: str
    stderr: str


async def evaluate(task: Task[Any, Any], inputs: Mapping[str, Any]) -> Evaluated:
    """Evaluates a task at the engine without making a run. Cancelling it ends the code."""
    engine = await current_engine()
    text = await encode_inputs(task, inputs)
    definition = await task._definition(engine)  # pyright: ignore[reportPrivateUsage]
    result = await engine.evaluate(task=definition, inputs=text)
    error = result.get("error")
    if error:
        raise _failure(error)
    outputs = await decode_outputs(task.signature, result)
    return Evaluated(outputs, _text(result.get("stdout")), _text(result.get("stderr")))


def _text(printed: str | None) -> str:
    return base64.b64decode(printed or "").decode("utf-8", "replace")


async def execute(task: Task[Any, Any], inputs: Mapping[str, Any]) -> Any:
    """Runs a task to its end and returns what a call of it returns.

    Cancelling it cancels the run.
    """
    submitted = await submit(task, inputs)
    result = await finish(submitted.engine, submitted.record)
    return task._value(await decode_outputs(task.signature, result))  # pyright: ignore[reportPrivateUsage]


async def finish(engine: Engine, record: Json) -> Json:
    """Waits for a run and returns its result, or raises its error. Cancelling it cancels the run."""
    run_id = str(record["id"])
    try:
        kind = str(record.get("kind"))
        with progress_of(run_id) as progress, async_slots.slots.lent(run_id, kind):
            # Only cells have images. To follow the many events of an orchestrator costs each of its calls time.
            result = await engine.wait(run_id, progress=progress if kind == "sandbox" else None)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):
            await asyncio.shield(engine.cancel(run_id, "the caller was interrupted"))
        raise
    assert result is not None  # without a time limit it has ended
    error = result["run"].get("error")
    if error:
        raise _failure(error, run_id)
    return result


async def decode_outputs(signature: Signature, result: Json) -> dict[str, Any]:
    """Returns the outputs of a run by name."""
    nodes = {output["name"]: output.get("value") for output in result.get("outputs") or ()}
    try:
        return {param.name: await _decoded(param, nodes.get(param.name)) for param in signature.outputs}
    except BadValue as e:
        raise _bad_output(e, str(result.get("run", {}).get("id", ""))) from None


async def _decoded(param: Param, node: Any) -> Any:
    value = decode(param.type, node, param.name)
    if not holds_handles(param.type):
        return value
    from ..io._stage import materialize  # lazy: most runs have no files

    return await materialize(param.type, value)


def _failure(error: Json, run_id: str = "") -> GloveboxError:
    from .._bundles.own_files import in_own_files  # lazy: most runs succeed

    return failure_of(in_own_files(error), run_id)


def _bad_output(error: BadValue, run_id: str) -> BadOutputError:
    details = {"field": error.where, "expected": error.expected, "got": error.got}
    made = BadOutputError(f"output {error}", details=details)
    made.run_id = run_id
    return made
