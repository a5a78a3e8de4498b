"""Runs: started, waited for, looked at."""

from __future__ import annotations

import enum
import uuid
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .._link.current import current_engine
from .._process.at_exit import needs_process, pending
from .._process.loop import run_sync, syncify, syncify_method
from .._process.user import user_name
from .._tasks.policies import CacheMode, cache_mode, engine_name
from .._tasks.submission import PLAIN, RunOptions, decode_outputs, encode_some, encode_value, finish, submit
from .._tasks.task import Task, TaskSource, task_of, value_of
from .._values.signature_json import signature_from
from .._values.type_guards import object_in
from .._values.types import Signature
from ..errors import NotFoundError
from .log_lines import Line, Lines, text_of
from .outputs import Outputs
from .result import Result

if TYPE_CHECKING:
    from .._link.current import Engine, Json


class _Missing(enum.Enum):
    MISSING = "no value"


MISSING = _Missing.MISSING
R = TypeVar("R")
T = TypeVar("T")


class Run(Generic[R]):
    """One execution of a task. ``glovebox.run`` and ``glovebox.start`` make it.

    >>> run = glovebox.start(add, 1, 2)
    >>> run.wait()
    >>> run.status(), run.outputs()[0]
    ('succeeded', 3)
    """

    __module__ = "glovebox"  # where users find it

    def __init__(
        self, engine: Engine, task: Task[..., R] | None, record: Json, signature: Signature | None = None
    ) -> None:
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
                engine again, so that the run continues with those of this process
                when the one that began it is gone.

        Raises:
            NotFoundError: There is none.
            ValueError: It is a run of another task.

        >>> run = glovebox.Run.get("run-06gvuqmfmt8lkhdq8794jv2h", pipeline)
        >>> run.resume().outputs()[0]
        """
        engine = await current_engine()
        record = await engine.run(run_id)
        if task is None:
            return Run(engine, None, record, signature_from(record["signature"]))
        if engine_name(task.name) != record["task"]:
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
        """Where people see the run: its page at the server, or, of an engine of this process, ``glovebox:///runs/ID``.

        ``glovebox show ID`` and ``glovebox open ID`` show it in either case.
        """
        return (
            f"{self._engine.url}/page/runs/{self.id}"
            if self._engine.url.startswith("http")
            else f"glovebox:///runs/{self.id}"
        )

    @property
    def group(self) -> str:
        """The name that ``glovebox.group`` or ``glovebox.map`` gave it, or an empty text."""
        return str(self._record.get("group", ""))

    @property
    def labels(self) -> dict[str, str]:
        """Those of its task, and those that it was started with."""
        return dict(self._record.get("labels") or {})

    @property
    def node_selector(self) -> dict[str, str]:
        """The labels that its node has to have."""
        return dict(self._record.get("node_selector") or {})

    @property
    def priority(self) -> int:
        """Its place among runs that wait: the higher is first."""
        return int(self._record.get("priority", 0))

    async def _live(self) -> Engine:
        """Returns the engine of the run, or the one that took the place of it: a child may have ended by itself."""
        if not self._engine.alive:
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
        result, signature = await self._ended(), await self._declared()
        return Outputs.of(signature, await decode_outputs(signature, result))

    async def _get_result(self) -> Result[R]:
        """Waits for the run and returns what it gave and printed. Raises its error if it failed.

        >>> result = glovebox.run(box, x=21).result()
        >>> result.value, result.stdout
        (42, 'doubling 21\\n')
        """
        result, signature = await self._ended(), await self._declared()
        values = await decode_outputs(signature, result)
        return Result(
            value=value_of(signature, values),
            outputs=Outputs.of(signature, values),
            stdout=text_of(result, "stdout"),
            stderr=text_of(result, "stderr"),
            run=self,
        )

    async def _declared(self) -> Signature:
        """Returns the signature of its task, which lists of runs leave out."""
        if self._signature is None:
            self._signature = signature_from((await (await self._live()).run(self.id))["signature"])
        return self._signature

    async def _ended(self) -> Json:
        if self._result is None:
            await self._wait()
        assert self._result is not None
        return self._result

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

    async def _definition(self) -> dict[str, Any]:
        """Returns its whole task as it ran, as the HTTP API gives it: code, tools, image and policies.

        Secrets are in it by name only.
        """
        return await (await self._live()).run_task(self.id)

    async def _code(self) -> str:
        """Returns the code that it ran, empty if it ran none, such as a command.

        >>> mended = run.rerun(code=run.code().replace("ad(", "add("))
        """
        return str((await self.definition.aio()).get("code") or "")

    async def _get_report(self) -> str:
        """Returns the report that the run wrote until now, a page of HTML: see ``glovebox.report``.

        Raises:
            NotFoundError: It wrote none.
        """
        engine = await self._live()
        report = object_in(await self.info.aio(), "report")
        if not report:
            raise NotFoundError(
                f"run {self.id} has no report", hint="declare its task with report=True, and write one into it"
            )
        pieces = [piece async for piece in engine.open_blob(str(report["sha256"]))]
        return b"".join(pieces).decode("utf-8", "replace")

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
        """Continues a run that was interrupted, failed or was cancelled. Calls that succeeded are not repeated.

        ``retry_unknown`` repeats calls whose outcome is unknown, which may have run already.
        """
        engine = await self._live()
        bound = await self._offered(engine)
        self._record, self._result = await engine.resume(self.id, retry_unknown=retry_unknown), None
        if bound:
            pending.add(engine, self.id)
        return self

    async def _resolve(
        self,
        call: int | str | None = None,
        *,
        value: Any = MISSING,
        failed: str | BaseException | None = None,
    ) -> Run[Any]:
        """Records the outcome of a call whose outcome is unknown, and returns the run of the call.

        ``resume`` then continues with it. A run without a caller ends with it.

        >>> run.resolve(2, value=42)
        >>> run.resume().outputs()[0]

        Args:
            call: Its number in the run, or the id of its run. None is the only one in doubt.
            value: The value that it returned.
            failed: It did not run: the exception that the code gets, or the message of a RuntimeError.

        Raises:
            ConflictError: It is not in doubt, or the run is under way.
            InvalidInputError: The value is of another type.
        """
        if (value is MISSING) == (failed is None):
            raise TypeError("resolve: expected either value=, what the call returned, or failed=, why it did not run")
        engine = await self._live()
        body: dict[str, Any] = {} if call is None else {"call": str(call)}
        if failed is None:
            doubt = await self._doubt(engine, call)
            declared = signature_from(doubt["signature"])
            body |= {"value": await encode_value(str(doubt["task"]), declared, value)}
        elif isinstance(failed, BaseException):
            name = type(failed).__name__
            body |= {"failed": str(failed) or name, "exception": name}
        else:
            body["failed"] = failed
        return Run(engine, None, await engine.resolve(self.id, body))

    async def _doubt(self, engine: Engine, call: int | str | None) -> Json:
        """Returns the run of a call in doubt: the outputs that it declares tell how its value is written."""
        if isinstance(call, str) and not call.isdecimal():
            return await engine.run(call)
        record = await engine.run(self.id)
        error: dict[str, Any] = record.get("error") or {}
        details: dict[str, Any] = error.get("details") or {}
        named = details.get("run")
        if call is None and named:
            return await engine.run(named)
        found = [
            one["id"]
            for one in await self._calls()
            if (one["status"] != "succeeded" if call is None else str(one.get("call")) == str(call))
        ]
        return await engine.run(found[-1]) if found else record  # which of several it is, the engine asks

    async def _signal(self, name: str, value: Any = None, *, by: str | None = None, wait: float = 60) -> None:
        """Sends a value to what waits for the signal of a name in the run or below it.

        Of several calls that wait, each takes one, the first first. It returns when one took it.

        >>> run.signal("paid", 12.5)

        Args:
            name: That of the signal.
            value: Of its declared type; a signal without one takes None.
            by: Who sends it; by default the user of this host.
            wait: Seconds for which the run may come to wait for it, 60 at most.

        Raises:
            ConflictError: Nothing waits for it, and nothing was kept.
            InvalidInputError: The value is of another type.
            NotFoundError: The task of the run was granted no such signal.
        """
        if isinstance(wait, bool) or not 0 <= wait <= 60:
            raise ValueError(f"wait: expected seconds from 0 to 60, got {wait!r}")
        granted = _granted(await self.definition.aio(), name)
        if granted is None:
            raise NotFoundError(
                f"the task {self.task} was granted no signal {name!r}", hint="make it one of its tasks="
            )
        encoded = await encode_value(name, signature_from(granted["signature"]), value)
        body = {"value": encoded, "by": user_name() if by is None else by}
        await (await self._live()).signal(self.id, name, body, wait=wait, key=uuid.uuid4().hex)

    async def _rerun(
        self,
        *,
        code: str | None = None,
        inputs: Mapping[str, Any] | None = None,
        from_: int | None = None,
        fresh: bool = False,
        cache: CacheMode | None = None,
    ) -> Run[R]:
        """Makes a new run of this one, perhaps with other code. Calls that are the same are not repeated.

        >>> mended = run.rerun(code=better)
        >>> mended.outputs()[0]

        Args:
            code: Takes the place of the code; inputs, output and tools stay.
            inputs: Take the places of inputs of the same names.
            from_: The first call, counted from 1, that is made again in any case; by default none.
            fresh: Makes every call again, and takes no result from the cache.
            cache: Overrules the cache mode of the task. With ``fresh`` it is left out, or ``"override"`` to
                keep the new result.

        Raises:
            ConflictError: It has not ended.
            ValueError: ``cache`` or ``from_`` is none.
        """
        if from_ is not None and (isinstance(from_, bool) or not isinstance(from_, int) or from_ < 1):
            raise ValueError(f"from_: expected the number of a call, from 1 on, got {from_!r}")
        mode = None if cache is None else cache_mode(cache)
        engine = await self._live()
        bound = await self._offered(engine)
        body: dict[str, Any] = {"code": code, "from": from_, "fresh": fresh or None, "cache": mode}
        if inputs:
            body["inputs"] = await encode_some(self.task, await self._declared(), inputs)
        record = await engine.rerun(self.id, {name: value for name, value in body.items() if value is not None})
        if bound:
            pending.add(engine, str(record["id"]))
        return Run(engine, self._task, record, self._signature)

    async def _offered(self, engine: Engine) -> bool:
        """Offers the functions of the task to the engine. Reports whether a run of it needs this process."""
        if self._task is None:
            return engine.private
        definition = await self._task._definition(engine)  # pyright: ignore[reportPrivateUsage]
        return engine.private or needs_process(definition)

    wait = syncify_method(_wait)
    outputs = syncify_method(_outputs)
    result = syncify_method(_get_result)
    cancel = syncify_method(_cancel)
    status = syncify_method(_status)
    info = syncify_method(_info)
    definition = syncify_method(_definition)
    code = syncify_method(_code)
    get_report = syncify_method(_get_report)
    calls = syncify_method(_calls)
    resume = syncify_method(_resume)
    resolve = syncify_method(_resolve)
    rerun = syncify_method(_rerun)
    signal = syncify_method(_signal)

    def logs(self, follow: bool = False) -> Iterator[Line]:
        """Yields the lines that the run printed, and with ``follow`` those that it is going to print until its end.

        Each is a str with its line end, and has ``stream``: ``"stdout"`` or ``"stderr"``. A run keeps 256 MiB, or what
        ``serve --run-log`` says; where it printed more, the last line says so, with ``stream`` ``"system"``. The lines
        of one stream are in order, and those of both in the order in which they arrived.
        """
        entries, lines = self._engine.logs(self.id, follow=follow), Lines()
        while True:
            entry = run_sync(_next(entries))
            if entry is None:
                yield from lines.end()
                return
            yield from lines.add(entry)

    def __repr__(self) -> str:
        return f"<Run {self.id} of {self.task}: {self.url}>"

    def _repr_html_(self) -> str:
        from html import escape  # lazy: only a notebook needs it

        record = self._result["run"] if self._result else self._record
        status = str(record.get("status", ""))
        return f"run <code>{escape(self.id)}</code> of <b>{escape(self.task)}</b>, {escape(status)}"


def _granted(definition: Json, name: str) -> Json | None:
    """Returns the signal of a name that a task may call, or that what it calls may."""
    orchestrator: Json = definition.get("orchestrator") or {}
    tools: list[Json] = orchestrator.get("tools") or []
    for tool in [definition, *tools]:
        if tool.get("kind") == "signal" and tool.get("name") == name:
            return tool
    return next((found for tool in tools if (found := _granted(tool, name)) is not None), None)


async def _next(entries: Any) -> Json | None:
    return await anext(entries, None)


async def start_run(
    given: Task[..., R] | TaskSource, args: tuple[Any, ...], kwargs: dict[str, Any], *, options: RunOptions = PLAIN
) -> Run[R]:
    """Starts a run and returns when it is durable."""
    task = task_of(given)
    submitted = await submit(task, task._bind(args, kwargs), options=options)  # pyright: ignore[reportPrivateUsage]
    if submitted.bound:
        pending.add(submitted.engine, submitted.id)
    return Run(submitted.engine, task, submitted.record, task.signature)
