"""Orchestrators from code in a string: to keep, and for one use."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .._evaluation.here import evaluate_light, evaluate_light_async, light_program
from .._orchestrators.inference import result_type, type_of_value
from .._orchestrators.limits import DEPTH, MEMORY, Clock, Dialect, Randomness, SandboxedConfig
from .._orchestrators.orchestrator import NONE_TYPE, CodeTaskTemplate, check_names
from .._process.loop import run_async, run_sync, syncify
from .._process.tracebacks import public
from .._tasks.image import Image
from .._tasks.policies import CacheMode, Policies, cache_mode, check_retries
from .._values.types import ANY, Param, Signature

if TYPE_CHECKING:
    from .._evaluation.outcome import Outcome
    from .._runs.result import Result


@public
def orchestrator_from_str(
    source: str,
    *,
    inputs: Mapping[str, Any],
    output: Any = NONE_TYPE,
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    name: str = "sandboxed-code",
    timeout_ms: int = 30_000,
    max_memory: int = MEMORY,
    max_stack_depth: int = DEPTH,
    type_check: bool = True,
    cache: CacheMode = "disable",
    retries: int = 0,
    image: str | Image | None = None,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
    check: bool = True,
) -> CodeTaskTemplate:
    """Makes a task of restricted Python code in a string.

    The value of its last expression is the result.

    >>> pipeline = glovebox.sandbox.orchestrator_from_str(
    ...     "add(x, y) * 2", inputs={"x": int, "y": int}, output=int, tasks=[add]
    ... )
    >>> glovebox.run(pipeline, x=1, y=2).outputs()[0]
    6

    Args:
        source: The code. Its inputs are variables. It may be indented as a whole.
        inputs: The types of the inputs, by name.
        output: The type of the result; by default it has none.
        tasks: What the code may call, by the name of each function: tasks, which run as they always do, and
            plain functions, which run in this process. A dict gives them other names.
        name: The name of the task.
        timeout_ms: Milliseconds that the code may take; waiting for tools does not count.
        max_memory: Bytes of the values that are alive.
        max_stack_depth: How deep calls may be nested.
        type_check: Hold inputs and output to their declared types.
        cache: "auto", "override" or "disable".
        retries: Further attempts after a failed one.
        image: Has no effect, since the code runs in no cell.
        dialect: ``"extended"`` allows most of Python, ``"strict"`` what ``ORCHESTRATOR_SYNTAX_PROMPT`` says.
        clock: As in ``SandboxedConfig``.
        random: The same.
        check: The same.

    Raises:
        TypeError: A type cannot cross into the sandbox, or a tool cannot be called.
        ValueError: Two tools have one name, or a limit is not above 0.
    """
    del image
    return CodeTaskTemplate(
        source,
        inputs=inputs,
        output=output,
        tasks=tasks,
        name=name,
        plugin_config=SandboxedConfig(
            max_memory, max_stack_depth, timeout_ms, type_check, dialect, clock, random, check
        ),
        policies=Policies(cache=cache_mode(cache), retries=check_retries(retries)),
    )


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
    durable: bool = False,
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
        durable: Make it a run, which is kept in the journal and resumes after a crash. Else nothing is kept, but
            within a run, at a server, and where files are among the values or types: there it is a run all the same.

    Raises the errors of ``glovebox.errors``, which say the line and what to write instead.
    """
    config = SandboxedConfig(max_memory, max_stack_depth, timeout_ms, True, dialect, clock, random, check)
    program = light_program(source, inputs, tasks, config, durable)
    if program is not None:
        return (await evaluate_light_async(program, inputs)).value
    return await run_async(_result(source, inputs, tasks, config))


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
    durable: bool = False,
) -> Any:
    """Does what ``orchestrate_local`` does, and blocks until there is a result.

    >>> glovebox.sandbox.orchestrate_local_sync("x + 1", inputs={"x": 1})
    2
    """
    config = SandboxedConfig(max_memory, max_stack_depth, timeout_ms, True, dialect, clock, random, check)
    program = light_program(source, inputs, tasks, config, durable)
    if program is not None:
        return evaluate_light(program, inputs).value
    return run_sync(_result(source, inputs, tasks, config))


async def _evaluate(
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
    durable: bool = False,
) -> Result[Any]:
    """Does what ``orchestrate_local`` does, and returns the value in a ``Result``, with what the code printed.

    It is called plainly, or awaited as ``evaluate.aio(...)``. Unless it is a run, ``run`` of the result is None.

    >>> result = glovebox.sandbox.evaluate("print('adding')\\nadd(x, 1)", inputs={"x": 1}, tasks=[add])
    >>> result.value, result.stdout
    (2, 'adding\\n')
    """
    from .._runs.run import start_run  # lazy: only a run needs it

    config = SandboxedConfig(max_memory, max_stack_depth, timeout_ms, True, dialect, clock, random, check)
    program = light_program(source, inputs, tasks, config, durable)
    if program is not None:
        return _kept_nothing(await evaluate_light_async(program, inputs))
    run = await start_run(_for_one_use(source, inputs, tasks, config), (), dict(inputs))
    return await run.result.aio()


_evaluate.__name__ = _evaluate.__qualname__ = "evaluate"  # what help() calls it
evaluate = syncify(_evaluate)


def _kept_nothing(outcome: Outcome) -> Result[Any]:
    from .._runs.outputs import Outputs  # lazy: only a result needs them
    from .._runs.result import Result  # lazy: the same

    outputs = Outputs.of(Signature((), (Param("o0", ANY),)), {"o0": outcome.value})
    return Result(outcome.value, outputs, outcome.stdout, "", None)


def _result(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    config: SandboxedConfig,
) -> Coroutine[Any, Any, Any]:
    return _for_one_use(source, inputs, tasks, config)._execute(inputs)  # pyright: ignore[reportPrivateUsage]


def _for_one_use(
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
