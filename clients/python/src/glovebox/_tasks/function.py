"""Function tasks: Python functions of the user's."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from .._process import context
from .._process.loop import run_async
from .._process.tracebacks import public
from .._values.annotations import signature_of
from .._values.interface import interface_of_function
from .policies import Policies
from .task import Task, spell

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from .environment import TaskEnvironment
    from .trigger import Trigger

P = ParamSpec("P")
R = TypeVar("R")


class FunctionTask(Task[P, R]):
    """A Python function as a task, made by ``@env.task``.

    In a run, a call of it is a run of its own, with the policies of the task.
    Outside of a run, it is called like the function that it is; one whose
    environment asks for a cell runs in one.

    >>> @env.task
    ... def double(x: int) -> int:
    ...     return 2 * x
    >>> double(21), glovebox.run(double, 21).outputs()[0]
    (42, 42)
    """

    __module__ = "glovebox"  # where users find it

    def __init__(
        self,
        func: Callable[P, R],
        environment: TaskEnvironment,
        *,
        name: str,
        policies: Policies,
        doc: str | None = None,
        triggers: tuple[Trigger, ...] = (),
    ) -> None:
        if not inspect.isfunction(func):
            raise TypeError(f"env.task: expected a function, got {func!r}")
        if inspect.isgeneratorfunction(func) or inspect.isasyncgenfunction(func):
            raise TypeError(f"env.task: {func.__qualname__} is a generator; a task returns one value")
        super().__init__(name, signature_of(func), inspect.cleandoc(doc or func.__doc__ or ""))
        self.func: Callable[P, R] = func
        self.environment = environment
        self.interface = interface_of_function(func)
        self.policies = policies
        self.triggers = triggers
        self.__name__ = func.__name__
        self.__qualname__ = func.__qualname__
        self.__module__ = func.__module__
        self.__doc__ = func.__doc__
        self.__wrapped__ = func

    def __reduce__(self) -> str:
        return self.__qualname__  # as functions are pickled: by the name that it has in its module

    @property
    def in_cell(self) -> bool:
        """Whether it runs in a cell, because its environment asks for that."""
        return self.environment.in_cell

    @property
    def report(self) -> bool:
        """Whether it is declared to write a report."""
        return self.policies.report

    @public
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if not self._needs_run():
            return self.func(*args, **kwargs)
        if inspect.iscoroutinefunction(self.func):
            return cast(R, run_async(self._execute(self._bind(args, kwargs))))
        return super().__call__(*args, **kwargs)

    async def _call_async(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if self._needs_run():
            return await super()._call_async(args, kwargs)
        value: Any = cast("Callable[..., Any]", self.func)(*args, **kwargs)
        return await value if inspect.isawaitable(value) else value

    def forward(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls the function itself, in this process and without a run."""
        return self.func(*args, **kwargs)

    def _needs_run(self) -> bool:
        if context.in_cell():  # the code of this cell is its own; other cells are for callers that ask for one
            return self.in_cell
        return self.in_cell or context.current_run() is not None

    def _bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return dict(inspect.signature(self.func).bind(*args, **kwargs).arguments)
        except TypeError as error:
            raise TypeError(f"{self.name}{spell(self.signature)}: {error}") from None

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        common: Json = {"name": self.name, "doc": self.doc, **self.policies.definition()}
        # A process in a cell cannot be asked to call functions, so there each has a cell of its own.
        if deployed or self.in_cell or context.in_cell():
            from .._bundles.bundle import cell_definition  # lazy: only a run in a cell needs it
            from .dockerfile import with_stored_image  # lazy: the same

            return common | await with_stored_image(await cell_definition(self, engine), engine)
        from .._serving.offer import offer  # lazy: only a run needs it

        return common | await offer(self, self.func, engine)
