"""Code in a string that is run once, for its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._evaluation.here import evaluate_light, evaluate_light_async, light_program
from .._orchestrators.limits import DEPTH, MEMORY, Clock, Dialect, Randomness, SandboxedConfig
from .._process.loop import run_async, run_sync, with_aio
from .._process.tracebacks import public
from .._tasks.labels import labels_of
from .._values.types import ANY, Param, Signature

if TYPE_CHECKING:
    from .._evaluation.outcome import Outcome
    from .._runs.result import Result


@public
async def orchestrate_local(
    source: str,
    *,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    timeout_ms: int = 30_000,
    max_memory: int = MEMORY,
    max_stack_depth: int = DEPTH,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
    check: bool = True,
    durable: bool | None = None,
    labels: Mapping[str, str] | None = None,
) -> Any:
    """Runs restricted Python code once and returns the value of its last expression.

    >>> await glovebox.sandbox.orchestrate_local("add(x, y) * 2", inputs={"x": 1, "y": 2}, tasks=[add])
    6

    ``evaluate`` also returns what the code printed.

    Args:
        source: The code.
        inputs: The variables that it begins with. Their types follow from the values.
        tasks: What the code may call: tasks, and plain functions, which run in this process.
        timeout_ms: Milliseconds that the code may take; waiting for tools does not count.
        max_memory: Bytes of the values that are alive.
        max_stack_depth: How deep calls may be nested.
        dialect: ``"extended"`` allows most of Python, ``"strict"`` what ``ORCHESTRATOR_SYNTAX_PROMPT`` says.
        clock: As in ``SandboxedConfig``.
        random: The same.
        check: The same.
        durable: True makes it a run, which is kept in the journal and resumes after a crash. False keeps nothing, at a
            server too, and refuses files; but within a run it is a run. None, the default, keeps nothing, except within
            a run, at a server, and where files are among the values or types: there it is a run.
        labels: Those of the run, by which ``glovebox.runs`` finds it. With some it is one, as with ``durable=True``.

    Raises the errors of ``glovebox.errors``, which say the line and what to write instead.
    """
    config = SandboxedConfig(max_memory, max_stack_depth, timeout_ms, True, dialect, clock, random, check)
    durable = _kept(durable, labels)
    program = light_program(source, inputs, tasks, config, durable)
    if program is not None:
        return (await evaluate_light_async(program, inputs)).value
    from ._as_run import value_of_run  # lazy: only a run needs it

    return await run_async(value_of_run(source, inputs, tasks, config, durable, labels_of(labels)))


@public
def orchestrate_local_sync(
    source: str,
    *,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    timeout_ms: int = 30_000,
    max_memory: int = MEMORY,
    max_stack_depth: int = DEPTH,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
    check: bool = True,
    durable: bool | None = None,
    labels: Mapping[str, str] | None = None,
) -> Any:
    """Does what ``orchestrate_local`` does, and blocks until there is a result.

    >>> glovebox.sandbox.orchestrate_local_sync("x + 1", inputs={"x": 1})
    2
    """
    config = SandboxedConfig(max_memory, max_stack_depth, timeout_ms, True, dialect, clock, random, check)
    durable = _kept(durable, labels)
    program = light_program(source, inputs, tasks, config, durable)
    if program is not None:
        return evaluate_light(program, inputs).value
    from ._as_run import value_of_run  # lazy: only a run needs it

    return run_sync(value_of_run(source, inputs, tasks, config, durable, labels_of(labels)))


@public
def _evaluate(
    source: str,
    *,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    timeout_ms: int = 30_000,
    max_memory: int = MEMORY,
    max_stack_depth: int = DEPTH,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
    check: bool = True,
    durable: bool | None = None,
    labels: Mapping[str, str] | None = None,
) -> Result[Any]:
    """Does what ``orchestrate_local`` does, and returns the value in a ``Result``, with what the code printed.

    It is called plainly, or awaited as ``evaluate.aio(...)``. Unless it is a run, ``run`` of the result is None.

    >>> result = glovebox.sandbox.evaluate("print('adding')\\nadd(x, 1)", inputs={"x": 1}, tasks=[add])
    >>> result.value, result.stdout
    (2, 'adding\\n')
    """
    config = SandboxedConfig(max_memory, max_stack_depth, timeout_ms, True, dialect, clock, random, check)
    durable = _kept(durable, labels)
    program = light_program(source, inputs, tasks, config, durable)
    if program is not None:
        return _kept_nothing(evaluate_light(program, inputs))
    from ._as_run import result_of_run  # lazy: only a run needs it

    return run_sync(result_of_run(source, inputs, tasks, config, durable, labels_of(labels)))


@public
async def _evaluate_async(
    source: str,
    *,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    timeout_ms: int = 30_000,
    max_memory: int = MEMORY,
    max_stack_depth: int = DEPTH,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
    check: bool = True,
    durable: bool | None = None,
    labels: Mapping[str, str] | None = None,
) -> Result[Any]:
    config = SandboxedConfig(max_memory, max_stack_depth, timeout_ms, True, dialect, clock, random, check)
    durable = _kept(durable, labels)
    program = light_program(source, inputs, tasks, config, durable)
    if program is not None:
        return _kept_nothing(await evaluate_light_async(program, inputs))
    from ._as_run import result_of_run  # lazy: only a run needs it

    return await run_async(result_of_run(source, inputs, tasks, config, durable, labels_of(labels)))


_evaluate.__name__ = _evaluate.__qualname__ = "evaluate"  # what help() calls it
evaluate = with_aio(_evaluate, _evaluate_async)


def _kept(durable: bool | None, labels: Mapping[str, str] | None) -> bool | None:
    """Returns whether it is a run: what has labels is one."""
    if labels_of(labels) and durable is False:
        raise ValueError("durable=False keeps nothing: it has no labels; leave labels out")
    return True if labels else durable


def _kept_nothing(outcome: Outcome) -> Result[Any]:
    from .._runs.outputs import Outputs  # lazy: only a result needs them
    from .._runs.result import Result  # lazy: the same

    outputs = Outputs.of(Signature((), (Param("o0", ANY),)), {"o0": outcome.value})
    return Result(outcome.value, outputs, outcome.stdout, "", None)
