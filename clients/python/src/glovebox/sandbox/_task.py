"""The task of a sandbox, as it is run and deployed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .._tasks.dockerfile import with_stored_image
from .._tasks.task import Task
from .._values.interface import Interface
from .._values.signature_json import signature_json
from .._values.types import Signature
from ._names import SCRIPT

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from ..io import File


class SandboxTask(Task[..., Any]):
    """A program that runs in a cell of its own, made by ``as_task()`` of a sandbox.

    Called, it runs; ``TaskEnvironment.from_task`` and ``glovebox.deploy`` keep
    it for later. The task of a sandbox with code has the script with it:
    ``script`` is the file, and ``interface`` shows it as the input ``_script``
    with a default, so that a caller need not pass it. The engine keeps it as the
    code of the task and not as an input: it is no variable and no argument of
    the program.

    >>> box = glovebox.sandbox.create(name="double", code="y = x * 2", inputs={"x": int}, outputs={"y": int})
    >>> box.as_task()(x=21)
    42
    """

    __module__ = "glovebox.sandbox"  # where users find it

    def __init__(
        self,
        name: str,
        signature: Signature,
        members: Mapping[str, Any],
        declared: Interface,
        script: File[Any] | None = None,
    ) -> None:
        super().__init__(name, signature)
        self.script = script
        self.interface = declared if script is None else _with_script(declared, script)
        self._members = dict(members)

    @property
    def report(self) -> bool:
        """Whether it is declared to write a report."""
        return bool(self._members.get("report"))

    def _bind(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        inputs = super()._bind(args, kwargs)
        if self.script is not None and inputs.pop(SCRIPT, self.script) != self.script:
            raise ValueError(f"{self.name}: {SCRIPT} is the script of the task; for another one make another sandbox")
        return inputs

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        members = await with_stored_image(self._members, engine)
        return {"name": self.name, "kind": "sandbox", "signature": signature_json(self.signature), **members}


def _with_script(declared: Interface, script: File[Any]) -> Interface:
    from ..io import File  # lazy: only a sandbox that became a task needs it

    return Interface({**declared.inputs, SCRIPT: (File, script)}, declared.outputs)
