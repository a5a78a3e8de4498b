"""Commands of a session."""

from __future__ import annotations

import asyncio
import base64
import codecs
import contextlib
import datetime
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from .._process.loop import syncify_method
from .._tasks.policies import timeout_ns
from .._tasks.variables import check_variables
from ..errors import GloveboxError, NonzeroExitError, SignaledError, TaskTimeoutError
from ._access import Access, Patience
from ._stream import Stream

if TYPE_CHECKING:
    from .._link.current import Json

Tell = Callable[[str], object]

_KEPT = 64 << 20  # bytes of each stream that a result has


@dataclass(frozen=True)
class Output:
    """A piece of what a command wrote, as it came.

    ``stream`` is ``"stdout"``, ``"stderr"``, or ``"terminal"``. ``text`` is ``data`` as UTF-8, where a character may
    begin in one piece and end in the next. ``lost`` bytes before it were written while nobody listened, and are not
    kept any more.
    """

    __module__ = "glovebox.session"  # where users find it

    stream: str
    data: bytes
    text: str
    lost: int = 0


@dataclass(frozen=True)
class CommandResult:
    """How a command ended, and what it wrote.

    ``stdout`` and ``stderr`` are text, and ``stdout_bytes`` and ``stderr_bytes`` what it is made of: of more than
    64 MiB, the end. What a command wrote to its terminal is in ``stdout``.
    ``exit_code`` is as a shell counts: of a command that ``signal`` ended, 128 and the number of that.
    """

    __module__ = "glovebox.session"  # where users find it

    argv: tuple[str, ...]
    exit_code: int
    signal: str
    timed_out: bool
    stdout_bytes: bytes = field(repr=False)
    stderr_bytes: bytes = field(repr=False)

    @property
    def stdout(self) -> str:
        """What it wrote to its standard output. Bytes that are not UTF-8 read as U+FFFD."""
        return self.stdout_bytes.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        """The same of its standard error."""
        return self.stderr_bytes.decode("utf-8", "replace")

    def check(self) -> CommandResult:
        """Returns itself, and raises an error if the command did not end with status 0.

        >>> version = s.exec("python --version").check().stdout

        Raises:
            NonzeroExitError: It ended with another status.
            SignaledError: A signal ended it.
            TaskTimeoutError: Its time was over.
        """
        if self.exit_code == 0 and not self.timed_out:
            return self
        name = self.argv[-1] if self.argv[:2] == _SHELL else " ".join(self.argv)
        details = {"exit_code": self.exit_code, "stderr": self.stderr}
        if self.timed_out:
            raise TaskTimeoutError(f"{name!r} did not end in its time", details=details)
        if self.signal:
            raise SignaledError(f"{name!r} was ended by {self.signal}", details={**details, "signal": self.signal})
        raise NonzeroExitError(f"{name!r} ended with status {self.exit_code}", details=details)


