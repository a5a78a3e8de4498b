"""Samples of inspect_ai's evaluations in sessions: ``--sandbox glovebox``.

``pip install 'glovebox-sandbox[inspect-ai]'`` makes inspect_ai find it.

>>> task = Task(dataset=dataset, solver=basic_agent(tools=[bash()]), scorer=includes(), sandbox="glovebox")
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, overload

import yaml
from inspect_ai.util import (
    ComposeConfig,
    ComposeService,
    ExecResult,
    OutputLimitExceededError,
    SandboxConnection,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUnavailableError,
    is_compose_yaml,
    is_dockerfile,
    sandboxenv,
)

from glovebox import Image, Resources, Session, errors, sessions

_FRAMEWORK = {"framework": "inspect_ai"}  # labels by which sessions are found again
_UNUSED = 24 * 3600.0  # seconds after which a session that was left behind is killed


@sandboxenv(name="glovebox")
class GloveboxSandboxEnvironment(SandboxEnvironment):
    """A session for each sample.

    Without a file it has the default image, and commands run as user 1000 without a network. A ``Dockerfile``, and
    a ``compose.yaml`` of one service, are as in Docker: commands run as the user of the image, mostly root.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    @classmethod
    def config_files(cls) -> list[str]:
        return ["compose.yaml", "compose.yml", "docker-compose.yaml", "docker-compose.yml", "Dockerfile"]

    @classmethod
    def is_docker_compatible(cls) -> bool:
        return True

    @classmethod
    def default_concurrency(cls) -> int | None:
        return 2 * (os.cpu_count() or 1)

    def default_polling_interval(self) -> float:
        return 0.2

    @classmethod
    async def task_init(cls, task_name: str, config: SandboxEnvironmentConfigType | None) -> None:
        """Builds the image, before samples wait for it."""
        if not _asks_for_metadata(config):
            session, _ = _session_of(task_name, config, {})
            async with session:
                pass

    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        session, command = _session_of(task_name, config, metadata)
        await session.open.aio()
        try:
            if command:
                await session.start.aio(command)
        except BaseException:
            await session.kill.aio()
            raise
        return {"default": cls(session)}

    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        for environment in environments.values():
            await environment.as_type(GloveboxSandboxEnvironment)._session.kill.aio()

    @classmethod
    async def cli_cleanup(cls, id: str | None) -> None:
        """Kills the sessions that evaluations left at the server: all, or the one of an id."""
        for session in await sessions.aio(labels=_FRAMEWORK, limit=None):
            if id is None or session.id.startswith(id):
                await session.kill.aio()

    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        try:
            result = await self._session.exec.aio(cmd, cwd=cwd, env_vars=env, user=user, timeout=timeout, input=input)
        except PermissionError:
            raise
        except errors.CommandNotFoundError as error:  # it, or the directory, is not there
            return ExecResult(False, 127, "", error.message)
        except errors.RequestInvalidError as error:
            if error.details.get("field") != "user":
                raise
            return ExecResult(False, 126, "", error.message)
        except (errors.SessionEndedError, errors.CellLostError) as error:
            raise SandboxUnavailableError(str(error)) from error
        if result.timed_out:
            raise _timeout(timeout, result.stdout + result.stderr)
        stdout, stderr = _end(result.stdout_bytes), _end(result.stderr_bytes)
        return ExecResult(result.exit_code == 0, result.exit_code, stdout, stderr)

    async def write_file(self, file: str, contents: str | bytes) -> None:
        await self._session.files.write.aio(file, contents)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        content: bytes = await self._session.files.read.aio(file, limit=limit + 1)
        if len(content) > limit:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None)
        return content.decode() if text else content

    async def connection(self, *, user: str | None = None) -> SandboxConnection:
        """Says how a person gets a shell in it, if the session is at a server."""
        command = ["glovebox", "session", "shell", self._session.id, *(["--user", user] if user else [])]
        return SandboxConnection(type="glovebox", command=shlex.join(command))


def _timeout(seconds: int | None, output: str) -> TimeoutError:
    error = TimeoutError(f"the command did not end within {seconds} seconds")
    setattr(error, "truncated_output", output)  # where inspect_ai looks for it  # noqa: B010
    return error


def _end(output: bytes) -> str:
    """Returns the end of what a command wrote, as much as inspect_ai takes."""
    return output[-SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE :].decode("utf-8", "replace")


def _session_of(
    task: str, config: SandboxEnvironmentConfigType | None, metadata: Mapping[str, str]
) -> tuple[Session, list[str]]:
    """Returns the session that a sample asks for, and the command that runs in it."""
    arguments: dict[str, Any] = {
        "labels": {**_FRAMEWORK, "task": task},
        "idle": _UNUSED,
        "at_end": "kill",
        "keep": False,
    }
    if config is None:
        return Session(**arguments), []
    if is_dockerfile(config):
        return Session(image=Image.from_dockerfile(config), user="image", **arguments), []
    if is_compose_yaml(config):
        return _session_of_service(_service(_read(config, metadata)), Path(str(config)).parent, arguments)
    if isinstance(config, ComposeConfig):
        return _session_of_service(_service(config), Path(), arguments)
    raise ValueError(f"the sandbox glovebox takes a Dockerfile or a compose.yaml of one service, got {config!r}")


