"""What an agent gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from .._runs.run import Run
    from ..errors import GloveboxError
    from ._memory import MemoryStore

Memory: TypeAlias = "MemoryStore | Sequence[dict[str, Any]]"  # messages as OpenAI has them, or what keeps such


@dataclass
class AgentResult:
    """How a run of an agent ended.

    ``summary`` is the answer, or empty if the run failed: then ``error`` says why. ``code`` is the last code that the
    model wrote, ``charts`` what it returned under that name, ``attempts`` how often the model was asked.

    ``memory`` is the ``MemoryStore`` that the run was given, if it was one.

    Beside these, ``run`` is the run, ``exception`` the error as it can be raised, and ``messages`` all that was said:
    as ``memory=`` of the next ``run`` they continue the conversation.
    """

    __module__ = "glovebox.agents"  # where users find it

    code: str = ""
    charts: list[str] = field(default_factory=list[str])
    summary: str = ""
    error: str = ""
    attempts: int = 1
    memory: Any = None

    def __post_init__(self) -> None:
        self.run: Run[str] | None = None
        self.exception: GloveboxError | None = None
        self.messages: list[dict[str, Any]] = []


@runtime_checkable
class AgentProtocol(Protocol):
    """What an agent has in common with every other: ``run`` and ``tool_descriptions``."""

    def run(self, message: str, memory: Memory | None = None) -> AgentResult:
        """Answers a message."""
        ...

    def tool_descriptions(self) -> list[dict[str, str]]:
        """Returns ``name``, ``signature`` and ``description`` of each tool."""
        ...


AgentProtocol.__module__ = "glovebox.agents"  # where users find it; in the class it would be one more member
