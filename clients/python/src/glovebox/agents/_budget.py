"""What an agent may spend."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

from .._tasks.policies import timeout_ns


@dataclass(frozen=True)
class Budget:
    """Bounds of one run of an agent. What goes over one ends the run, and the error names the bound.

    Args:
        calls: Of tools.
        tokens: Of all questions to the model and its answers.
        cost_usd: US dollars, by the price of the model.
        time: Seconds or a timedelta, from the beginning on.

    >>> glovebox.agents.Budget(calls=100, cost_usd=0.5)
    """

    __module__ = "glovebox.agents"  # where users find it

    calls: int | None = None
    tokens: int | None = None
    cost_usd: float | None = None
    time: float | datetime.timedelta | None = None

    def __post_init__(self) -> None:
        for name in ("calls", "tokens"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise ValueError(f"{name}: expected a number from 1 on, got {value!r}")
        cost: Any = self.cost_usd
        if cost is not None and (isinstance(cost, bool) or not isinstance(cost, (int, float)) or not cost > 0):
            raise ValueError(f"cost_usd: expected more than 0 dollars, got {cost!r}")
        timeout_ns(self.time, "time")

    def definition(self) -> dict[str, Any]:
        """Returns the bounds as members of an agent in JSON."""
        members = {"calls": self.calls, "tokens": self.tokens, "cost_usd": self.cost_usd}
        members["time_ns"] = timeout_ns(self.time, "time") or None
        return {name: value for name, value in members.items() if value is not None}
