"""Sessions: cells that are kept."""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import math
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal

from .._link.current import current_engine
from .._process.loop import run_async, run_sync, syncify, syncify_method
from .._tasks.cell_spec import CellSpec
from .._tasks.network import network_json
from .._tasks.policies import timeout_ns
from ..errors import GloveboxError, from_problem
from ._access import Access
from ._context import Context, Language, code_request, executed_code
from ._execution import Execution, Result
from ._files import Files
from ._port import Port, dialed, opened
from ._process import CommandResult, Process, Tell, command, executed, is_start
from ._snapshot import Snapshot, snapshot_of
from ._stream import Stream

if TYPE_CHECKING:
    import socket

    from .._link.current import Engine, Json
    from .._tasks.image import Image
    from .._tasks.resources import Resources
    from .._tasks.secret import SecretRequest

Seconds = float | datetime.timedelta
AtEnd = Literal["pause", "kill"]

_IDLE = 1800.0  # seconds


class Session:
    """A cell that is kept: commands, code, files and ports, until it is killed or its time is over.

    ``with`` starts it, and kills it at the end; without ``with`` the first use starts it. Each method is called
    plainly, or awaited as ``.aio``, and ``async with`` is there, too.

    >>> with glovebox.Session() as s:
    ...     s.files.write("data.csv", "a,b\\n1,2\\n")
    ...     s.exec("wc -l < data.csv").stdout
    ...     s.run("sum(range(10))").text
    '1\\n'
    '45'

    Args:
        image: An ``Image``, or a reference of one.
        snapshot: The id or the name of a snapshot to start from, in place of an image.
        resources: Limits of the cell.
        network: ``"none"``, ``"public"``, or the domains that may be reached.
        env_vars: Variables of every command and context.
        secrets: Stored secrets, as variables or files.
        cwd: Where commands start; without it where the image says, or ``/work``.
        user: Whom commands run as: a name, a number, root, or ``"image"``: whom the image names, or
            root if it names nobody; without it 1000.
        labels: For whoever lists sessions.
        timeout: Seconds, or a timedelta, that it lives at most; None is without bound.
        idle: How long it may be without a request; None is without bound.
        at_end: What happens when either time is over: ``"pause"`` or ``"kill"``.
        files_only: Pauses without processes when a time is over.
        auto_resume: A request to the session when it is paused resumes it.
        keep: The end of ``with`` leaves it, and ``Session.get`` finds it again. An engine of this process
            ends its cells with the process.
    """

    __module__ = "glovebox"  # where users find it

    def __init__(
        self,
        *,
        image: str | Image | None = None,
        snapshot: str | Snapshot | None = None,
        resources: Resources | None = None,
        network: str | Sequence[str] | None = None,
        env_vars: Mapping[str, str] | None = None,
        secrets: SecretRequest | None = None,
        cwd: str | None = None,
        user: str | None = None,
        labels: Mapping[str, str] | None = None,
        timeout: Seconds | None = None,
        idle: Seconds | None = _IDLE,
        at_end: AtEnd = "pause",
        files_only: bool = False,
        auto_resume: bool = True,
        keep: bool = False,
    ) -> None:
        if image is not None and snapshot is not None:
            raise ValueError("a session starts from an image or from a snapshot, not from both")
        if at_end not in ("pause", "kill"):
            raise ValueError(f'at_end: expected "pause" or "kill", got {at_end!r}')
        cell = CellSpec.of(
            image=image, resources=resources, env_vars=env_vars, secrets=secrets, network=network, isolation=None
        )
        members: dict[str, Any] = {
            **cell.members,
            "snapshot": snapshot.id if isinstance(snapshot, Snapshot) else snapshot,
            "dir": cwd,
            "user": user,
            "labels": _labels(labels),
            "timeout_ns": timeout_ns(timeout),
            "idle_ns": _idle_ns(idle),
            "at_end": at_end,
            "files_only": files_only,
            "no_auto_resume": not auto_resume,
        }
        self._set(Access({name: value for name, value in members.items() if value}), keep)

    def _set(self, access: Access, keep: bool) -> None:
        self._access = access
        self.keep = keep
        self.files = Files(access)

    @classmethod
    def _of(cls, engine: Engine, record: Json, keep: bool) -> Session:
        made = cls.__new__(cls)
        made._set(Access(engine=engine, record=record), keep)
        return made

    @staticmethod
    async def _get(id: str) -> Session:
        """Finds a session by its id. ``with`` leaves it running, unless ``keep`` is set to False.

        Raises:
            NotFoundError: There is none.
        """
        from .._link.documents import segment  # lazy: only a request needs it
        from .._link.http import Request  # lazy: the same

        engine = await current_engine()
        record = await engine.ask(Request("GET", f"/v1/sessions/{segment(id)}", repeat=True))
        return Session._of(engine, record, keep=True)

    get = staticmethod(syncify(_get))

    @property
    def id(self) -> str:
        """Its id. RuntimeError before it was started."""
        if not self._access.id:
            raise RuntimeError("the session was not started yet: use it with `with`, or call open()")
        return self._access.id

    @syncify_method
    async def open(self) -> Session:
        """Starts it, unless that was done, and returns it. ``with`` and the first use do the same."""
        await self._access.engine()
        return self

    @syncify_method
    async def kill(self) -> None:
        """Ends it, and everything in it. One that was not started, or has ended, stays as it is."""
        if self._access.id:
            await self._access.ask("DELETE", repeat=True)

    def __enter__(self) -> Session:
        run_sync(self._access.engine())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        run_sync(self._leave(error))

    async def __aenter__(self) -> Session:
        await run_async(self._access.engine())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        leaving = asyncio.ensure_future(run_async(self._leave(error)))
        try:
            await asyncio.shield(leaving)
        except asyncio.CancelledError:  # a cell would stay that is paid for
            with contextlib.suppress(GloveboxError):
                await asyncio.shield(leaving)
            raise

    async def _leave(self, error: BaseException | None) -> None:
        if self.keep:
            return
        try:
            await self.kill.aio()
        except GloveboxError:
            if error is None:  # else that one tells more
                raise

    # Commands.

    @syncify_method
    async def exec(
        self,
        argv: str | Sequence[str],
        *,
        cwd: str | None = None,
        env_vars: Mapping[str, str] | None = None,
        user: str | None = None,
        timeout: Seconds | None = None,
        input: str | bytes | None = None,
        on_stdout: Tell | None = None,
        on_stderr: Tell | None = None,
    ) -> CommandResult:
        """Runs a command to its end, and returns how that was. Interrupting it, as with Ctrl-C, ends the command.

        Args:
            argv: A text is a command of ``sh``; a list is a program and its arguments.
            cwd: Where it starts; by default where the session does.
            env_vars: Variables in addition to those of the session.
            user: Whom it runs as; by default that of the session.
            timeout: Seconds, or a timedelta, after which it is ended, with everything that it started.
            input: Its standard input, which is empty without. A text is UTF-8.
            on_stdout: Gets each piece of its standard output as it comes, in a thread of the library.
            on_stderr: The same of its standard error.

        Example::

            s.exec("pip list | wc -l").check().stdout
            s.exec(["python", "train.py"], timeout=600, on_stdout=print)
        """
        spec = command(argv, cwd=cwd, env_vars=env_vars, user=user, timeout=timeout, stdin=input is not None)
        content = input.encode() if isinstance(input, str) else input
        return await executed(self._access, spec, content, on_stdout, on_stderr)

    @syncify_method
    async def start(
        self,
        argv: str | Sequence[str],
        *,
        cwd: str | None = None,
        env_vars: Mapping[str, str] | None = None,
        user: str | None = None,
        timeout: Seconds | None = None,
        stdin: bool = False,
        tag: str | None = None,
        terminal: tuple[int, int] | Literal[True] | None = None,
    ) -> Process:
        """Starts a command in the background. It lives in the cell, whoever listens.

        Args:
            argv: A text is a command of ``sh``; a list is a program and its arguments.
            cwd: As for ``exec``.
            env_vars: The same.
            user: The same.
            timeout: The same.
            stdin: Keeps its standard input open, for ``Process.write``.
            tag: A name by which ``process`` finds it.
            terminal: Gives it a terminal of so many columns and rows, or with True of 80 and 24.
        """
        spec = command(
            argv, cwd=cwd, env_vars=env_vars, user=user, timeout=timeout, stdin=stdin, tag=tag, terminal=terminal
        )
        started = self._access.entries("POST", "/processes", spec, query={"detach": "true"}, last=is_start)
        pids = [str(entry["pid"]) async for entry in started]
        return Process(self._access, pids[0], spec["argv"])

    def process(self, process: int | str) -> Process:
        """Returns a command that was started before, by its number or its tag."""
        return Process(self._access, f"tag:{process}" if isinstance(process, str) else str(process))

    @syncify_method
    async def processes(self) -> list[Process]:
        """Returns the commands that run, and those that have ended lately."""
        found: list[Json] = (await self._access.ask("GET", "/processes", repeat=True)).get("processes") or []
        return [Process(self._access, str(each["pid"]), each["spec"]["argv"]) for each in found]

    # Code.

    @syncify_method
    async def run(
        self,
        code: str,
        *,
        language: Language = "python",
        env_vars: Mapping[str, str] | None = None,
        timeout: Seconds | None = None,
        on_stdout: Tell | None = None,
        on_stderr: Tell | None = None,
        on_result: Callable[[Result], object] | None = None,
    ) -> Execution:
        """Executes code in the interpreter of its language that the session has, which keeps what the code defines.

        Code that raises is no error of this: ``Execution.check`` makes it one. Interrupting it interrupts the code.

        Args:
            code: Python, or another language.
            language: ``"python"``, ``"bash"``, ``"javascript"``, ``"typescript"``, ``"r"`` or ``"java"``.
            env_vars: Variables of this execution.
            timeout: Seconds, or a timedelta, after which the code is interrupted.
            on_stdout: Gets what it prints as it comes, in a thread of the library.
            on_stderr: The same of its standard error.
            on_result: The same of what it shows.

        Example::

            s.run("import pandas; df = pandas.read_csv('data.csv')").check()
            s.run("df.plot()").save("plot.png")
        """
        asked = code_request(code, env_vars, timeout, language=language)
        return await executed_code(self._access, asked, on_stdout, on_stderr, on_result)

    @syncify_method
    async def context(
        self,
        *,
        language: Language = "python",
        cwd: str | None = None,
        env_vars: Mapping[str, str] | None = None,
        plain: bool = False,
    ) -> Context:
        """Starts another interpreter, and returns it when it is ready.

        Args:
            language: ``"python"``, ``"bash"``, ``"javascript"``, ``"typescript"``, ``"r"`` or ``"java"``.
            cwd: Where it starts.
            env_vars: Variables in addition to those of the session.
            plain: Python without IPython, though the image has it.
        """
        members = {"language": language, "dir": cwd, "env": dict(env_vars or {}), "plain": plain}
        body = {name: value for name, value in members.items() if value}
        return Context(self._access, await self._access.ask("POST", "/contexts", body))

    @syncify_method
    async def contexts(self) -> list[Context]:
        """Returns the interpreters of the session, the oldest first."""
        answer = await self._access.ask("GET", "/contexts", repeat=True)
        return [Context(self._access, each) for each in answer.get("contexts") or ()]

    # Ports.

    @syncify_method
    async def open_port(self, port: int, *, public: bool = False) -> Port:
        """Lets the server carry requests to a port of the cell for whoever has its token, or if ``public`` for all."""
        return await opened(self._access, port, public)

    @syncify_method
    async def dial(self, port: int) -> socket.socket:
        """Connects to a port of the cell, open or not, and returns a socket of this process that leads there.

        >>> with s.dial(8000) as connection:
        ...     connection.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
        ...     answer = connection.makefile("rb").read()

        Raises:
            NotFoundError: Nothing listens there.
        """
        return await dialed(self._access, port)

    # Its life.

    @syncify_method
    async def pause(self, *, files_only: bool = False, reason: str | None = None) -> None:
        """Saves it, and ends its cell. The next request resumes it.

        Args:
            files_only: Without processes, which end. Otherwise they continue when it is resumed.
            reason: For people.
        """
        body = {"files_only": files_only, **({"reason": reason} if reason else {})}
        self._access.record = await self._access.ask("POST", "/pause", body)

    @syncify_method
    async def resume(self) -> None:
        """Continues it after a pause."""
        self._access.record = await self._access.ask("POST", "/resume")

    @syncify_method
    async def fork(
        self,
        count: int = 1,
        *,
        files_only: bool = False,
        timeout: Seconds | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> list[Session]:
        """Makes sessions that continue from the state of this one, which continues. ``with`` kills each at its end.

        Args:
            count: How many.
            files_only: Without processes and memory.
            timeout: How long they live at most; by default as long as this one.
            labels: In addition to those of this one.

        Raises:
            GloveboxError: One of them could not be made. The others are killed.
        """
        body: dict[str, Any] = {"count": count, "files_only": files_only, "timeout_ns": timeout_ns(timeout)}
        answer = await self._access.ask("POST", "/fork", {**body, "labels": _labels(labels)})
        engine = await self._access.engine()
        forks: list[Json] = answer.get("forks") or []
        made = [Session._of(engine, fork["session"], keep=False) for fork in forks if fork.get("session")]
        failed = [fork["error"] for fork in forks if fork.get("error")]
        if failed:
            await asyncio.gather(*(session.kill.aio() for session in made), return_exceptions=True)
            raise from_problem(failed[0])
        return made

    @syncify_method
    async def snapshot(self, name: str | None = None, *, memory: bool = False) -> Snapshot:
        """Saves its state, from which any number of sessions start; it continues.

        Args:
            name: Moves to it from an older snapshot: letters, digits, ``.``, ``_``, ``-``, ``/`` and ``:``.
            memory: Saves its processes, too.
        """
        body = {"memory": memory, **({"name": name} if name else {})}
        return snapshot_of(await self._access.ask("POST", "/snapshots", body))

    @syncify_method
    async def change(
        self,
        *,
        timeout: Seconds | None = None,
        idle: Seconds | None = None,
        at_end: AtEnd | None = None,
        network: str | Sequence[str] | None = None,
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """Changes what is given.

        Args:
            timeout: How long it lives from now on; ``math.inf`` is without bound.
            idle: How long it may be without a request; ``math.inf`` is without bound.
            at_end: What happens when either time is over.
            network: What new connections may reach.
            labels: To set; an empty value removes one.
        """
        body: dict[str, Any] = {
            "timeout_ns": None if timeout is None else 0 if timeout == math.inf else timeout_ns(timeout),
            "idle_ns": None if idle is None else -1 if idle == math.inf else timeout_ns(idle, "idle"),
            "at_end": at_end,
            "network": None if network is None else network_json(network),
            "labels": None if labels is None else _labels(labels),
        }
        changes = {name: value for name, value in body.items() if value is not None}
        self._access.record = await self._access.ask("PATCH", "", changes)

    @syncify_method
    async def info(self) -> dict[str, Any]:
        """Returns what is known of it, as the HTTP API gives it."""
        self._access.record = await self._access.ask("GET", repeat=True)
        return self._access.record

    @syncify_method
    async def state(self) -> str:
        """Returns starting, running, pausing, paused, resuming, ended or lost."""
        return str((await self.info.aio())["state"])

    @syncify_method
    async def usage(
        self, *, since: datetime.datetime | None = None, until: datetime.datetime | None = None
    ) -> list[dict[str, Any]]:
        """Returns what it used of processor, memory and disk, the oldest sample first, as the HTTP API gives it."""
        given = {"since": since, "until": until}
        query = {name: _moment(name, moment) for name, moment in given.items() if moment is not None}
        return list((await self._access.ask("GET", "/usage", query=query, repeat=True)).get("samples") or [])

    @syncify_method
    async def connections(self) -> list[dict[str, Any]]:
        """Returns its newest connections and the requests with withheld secrets, as the HTTP API gives them."""
        return list((await self._access.ask("GET", "/connections", repeat=True)).get("connections") or [])

    def events(self, *, after: int = 0, follow: bool = False) -> Stream[dict[str, Any]]:
        """Yields what happened to it, as the HTTP API gives it; with ``follow`` also what comes, until it has ended."""
        query = {"after": str(after), **({"follow": "true"} if follow else {})}
        return Stream(self._access.entries("GET", "/events", query=query))

    def __repr__(self) -> str:
        return f"<Session {self._access.id or 'that was not started yet'}>"


def _idle_ns(idle: Seconds | None) -> int:
    return -1 if idle is None else timeout_ns(idle, "idle")


def _labels(labels: Mapping[str, str] | None) -> dict[str, str]:
    for name, value in (labels or {}).items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"labels: expected str to str, got {name!r}: {value!r}")
    return dict(labels or {})


def _moment(field: str, given: datetime.datetime) -> str:
    if not isinstance(given, datetime.datetime):
        raise TypeError(f"{field}: expected a datetime, got {given!r}")
    return given.astimezone(datetime.timezone.utc).isoformat().replace("+00:00", "Z")
