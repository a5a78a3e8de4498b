"""Sessions as the workspaces of Pydantic AI's harness.

>>> from pydantic_ai import Agent
>>> from pydantic_ai_harness.coder import Coder
>>> from glovebox.plugins.pydantic_ai import GloveboxSandbox
>>> agent = Agent("anthropic:claude-opus-5-5", capabilities=[GloveboxSandbox(), Coder()])
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import posixpath
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import UserError
from pydantic_ai.tools import AgentDepsT, RunContext
from pydantic_ai.workspaces import (
    CommandResult,
    FileEntry,
    SupportsCommands,
    SupportsFilesystem,
    Workspace,
    WorkspaceBackend,
    WorkspaceCommand,
    WorkspaceError,
    WorkspaceOutputLimitError,
    WorkspaceRef,
    WorkspaceTimeoutError,
    WorkspaceUnavailableError,
)

from glovebox import Resources, Session
from glovebox.errors import CellLostError, CommandNotFoundError, GloveboxError, NotFoundError, SessionEndedError
from glovebox.session import FileInfo, Files

_PROVIDER = "glovebox"
_LABEL = "workspace-of"  # sessions that were made here, which are all that a reference in a history leads to
_OWNER = "pydantic-ai"
_OVER = ("ended", "lost")
_OUTPUT = 10 << 20  # bytes that a command may write
_PREVIEW = 64 << 10  # characters of them that an error has


@dataclass(kw_only=True)
class GloveboxSandbox(AbstractCapability[AgentDepsT]):
    """Supplies a session of Glovebox as the workspace of a run. It is made on first use.

    A run that continues the messages of another one continues in its session. A session outlives the run: ``destroy``
    ends it; one that nobody used for half an hour is paused, and continues when it is used again.
    """

    image: str | None = None
    """The image of a new session; the one of Glovebox without it."""
    network: str | Sequence[str] = "none"
    """What a new session may reach: ``"none"``, ``"public"``, or the names of hosts."""
    resources: Resources | None = None
    """Limits of a new session."""
    working_dir: str | None = None
    """An absolute path where commands start, which is made if it must be; without it where the session says."""
    env: Mapping[str, str] | None = field(default=None, repr=False)
    """Variables of every command. Nothing is taken from this machine."""

    def __post_init__(self) -> None:
        if self.defer_loading:
            raise UserError("a workspace is chosen before deferred capabilities load: leave defer_loading out")

    def backend(self, ref: WorkspaceRef) -> GloveboxSandboxBackend:
        """Returns a workspace that is there, which the first use attaches to."""
        return GloveboxSandboxBackend(ref=ref, working_dir=self.working_dir, env=self.env)

    async def destroy(self, ref: WorkspaceRef) -> None:
        """Ends the session of a workspace. One that is gone already stays gone."""
        _check_provider(ref)
        with contextlib.suppress(NotFoundError, SessionEndedError):
            session = await Session.get.aio(ref.id)  # type: ignore[attr-defined]
            await _check_owner(session)
            await session.kill.aio()

    def get_workspace(self, ctx: RunContext[AgentDepsT], *, ref: WorkspaceRef | None) -> WorkspaceBackend | None:
        """Returns the workspace of a run, which was neither made nor looked for yet."""
        if ref is not None:
            return self.backend(ref) if ref.provider == _PROVIDER else None
        return GloveboxSandboxBackend(
            image=self.image,
            network=self.network,
            resources=self.resources,
            working_dir=self.working_dir,
            env=self.env,
        )


class GloveboxSandboxBackend(WorkspaceBackend, SupportsCommands, SupportsFilesystem):
    """A session of Glovebox as a workspace: that of ``ref``, or a new one, made on first use. It needs asyncio."""

    def __init__(
        self,
        *,
        ref: WorkspaceRef | None = None,
        image: str | None = None,
        network: str | Sequence[str] = "none",
        resources: Resources | None = None,
        working_dir: str | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        if ref is not None:
            _check_provider(ref)
        if working_dir is not None and not posixpath.isabs(working_dir):
            raise ValueError(f"working_dir: expected an absolute path, got {working_dir!r}")
        self._ref = ref
        self._wanted_dir = working_dir
        self._env = dict(env or {})
        self._session = Session(image=image, network=network, resources=resources, labels={_LABEL: _OWNER}, keep=True)
        self._opening: asyncio.Future[str] | None = None
        self._dir: str | None = None

    @property
    def ref(self) -> WorkspaceRef | None:
        """Which session it is; None before there is one."""
        return self._ref

    async def working_dir(self) -> str:
        """Returns where commands start."""
        if self._dir is None:
            if self._opening is None or self._opening.done():
                self._opening = asyncio.ensure_future(self._open())
            # What was begun is finished even if the caller is cancelled: else nobody would know of the session.
            self._dir = await asyncio.shield(self._opening)
        return self._dir

    async def _open(self) -> str:
        with _as_theirs():
            await self._attach_or_make()
            script = 'mkdir -p "$0" && cd "$0" && pwd -P' if self._wanted_dir else "pwd -P"
            entered = await self._session.exec.aio(
                ["sh", "-c", script, *([self._wanted_dir] if self._wanted_dir else [])]
            )
        found = entered.stdout.removesuffix("\n")
        if entered.exit_code != 0 or not posixpath.isabs(found):
            raise WorkspaceError(f"there is no working directory {self._wanted_dir!r}: {entered.stderr.strip()}")
        return found

    async def _attach_or_make(self) -> None:
        if self._ref is None:
            try:
                await self._session.open.aio()
            except GloveboxError as error:
                raise error if error.retryable else WorkspaceUnavailableError(str(error)) from error
            self._ref = WorkspaceRef(provider=_PROVIDER, id=self._session.id)
            return
        self._session = await Session.get.aio(self._ref.id)  # type: ignore[attr-defined]
        await _check_owner(self._session)
        if await self._session.state.aio() in _OVER:
            raise WorkspaceUnavailableError(f"session {self._ref.id} is over")

    async def run(
        self,
        command: WorkspaceCommand,
        *,
        shell: bool = False,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
    ) -> CommandResult:
        """Runs a command to its end. More than 10 MiB of output end it, with an error."""
        argv = _argv(command, shell)
        if timeout is not None and not (isinstance(timeout, (int, float)) and 0 < timeout < math.inf):
            raise ValueError(f"timeout: expected a positive number of seconds, got {timeout!r}")
        cwd = await self.working_dir()
        written = _Written()
        with _as_theirs():
            try:
                result = await self._session.exec.aio(
                    argv,
                    cwd=cwd,
                    env_vars={**self._env, **(env or {})},
                    timeout=timeout,
                    on_stdout=written.stdout,
                    on_stderr=written.stderr,
                )
            except CommandNotFoundError as error:
                return CommandResult(exit_code=127, stdout="", stderr=f"{error.message}\n")
        if result.timed_out:
            raise WorkspaceTimeoutError(
                f"the command did not end in {timeout:g} seconds", stdout=result.stdout, stderr=result.stderr
            )
        return CommandResult(exit_code=result.exit_code, stdout=result.stdout, stderr=result.stderr)

    async def read_bytes(self, path: str) -> bytes:
        """Returns the bytes of a file."""
        async with self._files() as files:
            return await files.read.aio(path)

    async def write_bytes(self, path: str, data: bytes) -> None:
        """Writes a file, and makes the directories above it."""
        async with self._files() as files:
            await files.write.aio(path, data)

    async def stat(self, path: str) -> FileEntry:
        """Returns what is known of a file; of a link, of what it leads to."""
        async with self._files() as files:
            info = await files.stat.aio(path)
        if info.type == "symlink":
            raise FileNotFoundError(f"{path} is a link that leads nowhere")
        return _entry(path, info)

    async def list_dir(self, path: str) -> Sequence[FileEntry]:
        """Lists a directory."""
        entries: list[FileEntry] = []
        async with self._files() as files:
            for info in await files.list.aio(path):
                at = posixpath.join(path, info.name)
                entries.append(_entry(at, await files.stat.aio(at) if info.type == "symlink" else info))
        return entries

    async def make_dir(self, path: str) -> None:
        """Makes a directory, and those above it."""
        async with self._files() as files:
            await files.mkdir.aio(path, exist_ok=True)

    async def remove(self, path: str) -> None:
        """Removes a file or a directory, but not the one where commands start, nor one above it."""
        root = await self.working_dir()
        parent = await Workspace(self).realpath(posixpath.dirname(path))
        target = posixpath.normpath(posixpath.join(parent, posixpath.basename(path)))
        if f"{root}/".startswith(f"{target.rstrip('/')}/"):
            raise ValueError(f"{path} is the working directory, or above it")
        async with self._files() as files:
            await files.stat.aio(path)  # which says that it is missing
            await files.remove.aio(path)

    async def exists(self, path: str) -> bool:
        """Reports whether a file is there."""
        try:
            await self.stat(path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True

    @contextlib.asynccontextmanager
    async def _files(self) -> AsyncIterator[Files]:
        await self.working_dir()
        with _as_theirs():
            yield self._session.files


class _Written:
    """What a command has written, of which there may be so much."""

    def __init__(self) -> None:
        self._texts = {"stdout": "", "stderr": ""}
        self._left = _OUTPUT

    def stdout(self, text: str) -> None:
        self._add("stdout", text)

    def stderr(self, text: str) -> None:
        self._add("stderr", text)

    def _add(self, stream: str, text: str) -> None:
        self._left -= len(text.encode())
        self._texts[stream] += text[: max(0, _PREVIEW - len(self._texts[stream]))]
        if self._left < 0:
            raise WorkspaceOutputLimitError(
                f"the command wrote more than {_OUTPUT >> 20} MiB: let it write to a file", limit=_OUTPUT, **self._texts
            )


@contextlib.contextmanager
def _as_theirs() -> Iterator[None]:
    """Says in the words of the framework that the session is gone."""
    try:
        yield
    except (SessionEndedError, CellLostError) as error:
        raise WorkspaceUnavailableError(str(error)) from error
    except NotFoundError as error:
        if error.details.get("field") != "session":
            raise
        raise WorkspaceUnavailableError(str(error)) from error


def _argv(command: WorkspaceCommand, shell: bool) -> list[str]:
    if isinstance(command, str):
        if not shell:
            raise TypeError("a text is a command of a shell: say shell=True, or give a list")
        return ["sh", "-c", command]
    if shell:
        raise TypeError("a command of a shell is one text")
    return list(command)


def _entry(path: str, info: FileInfo) -> FileEntry:
    size = info.size if info.type == "file" else None
    return FileEntry(name=posixpath.basename(path), path=path, is_dir=info.is_dir, size=size)


def _check_provider(ref: WorkspaceRef) -> None:
    if ref.provider != _PROVIDER:
        raise ValueError(f"ref: expected a workspace of {_PROVIDER!r}, got one of {ref.provider!r}")


async def _check_owner(session: Session) -> None:
    """Refuses sessions that were not made here: a reference may come from a history that somebody else wrote."""
    labels = (await session.info.aio())["spec"].get("labels") or {}
    if labels.get(_LABEL) != _OWNER:
        raise WorkspaceUnavailableError(f"session {session.id} is no workspace of {_OWNER}")
