"""Code in a string that is run once, as a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._orchestrators.inference import result_type, type_of_value
from .._orchestrators.inputs import check_names
from .._orchestrators.limits import SandboxedConfig
from .._orchestrators.orchestrator import CodeTaskTemplate
from .._runs.run import start_run

if TYPE_CHECKING:
    from .._runs.result import Result


async def value_of_run(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
) -> Any:
    """Makes a run of code, and returns the value of its last expression."""
    return await _task(source, inputs, tasks, config)._execute(inputs)  # pyright: ignore[reportPrivateUsage]


async def result_of_run(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
) -> Result[Any]:
    """Makes a run of code, and returns its result."""
    run = await start_run(_task(source, inputs, tasks, config), (), dict(inputs))
    return await run.result.aio()


def _task(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
) -> CodeTaskTemplate:
    check_names(inputs)
    task = CodeTaskTemplate(source, inputs={}, tasks=tasks, name="orchestrate-local", plugin_config=config)
    types = {name: type_of_value(value) for name, value in inputs.items()}
    task.declare(types, result_type(task.code, types, task.tools))
    return task
