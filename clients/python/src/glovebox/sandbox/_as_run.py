"""Code in a string that is run once by an engine: as a run, or as an evaluation that it keeps nothing of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .._orchestrators.inference import result_type, type_of_value
from .._orchestrators.inputs import check_names
from .._orchestrators.orchestrator import CodeTaskTemplate
from .._process import context
from .._runs.outputs import Outputs
from .._runs.result import Result
from .._runs.run import start_run
from .._tasks.policies import Policies
from .._tasks.submission import evaluate
from .._tasks.task import value_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .._orchestrators.limits import SandboxedConfig
    from .._tasks.task import Task


async def value_of_run(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
    durable: bool | None,
    labels: dict[str, str],
) -> Any:
    """Makes a run of code, unless durable is False, and returns the value of its last expression."""
    if context.keeps_nothing(durable):
        return (await _evaluated(source, inputs, tasks, config)).value
    return await _task(source, inputs, tasks, config, labels)._execute(inputs)  # pyright: ignore[reportPrivateUsage]


async def result_of_run(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
    durable: bool | None,
    labels: dict[str, str],
) -> Result[Any]:
    """Makes a run of code, unless durable is False, and returns its result."""
    if context.keeps_nothing(durable):
        return await _evaluated(source, inputs, tasks, config)
    run = await start_run(_task(source, inputs, tasks, config, labels), (), dict(inputs))
    return await run.result.aio()


async def _evaluated(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
) -> Result[Any]:
    task = _task(source, inputs, tasks, config, {})
    return await result_of_evaluation(task, inputs)


async def result_of_evaluation(task: Task[Any, Any], inputs: Mapping[str, Any]) -> Result[Any]:
    """Evaluates a task of which nothing is kept."""
    done = await evaluate(task, inputs)
    value, outputs = value_of(task.signature, done.outputs), Outputs.of(task.signature, done.outputs)
    return Result(value, outputs, done.stdout, done.stderr, None)


def _task(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
    labels: dict[str, str],
) -> CodeTaskTemplate:
    check_names(inputs)
    policies = Policies(labels=labels)
    task = CodeTaskTemplate(
        source, inputs={}, tasks=tasks, name="orchestrate-local", plugin_config=config, policies=policies
    )
    types = {name: type_of_value(value) for name, value in inputs.items()}
    task.declare(types, result_type(task.code, types, task.tools))
    return task
