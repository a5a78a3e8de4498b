"""Where code runs: inside which run, and in which kind of process."""

from __future__ import annotations

import contextvars
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..report import Report


@dataclass(frozen=True)
class Invocation:
    """The run that the current code belongs to."""

    run_id: str
    idempotency_key: str = ""  # the same whenever the same thing is to be done again


current: contextvars.ContextVar[Invocation | None] = contextvars.ContextVar("glovebox_invocation", default=None)

# The report of the call, if its task is declared to have one.
report: contextvars.ContextVar[Report | None] = contextvars.ContextVar("glovebox_report", default=None)

# In a cell: the module that is being imported to find a function in it.
loading: contextvars.ContextVar[str] = contextvars.ContextVar("glovebox_loading", default="")

RUN_VARIABLE = "GLOVEBOX_RUN"  # in a cell: the id of its run


def in_cell() -> bool:
    """Reports whether this process is the program of a cell that may start runs."""
    return RUN_VARIABLE in os.environ


def current_run() -> str | None:
    """Returns the id of the run that the calling code belongs to, if there is one."""
    invocation = current.get()
    return invocation.run_id if invocation else os.environ.get(RUN_VARIABLE)


def keeps_nothing(durable: bool | None) -> bool:
    """Reports whether code that an engine executes is no run. What is called within a run belongs to its history."""
    return durable is False and current_run() is None
