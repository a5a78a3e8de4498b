"""``glovebox.trace``: functions whose results a run keeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from .environment import TaskEnvironment
from .function import FunctionTask
from .policies import Policies, check_name

P = ParamSpec("P")
R = TypeVar("R")

_environment = TaskEnvironment("trace")


def trace(func: Callable[P, R]) -> FunctionTask[P, R]:
    """Makes the calls of a function, async or not, steps of the run that they belong to.

    In a run, each call is a run of its own in this process: ``glovebox show``
    has it, and a run that is resumed does not repeat one that succeeded. Its
    inputs and its result have to be such as tasks take and return. Outside of
    a run, and in a cell, the function is just called.

    Raises:
        TypeError: It is no function, or a generator.
        errors.UnsupportedType: An annotation is no type that can be kept.

    >>> @glovebox.trace
    ... def ask(question: str) -> str: ...
    """
    name = check_name(f"trace.{getattr(func, '__name__', '')}", "trace")
    return FunctionTask(func, _environment, name=name, policies=Policies(cache="disable"))
