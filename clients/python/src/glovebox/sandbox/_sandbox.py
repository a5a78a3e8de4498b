"""A sandbox: what runs in a cell, with which inputs, outputs, image and policies."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .. import _context
from .._cellspec import CellSpec
from .._image import Image, image_of
from .._interface import interface_of
from .._loop import syncify_method
from .._policy import Policies, cache_mode, check_retries, timeout_ns
from .._resources import Resources
from .._secret import SecretRequest
from .._signature import Signature
from .._task import execute, spell
from .._trace import public
from ._config import ImageConfig
from ._task import SandboxTask

if TYPE_CHECKING:
    from .._engine import Engine
    from ..io import File


@dataclass(frozen=True, eq=False, repr=False)
class Sandbox:
    """A program that runs in a fresh cell each time, made by ``sandbox.create``.

    Its fields are what ``create`` was given.

    >>> glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
    <Sandbox double(x: int) -> (y: int)>
    """

    name: str | None
    code: str | None
    inputs: dict[str, Any]
    outputs: dict[str, Any]
    command: list[str] | None
    arguments: list[str] | None
    packages: list[str]
    system_packages: list[str]
    additional_commands: list[str]
    resources: Resources | None
    image_config: ImageConfig | None
    image_name: str | None
    image: str | Image | None
    auto_io: bool
    retries: int
    timeout: float | datetime.timedelta | None
    env_vars: dict[str, str] | None
    secrets: SecretRequest | None
    cache: str
    network: str | Sequence[str] | None
    preload: list[str]
    signature: Signature

    @syncify_method
    async def run(self, /, image: Any = None, **inputs: Any) -> Any:
        """Runs the sandbox and returns its output, several as a tuple in the order declared, or None.

        The image is built first if there is none yet. Inside of a task the run
        is a part of that run; elsewhere it is one of its own, with the same
        result. ``await sandbox.run.aio(...)`` does not block the event loop.

        Args:
            image: A prebuilt image that takes the place of the declared one. In a sandbox that
                declares an input ``image``, it is that input.
            inputs: A value for each declared input. A file may be given as a ``File`` or as its path.

        Raises:
            InvalidInputError: An input is missing, unknown or does not fit its type.
            InvalidPackageError: A declared package does not exist.
            PythonExceptionError, NonzeroExitError, TaskTimeoutError, OOMError and others of ``glovebox.errors``:
                the program failed. The message has the line of the code, or the end of what was printed.

        Example::

            total = sandbox.run(n=10, conditional=True)
        """
        if "image" in self.inputs:
            if image is not None or _takes_none(self.signature, "image"):
                inputs["image"] = image
            image = None
        return await execute(self._task(image), inputs)

    @public
    def __call__(self, /, *args: Any, **inputs: Any) -> Any:
        """Runs the sandbox, with inputs by position or by name: how an orchestrator calls one that is a tool of it.

        Example::

            double(21) == double(x=21) == double.run(x=21)
        """
        return self._task(None)(*args, **inputs)

    @syncify_method
    async def as_task(self, /, image: str | Image | None = None) -> SandboxTask:
        """Builds the image, and returns the sandbox as a task that can be called and deployed.

        Args:
            image: A prebuilt image that takes the place of the declared one, and is not built.

        Example::

            task = sandbox.as_task()
            env = glovebox.TaskEnvironment.from_task("double", task)
            print(glovebox.deploy(env)[0].summary_repr())
        """
        from .._engine import current_engine

        engine = await current_engine()
        if image is None and self.image is None:
            await self._build(engine)
        return self._task(image, await self._stored_script(engine))

    def _task(self, image: str | Image | None, script: File[Any] | None = None) -> SandboxTask:
        declared = interface_of(self.inputs, self.outputs)
        return SandboxTask(self._task_name(), self.signature, self._members(image), declared, script)

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
        return {member: value for member, value in program.items() if value}

    def _policies(self) -> Policies:
        return Policies(
            cache=cache_mode(self.cache), retries=check_retries(self.retries), timeout=timeout_ns(self.timeout)
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
        image = image.with_apt_packages(*self.system_packages).with_pip_packages(*self.packages)
        return image.with_commands(self.additional_commands)

    def _default_image_name(self) -> str:
        """Returns a name that is the same for the same image, whatever the order of its packages."""
        version = (self.image_config or ImageConfig()).python_version
        declared = [sorted(self.packages), sorted(self.system_packages), self.additional_commands, version]
        return "sandbox-" + hashlib.sha256(json.dumps(declared).encode()).hexdigest()[:12]

    async def _build(self, engine: Engine) -> None:
        from .._progress import progress_of

        image = self._image()
        with progress_of(image.name or "image") as progress:
            await engine.build_image(image._spec(), progress)  # pyright: ignore[reportPrivateUsage]

    async def _stored_script(self, engine: Engine) -> File[Any] | None:
        if self.code is None:
            return None
        from ..io import File

        digest, size = await engine.put_blob(self.code.encode())
        node = {"path": f"{self._task_name()}.py", "sha256": digest, "size": size}
        return File[Any]._from_reference(node)  # pyright: ignore[reportPrivateUsage]

    def _task_name(self) -> str:
        if self.name is not None:
            return self.name
        run = _context.current_run()
        return f"sandbox-{run}" if run else "sandbox"

    def __repr__(self) -> str:
        return f"<Sandbox {self.name or 'sandbox'}{spell(self.signature)}>"


def _takes_none(signature: Signature, name: str) -> bool:
    kinds = {param.name: param.type for param in signature.inputs}
    declared = kinds[name]
    return declared.kind in ("Any", "None") or any(member.kind == "None" for member in declared.args)