class Process:
    """A command of a session, which lives in the cell: made by ``Session.start`` and ``Session.process``.

    To iterate over it, plainly or with ``async for``, gives what it writes until it has ended, and continues where the
    iteration before was left.

    >>> server = s.start(["python", "-m", "http.server"])
    >>> for output in server:
    ...     print(output.stream, output.text, end="")
    """

    __module__ = "glovebox.session"  # where users find it

    def __init__(self, access: Access, ref: str, argv: Sequence[str] = ()) -> None:
        self._access = access
        self._ref = ref
        self._argv = tuple(argv)
        self._offset = 0

    @property
    def pid(self) -> int | None:
        """Its number in the cell; None if it was found by its tag."""
        return int(self._ref) if self._ref.isdecimal() else None

    def __iter__(self) -> Stream[Output]:
        return self._rest()

    def __aiter__(self) -> Stream[Output]:
        return self._rest()

    def _rest(self) -> Stream[Output]:
        return Stream(self._outputs(self._offset))

    async def _outputs(self, offset: int) -> AsyncGenerator[Output, None]:
        texts = Texts()
        async with contextlib.aclosing(followed(self._access, self._ref, offset=offset)) as entries:
            async for entry in entries:
                self._offset = int(entry.get("offset") or 0)
                if entry.get("type") == "output":
                    yield texts.output(entry)

    @syncify_method
    async def wait(self, *, on_stdout: Tell | None = None, on_stderr: Tell | None = None) -> CommandResult:
        """Waits until it has ended, and returns how, with all that is kept of its output."""
        entries = followed(self._access, self._ref)
        return await collected(entries, self._argv, on_stdout, on_stderr)

    @syncify_method
    async def write(self, data: bytes | str) -> None:
        """Writes to its standard input, or its terminal, and returns when it has taken all."""
        content = data.encode() if isinstance(data, str) else bytes(data)
        await self._access.ask("POST", self._below("/input"), content=content)

    @syncify_method
    async def close_stdin(self) -> None:
        """Ends its standard input."""
        await self._access.ask("DELETE", self._below("/input"), repeat=True)

    @syncify_method
    async def signal(self, signal: str, *, tree: bool = False) -> None:
        """Sends a signal, such as ``"SIGTERM"``; with ``tree`` also to all that the command started."""
        await self._access.ask("POST", self._below("/signal"), {"signal": signal, "tree": tree})

    @syncify_method
    async def kill(self) -> None:
        """Ends it, and all that it started."""
        await self._access.ask("POST", self._below("/signal"), {"signal": "SIGKILL", "tree": True})

    @syncify_method
    async def resize(self, columns: int, rows: int) -> None:
        """Changes the size of its terminal."""
        await self._access.ask("PUT", self._below("/terminal"), {"columns": columns, "rows": rows}, repeat=True)

    def _below(self, below: str) -> str:
        return process_path(self._ref) + below

    def __repr__(self) -> str:
        return f"<Process {self._ref}{' ' + ' '.join(self._argv) if self._argv else ''}>"


_SHELL = ("sh", "-c")


def command(
    argv: str | Sequence[str],
    *,
    cwd: str | None,
    env_vars: Mapping[str, str] | None,
    user: str | None,
    timeout: float | datetime.timedelta | None,
    stdin: bool = False,
    tag: str | None = None,
    terminal: tuple[int, int] | Literal[True] | None = None,
) -> Json:
    """Returns the description of a command: a text is one of a shell."""
    words = [*_SHELL, argv] if isinstance(argv, str) else list(argv)
    if not words or not all(isinstance(word, str) for word in words):
        raise TypeError(f"a command is a text for a shell, or a list of texts, got {argv!r}")
    columns, rows = (80, 24) if terminal is True or terminal is None else terminal
    size = {"columns": columns, "rows": rows} if terminal is not None else None
    members: dict[str, Any] = {
        "dir": cwd,
        "env": check_variables(env_vars),
        "user": user,
        "tag": tag,
        "stdin": stdin,
        "terminal": size,
        "timeout_ns": timeout_ns(timeout),
    }
    return {"argv": words, **{name: value for name, value in members.items() if value}}


async def executed(
    access: Access, spec: Json, input: bytes | None, on_stdout: Tell | None, on_stderr: Tell | None
) -> CommandResult:
    """Runs a command to its end. Cancelling it ends the command."""
    started: list[Process] = []
    fed: list[asyncio.Task[None]] = []

    def begin(pid: str) -> None:
        started.append(Process(access, pid))
        if input is not None:  # while its output is read, so that neither waits for the other
            fed.append(asyncio.create_task(_feed(started[0], input)))

    try:
        result = await collected(followed(access, spec=spec, started=begin), spec["argv"], on_stdout, on_stderr)
        await asyncio.gather(*fed)
        return result
    except BaseException:
        for task in fed:
            task.cancel()
        if started:
            with contextlib.suppress(GloveboxError):
                await asyncio.shield(started[0].kill.aio())
        raise


