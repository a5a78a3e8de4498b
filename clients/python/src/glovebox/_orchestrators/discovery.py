"""Which tools an orchestrator calls."""

from __future__ import annotations

import builtins
import sys
import types
from typing import Any

from .._tasks.task import Task, TaskSource
from ..errors import InvalidTaskError
from .mapping import gather, glovebox_map
from .source import FunctionSource, variables_of
from .tools import AnyTask, as_tool


class Tools:
    """The tools that a function uses, by the names that it uses."""

    def __init__(self, function: types.FunctionType, source: FunctionSource) -> None:
        self._function = function
        self._source = source
        self._made: dict[str, tuple[Any, AnyTask]] = {}  # what a name stood for, and the tool that was made of it

    def now(self) -> dict[str, AnyTask]:
        """Returns the tools that the names stand for now, as Python looks names up when they are used.

        A name that stands for nothing is left to the check of the engine. One
        for what cannot be called in the sandbox is an InvalidTaskError.
        """
        variables = variables_of(self._function)
        return {
            name: self._tool(name, variables[name], line)
            for name, line in self._source.names.items()
            if name in variables and not _is_given(name, variables[name])
        }

    def _tool(self, name: str, value: Any, line: int) -> AnyTask:
        if not _is_tool(value):
            place = f"{self._source.file}, line {line}: {self._function.__qualname__}"
            where = "the enclosing function" if name in self._function.__code__.co_freevars else "its module"
            raise _not_a_tool(place, name, value, where)
        value_before, tool = self._made.get(name, (None, None))
        if tool is None or value_before is not value:
            tool = as_tool(value)
            self._made[name] = value, tool
        return tool


def _is_given(name: str, value: Any) -> bool:
    """Reports whether the sandbox has the name, and means the same by it."""
    return name == _given_name(value) or value is getattr(builtins, name, None)


def _given_name(value: Any) -> str | None:
    """Returns the name of a tool that every orchestrator has without a grant."""
    asyncio = sys.modules.get("asyncio")  # without it nobody has its gather
    if value is gather or asyncio is not None and value is asyncio.gather:
        return "gather"
    return "glovebox_map" if value is glovebox_map else None


def _is_tool(value: Any) -> bool:
    if _given_name(value) is not None:
        return False
    return (
        isinstance(value, (Task, TaskSource)) or callable(value) and not isinstance(value, (type, types.GenericAlias))
    )


def _not_a_tool(place: str, name: str, value: Any, where: str) -> InvalidTaskError:
    what, hint = f"{_article(type(value).__name__)} of {where}", f"pass it as an input: add a parameter {name}"
    given = _given_name(value)
    if given is not None:
        what, hint = f"another name for {given}", f"call it {given}"
    elif isinstance(value, types.ModuleType):
        what = f"the module {value.__name__}"
        hint = "call tasks by their own names (from module import task), and move what needs the module into a task"
    elif isinstance(value, type):
        what, hint = f"the class {value.__name__}", "use dicts and tuples, or move what needs the class into a task"
    return InvalidTaskError(f"{place} uses {name}, {what}, which the sandbox does not see", hint=hint)


def _article(word: str) -> str:
    return f"{'an' if word[0] in 'aeiou' else 'a'} {word}"
