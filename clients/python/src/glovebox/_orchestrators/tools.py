"""The tools that are given to code in a string."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from typing import Any, cast

from .._tasks.task import Task, TaskSource
from .callable_tool import CallableTool

AnyTask = Task[Any, Any]


def tools_by_name(given: Sequence[Any] | Mapping[str, Any] | None) -> dict[str, AnyTask]:
    """Returns the tools of ``tasks=``, each by the name that code calls it by.

    Raises ValueError for a name that is given twice, or is none, and TypeError
    for what cannot be called.
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {_identifier(name): as_tool(value) for name, value in given.items()}
    if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
        raise TypeError(f"tasks: expected a list of tasks and functions, got {given!r}")
    tools: dict[str, AnyTask] = {}
    for value in given:
        tool = as_tool(value)
        name = _identifier(_name_of(value, tool))
        if name in tools:
            raise ValueError(f"Duplicate task name '{name}'")
        tools[name] = tool
    return tools


def as_tool(value: Any) -> AnyTask:
    """Returns a task as it is, the task of a sandbox, and a callable as a task that calls it in this process."""
    if isinstance(value, Task):
        task: AnyTask = cast(Any, value)
        return task
    if isinstance(value, TaskSource):
        return value._as_task()  # pyright: ignore[reportPrivateUsage]
    if not callable(value):
        raise TypeError(f"Expected a callable or TaskTemplate, got {type(value)!r}")
    return CallableTool(value)


def _name_of(value: Any, tool: AnyTask) -> str:
    named = getattr(tool, "func", tool) if value is tool else value
    name = getattr(named, "__name__", None)
    if isinstance(name, str):
        return name
    return tool.name.rpartition(".")[2] if isinstance(value, (Task, TaskSource)) else repr(value)


def _identifier(name: Any) -> str:
    if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
        raise ValueError(
            f"tasks: code cannot call a tool by the name {name!r}, which is no Python identifier: "
            'give it one with tasks={"name": tool}'
        )
    return name