# Compose files.


def _asks_for_metadata(config: SandboxEnvironmentConfigType | None) -> bool:
    return is_compose_yaml(config) and "SAMPLE_METADATA_" in Path(str(config)).read_text()


_VARIABLE = re.compile(r"\$(?:(\$)|(\w+)|\{(\w+)(?::?-([^}]*))?\})")


def _read(file: str, metadata: Mapping[str, str]) -> ComposeConfig:
    """Reads a compose file, with the variables of this process and those of the metadata of a sample in it."""
    own = {f"SAMPLE_METADATA_{name.replace(' ', '_').upper()}": str(text) for name, text in metadata.items()}
    variables = {**os.environ, **own}

    def value(match: re.Match[str]) -> str:
        dollar, plain, braced, default = match.groups()
        return dollar or variables.get(plain or braced) or default or ""

    return ComposeConfig.model_validate(yaml.safe_load(_VARIABLE.sub(value, Path(file).read_text())))


# A cell has no use for these, or has them anyway. Any other that is not read below is refused.
_NO_MATTER = frozenset(
    "init stop_grace_period tty stdin_open restart hostname ports expose pull_policy platform healthcheck "
    "mem_reservation memswap_limit shm_size ulimits security_opt cap_drop x_default".split()
)
_READ = frozenset(
    "image build command entrypoint working_dir environment user network_mode deploy mem_limit cpus pids_limit".split()
)


def _service(config: ComposeConfig) -> ComposeService:
    if len(config.services) != 1:
        names = ", ".join(config.services)
        raise ValueError(
            f"the sandbox glovebox takes a compose file with one service, and this one has {len(config.services)}: "
            f"{names}; run what the others do in the same service, or use the sandbox docker"
        )
    (service,) = config.services.values()
    asked = {name for name in type(service).model_fields if getattr(service, name) not in (None, [], {}, False)}
    if refused := sorted(asked - _READ - _NO_MATTER):
        raise ValueError(f"the sandbox glovebox cannot give a service {', '.join(refused)}; leave it out")
    if service.network_mode not in (None, "none", "bridge", "default"):
        raise ValueError(f"network_mode is {service.network_mode!r}, expected none, or bridge for the public network")
    return service


def _session_of_service(
    service: ComposeService, directory: Path, arguments: Mapping[str, Any]
) -> tuple[Session, list[str]]:
    session = Session(
        image=_image(service, directory),
        resources=_resources(service),
        network="none" if service.network_mode == "none" else "public",
        env_vars=_environment(service),
        cwd=service.working_dir,
        user=service.user.partition(":")[0] if service.user else "image",
        **arguments,
    )
    return session, [*_words(service.entrypoint), *_words(service.command)]


def _image(service: ComposeService, directory: Path) -> Image | str | None:
    build = service.build
    if build is None:
        return service.image
    context = build if isinstance(build, str) else build.context or "."
    file = None if isinstance(build, str) else build.dockerfile
    return Image.from_dockerfile(directory / context / (file or "Dockerfile"), context=directory / context)


def _resources(service: ComposeService) -> Resources:
    config = service.deploy.resources if service.deploy else None
    if config is not None and config.reservations is not None and config.reservations.devices:
        raise ValueError("the sandbox glovebox cannot give a service devices; leave them out")
    limits = config.limits if config else None
    cpu = service.cpus or (limits.cpus if limits else None)
    memory = service.mem_limit or (limits.memory if limits else None)
    pids = int(service.pids_limit or 0)
    return Resources(cpu=cpu, memory=_memory(memory) if memory else None, pids=pids if pids > 0 else None)


def _memory(size: str) -> str:
    """Writes a size of Docker, whose units are powers of 1024: 512m, 2gb."""
    match = re.fullmatch(r"([0-9.]+)\s*([bkmgt]?)b?", size.strip().lower())
    if match is None:
        raise ValueError(f"the memory of the service is {size!r}, expected a size such as 512m or 2g")
    unit = match[2].removesuffix("b")
    return match[1] + (f"{unit.upper()}i" if unit else "")


def _environment(service: ComposeService) -> dict[str, str]:
    given = service.environment or {}
    pairs = given.items() if isinstance(given, dict) else (_pair(each) for each in given)
    return {name: os.environ.get(name, "") if text is None else str(text) for name, text in pairs}


def _pair(line: str) -> tuple[str, str | None]:
    name, equals, text = line.partition("=")
    return name, text if equals else None


def _words(command: list[str] | str | None) -> list[str]:
    return shlex.split(command) if isinstance(command, str) else command or []
