"""Names by which programs for the library of the documents look at an orchestrator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._tasks.image import Image, image_of

if TYPE_CHECKING:
    from .._tasks.environment import TaskEnvironment
    from .._tasks.policies import Policies
    from .._values.types import Signature


@dataclass(frozen=True)
class Retries:
    """How often a task is tried again."""

    count: int


class Counterparts:
    """What ``signature``, ``policies``, ``environment``, ``code`` and ``tools`` tell, by other names."""

    task_type = "sandboxed-python"

    signature: Signature
    policies: Policies
    environment: TaskEnvironment | None
    code: Any
    tools: Any

    @property
    def retries(self) -> Retries:
        """Further attempts after a failed one."""
        return Retries(self.policies.retries)

    @property
    def image(self) -> Image | None:
        """The image of its environment; it runs in none itself."""
        return None if self.environment is None else image_of(self.environment.image)

    @property
    def parent_env_name(self) -> str | None:
        """The name of its environment."""
        return None if self.environment is None else self.environment.name

    def parent_env(self) -> TaskEnvironment | None:
        """Returns its environment."""
        return self.environment

    @property
    def _input_names(self) -> list[str]:
        return [param.name for param in self.signature.inputs]

    @property
    def _has_external_refs(self) -> bool:
        return bool(self.tools)

    @property
    def _external_refs(self) -> dict[str, Any]:
        return {"task_refs": dict(self.tools)}

    @property
    def _source_code(self) -> str:
        return str(self.code)
