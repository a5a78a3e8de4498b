"""Orchestrators: restricted Python that calls tools, from a function or a string."""

from __future__ import annotations

import contextlib
import contextvars
import inspect
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from .._process import context
from .._process.loop import run_async, run_sync
from .._process.tracebacks import public
from .._tasks.policies import Policies, check_label, engine_name
from .._tasks.task import Task
from .._values.annotations import signature_of, type_of
from .._values.interface import Interface, interface_of, interface_of_function
from .._values.signature_json import signature_json
from .._values.types import Param, Signature, Type
from ..errors import InvalidTaskError
from .counterparts import Counterparts
from .discovery import Tools
from .inference import unchecked
from .inputs import check_names
from .limits import SandboxedConfig
from .source import checked_function, source_of_function
from .text import source_of_string
from .tools import AnyTask, tools_by_name

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from .._tasks.environment import TaskEnvironment

P = ParamSpec("P")
R = TypeVar("R")

NONE_TYPE: Any = type(None)  # the output of an orchestrator without a result
_WHOSE = "Sandboxed task"  # how errors about types begin

# The orchestrators whose definitions are being made: each is a tool of the one before.
_defining: contextvars.ContextVar[tuple[AnyTask, ...]] = contextvars.ContextVar("glovebox_defining", default=())


class SandboxedTaskTemplate(Counterparts, Task[P, R]):
    """A function that runs as an orchestrator, made by ``@env.sandbox.orchestrator``.

    Its code is control flow: it can compute and call its tools, and nothing
    else. Each name that it uses and does not define, and that stands for a task
    or a plain function, is a tool. A call of a task is a run of its own; a plain
    function is called in this process.

    Called, it runs through the engine, inside of a run and outside, with the
    same result. ``await task.aio(...)`` does so without blocking.

    Args:
        func: The function, async or not.
        name: Of the task; by default that of the function.
        plugin_config: Limits and language.
        policies: Cache and retries.
        environment: The environment that it belongs to.

    >>> @env.sandbox.orchestrator
    ... def total(n: int) -> int:
    ...     return sum([add(i, 1) for i in range(n)])
    >>> total(3)
    6
    """

    __module__ = "glovebox.sandbox"  # where users find it

    func: Callable[P, R]
    plugin_config: SandboxedConfig
    policies: Policies
    environment: TaskEnvironment | None
    interface: Interface

    def __init__(
        self,
        func: Callable[P, R],
        *,
        name: str | None = None,
        plugin_config: SandboxedConfig | None = None,
        policies: Policies | None = None,
        environment: TaskEnvironment | None = None,
    ) -> None:
        function = checked_function(func)
        signature = signature_of(function, _WHOSE)
        self._source = source_of_function(function)
        self._used = Tools(function, self._source)
        self._configure(
            name or function.__name__, signature, inspect.getdoc(func) or "", plugin_config, policies, environment
        )
        self.func = func
        self.interface = interface_of_function(function)
        self.__name__ = function.__name__
        self.__qualname__ = function.__qualname__
        self.__module__ = function.__module__
        self.__doc__ = function.__doc__
        self.__wrapped__ = func

    def _configure(
        self,
        name: str,
        signature: Signature,
        doc: str,
        config: SandboxedConfig | None,
        policies: Policies | None,
        environment: TaskEnvironment | None,
    ) -> None:
        if config is not None and not isinstance(config, SandboxedConfig):
            raise TypeError(f"plugin_config: expected a SandboxedConfig, got {config!r}")
        super().__init__(check_label(name, "orchestrator name"), signature, doc)
        self.plugin_config = config or SandboxedConfig()
        if not self.plugin_config.type_check:
            self.signature = unchecked(signature)
        self.policies = policies or Policies(cache="disable")
        self.environment = environment

    @property
    def tools(self) -> dict[str, AnyTask]:
        """The tasks that its code may call, by the names that it calls them by.

        Raises InvalidTaskError if the function uses a name that stands for
        something else, such as a variable of its module.
        """
        return self._used.now()

    @property
    def code(self) -> str:
        """What the engine runs."""
        return self._source.code

    @public
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs it and returns its result. That of an async function is awaited."""
        if inspect.iscoroutinefunction(self.func):
            return cast(R, run_async(self._execute(self._bind(args, kwargs))))
        return super().__call__(*args, **kwargs)

    def forward(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the Python function itself, without the sandbox and its limits. For debugging."""
        return self.func(*args, **kwargs)

    def _bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        return dict(inspect.signature(self.func).bind(*args, **kwargs).arguments)

    def _file(self) -> Json:
        return {"file": self._source.file}

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        import asyncio  # lazy: only a run needs it

        with self._being_defined():
            named = self.tools.items()
            # In a cell there is no process that could be asked to call a function.
            apart = deployed or context.in_cell()
            tools = await asyncio.gather(*(_tool_definition(name, tool, engine, apart) for name, tool in named))
        return {
            "name": engine_name(self.name),
            "doc": self.doc,
            "kind": "orchestrator",
            "code": self.code,
            **self._file(),
            "signature": signature_json(self.signature),
            **self.policies.definition(),
            "orchestrator": {**self.plugin_config.definition(), "tools": tools},
        }

    @contextlib.contextmanager
    def _being_defined(self) -> Generator[None, None, None]:
        above = _defining.get()
        if self in above:
            way = " calls ".join(task.name for task in (*above[above.index(self) :], self))
            raise InvalidTaskError(
                f"orchestrators cannot call each other in a circle: {way}",
                hint="call one of them from a task, or write the recursion as a function within one orchestrator",
            )
        token = _defining.set((*above, self))
        try:
            yield
        finally:
            _defining.reset(token)


