"""What an orchestrator may use."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Dialect = Literal["strict", "extended"]
Clock: TypeAlias = Literal["real", "virtual"] | str | datetime.datetime
Randomness: TypeAlias = Literal["real"] | str | int

# The defaults: bytes of memory, nested calls.
MEMORY = 50 * 1024 * 1024
DEPTH = 256


@dataclass(frozen=True)
class SandboxedConfig:
    """Limits and language of an orchestrator. They are enforced, and its code cannot catch them.

    Args:
        max_memory: Bytes of the values that are alive, 64 KiB to 8 GiB.
        max_stack_depth: How deep calls may be nested, at most 100,000.
        timeout_ms: Milliseconds of execution, at most a day. Waiting for tools does not count.
        type_check: Hold inputs and output to their declared types.
        dialect: ``"strict"``, the language of ``ORCHESTRATOR_SYNTAX_PROMPT``, or ``"extended"``, most of Python.
        clock: Which clock the code can read: by default none, ``"real"``, or a ``datetime`` at which a fixed one
            begins. Sleeping takes real time; with a fixed clock, or with ``"virtual"``, it takes none.
        random: Which randomness it has: by default none, ``"real"``, or the int that seeds it.
        check: Refuse to start code that would fail, as far as that can be found without running it.

    >>> glovebox.sandbox.SandboxedConfig(timeout_ms=5_000, dialect="extended").timeout_ms
    5000
    """

    max_memory: int = MEMORY
    max_stack_depth: int = DEPTH
    timeout_ms: int = 30_000
    type_check: bool = True
    dialect: Dialect = "strict"
    clock: Clock | None = None
    random: Randomness | None = None
    check: bool = True

    def __post_init__(self) -> None:
        _check("max_memory", self.max_memory, 64 << 10, 8 << 30, "bytes")
        _check("max_stack_depth", self.max_stack_depth, 1, 100_000, "nested calls")
        _check("timeout_ms", self.timeout_ms, 1, 24 * 60 * 60 * 1000, "milliseconds")
        for name in ("type_check", "check"):
            if not isinstance(getattr(self, name), bool):
                raise TypeError(f"{name}: expected True or False, got {getattr(self, name)!r}")
        if self.dialect not in ("strict", "extended"):
            raise ValueError(f'dialect: expected "strict" or "extended", got {self.dialect!r}')
        clock_text(self.clock)
        random_text(self.random)

    def definition(self) -> dict[str, Any]:
        """Returns the limits as the members of an orchestrator in JSON."""
        nanoseconds = self.timeout_ms * 1_000_000
        return {
            "dialect": self.dialect,
            "limits": {"memory": self.max_memory, "depth": self.max_stack_depth, "time_ns": nanoseconds},
            "skip_type_check": not self.type_check,
            "skip_check": not self.check,
            **grants(self.clock, self.random),
        }


SandboxedConfig.__module__ = "glovebox.sandbox"  # where users find it; dataclass wants a module that is loaded


def grants(clock: Clock | None, random: Randomness | None) -> dict[str, str]:
    """Returns what is granted as members of an orchestrator in JSON."""
    given = {"clock": clock_text(clock), "random": random_text(random)}
    return {name: text for name, text in given.items() if text is not None}


def clock_text(clock: Any) -> str | None:
    """Returns a clock as the engine names it."""
    if isinstance(clock, datetime.datetime):
        aware = clock if clock.tzinfo is not None else clock.replace(tzinfo=datetime.timezone.utc)
        return "fixed:" + aware.isoformat()
    if clock is None:
        return None
    if isinstance(clock, str) and (clock in ("real", "virtual") or clock.startswith("fixed:")):
        return clock
    raise ValueError(f'clock: expected "real", "virtual" or a datetime, got {clock!r}')


def random_text(random: Any) -> str | None:
    """Returns randomness as the engine names it."""
    if isinstance(random, int) and not isinstance(random, bool):
        return f"seeded:{random}"
    if random is None:
        return None
    if isinstance(random, str) and (random == "real" or random.startswith("seeded:")):
        return random
    raise ValueError(f'random: expected "real" or an int, got {random!r}')


def _check(name: str, value: Any, least: int, most: int, unit: str) -> None:
    """Checks a limit against what the engine takes."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name}: expected a whole number of {unit}, got {value!r}")
    if not least <= value <= most:
        raise ValueError(f"{name}: expected {least} to {most} {unit}, got {value}")
