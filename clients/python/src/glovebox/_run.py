"""Runs: started, waited for, looked at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar

from ._loop import run_sync, syncify, syncify_method
from ._pending import needs_process, pending
from ._signature import Param, Signature
from ._task import Task, decode_outputs, finish, signature_from, submit

if TYPE_CHECKING:
    from ._engine import Engine, Json

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


class Outputs(tuple[Any, ...]):
    """The outputs of a run, by position and by name. A task without an output has None as the only one.

    >>> run.outputs()[0], run.outputs().o0, run.outputs()["o0"]
    """

    names: tuple[str, ...]

    @classmethod
    def of(cls, signature: Signature, values: dict[str, Any]) -> Outputs:
        """Makes those of a signature from values by name."""
        outputs = signature.outputs
        if not outputs:
            return cls._named((None,), ("o0",))
        if len(outputs) == 1 and outputs[0].name == "o0" and _fixed_tuple(outputs[0]):
            items = tuple(values["o0"])
            return cls._named(items, tuple(f"o{i}" for i in range(len(items))))
        return cls._named(tuple(values[param.name] for param in outputs), tuple(param.name for param in outputs))

    @classmethod
    def _named(cls, items: tuple[Any, ...], names: tuple[str, ...]) -> Outputs:
        made = cls(items)
        made.names = names
        return made

    def __getattr__(self, name: str) -> Any:
        names = self.__dict__.get("names", ())
        if name in names:
            return self[names.index(name)]
        raise AttributeError(f"there is no output {name!r}; the outputs are ({', '.join(names)})")

    def __getitem__(self, key: Any) -> Any:
        return getattr(self, key) if isinstance(key, str) else super().__getitem__(key)

    def __repr__(self) -> str:
        return f"Outputs({', '.join(f'{name}={value!r}' for name, value in zip(self.names, self))})"


def _fixed_tuple(param: Param) -> bool:
    return param.type.kind == "tuple" and not (param.type.args and param.type.args[-1].kind == "...")


class Run(Generic[R]):
    """One execution of a task. ``glovebox.run`` and ``glovebox.start`` make it.

    >>> run = glovebox.start(add, 1, 2)
    >>> run.wait()
    >>> run.status(), run.outputs()[0]
    ('succeeded', 3)
    """

    def __init__(self, engine: Engine, task: Task[..., R] | None, record: Json, signature: Signature) -> None:
        self._engine = engine
        self._task = task
        self._record = record
        self._signature = signature
        self._result: Json | None = None

    @staticmethod
    async def _get(run_id: str, task: Task[..., T] | None = None) -> Run[T]:
        """Finds a run by its id, such as one that another process started.

        Args:
            run_id: Its id, as ``glovebox runs`` lists it.
            task: The task that it is a run of. Its functions are offered to the
                engine again, so that the run goes on with those of this process
                when the one that began it is gone.

        Raises:
            NotFoundError: There is none.
            ValueError: It is a run of another task.

        >>> run = glovebox.Run.get("run-06gvuqmfmt8lkhdq8794jv2h", pipeline)
        >>> run.resume().outputs()[0]
        """
        from ._engine import current_engine

        engine = await current_engine()
        record = await engine.run(run_id)
        if task is None:
            return Run(engine, None, record, signature_from(record["signature"]))
        if task.name != record["task"]:
            raise ValueError(f"{run_id} is a run of task {record['task']}, not of {task.name}")
        await task._definition(engine)  # its functions are offered  # pyright: ignore[reportPrivateUsage]
        return Run(engine, task, record, task.signature)

    get = staticmethod(syncify(_get))

    @property
    def id(self) -> str:
        """Its id. Ids sort by time."""
        return str(self._record["id"])

    @property
    def name(self) -> str:
        """The same as ``id``."""
        return self.id

    @property
    def task(self) -> str:
        """The name of its task."""
        return str(self._record.get("task", ""))

    @property
    def private(self) -> bool:
        """Whether its engine belongs to this process, and ends with it."""
        return self._engine.private

    @property
    def url(self) -> str:
        """Where the run is: an address at the server, or, of an engine of this process, ``glovebox:///runs/ID``.

        ``glovebox show ID`` shows it in either case.
        """
        return (
            f"{self._engine.url}/v1/runs/{self.id}"
            if self._engine.url.startswith("http")
            else f"glovebox:///runs/{self.id}"
        )

    async def _live(self) -> Engine:
        """Returns the engine of the run, or the one that took the place of it: a child may have ended by itself."""
        if not self._engine.alive:
            from ._engine import current_engine

            self._engine = await current_engine()
        return self._engine

    async def _wait(self) -> None:
        """Waits until the run has ended. Raises its error if it failed."""
        try:
            self._result = await finish(await self._live(), self._record)
        finally:
            pending.ended(self.id)

    async def _outputs(self) -> Outputs:
        """Waits for the run and returns its outputs, by position and by name. Raises its error if it failed.

        >>> glovebox.run(add, 1, 2).outputs()[0]
        3
        """
        if self._result is None:
            await self._wait()
        assert self._result is not None
        return Outputs.of(self._signature, await decode_outputs(self._signature, self._result))

    async def _cancel(self, reason: str = "cancelled by the user") -> None:
        """Ends the run and those that it started."""
        await (await self._live()).cancel(self.id, reason)

    async def _status(self) -> str:
        """Returns queued, running, succeeded, failed, canceled or interrupted."""
        return str((await self.info.aio())["status"])

    async def _info(self) -> dict[str, Any]:
        """Returns what is known of the run, as the HTTP API gives it."""
        self._record = await (await self._live()).run(self.id)
        return self._record

    async def _calls(self) -> list[dict[str, Any]]:
        """Returns the runs that it started, in their order, as the HTTP API gives them."""
        found: list[dict[str, Any]] = []
        cursor = ""
        while True:
            page = await (await self._live()).runs(parent=self.id, limit=1000, **({"cursor": cursor} if cursor else {}))
            found += page.get("runs") or []
            cursor = page.get("next") or ""
            if not cursor:
                return found

    async def _resume(self, retry_unknown: bool = False) -> Run[R]:
        """Goes on with a run that was interrupted, failed or was cancelled. Calls that succeeded are not repeated.

        ``retry_unknown`` does calls again of which nobody knows whether they were carried out.
        """
        engine = await self._live()
        bound = engine.private
        if self._task is not None:
            definition = await self._task._definition(engine)  # pyright: ignore[reportPrivateUsage]
            bound = bound or needs_process(definition)  # and its functions are offered
        self._record, self._result = await engine.resume(self.id, retry_unknown=retry_unknown), None
        if bound:
            pending.add(engine, self.id)
        return self

    wait = syncify_method(_wait)
    outputs = syncify_method(_outputs)
    cancel = syncify_method(_cancel)
    status = syncify_method(_status)
    info = syncify_method(_info)
    calls = syncify_method(_calls)
    resume = syncify_method(_resume)

    def logs(self, follow: bool = False) -> Iterator[str]:
        """Yields what the run printed, and with ``follow`` what it is going to print until its end."""
        entries = self._engine.logs(self.id, follow=follow)
        while True:
            entry = run_sync(_next(entries))
            if entry is None:
                return
            if entry.get("stream") != "system":
                yield _text(entry)

    def __repr__(self) -> str:
        return f"<Run {self.id} of {self.task}: {self.url}>"

    def _repr_html_(self) -> str:
        from html import escape

        record = self._result["run"] if self._result else self._record
        status = str(record.get("status", ""))
        return f"run <code>{escape(self.id)}</code> of <b>{escape(self.task)}</b>, {escape(status)}"


async def _next(entries: Any) -> Json | None:
    return await anext(entries, None)


def _text(entry: Json) -> str:
    if entry.get("data"):
        import base64

        return base64.b64decode(entry["data"]).decode("utf-8", "replace")
    return str(entry.get("text", ""))


async def start_run(task: Task[P, R], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Run[R]:
    """Starts a run and returns when it is durable."""
    if not isinstance(task, Task):
        raise TypeError(f"expected a task, got {task!r}; make one with @env.task or as_task()")
    submitted = await submit(task, task._bind(args, kwargs))  # pyright: ignore[reportPrivateUsage]
    if submitted.bound:
        pending.add(submitted.engine, submitted.id)
    return Run(submitted.engine, task, submitted.record, task.signature)