class CodeTaskTemplate(SandboxedTaskTemplate[..., Any]):
    """Code in a string that runs as an orchestrator, made by ``sandbox.orchestrator_from_str``.

    The value of its last expression is its result. It is called and run like
    any task.

    >>> glovebox.sandbox.orchestrator_from_str("x + 1", inputs={"x": int}, output=int)(x=1)
    2
    """

    __module__ = "glovebox.sandbox"  # where users find it

    def __init__(
        self,
        source: str,
        *,
        inputs: Mapping[str, Any],
        output: Any = NONE_TYPE,
        tasks: Sequence[Any] | Mapping[str, Any] | None = None,
        name: str = "sandboxed-code",
        plugin_config: SandboxedConfig | None = None,
        policies: Policies | None = None,
        environment: TaskEnvironment | None = None,
    ) -> None:
        if not isinstance(source, str):
            raise TypeError(f"source: expected Python code in a str, got {source!r}")
        self._code = source_of_string(source)
        self._given = tools_by_name(tasks)
        self._configure(name, _signature_of_code(inputs, output), "", plugin_config, policies, environment)
        self.interface = interface_of(inputs, {} if output is None or output is NONE_TYPE else {"o0": output})

    def declare(self, inputs: Mapping[str, Type], output: Type) -> None:
        """Declares the inputs and the output by types of the engine."""
        params = tuple(Param(name, declared) for name, declared in inputs.items())
        self.signature = Signature(params, (Param("o0", output),))

    @property
    def tools(self) -> dict[str, AnyTask]:
        """The tasks that its code may call, by the names that it calls them by."""
        return dict(self._given)

    @property
    def code(self) -> str:
        """What the engine runs."""
        return self._code

    @public
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the code and returns its result."""
        return run_sync(self._execute(self._bind(args, kwargs)))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """There is no function to call: raises NotImplementedError."""
        raise NotImplementedError(
            "CodeTaskTemplate does not support forward(). Use glovebox.run() to execute through the sandbox."
        )

    def _bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        return super(SandboxedTaskTemplate, self)._bind(args, kwargs)

    def _file(self) -> Json:
        return {}


async def _tool_definition(name: str, tool: AnyTask, engine: Engine, deployed: bool) -> Json:
    definition = await tool._definition(engine, deployed=deployed)  # pyright: ignore[reportPrivateUsage]
    return {**definition, "name": name}


def _signature_of_code(inputs: Mapping[str, Any], output: Any) -> Signature:
    check_names(inputs)
    params = tuple(Param(name, type_of(annotation, f"{_WHOSE} input '{name}'")) for name, annotation in inputs.items())
    if output is None or output is NONE_TYPE:
        return Signature(params)
    return Signature(params, (Param("o0", type_of(output, f"{_WHOSE} output 'o0'")),))
