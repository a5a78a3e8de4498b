"""Trials of Harbor in sessions: ``harbor run --env glovebox.plugins.harbor:GloveboxEnvironment``.

``pip install 'glovebox-sandbox[harbor]'`` installs Harbor along with the library.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities, EnvironmentResourceCapabilities
from harbor.environments.definition import (
    COMPOSE_FILE_NAME,
    DOCKERFILE_NAME,
    require_agent_environment_definition,
    should_use_prebuilt_docker_image,
)
from harbor.models.task.config import NetworkMode, NetworkPolicy

from glovebox import Image, Resources, Session

_UNUSED = 24 * 3600.0  # seconds after which a session that was left behind is killed


class GloveboxEnvironment(BaseEnvironment):
    """A session for each trial, of the Dockerfile of its task or of a prebuilt image."""

    _session: Session | None = None

    @staticmethod
    def type() -> str:
        return "glovebox"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(
            disable_internet=True,
            network_allowlist=True,
            network_allowlist_hostnames=True,
            network_allowlist_wildcard_hostnames=True,
            dynamic_network_policy=True,
        )

    @classmethod
    def resource_capabilities(cls) -> EnvironmentResourceCapabilities:
        return EnvironmentResourceCapabilities(cpu_limit=True, memory_limit=True, fractional_cpus=True)

    def _validate_definition(self) -> None:
        require_agent_environment_definition(self.environment_dir, docker_image=self.task_env_config.docker_image)
        if (self.environment_dir / COMPOSE_FILE_NAME).exists():
            raise ValueError(
                f"{self.environment_dir / COMPOSE_FILE_NAME}: the environment glovebox has one service, "
                "of a Dockerfile or a prebuilt image; use another environment for this task"
            )

    async def start(self, force_build: bool) -> None:
        """Starts the session. An image that is unchanged is not built again: nothing would differ."""
        session = Session(
            image=self._image(force_build),
            resources=self._resources(),
            network=_network(self.network_policy),
            env_vars=self._startup_env(),
            cwd=self.task_env_config.workdir,
            user="image",
            labels={"framework": "harbor", "trial": self.session_id},
            idle=_UNUSED,
            at_end="kill",
        )
        await session.open.aio()
        self._session = session
        await self.ensure_dirs(self._mount_targets(writable_only=True))
        await self._upload_environment_dir_after_start()

    async def stop(self, delete: bool) -> None:
        """Kills the session, or without ``delete`` leaves it paused, at a server."""
        session, self._session = self._session, None
        if session is None:
            return
        if delete:
            await session.kill.aio()
        else:
            await session.pause.aio(files_only=True)

    def _image(self, force_build: bool) -> Image | str:
        prebuilt = self.task_env_config.docker_image
        if should_use_prebuilt_docker_image(self.environment_dir, docker_image=prebuilt, force_build=force_build):
            return str(prebuilt)
        return Image.from_dockerfile(self.environment_dir / DOCKERFILE_NAME)

    def _resources(self) -> Resources:
        memory, storage = self._effective_memory_mb, self._effective_storage_mb
        return Resources(
            cpu=self._effective_cpus,
            memory=f"{memory}Mi" if memory else None,
            disk=f"{storage}Mi" if storage else None,
        )

    async def _apply_network_policy(self, network_policy: NetworkPolicy) -> None:
        await self._started.change.aio(network=_network(network_policy))

    @property
    def _started(self) -> Session:
        if self._session is None:
            raise RuntimeError("the environment was not started, or was stopped")
        return self._session

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        user = self._resolve_user(user)
        result = await self._started.exec.aio(
            ["bash", "-c", command],
            cwd=cwd,
            env_vars=self._merge_env(env),
            user=None if user is None else str(user),
            timeout=timeout_sec,
            on_stdout=self._teller("stdout"),
            on_stderr=self._teller("stderr"),
        )
        if result.timed_out:
            raise RuntimeError(f"Command timed out after {timeout_sec} seconds")
        return ExecResult(stdout=result.stdout, stderr=result.stderr, return_code=result.exit_code)

    def _teller(self, stream: Any) -> Callable[[str], None] | None:
        """Returns what passes output on, from the thread that it comes in, to whoever follows the trial."""
        callback, loop = self._output_callback(), asyncio.get_running_loop()
        if callback is None:
            return None
        return lambda text: asyncio.run_coroutine_threadsafe(callback(text, stream), loop).result()

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        await self._started.files.upload.aio(source_path, target_path, user="root")

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        await self._started.files.upload.aio(source_dir, target_dir, user="root")

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        await self._started.files.download.aio(source_path, target_path, user="root")

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        """Downloads a directory into one that may have files already."""
        with tempfile.TemporaryDirectory() as private:
            fresh = os.path.join(private, "tree")
            left_out = await self._started.files.download.aio(source_dir, fresh, user="root")
            if left_out:
                self.logger.warning(f"left out of {source_dir}, as no file and no link within it: {left_out}")
            await asyncio.to_thread(shutil.copytree, fresh, target_dir, symlinks=True, dirs_exist_ok=True)


def _network(policy: NetworkPolicy) -> str | list[str]:
    if policy.network_mode == NetworkMode.PUBLIC:
        return "public"
    return list(policy.allowed_hosts) or "none"
