"""What an engine has already: tasks that were deployed, by name, and runs, by id."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._link.current import current_engine
from ._process.loop import syncify
from ._runs.run import Run
from ._tasks.task import Task as _Task
from ._values.signature_json import signature_from
from .errors import NotFoundError, UnauthorizedError

if TYPE_CHECKING:
    from ._link.current import Engine, Json
    from .app._handle import AppHandle

__all__ = ["App", "Run", "Task"]


class App:
    """Apps by name: those that this process serves.

    >>> glovebox.remote.App.get("sums-api").url
    """

    @staticmethod
    def get(name: str) -> AppHandle:
        """Returns an app that this process serves. NotFoundError if there is none of that name."""
        from .app._handle import served  # lazy: only an app needs it

        found = served(name)
        if found is None:
            raise NotFoundError(f"this process serves no app {name!r}", hint="glovebox.serve, or deploy, serves one")
        return found


class Task(_Task[..., Any]):
    """A version of a deployed task. It is run like any other, and can be a tool of an orchestrator.

    >>> add = glovebox.remote.Task.get("demo.add")
    >>> glovebox.run(add, x=1, y=2).outputs()[0]
    """

    def __init__(self, version: Json) -> None:
        super().__init__(str(version["name"]), signature_from(version["signature"]), version.get("doc") or "")
        self.version = int(version["version"])
        self._task: Json | None = version.get("task")  # a cell does not get it
        self.__name__ = self.name.rpartition(".")[2]

    @staticmethod
    async def _get(name: str, version: int | None = None) -> Task:
        """Finds a deployed task.

        Args:
            name: Its name.
            version: One of its versions; by default the current one.

        Raises:
            NotFoundError: There is none.
        """
        engine = await current_engine()
        return Task(await engine.task(name if version is None else f"{name}@{version}"))

    get = staticmethod(syncify(_get))

    @property
    def _reference(self) -> str:
        return f"{self.name}@{self.version}"

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        if self._task is None:
            raise UnauthorizedError(
                f"{self.name} can be run from inside of a cell, and not be a part of another task",
                hint="make the orchestrator outside of cells, deploy it, and run it by its name",
            )
        return self._task
