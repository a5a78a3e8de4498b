"""Tasks of every kind, and how they are run."""

from __future__ import annotations

import types
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast, overload

from .._process.loop import run_async, run_sync
from .._process.tracebacks import public
from .._values.types import Param, Signature

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from .trigger import Trigger

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

    __module__ = "glovebox"  # where users find it

    triggers: tuple[Trigger, ...] = ()  # what starts it by time once it is deployed

    def __init__(self, name: str, signature: Signature, doc: str = "") -> None:
        self.name = name
        self.signature = signature
        self.doc = doc

    @property
    def _reference(self) -> str | None:
        """NAME@VERSION of a task that the engine knows already."""
        return None

    @property
    def report(self) -> bool:
        """Whether it is declared to write a report."""
        return False

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
        return value_of(self.signature, outputs)

    @public
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """Runs the task and returns its result: its output, several as a tuple, or None."""
        return cast(R_co, run_sync(self._execute(self._bind(args, kwargs))))

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
        return await run_async(self._execute(self._bind(args, kwargs)))

    def _execute(self, inputs: Mapping[str, Any]) -> Coroutine[Any, Any, Any]:
        """Runs the task to its end and returns what a call of it returns."""
        from .submission import execute  # lazy: only a run needs it

        return execute(self, inputs)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}{spell(self.signature)}>"


def value_of(signature: Signature, outputs: Mapping[str, Any]) -> Any:
    """Returns what a call of a task of that signature returns for outputs by name."""
    values = tuple(outputs[param.name] for param in signature.outputs)
    return values[0] if len(values) == 1 else values or None


class TaskSource:
    """Something that is no task itself, and that a task is made of where one is needed: a sandbox."""

    def _as_task(self) -> Task[..., Any]:
        raise NotImplementedError


def task_of(given: object) -> Task[..., Any]:
    """Returns a task as it is, and that of a sandbox. TypeError for anything else."""
    if isinstance(given, Task):
        return cast("Task[..., Any]", given)
    if isinstance(given, TaskSource):
        return given._as_task()  # pyright: ignore[reportPrivateUsage]
    what = f"the function {given.__qualname__}" if isinstance(given, types.FunctionType) else repr(given)
    raise TypeError(f"expected a task or a sandbox, got {what}; make a task of a function with @env.task")


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
