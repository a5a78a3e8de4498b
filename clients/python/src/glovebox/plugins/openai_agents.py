"""Sessions as the sandboxes of the OpenAI Agents SDK.

>>> from agents import Runner
>>> from agents.run import RunConfig, SandboxRunConfig
>>> from agents.sandbox import SandboxAgent
>>> from glovebox.plugins.openai_agents import GloveboxSandboxClient
>>> agent = SandboxAgent(name="analyst", instructions="Work in the sandbox.")
>>> config = RunConfig(sandbox=SandboxRunConfig(client=GloveboxSandboxClient()))
>>> await Runner.run(agent, "How many primes are below a million?", run_config=config)
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import shlex
import time
import uuid
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlencode, urlsplit

from agents.sandbox.errors import (
    ExecTimeoutError,
    ExecTransportError,
    ExposedPortUnavailableError,
    WorkspaceArchiveReadError,
    WorkspaceArchiveWriteError,
    WorkspaceReadNotFoundError,
    WorkspaceStartError,
)
from agents.sandbox.manifest import Manifest
from agents.sandbox.session import SandboxSession, SandboxSessionState
from agents.sandbox.session.base_sandbox_session import BaseSandboxSession
from agents.sandbox.session.dependencies import Dependencies
from agents.sandbox.session.manager import Instrumentation
from agents.sandbox.session.pty_output import collect_pty_output
from agents.sandbox.session.pty_types import (
    PTY_PROCESSES_MAX,
    PtyExecUpdate,
    allocate_pty_process_id,
    clamp_pty_yield_time_ms,
    process_id_to_prune_from_meta,
    resolve_pty_write_yield_time_ms,
)
from agents.sandbox.session.runtime_helpers import RESOLVE_WORKSPACE_PATH_HELPER, RuntimeHelperScript
from agents.sandbox.session.sandbox_client import BaseSandboxClient, BaseSandboxClientOptions
from agents.sandbox.session.tar_workspace import shell_tar_exclude_args
from agents.sandbox.session.workspace_payloads import coerce_write_payload
from agents.sandbox.snapshot import SnapshotBase, SnapshotSpec, resolve_snapshot
from agents.sandbox.types import ExecResult, ExposedPortEndpoint, User

from glovebox import Session
from glovebox.errors import CommandNotFoundError, GloveboxError, NotFoundError
from glovebox.session import Process

_OVER = ("ended", "lost")


class GloveboxSandboxClientOptions(BaseSandboxClientOptions):
    """What a new session is like.

    ``network`` is ``"none"``, ``"public"``, or the names of hosts. With ``pause_on_exit`` a run that ends pauses the
    session in place of ending it, and a resumed run continues in it.
    """

    type: Literal["glovebox"] = "glovebox"
    image: str | None = None
    network: str | tuple[str, ...] = "none"
    exposed_ports: tuple[int, ...] = ()
    pause_on_exit: bool = False


class GloveboxSandboxSessionState(SandboxSessionState):
    """What finds a session again, or makes another one like it."""

    type: Literal["glovebox"] = "glovebox"
    glovebox_id: str
    options: GloveboxSandboxClientOptions


@dataclass
class _Started:
    """A command in the background, whose output is read bit by bit."""

    process: Process
    tty: bool
    chunks: deque[bytes] = field(default_factory=deque)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    notify: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    exit_code: int | None = None
    last_used: float = field(default_factory=time.monotonic)
    reading: asyncio.Task[None] | None = None

    async def read(self) -> None:
        """Takes what the command writes, until it has ended."""
        try:
            async for output in self.process:
                async with self.lock:
                    self.chunks.append(output.data)
                self.notify.set()
            self.exit_code = (await self.process.wait.aio()).exit_code
        except GloveboxError:
            self.exit_code = -1  # it went with its session
        finally:
            self.ended.set()
            self.notify.set()

    async def end(self) -> None:
        with contextlib.suppress(GloveboxError):
            await self.process.kill.aio()
        if self.reading is not None:
            self.reading.cancel()


class GloveboxSandboxSession(BaseSandboxSession):
    """A session as a sandbox. What needs another user needs ``sudo`` in the image, but for files."""

    state: GloveboxSandboxSessionState

    def __init__(self, state: GloveboxSandboxSessionState, session: Session) -> None:
        self.state = state
        self._session = session
        self._prepared = False
        self._started: dict[int, _Started] = {}

    # Its life.

    async def running(self) -> bool:
        """Reports whether it can be used."""
        try:
            return await self._session.state.aio() == "running"
        except GloveboxError:
            return False

    async def _prepare_backend_workspace(self) -> None:
        """Makes the root of the workspace, as the root of the cell is not the user's."""
        root = self._root
        try:
            user = (await self._session.exec.aio(["id", "-u"])).stdout.strip()
            made = await self._session.exec.aio(
                ["sh", "-c", '[ -d "$0" ] || { mkdir -p "$0" && chown "$1" "$0"; }', root, user], user="root"
            )
        except GloveboxError as error:
            raise WorkspaceStartError(path=Path(root), cause=error) from error
        if made.exit_code != 0:
            raise WorkspaceStartError(path=Path(root), context={"stderr": made.stderr})
        self._prepared = True

    def _mark_workspace_root_ready_from_probe(self) -> None:
        super()._mark_workspace_root_ready_from_probe()
        self._prepared = True

    async def _shutdown_backend(self) -> None:
        if not self.state.options.pause_on_exit:
            await self._session.kill.aio()
        elif await self.running():
            await self._session.pause.aio()

    @property
    def _root(self) -> str:
        return self._workspace_root_path().as_posix()

    # Commands.

    async def _exec_internal(self, *command: str | Path, timeout: float | None = None) -> ExecResult:
        try:
            result = await self._session.exec.aio(
                [str(word) for word in command], cwd=self._cwd(), env_vars=await self._variables(), timeout=timeout
            )
        except CommandNotFoundError as error:
            return ExecResult(stdout=b"", stderr=f"{error.message}\n".encode(), exit_code=127)
        except GloveboxError as error:
            raise ExecTransportError(command=command, cause=error, retryable=error.retryable) from error
        if result.timed_out:
            raise ExecTimeoutError(command=command, timeout_s=timeout)
        return ExecResult(stdout=result.stdout_bytes, stderr=result.stderr_bytes, exit_code=result.exit_code)

    def _cwd(self) -> str:
        return self._root if self._prepared else "/"

    async def _variables(self) -> dict[str, str]:
        return dict(await self.state.manifest.environment.resolve())

    def supports_pty(self) -> bool:
        """Commands may have a terminal."""
        return True

    async def pty_exec_start(
        self,
        *command: str | Path,
        timeout: float | None = None,
        shell: bool | list[str] = True,
        user: str | User | None = None,
        tty: bool = False,
        yield_time_s: float | None = None,
        max_output_tokens: int | None = None,
    ) -> PtyExecUpdate:
        """Starts a command in the background, and returns what it has written after a while."""
        argv = self._prepare_exec_command(*command, shell=shell, user=user)
        try:
            process = await self._session.start.aio(
                argv,
                cwd=self._cwd(),
                env_vars=await self._variables(),
                timeout=timeout,
                terminal=True if tty else None,
            )
        except GloveboxError as error:
            raise ExecTransportError(command=command, cause=error, retryable=error.retryable) from error
        started = _Started(process, tty)
        started.reading = asyncio.create_task(started.read())
        await self._make_room()
        number = allocate_pty_process_id(set(self._started))
        self._started[number] = started
        waits = clamp_pty_yield_time_ms(10_000 if yield_time_s is None else int(yield_time_s * 1000))
        return await self._update(number, started, waits, max_output_tokens)

    async def pty_write_stdin(
        self,
        *,
        session_id: int,
        chars: str,
        yield_time_s: float | None = None,
        max_output_tokens: int | None = None,
    ) -> PtyExecUpdate:
        """Writes to the terminal of a command, and returns what it has written after a while."""
        started = self._resolve_pty_session_entry(pty_processes=self._started, session_id=session_id)
        if chars:
            if not started.tty:
                raise RuntimeError("stdin is not available for this process")
            with contextlib.suppress(GloveboxError):  # it has ended, as the update says
                await started.process.write.aio(chars)
        asked = 250 if yield_time_s is None else int(yield_time_s * 1000)
        waits = resolve_pty_write_yield_time_ms(yield_time_ms=asked, input_empty=not chars)
        return await self._update(session_id, started, waits, max_output_tokens)

    async def pty_terminate_all(self) -> None:
        """Ends what runs in the background."""
        started, self._started = list(self._started.values()), {}
        await asyncio.gather(*(each.end() for each in started))

    async def _update(self, number: int, started: _Started, waits: int, max_output_tokens: int | None) -> PtyExecUpdate:
        output, tokens, closed = await collect_pty_output(
            output_chunks=started.chunks,
            output_lock=started.lock,
            output_notify=started.notify,
            is_done=started.ended.is_set,
            yield_time_ms=waits,
            max_output_tokens=max_output_tokens,
        )
        started.last_used = time.monotonic()
        if closed:
            self._started.pop(number, None)
        return PtyExecUpdate(
            process_id=None if closed else number,
            output=output,
            exit_code=started.exit_code if closed else None,
            original_token_count=tokens,
        )

    async def _make_room(self) -> None:
        if len(self._started) < PTY_PROCESSES_MAX:
            return
        known = [(number, each.last_used, each.ended.is_set()) for number, each in self._started.items()]
        oldest = process_id_to_prune_from_meta(known)
        if oldest is not None:
            await self._started.pop(oldest).end()

    # Files.

    async def _validate_path_access(self, path: Path | str, *, for_write: bool = False) -> Path:
        return await self._validate_remote_path_access(path, for_write=for_write)

    def _runtime_helpers(self) -> tuple[RuntimeHelperScript, ...]:
        return (RESOLVE_WORKSPACE_PATH_HELPER,)

    def _current_runtime_helper_cache_key(self) -> object | None:
        return self.state.glovebox_id

    async def read(self, path: Path, *, user: str | User | None = None) -> io.IOBase:
        """Returns a file."""
        return io.BytesIO(await self._read(path, None, user))

    async def _read_bounded(self, path: Path, *, max_bytes: int) -> bytes:
        return await self._read(path, max_bytes, None)

    async def _read(self, path: Path, limit: int | None, user: str | User | None) -> bytes:
        at = await self._validate_path_access(path)
        try:
            return await self._session.files.read.aio(at.as_posix(), limit=limit, user=_name(user))
        except FileNotFoundError as error:
            raise WorkspaceReadNotFoundError(path=path, cause=error) from error
        except (OSError, GloveboxError) as error:
            raise WorkspaceArchiveReadError(path=path, cause=error) from error

    async def write(self, path: Path, data: io.IOBase, *, user: str | User | None = None) -> None:
        """Writes a file, and makes the directories above it."""
        content = coerce_write_payload(path=path, data=data).stream.read()
        at = await self._validate_path_access(path, for_write=True)
        try:
            await self._session.files.write.aio(at.as_posix(), content, user=_name(user))
        except (OSError, GloveboxError) as error:
            raise WorkspaceArchiveWriteError(path=path, cause=error) from error

    async def persist_workspace(self) -> io.IOBase:
        """Returns the workspace as a tar archive, without what is to be left out."""
        root = Path(self._root)
        archive = f"/tmp/{uuid.uuid4().hex}.tar"
        left_out = " ".join(shell_tar_exclude_args(self._persist_workspace_skip_relpaths()))
        command = f"tar -C {shlex.quote(self._root)} {left_out} -cf {archive} ."
        try:
            packed = await self._session.exec.aio(command)
            if packed.exit_code != 0:
                raise WorkspaceArchiveReadError(path=root, context={"stderr": packed.stderr})
            return io.BytesIO(await self._session.files.read.aio(archive))
        except GloveboxError as error:
            raise WorkspaceArchiveReadError(path=root, cause=error, retryable=error.retryable) from error
        finally:
            await self._removed(archive)

    async def hydrate_workspace(self, data: io.IOBase) -> None:
        """Fills the workspace from a tar archive. It is unpacked in the cell, which is all that it can reach."""
        root = Path(self._root)
        archive = f"/tmp/{uuid.uuid4().hex}.tar"
        content = coerce_write_payload(path=root, data=data).stream.read()
        try:
            await self._session.files.write.aio(archive, content)
            unpacked = await self._session.exec.aio(["tar", "-C", self._root, "-xf", archive])
        except GloveboxError as error:
            raise WorkspaceArchiveWriteError(path=root, cause=error, retryable=error.retryable) from error
        finally:
            await self._removed(archive)
        if unpacked.exit_code != 0:
            raise WorkspaceArchiveWriteError(path=root, context={"stderr": unpacked.stderr})

    async def _removed(self, path: str) -> None:
        with contextlib.suppress(GloveboxError):
            await self._session.files.remove.aio(path)

    # Ports.

    async def _resolve_exposed_port(self, port: int) -> ExposedPortEndpoint:
        """Opens a port: who knows its query, which has its token, reaches it."""
        try:
            opened = await self._session.open_port.aio(port)
        except GloveboxError as error:
            raise self._no_port(port, str(error)) from error
        url = urlsplit(opened.url)
        if url.hostname is None:
            raise self._no_port(port, "an engine of this process has no address: use a server, by GLOVEBOX_URL")
        tls = url.scheme == "https"
        query = urlencode({"glovebox_port_token": opened.token})
        return ExposedPortEndpoint(host=url.hostname, port=url.port or (443 if tls else 80), tls=tls, query=query)

    def _no_port(self, port: int, why: str) -> ExposedPortUnavailableError:
        return ExposedPortUnavailableError(
            port=port, exposed_ports=self.state.exposed_ports, reason="backend_unavailable", context={"detail": why}
        )


