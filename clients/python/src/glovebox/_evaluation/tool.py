"""The tools of an evaluation, which are called in this process."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from .._orchestrators.callable_tool import CallableTool
from .._orchestrators.tools import tools_by_name
from .._serving import failure
from .._tasks.function import FunctionTask
from .._values.codec import BadValue, decode_fields, dump, encode_fields, loads
from .._values.json_text import quote
from .._values.signature_json import signature_json
from .._values.value import holds_handles
from .link import FAILED, RETURNED
from .scalars import is_value, text_of

if TYPE_CHECKING:
    from .._tasks.task import Task

Json = dict[str, Any]
Answer = tuple[bytes, bytes]  # the kind of a frame, and JSON


class Tool:
    """A tool by the name that the code calls it by.

    A plain function is called here. So is that of a task that asks for nothing
    but its function; a call of any other task is a run.
    """

    def __init__(self, name: str, task: Task[Any, Any]) -> None:
        self.name = name
        self._signature = task.signature
        self._doc = task.doc
        self._call = _callable(task)
        self._only = _positional_only(self._call)
        self.is_async = inspect.iscoroutinefunction(self._call)

    @property
    def fits(self) -> bool:
        """Whether its values can cross without an engine, which keeps files."""
        return not any(holds_handles(p.type) for p in (*self._signature.inputs, *self._signature.outputs))

    def definition(self) -> Json:
        """Returns the tool as the evaluator knows it."""
        return {
            "name": self.name,
            "doc": self._doc,
            "kind": "function",
            "signature": signature_json(self._signature),
            "function": {"id": self.name},
        }

    def arguments(self, text: bytes) -> tuple[list[Any], dict[str, Any]]:
        """Returns the arguments of a call, by position and by name. BadValue if they are none."""
        nodes = loads(text)
        params = self._signature.inputs
        if all(param.name in nodes and is_value(param.type, nodes[param.name]) for param in params):
            values = cast("dict[str, Any]", nodes)
        else:
            values = decode_fields(params, nodes)
        return [values.pop(name) for name in self._only if name in values], values

    def call(self, args: list[Any], kwargs: Mapping[str, Any]) -> Any:
        """Calls it, and returns what it returns, which may have to be awaited."""
        return self._call(*args, **kwargs)

    def returned(self, value: Any) -> Answer:
        """Returns the end of a call that returned a value."""
        try:
            return RETURNED, self._text(value).encode("utf-8", "surrogatepass")
        except Exception as error:
            return failed(failure.unfit(self.name, "bad_output", "the output cannot be sent", error))

    def unreadable(self, error: Exception) -> Answer:
        """Returns the end of a call whose arguments cannot be read."""
        what = "the inputs cannot be read"
        return failed(failure.unfit(self.name, "invalid_input", what, error, outcome="not_started"))

    def _text(self, value: Any) -> str:
        outputs = self._signature.outputs
        if len(outputs) == 1:
            text = text_of(outputs[0].type, value)
            if text is not None:
                return f"{{{quote(outputs[0].name)}:{text}}}"
            return encode_fields(outputs, {outputs[0].name: value})
        if not outputs:
            if value is not None:
                raise BadValue("the output", "None, as it is declared to return", type(value).__name__)
            return "{}"
        return encode_fields(outputs, {p.name: one for p, one in zip(outputs, value, strict=True)})


def tools_of(tasks: Sequence[Any] | Mapping[str, Any]) -> list[Tool]:
    """Returns the tools of ``tasks=``. Raises as ``orchestrator_from_str`` does."""
    return [Tool(name, task) for name, task in tools_by_name(tasks).items()]


def failed(members: Json) -> Answer:
    """Returns the end of a call that failed."""
    return FAILED, dump({"type": "failure", **members}).encode()


def stopped(name: str) -> Answer:
    """Returns the end of a call that was stopped."""
    return failed(failure.failed("canceled", f"function {name} was stopped"))


def _callable(task: Task[Any, Any]) -> Callable[..., Any]:
    if isinstance(task, CallableTool):
        return task.func
    if isinstance(task, FunctionTask) and _asks_for_nothing(task):
        return task.func

    async def run(**inputs: Any) -> Any:
        from .._process.loop import run_async  # lazy: only a run needs it

        return await run_async(task._execute(inputs))  # pyright: ignore[reportPrivateUsage]

    return run


def _asks_for_nothing(task: FunctionTask[..., Any]) -> bool:
    p = task.policies
    return not (task.in_cell or p.retries or p.timeout or p.cache not in (None, "disable"))


def _positional_only(call: Callable[..., Any]) -> list[str]:
    try:
        parameters = inspect.signature(call).parameters
    except ValueError:  # some callables do not tell
        return []
    return [name for name, p in parameters.items() if p.kind is p.POSITIONAL_ONLY]
