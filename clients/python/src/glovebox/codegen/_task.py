"""A generation as a task."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._process import context
from .._tasks.dockerfile import with_stored_image
from .._tasks.policies import Policies, check_label, engine_name
from .._tasks.task import Task
from .._values.signature_json import signature_json
from .._values.types import ANY, Param, Signature, Type

if TYPE_CHECKING:
    from .._link.current import Engine, Json
    from ..sandbox._sandbox import Sandbox

PROMPT = "prompt"
_RESULT = Param("result", Type("dict", (Type("str"), ANY)))


class CodegenTask(Task[..., Any]):
    """A generation as a task: the prompt and the samples in, its result out as the HTTP API has it."""

    def __init__(
        self,
        name: str,
        *,
        model: Task[..., Any],
        script: Sandbox,
        samples: Sequence[str],
        members: Json,
        policies: Policies,
    ) -> None:
        inputs = (Param(PROMPT, Type("str")), *(Param(sample, Type("File")) for sample in samples))
        super().__init__(check_label(name, "agent name"), Signature(inputs, (_RESULT,)))
        self.model, self._script, self._members_of, self._policies = model, script, members, policies

    async def _definition(self, engine: Engine, *, deployed: bool = False) -> Json:
        apart = deployed or context.in_cell()
        script = self._script
        members = dict(script._members(None))  # pyright: ignore[reportPrivateUsage]
        del members["code"], members["verbatim"]  # the model writes them
        of_agent = await with_stored_image({"image": self._members_of.get("agent_image")}, engine)
        members["image"] = {k: v for k, v in members.get("image", {}).items() if k != "name"}
        return {
            "name": engine_name(self.name),
            "kind": "codegen",
            "signature": signature_json(self.signature),
            **self._policies.definition(),
            "codegen": {
                "model": await self.model._definition(engine, deployed=apart),  # pyright: ignore[reportPrivateUsage]
                "script": {"name": "script", "signature": signature_json(script.signature), **members},
                **self._members_of,
                **({"agent_image": of_agent["image"]} if of_agent["image"] else {}),
            },
        }
