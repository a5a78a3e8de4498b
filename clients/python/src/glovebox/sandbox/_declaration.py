"""What a sandbox declares, and the task that this makes for the engine."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .._process import context
from .._tasks.cell_spec import CellSpec
from .._tasks.image import Image, image_of
from .._tasks.network import Network
from .._tasks.notify import Notify
from .._tasks.policies import CacheMode, Policies, cache_mode, check_retries, timeout_ns
from .._tasks.resources import Resources
from .._tasks.secret import SecretRequest
from .._values.types import Signature
from ._config import ImageConfig


@dataclass(frozen=True, eq=False, repr=False)
class Declaration:
    """The program of a cell, with its inputs, outputs, image and policies."""

    name: str | None = None
    code: str | None = None
    inputs: dict[str, Any] = field(default_factory=dict[str, Any])
    outputs: dict[str, Any] = field(default_factory=dict[str, Any])
    command: list[str] | None = None
    arguments: list[str] | None = None
    packages: list[str] = field(default_factory=list[str])
    system_packages: list[str] = field(default_factory=list[str])
    additional_commands: list[str] = field(default_factory=list[str])
    resources: Resources | None = None
    image_config: ImageConfig | None = None
    image_name: str | None = None
    image: str | Image | None = None
    auto_io: bool = True
    retries: int = 0
    timeout: float | datetime.timedelta | None = None
    env_vars: dict[str, str] | None = None
    secrets: SecretRequest | None = None
    cache: CacheMode = "auto"
    network: Network | None = None
    preload: list[str] = field(default_factory=list[str])
    stdin: str | None = None
    durable: bool = True
    report: bool = False
    notify: tuple[Notify, ...] = ()
    labels: dict[str, str] = field(default_factory=dict[str, str])
    node_selector: dict[str, str] = field(default_factory=dict[str, str])
    priority: int = 0
    max_concurrent: int = 0
    signature: Signature = Signature()

    def _members(self, image: str | Image | None) -> dict[str, Any]:
        """Returns everything of the task but its name and signature."""
        members = self._program() | self._policies().definition()
        return members | self._cell(image)

    def _program(self) -> dict[str, Any]:
        if self.code is None:
            program: dict[str, Any] = {"command": self.command}
        else:
            program = {"code": self.code, "verbatim": not self.auto_io}
        program["arguments"] = self.arguments
        program["stdin"] = self.stdin
        return {member: value for member, value in program.items() if value}

    def _policies(self) -> Policies:
        return Policies(
            cache=cache_mode(self.cache),
            retries=check_retries(self.retries),
            timeout=timeout_ns(self.timeout),
            notify=self.notify,
            labels=self.labels,
            report=self.report,
            node_selector=self.node_selector,
            priority=self.priority,
            max_concurrent=self.max_concurrent,
        )

    def _cell(self, image: str | Image | None) -> dict[str, Any]:
        return CellSpec.of(
            image=self._image(image),
            resources=self.resources,
            env_vars=self.env_vars,
            secrets=self.secrets,
            network=self.network,
            isolation=None,
            preload=self.preload,
        ).members

    def _image(self, given: str | Image | None = None) -> Image:
        """Returns the image that is given here or declared, or the one that the declared packages make."""
        chosen = self.image if given is None else given
        if chosen is not None:
            return image_of(chosen)
        config = self.image_config or ImageConfig()
        image = Image.from_debian_base(
            python_version=config.python_version,
            registry=config.registry,
            registry_secret=config.registry_secret,
            name=self.image_name or self._default_image_name(),
        )
        image = image.with_apt_packages(*self.system_packages).with_pip_packages(
            *self.packages,
            index_url=config.index_url,
            extra_index_urls=config.extra_index_urls,
            allow_urls=config.allow_urls,
        )
        return image.with_commands(self.additional_commands, network=config.network)

    def _default_image_name(self) -> str:
        """Returns a name that is the same for the same image, whatever the order of its packages."""
        config = self.image_config or ImageConfig()
        sources = [config.python_version, config.index_url, config.extra_index_urls, config.network]
        declared = [sorted(self.packages), sorted(self.system_packages), self.additional_commands, *sources]
        return "sandbox-" + hashlib.sha256(json.dumps(declared).encode()).hexdigest()[:12]

    def _task_name(self) -> str:
        if self.name is not None:
            return self.name
        run = context.current_run()
        return f"sandbox-{run}" if run else "sandbox"


def words_of(field: str, words: Sequence[object] | None) -> list[str] | None:
    """Returns the words of a command. Nothing may be left to be split or turned into text."""
    if words is None:
        return None
    if isinstance(words, (str, bytes)):
        raise TypeError(f"{field} is {words!r}, expected a list of strings such as ['/bin/sh', '-c', 'echo hello']")
    checked = [word for word in words if isinstance(word, str)]
    if len(checked) < len(words):
        raise ValueError(f"All elements in the {field} list must be strings.")
    return checked
