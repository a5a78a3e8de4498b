"""What the engine calls for an agent: tools, the model where that is a function, and whom it asks for approval."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

from .._orchestrators.callable_tool import CallableTool
from .._orchestrators.tools import as_tool
from .._process.log import logger
from .._tasks.policies import engine_name
from .._tasks.task import Task, TaskSource
from .._values.annotations import signature_of
from .._values.types import ANY, Param, Signature, Type
from ._messages import MODEL_SIGNATURE, LLMCallable, answer_from, answer_to, messages_from, messages_to, tools_from
from ._model import Model, ModelTask, model_name, model_of
from ._schema import signature_of_schema
from ._tool import AgentTool, handled

if TYPE_CHECKING:
    from .._link.current import Engine, Json

ApprovalCallback = Callable[[AgentTool, dict[str, Any]], "Awaitable[bool] | bool"]

APPROVAL = "ask-approval"  # no name of a tool: they are such as code can call
_APPROVAL_SIGNATURE = Signature(
    (Param("tool", Type("str")), Param("arguments", Type("dict", (Type("str"), ANY)))),
    (Param("approved", Type("bool")),),
)

_log = logger("glovebox.agents")


class Granted(CallableTool):
    """A function that this package makes, with a declared signature, of what an agent was given."""

    def __init__(self, name: str, signature: Signature, doc: str, func: Any, given: object) -> None:
        super(CallableTool, self).__init__(name, signature, doc)
        # Its id changes with the code of the user.
        func.__module__ = getattr(given, "__module__", None) or func.__module__
        self.func = func


class Renamed(Task[..., Any]):
    """A tool under the name, and with the description, that an agent has for it."""

    def __init__(self, tool: AgentTool, task: Task[..., Any]) -> None:
        super().__init__(tool.name, task.signature, tool.description)
        self._tool, self._task = tool, task

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        made = await self._task._definition(engine, deployed=deployed)  # pyright: ignore[reportPrivateUsage]
        # Code of models calls every tool plainly, as the guides of those who write instructions say.
        signature = {name: value for name, value in made["signature"].items() if name != "async"}
        doc = self._described(str(made.get("doc") or ""))
        return {**made, "name": self.name, "doc": doc, "signature": signature}

    def _described(self, doc: str) -> str:
        """Returns the whole docstring, unless a description of its own took the place of the beginning of it."""
        return doc if " ".join(doc.split()).startswith(self.doc) else self.doc


def task_of_tool(tool: AgentTool) -> Task[..., Any]:
    """Returns the task that the engine calls for a tool."""
    if tool.call_handler is not None:
        return _of_handler(tool, tool.call_handler)
    if tool.target is not None:
        return Renamed(tool, as_tool(tool.target))
    return _of_execute(tool)


def _of_handler(tool: AgentTool, handler: Any) -> Task[..., Any]:
    async def call(**arguments: Any) -> Any:
        return await handled(tool, arguments)

    inputs = _signature(tool).inputs
    return Granted(tool.name, Signature(inputs, (Param("o0", ANY),)), tool.description, call, handler)


def _signature(tool: AgentTool) -> Signature:
    target: object = tool.target
    if isinstance(target, (Task, TaskSource)):
        return as_tool(cast(object, target)).signature
    return signature_of_schema(tool.parameters) if target is None else signature_of(tool.target, f"{tool.name}:")


def _of_execute(tool: AgentTool) -> Task[..., Any]:
    signature = signature_of_schema(tool.parameters)
    optional = {param.name for param in signature.inputs if param.default is not None}

    async def call(**arguments: Any) -> Any:
        return await tool.execute({k: v for k, v in arguments.items() if v is not None or k not in optional})

    return Granted(tool.name, signature, tool.description, call, tool.execute)


def model_task(model: Model | str, call_llm: LLMCallable | None) -> Task[..., Any]:
    """Returns the task that answers the questions of an agent."""
    if call_llm is None:
        return ModelTask(model_of(model))
    name = model_name(model)

    async def answer(request: dict[str, Any]) -> dict[str, Any]:
        messages = messages_from(request["messages"])
        given = call_llm(name, str(request.get("system") or ""), messages, tools_from(request.get("tools")))
        return answer_to(await given if inspect.isawaitable(given) else given, len(messages))

    return Granted(engine_name(name), MODEL_SIGNATURE, "", answer, call_llm)


def asks(model: Model | str) -> LLMCallable:
    """Returns a function that asks a model by way of the engine, for the handlers of tools."""

    async def call_llm(name: str, system: str, messages: list[Any], tools: list[Any] | None) -> Any:
        asked = model if name == model_name(model) else name
        offered = [
            {"name": f["name"], "doc": f.get("description") or "", "parameters": f["parameters"]}
            for f in (t["function"] for t in tools or ())
        ]
        request = {"system": system, "messages": messages_to(messages), "tools": offered}
        return answer_from(await ModelTask(model_of(asked)).aio(request=request))

    return cast(LLMCallable, call_llm)


def approval_task(callback: ApprovalCallback | None, tools: dict[str, AgentTool]) -> Task[..., Any]:
    """Returns the task that is asked before a tool is called that requires approval."""

    async def approve(tool: str, arguments: dict[str, Any]) -> bool:
        if callback is None:
            _log.warning("tool %s requires approval, and there is no approval_callback: the call is refused", tool)
            return False
        given = callback(tools[tool], arguments)
        return bool(await given if inspect.isawaitable(given) else given)

    return Granted(APPROVAL, _APPROVAL_SIGNATURE, "", approve, callback or approve)
