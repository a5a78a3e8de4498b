"""Whether code is evaluated by the light path, and its way in.

The rest of the path is loaded while the evaluator starts.
"""

from __future__ import annotations

import os
import select
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._link.settings import names_engine
from .._orchestrators.inputs import check_names
from .._process import context
from .evaluator import current

if TYPE_CHECKING:
    from .._orchestrators.limits import SandboxedConfig
    from .outcome import Outcome
    from .program import Program


def light_program(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
    durable: bool | None,
) -> Program | None:
    """Returns what is evaluated without a run, or None if it has to be one.

    It is a run where that was asked for, within a run, at a server, and with files.
    """
    check_names(inputs)
    if durable or _has_engine() or context.current_run() is not None or context.loading.get():
        return None
    current().begin()
    from .program import program_of  # lazy: the evaluator starts meanwhile

    return program_of(source, inputs, tasks, config)


def _has_engine() -> bool:
    """Reports whether there is an engine beyond this process, or no way to be without one."""
    return names_engine() or os.name != "posix" or not hasattr(select, "poll")


def evaluate_light(program: Program, inputs: Mapping[str, Any]) -> Outcome:
    """Evaluates, and blocks until there is a result. Its errors are those of a run."""
    from .evaluation import Evaluation  # lazy: the evaluator starts meanwhile
    from .outcome import outcome_of  # lazy: the same

    evaluation = Evaluation(program, inputs)
    return outcome_of(evaluation, evaluation.run())


async def evaluate_light_async(program: Program, inputs: Mapping[str, Any]) -> Outcome:
    """Does so without blocking the event loop of the caller."""
    from .awaiting import run_awaited  # lazy: plain code needs no loop
    from .outcome import outcome_of  # lazy: the evaluator starts meanwhile

    return outcome_of(*await run_awaited(program, inputs))