class GloveboxSandboxClient(BaseSandboxClient[GloveboxSandboxClientOptions]):
    """Makes sessions for agents, finds them again, and ends them."""

    backend_id = "glovebox"
    supports_default_options = True

    def __init__(
        self, *, instrumentation: Instrumentation | None = None, dependencies: Dependencies | None = None
    ) -> None:
        self._instrumentation = instrumentation or Instrumentation()
        self._dependencies = dependencies

    async def create(
        self,
        *,
        snapshot: SnapshotSpec | SnapshotBase | None = None,
        manifest: Manifest | None = None,
        options: GloveboxSandboxClientOptions | None = None,
    ) -> SandboxSession:
        """Makes a session."""
        wanted = options or GloveboxSandboxClientOptions()
        valid = self._validate_manifest_for_create(manifest or Manifest())
        session = await _made(wanted)
        number = uuid.uuid4()
        state = GloveboxSandboxSessionState(
            session_id=number,
            manifest=valid,
            snapshot=resolve_snapshot(snapshot, str(number)),
            exposed_ports=wanted.exposed_ports,
            glovebox_id=session.id,
            options=wanted,
        )
        return self._wrapped(state, session)

    async def delete(self, session: SandboxSession) -> SandboxSession:
        """Ends a session, and everything in it."""
        inner = session._inner
        if not isinstance(inner, GloveboxSandboxSession):
            raise TypeError(f"expected a session that was made here, got {type(inner).__name__}")
        await inner._session.kill.aio()
        return session

    async def resume(self, state: SandboxSessionState) -> SandboxSession:
        """Continues in the session of a state, or in a new one if that is over."""
        if not isinstance(state, GloveboxSandboxSessionState):
            raise TypeError(f"expected a state that was made here, got {type(state).__name__}")
        state.assert_path_grants_rebound()
        found = await _found(state.glovebox_id)
        session = found or await _made(state.options)
        if found is None:
            state.glovebox_id = session.id
            state.workspace_root_ready = False
        wrapped = self._wrapped(state, session)
        wrapped._inner._set_start_state_preserved(found is not None)
        return wrapped

    def deserialize_session_state(self, payload: dict[str, object]) -> SandboxSessionState:
        """Reads a state that was written."""
        return self._deserialize_session_state_payload(payload, GloveboxSandboxSessionState)

    def _wrapped(self, state: GloveboxSandboxSessionState, session: Session) -> SandboxSession:
        return self._wrap_session(GloveboxSandboxSession(state, session), instrumentation=self._instrumentation)


async def _made(options: GloveboxSandboxClientOptions) -> Session:
    network = options.network if isinstance(options.network, str) else list(options.network)
    return await Session(image=options.image, network=network, keep=True).open.aio()


async def _found(id: str) -> Session | None:
    try:
        session: Any = await Session.get.aio(id)  # type: ignore[attr-defined]
        return None if await session.state.aio() in _OVER else session
    except NotFoundError:
        return None


def _name(user: str | User | None) -> str | None:
    return user.name if isinstance(user, User) else user