async def _feed(process: Process, input: bytes) -> None:
    """Gives a command its input. One that ends before it has read all is no error, as in a pipe of a shell.

    Nor is any other here: whoever follows the command meets the reason.
    """
    if input:
        with contextlib.suppress(GloveboxError):
            await process.write.aio(input)
    with contextlib.suppress(GloveboxError):
        await process.close_stdin.aio()


async def collected(
    entries: AsyncGenerator[Json, None], argv: Sequence[str], on_stdout: Tell | None, on_stderr: Tell | None
) -> CommandResult:
    """Makes a result of what comes from a command, and passes it on as it comes."""
    texts, kept = Texts(), {"stdout": _Tail(), "stderr": _Tail()}
    tell = {"stdout": on_stdout, "stderr": on_stderr}
    exit: Json = {}
    async with contextlib.aclosing(entries):
        async for entry in entries:
            exit = entry.get("exit") or exit
            if entry.get("type") != "output":
                continue
            output = texts.output(entry)
            stream = "stderr" if output.stream == "stderr" else "stdout"
            kept[stream].add(output.data)
            await told(tell[stream], output.text)
    return CommandResult(
        argv=tuple(argv),
        exit_code=int(exit.get("status") or 0),
        signal=str(exit.get("signal") or ""),
        timed_out=bool(exit.get("timed_out")),
        stdout_bytes=kept["stdout"].bytes(),
        stderr_bytes=kept["stderr"].bytes(),
    )


async def told(tell: Callable[[Any], object] | None, what: Any) -> None:
    """Calls what a user gave, in a thread: it may take its time, and use this library."""
    if tell is not None and what:
        await asyncio.to_thread(tell, what)


async def followed(
    access: Access,
    process: str = "",
    *,
    spec: Json | None = None,
    offset: int = 0,
    started: Callable[[str], None] | None = None,
) -> AsyncGenerator[Json, None]:
    """Yields what happens to a command until it has ended, over as many connections as it takes.

    Without ``process`` it starts the command of ``spec`` first.
    """
    patience = Patience(await access.engine())
    while True:
        if process:
            below, query = process_path(process) + "/events", {"from": str(offset)}
            entries = access.entries("GET", below, query=query, last=_is_exit)
        else:
            entries = access.entries("POST", "/processes", spec, last=_is_exit)
        try:
            async with contextlib.aclosing(entries):
                async for entry in entries:
                    patience.met()
                    offset = int(entry.get("offset") or 0)
                    if not process:
                        process = str(entry.get("pid"))
                        if started is not None:
                            started(process)
                    yield entry
            return
        except GloveboxError as error:
            if not process:
                raise
            await patience.wait(error)


def is_start(entry: Json) -> bool:
    """Reports whether an entry says that a command was started."""
    return entry.get("type") == "started"


def _is_exit(entry: Json) -> bool:
    return entry.get("type") == "exited"


def process_path(ref: str) -> str:
    """Returns the path of a command below its session."""
    from .._link.documents import segment  # lazy: to name a command loads nothing of HTTP

    return f"/processes/{segment(ref)}"


class Texts:
    """Makes texts of pieces: a character may begin in one and end in the next."""

    def __init__(self) -> None:
        self._decoders: dict[str, codecs.IncrementalDecoder] = {}

    def output(self, entry: Json) -> Output:
        stream, data = str(entry.get("stream")), base64.b64decode(entry.get("data") or "")
        decoder = self._decoders.setdefault(stream, codecs.getincrementaldecoder("utf-8")("replace"))
        return Output(stream, data, decoder.decode(data), int(entry.get("lost") or 0))


class _Tail:
    """The end of a stream."""

    def __init__(self) -> None:
        self._data = bytearray()

    def add(self, data: bytes) -> None:
        self._data += data
        if len(self._data) > 2 * _KEPT:  # not each time, which would move all of it
            del self._data[:-_KEPT]

    def bytes(self) -> bytes:
        return bytes(self._data[-_KEPT:])
