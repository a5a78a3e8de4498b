"""What an orchestrator may use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Dialect = Literal["strict", "extended"]


@dataclass(frozen=True)
class SandboxedConfig:
    """Limits and language of an orchestrator. They are enforced, and its code cannot catch them.

    Args:
        max_memory: Bytes of the values that are alive, 64 KiB to 8 GiB.
        max_stack_depth: How deep calls may be nested.
        timeout_ms: Milliseconds of execution. Waiting for tools does not count.
        type_check: Hold inputs and output to their declared types.
        dialect: ``"strict"``, the language of ``ORCHESTRATOR_SYNTAX_PROMPT``, or ``"extended"``, most of Python.
    """

    max_memory: int = 50 * 1024 * 1024
    max_stack_depth: int = 256
    timeout_ms: int = 30_000
    type_check: bool = True
    dialect: Dialect = "strict"

    def __post_init__(self) -> None:
        for name, unit in (("max_memory", "bytes"), ("max_stack_depth", "calls"), ("timeout_ms", "milliseconds")):
            _check_positive(name, unit, getattr(self, name))
        if not isinstance(self.type_check, bool):
            raise TypeError(f"type_check: expected True or False, got {self.type_check!r}")
        if self.dialect not in ("strict", "extended"):
            raise ValueError(f'dialect: expected "strict" or "extended", got {self.dialect!r}')

    def definition(self) -> dict[str, Any]:
        """Returns the limits as the members of an orchestrator in JSON."""
        nanoseconds = self.timeout_ms * 1_000_000
        return {
            "dialect": self.dialect,
            "limits": {"memory": self.max_memory, "depth": self.max_stack_depth, "time_ns": nanoseconds},
            "skip_type_check": not self.type_check,
        }


def _check_positive(name: str, unit: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: expected a whole number of {unit}, got {value!r}")
    if value <= 0:
        raise ValueError(f"{name}: expected a number of {unit} above 0, got {value}")
