"""A sandbox: what runs in a cell, with which inputs, outputs, image and policies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._link.ahead import engine_ahead
from .._link.current import current_engine
from .._process import context
from .._process.loop import syncify_method
from .._process.tracebacks import public
from .._tasks.image import Image
from .._tasks.progress import progress_of
from .._tasks.task import TaskSource, spell
from .._values.interface import interface_of
from .._values.types import Signature
from ._container import ContainerTask
from ._declaration import Declaration
from ._task import SandboxTask

if TYPE_CHECKING:
    from .._link.current import Engine
    from .._runs.result import Result
    from ..io import File


@dataclass(frozen=True, eq=False, repr=False)
class Sandbox(Declaration, TaskSource):
    """A program that runs in a fresh cell each time, made by ``sandbox.create``.

    Its fields are what ``create`` was given.

    >>> glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
    <Sandbox double(x: int) -> (y: int)>
    """

    __module__ = "glovebox.sandbox"  # where users find it

    @syncify_method
    @engine_ahead
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
        if context.keeps_nothing(self.durable):
            return (await self._evaluated(image, inputs)).value
        task, given = self._for_run(image, inputs)
        return await task._execute(given)  # pyright: ignore[reportPrivateUsage]

    @syncify_method
    @engine_ahead
    async def execute(self, /, image: Any = None, **inputs: Any) -> Result[Any]:
        """Does what ``run`` does, and returns its value in a ``Result``, with what the program printed.

        Example::

            result = sandbox.execute(n=10, conditional=True)
            result.value, result.stdout, result.stderr
        """
        from .._runs.run import start_run  # lazy: only a run needs it

        if context.keeps_nothing(self.durable):
            return await self._evaluated(image, inputs)
        task, given = self._for_run(image, inputs)
        run = await start_run(task, (), given)
        return await run.result.aio()

    async def _evaluated(self, image: Any, inputs: dict[str, Any]) -> Result[Any]:
        from ._as_run import result_of_evaluation  # lazy: most sandboxes are runs

        without = replace(self, cache="disable") if self.cache == "auto" else self
        task, given = without._for_run(image, inputs)
        return await result_of_evaluation(task, task._bind((), given))  # pyright: ignore[reportPrivateUsage]

    def _for_run(self, image: Any, inputs: dict[str, Any]) -> tuple[SandboxTask, dict[str, Any]]:
        """Returns the task and the inputs of a run: ``image`` may be either's."""
        if "image" in self.inputs:
            if image is not None or _takes_none(self.signature, "image"):
                inputs = {**inputs, "image": image}
            image = None
        if image is not None and not isinstance(image, (str, Image)):
            names = ", ".join(f"{name}=" for name in self.inputs) or "this one has none"
            raise TypeError(f"run(): expected inputs by name ({names}), or an image first, got {image!r}")
        return self._task(image), inputs

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
        engine = await current_engine()
        if image is None and self.image is None:
            await self._build(engine)
        return self._task(image, await self._stored_script(engine))

    def _task(self, image: str | Image | None, script: File[Any] | None = None) -> SandboxTask:
        declared = interface_of(self.inputs, self.outputs)
        return ContainerTask._of(self._task_name(), self.signature, self._members(image), declared, script)  # pyright: ignore[reportPrivateUsage]

    def _as_task(self) -> SandboxTask:
        return self._task(None)

    async def _build(self, engine: Engine) -> None:
        image = self._image()
        with progress_of(image.name or "image") as progress:
            await engine.build_image(image._spec(), progress)  # pyright: ignore[reportPrivateUsage]

    async def _stored_script(self, engine: Engine) -> File[Any] | None:
        if self.code is None:
            return None
        from ..io import File  # lazy: only a sandbox that becomes a task needs it

        digest, size = await engine.put_blob(self.code.encode())
        node = {"path": f"{self._task_name()}.py", "sha256": digest, "size": size}
        return File[Any]._from_reference(node)  # pyright: ignore[reportPrivateUsage]

    def __repr__(self) -> str:
        return f"<Sandbox {self.name or 'sandbox'}{spell(self.signature)}>"


def _takes_none(signature: Signature, name: str) -> bool:
    kinds = {param.name: param.type for param in signature.inputs}
    declared = kinds[name]
    return declared.kind in ("Any", "None") or any(member.kind == "None" for member in declared.args)
