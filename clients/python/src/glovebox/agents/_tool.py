"""Tools of agents: what an agent may call, and how it is shown to the model."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, overload

from .._orchestrators.tools import as_tool
from .._tasks.function import FunctionTask
from .._tasks.task import Task, TaskSource
from .._values.annotations import signature_of
from ..remote import Task as RemoteTask
from ._messages import LLMCallable
from ._schema import schema_of

Source = Literal["function", "task", "trace", "remote_task", "mcp", "custom"]
ToolCallHandler = Callable[..., Awaitable[Any]]


@dataclass
class AgentTool:
    """A tool of an agent. ``tool`` makes one of a function or a task, and so does whatever takes tools.

    Args:
        name: What the model calls it.
        description: What the model reads about it.
        parameters: The JSON Schema of its arguments.
        execute: Does it, given the arguments by name. The engine uses it only where there is no ``target``.
        requires_approval: Somebody is asked before each call.
        source: What it was made of.
        target: The function, task or sandbox that it was made of.
        call_handler: Is called in the place of the tool, as ``call_handler(call_llm, tool_fn, **arguments)``.
        call_llm: What the handler is given to ask a model; an agent gives it its own.
        model: The name of the model.
    """

    __module__ = "glovebox.agents"  # where users find it

    name: str
    description: str
    parameters: dict[str, Any]
    execute: Callable[[dict[str, Any]], Awaitable[Any]]
    requires_approval: bool = False
    source: Source = "function"
    target: Any = None
    call_handler: ToolCallHandler | None = None
    call_llm: LLMCallable | None = None
    model: str | None = None

    @property
    def __wrapped_task__(self) -> Task[..., Any] | None:
        """The task that it was made of, if it was one."""
        target: object = self.target
        return cast("Task[..., Any]", target) if isinstance(target, Task) else None

    def to_openai_format(self) -> dict[str, Any]:
        """Returns it as requests to OpenAI list it."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}

    async def aio(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it as an agent does, by its handler if it has one."""
        if self.call_handler is not None:
            return await handled(self, self._named(args, kwargs))
        if (task := self.__wrapped_task__) is not None:
            return await task.aio(*args, **kwargs)
        return await self.execute(self._named(args, kwargs))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Calls it; the result is awaited."""
        return self.aio(*args, **kwargs)

    def _named(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        names = list(self.parameters.get("properties") or ())
        if len(args) > len(names):
            raise TypeError(f"{self.name}() takes {len(names)} arguments, but {len(args)} were given")
        return dict(zip(names, args)) | kwargs


@dataclass
class ToolFn:
    """The tool that a ``call_handler`` was called for. Awaiting a call of it does what the tool does.

    ``target`` is what the tool was made of, ``model`` the name of the model of the agent.
    """

    __module__ = "glovebox.agents"  # where users find it

    name: str
    description: str
    parameters: dict[str, Any]
    model: str
    target: Any
    source: str
    _execute: Callable[[dict[str, Any]], Awaitable[Any]]

    async def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if args:
            raise TypeError(f"tool {self.name} takes keyword arguments only, got {args!r}")
        return await self._execute(kwargs)


async def handled(tool: AgentTool, arguments: dict[str, Any]) -> Any:
    """Calls the handler of a tool."""
    assert tool.call_handler is not None
    called = ToolFn(
        tool.name, tool.description, tool.parameters, tool.model or "", tool.target, tool.source, tool.execute
    )
    return await tool.call_handler(tool.call_llm or _no_model, called, **arguments)


async def _no_model(model: str, system: str, messages: Any, tools: Any) -> Any:
    raise RuntimeError("the tool belongs to no agent, so there is no model that its handler could ask")


@overload
def tool(obj: Any, /) -> AgentTool: ...
@overload
def tool(
    obj: Any,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    requires_approval: bool = False,
    call_handler: ToolCallHandler | None = None,
) -> AgentTool: ...
@overload
def tool(
    *,
    name: str | None = None,
    description: str | None = None,
    requires_approval: bool = False,
    call_handler: ToolCallHandler | None = None,
) -> Callable[[Any], AgentTool]: ...
def tool(
    obj: Any = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    requires_approval: bool = False,
    call_handler: ToolCallHandler | None = None,
) -> AgentTool | Callable[[Any], AgentTool]:
    """Makes a tool of a function, a task, a sandbox or an agent. It is called, or decorates, with arguments or without.

    >>> @glovebox.agents.tool(requires_approval=True)
    ... def refund(order: str, amount: float) -> str: ...

    Args:
        obj: What it is made of.
        name: What the model calls it; by default its own name.
        description: What the model reads about it; by default the first paragraph of its docstring.
        requires_approval: The agent asks its ``approval_callback`` before each call.
        call_handler: Is called in the place of the tool, as ``call_handler(call_llm, tool_fn, **arguments)``.
    """

    def made(target: Any) -> AgentTool:
        base = tool_of(target, name)
        return replace(
            base,
            description=base.description if description is None else description,
            requires_approval=requires_approval,
            call_handler=call_handler or base.call_handler,
        )

    return made if obj is None else made(obj)


def tools_of(given: Sequence[Any] | Mapping[str, Any]) -> dict[str, AgentTool]:
    """Returns the tools by name. ValueError if two have one name, TypeError for what is no tool."""
    if isinstance(given, Mapping):
        named: list[tuple[str | None, Any]] = [(name, value) for name, value in given.items()]
    elif isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        named = [(None, value) for value in given]
    else:
        raise TypeError(f"tools: expected a list or a dict of functions and tasks, got {given!r}")
    found: dict[str, AgentTool] = {}
    for name, value in named:
        made = tool_of(value, name)
        if made.name in found:
            raise ValueError(f"Duplicate tool name '{made.name}'")
        found[made.name] = made
    return found


def tool_of(value: Any, name: str | None = None) -> AgentTool:
    """Returns a tool as it is, or made of something else, perhaps under another name."""
    if isinstance(value, AgentTool):
        return value if name in (None, value.name) else replace(value, name=_checked(str(name)))
    if isinstance(value, (Task, TaskSource)):
        return _of_task(value, as_tool(value), name)
    if callable(value):
        return _of_function(value, name)
    raise TypeError(
        f"Cannot turn {type(value).__name__!r} into an AgentTool: "
        "give an AgentTool, a function, a task, a sandbox or an agent"
    )


def bound(made: AgentTool, call_llm: LLMCallable, model: str) -> AgentTool:
    """Gives the handler of a tool the model of an agent."""
    return made if made.call_handler is None else replace(made, call_llm=call_llm, model=model)


def _of_task(value: Any, task: Task[..., Any], name: str | None) -> AgentTool:
    plain = getattr(value, "__name__", None) or task.name.rpartition(".")[2]
    found = _checked(name or re.sub(r"\W", "_", plain))

    async def execute(arguments: dict[str, Any]) -> Any:
        return await task.aio(**arguments)

    described = _first_paragraph(task.doc) or f"Execute {found}"
    return AgentTool(found, described, schema_of(task.signature), execute, source=_source(value), target=value)


def _source(value: Any) -> Source:
    if isinstance(value, RemoteTask):
        return "remote_task"
    return "trace" if isinstance(value, FunctionTask) and value.environment.name == "trace" else "task"


def _of_function(function: Callable[..., Any], name: str | None) -> AgentTool:
    found = _checked(name or str(getattr(function, "__name__", type(function).__name__)))
    signature = signature_of(function, f"{found}:")

    async def execute(arguments: dict[str, Any]) -> Any:
        if signature.is_async:
            return await function(**arguments)
        return await asyncio.to_thread(function, **arguments)

    described = _first_paragraph(inspect.getdoc(function) or "") or f"Execute {found}"
    return AgentTool(found, described, schema_of(signature), execute, target=function)


def _first_paragraph(doc: str) -> str:
    return " ".join(doc.partition("\n\n")[0].split())


def _checked(name: str) -> str:
    if not name.isidentifier():
        raise ValueError(f"tools: {name!r} is no name that code can call: give the tool another one, by name=")
    return name
