"""Tasks of every kind, and how they are run."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast, overload

from . import _context
from ._loop import run_async, run_sync
from ._pending import needs_process
from ._signature import Param, Signature, Type
from ._trace import public

if TYPE_CHECKING:
    from ._engine import Engine, Json

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
T = TypeVar("T")


class Task(Generic[P, R_co]):
    """Something with a name, a typed signature and policies, that can be run.

    Tasks are made by ``@env.task``, ``env.sandbox.orchestrator``,
    ``sandbox.orchestrator_from_str`` and ``as_task()`` of a sandbox.

    >>> add
    <FunctionTask demo.add(x: int, y: int) -> int>
    >>> [param.name for param in add.signature.inputs]
    ['x', 'y']
    """

    def __init__(self, name: str, signature: Signature, doc: str = "") -> None:
        self.name = name
        self.signature = signature
        self.doc = doc

    @property
    def _reference(self) -> str | None:
        """NAME@VERSION of a task that the engine knows already."""
        return None

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        """Returns the task as the engine knows it, and gives the engine what it needs for it.

        A deployed one can run without this process.
        """
        raise NotImplementedError

    def _bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the arguments of a call by name. TypeError if there are too many, or one twice."""
        names = [param.name for param in self.signature.inputs]
        if len(args) > len(names):
            raise TypeError(f"{self.name}() takes {len(names)} inputs ({', '.join(names)}), but {len(args)} were given")
        inputs = dict(zip(names, args))
        for name, value in kwargs.items():
            if name in inputs:
                raise TypeError(f"{self.name}() got input {name!r} twice")
            inputs[name] = value
        return inputs

    def _value(self, outputs: Mapping[str, Any]) -> Any:
        """Returns what a call returns: the one output, several as a tuple, or None."""
        values = tuple(outputs[param.name] for param in self.signature.outputs)
        return values[0] if len(values) == 1 else values or None

    @public
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Runs the task and returns its result: its output, several as a tuple, or None."""
        return cast(R_co, run_sync(execute(self, self._bind(args, kwargs))))

    @overload
    async def aio(self: Task[P, Coroutine[Any, Any, T]], *args: P.args, **kwargs: P.kwargs) -> T: ...
    @overload
    async def aio(self: Task[P, R_co], *args: P.args, **kwargs: P.kwargs) -> R_co: ...
    @public
    async def aio(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the task and returns its result, that of an async function too, without blocking the event loop.

        >>> total = await add.aio(1, 2)
        """
        return await self._call_async(args, kwargs)

    async def _call_async(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return await run_async(execute(self, self._bind(args, kwargs)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}{spell(self.signature)}>"


def spell(signature: Signature) -> str:
    """Returns a signature for people, such as ``(x: int) -> str``."""

    def one(param: Param) -> str:
        return f"{param.name}: {param.type}" + (f" = {param.default}" if param.default is not None else "")

    shown = ", ".join(one(param) for param in signature.inputs if not param.name.startswith("_"))
    outputs = signature.outputs
    if not outputs:
        result = "None"
    elif len(outputs) == 1 and outputs[0].name == "o0":
        result = str(outputs[0].type)
    else:
        result = "(" + ", ".join(one(param) for param in outputs) + ")"
    return f"({shown}) -> {result}"


def params_json(params: tuple[Param, ...]) -> list[dict[str, Any]]:
    """Returns inputs or outputs in the JSON of a task."""
    from ._codec import loads

    return [
        {"name": p.name, "type": str(p.type)} | ({} if p.default is None else {"default": loads(p.default)})
        for p in params
    ]


def signature_json(signature: Signature) -> dict[str, Any]:
    """Returns a signature in the JSON of a task."""
    node: dict[str, Any] = {"inputs": params_json(signature.inputs), "outputs": params_json(signature.outputs)}
    return node | {"async": True} if signature.is_async else node


def signature_from(node: Json) -> Signature:
    """Returns a signature that the engine tells."""
    return Signature(_params_from(node.get("inputs")), _params_from(node.get("outputs")), bool(node.get("async")))


def _params_from(nodes: list[Json] | None) -> tuple[Param, ...]:
    from ._codec import dump

    return tuple(
        Param(node["name"], Type.parse(node["type"]), dump(node["default"]) if "default" in node else None)
        for node in nodes or ()
    )


@dataclass(frozen=True)
class Submitted:
    """A run that is durable."""

    engine: Engine
    record: Json
    bound: bool  # it calls functions of this process, or its engine belongs to it

    @property
    def id(self) -> str:
        return str(self.record["id"])


async def submit(task: Task[Any, Any], inputs: Mapping[str, Any], *, cache: str | None = None) -> Submitted:
    """Makes a run of a task, below the run that the caller belongs to."""
    from ._engine import current_engine

    engine = await current_engine()
    text = await encode_inputs(task, inputs)
    parent = _context.current_run()
    reference = task._reference  # pyright: ignore[reportPrivateUsage]
    if reference is not None:
        run = await engine.submit(name=reference, inputs=text, parent=parent, cache=cache)
        return Submitted(engine, run, engine.private)
    definition = await task._definition(engine)  # pyright: ignore[reportPrivateUsage]
    run = await engine.submit(task=definition, inputs=text, parent=parent, cache=cache)
    return Submitted(engine, run, engine.private or needs_process(definition))


async def encode_inputs(task: Task[Any, Any], inputs: Mapping[str, Any]) -> str:
    """Returns inputs as JSON. InvalidInputError says which one does not fit."""
    from ._codec import BadValue, encode_fields
    from .errors import InvalidInputError
    from .io._stage import stage_fields

    try:
        staged = await stage_fields(task.signature.inputs, inputs)
        return encode_fields(task.signature.inputs, staged)
    except BadValue as e:
        raise InvalidInputError(
            f"{task.name}: {e}", details={"field": e.where, "expected": e.expected, "got": e.got}
        ) from None


async def execute(task: Task[Any, Any], inputs: Mapping[str, Any]) -> Any:
    """Runs a task to its end and returns what a call of it returns.

    Cancelling it cancels the run.
    """
    submitted = await submit(task, inputs)
    result = await finish(submitted.engine, submitted.record)
    return task._value(await decode_outputs(task.signature, result))  # pyright: ignore[reportPrivateUsage]


async def finish(engine: Engine, record: Json) -> Json:
    """Waits for a run and returns its result, or raises its error. Cancelling it cancels the run."""
    from ._failure import failure_of
    from ._progress import progress_of
    from ._turns import turns

    run_id = str(record["id"])
    try:
        with progress_of(run_id) as progress, turns.lent(run_id, str(record.get("kind"))):
            result = await engine.wait(run_id, progress=progress)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):
            await asyncio.shield(engine.cancel(run_id, "the caller was interrupted"))
        raise
    assert result is not None  # without a time limit it has ended
    error = result["run"].get("error")
    if error:
        raise failure_of(error, run_id)
    return result


async def decode_outputs(signature: Signature, result: Json) -> dict[str, Any]:
    """Returns the outputs of a run by name."""
    from ._codec import decode
    from .io._stage import materialize

    nodes = {output["name"]: output.get("value") for output in result.get("outputs") or ()}
    return {
        param.name: await materialize(param.type, decode(param.type, nodes.get(param.name), param.name))
        for param in signature.outputs
    }
