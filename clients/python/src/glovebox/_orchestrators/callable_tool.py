"""Plain callables as tools of an orchestrator."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._tasks.task import Task
from .._values.annotations import signature_of
from ..errors import InvalidTaskError

if TYPE_CHECKING:
    from .._link.current import Engine, Json


class CallableTool(Task[..., Any]):
    """A function, method or other callable that an orchestrator calls in this process.

    Unlike a task it belongs to no environment and cannot be deployed.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        name = str(getattr(function, "__name__", type(function).__name__))
        super().__init__(name, signature_of(function, f"{name}:"), inspect.getdoc(function) or "")
        self.func = function if inspect.isfunction(function) else _function_of(function, name)

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        if deployed:
            raise InvalidTaskError(
                f"{self.name} is a plain function, and can be called only by the process that it belongs to",
                hint=f"make {self.name} a task with @env.task",
            )
        from .._serving.offer import offer  # lazy: only a run needs it

        return {"name": self.name, "doc": self.doc} | await offer(self, self.func, engine)


def _function_of(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Returns the same function for the same callable, since each that is offered to the engine stays offered."""
    try:
        return _as_function(function, name)
    except TypeError:  # it has no hash
        return _as_function.__wrapped__(function, name)


@functools.lru_cache(maxsize=1024)
def _as_function(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Makes a function that calls another callable."""
    called: Any = getattr(function, "__call__", None)  # noqa: B004

    async def awaited(*args: Any, **kwargs: Any) -> Any:
        return await function(*args, **kwargs)

    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    made = awaited if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(called) else call
    made.__name__ = name
    setattr(made, "__signature__", inspect.signature(function))  # noqa: B010
    return made
