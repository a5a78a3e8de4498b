"""Orchestrators from code in a string: to keep, and for one use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._image import Image
from .._loop import run_async, run_sync
from .._namespace import NONE_TYPE
from .._policy import Policies, cache_mode, check_retries
from .._task import execute
from .._trace import public
from ._infer import result_type, type_of_value
from ._limits import Clock, Dialect, Randomness, SandboxedConfig
from ._orchestrator import CodeTaskTemplate, check_names


@public
def orchestrator_from_str(
    source: str,
    *,
    inputs: Mapping[str, Any],
    output: Any = NONE_TYPE,
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    name: str = "sandboxed-code",
    timeout_ms: int = 30_000,
    cache: str = "disable",
    retries: int = 0,
    image: str | Image | None = None,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
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
        cache: "auto", "override" or "disable".
        retries: Further attempts after a failed one.
        image: Has no effect, since the code runs in no cell.
        dialect: ``"extended"`` allows most of Python, ``"strict"`` what ``ORCHESTRATOR_SYNTAX_PROMPT`` says.
        clock: As in ``SandboxedConfig``.
        random: The same.

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
        plugin_config=SandboxedConfig(timeout_ms=timeout_ms, dialect=dialect, clock=clock, random=random),
        policies=Policies(cache=cache_mode(cache), retries=check_retries(retries)),
    )


@public
async def orchestrate_local(
    source: str,
    *,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    timeout_ms: int = 30_000,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
) -> Any:
    """Runs restricted Python code once and returns the value of its last expression.

    >>> await glovebox.sandbox.orchestrate_local("add(x, y) * 2", inputs={"x": 1, "y": 2}, tasks=[add])
    6

    Args:
        source: The code.
        inputs: The variables that it begins with. Their types follow from the values.
        tasks: What the code may call: tasks, and plain functions, which run in this process.
        timeout_ms: Milliseconds that the code may take; waiting for tools does not count.
        dialect: ``"extended"`` allows most of Python, ``"strict"`` what ``ORCHESTRATOR_SYNTAX_PROMPT`` says.
        clock: As in ``SandboxedConfig``.
        random: The same.

    Raises the errors of ``glovebox.errors``, which say the line and what to write instead.
    """
    task = _for_one_use(source, inputs, tasks, timeout_ms, dialect, clock, random)
    return await run_async(execute(task, inputs))


@public
def orchestrate_local_sync(
    source: str,
    *,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    timeout_ms: int = 30_000,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
) -> Any:
    """Does what ``orchestrate_local`` does, and blocks until there is a result.

    >>> glovebox.sandbox.orchestrate_local_sync("x + 1", inputs={"x": 1})
    2
    """
    return run_sync(execute(_for_one_use(source, inputs, tasks, timeout_ms, dialect, clock, random), inputs))


def _for_one_use(
    source: str,
    inputs: Mapping[str, Any],
    tasks: Sequence[Any] | Mapping[str, Any] | None,
    timeout_ms: int,
    dialect: Dialect,
    clock: Clock | None,
    random: Randomness | None,
) -> CodeTaskTemplate:
    check_names(inputs)
    task = CodeTaskTemplate(
        source,
        inputs={},
        tasks=tasks,
        name="orchestrate-local",
        plugin_config=SandboxedConfig(timeout_ms=timeout_ms, dialect=dialect, clock=clock, random=random),
    )
    types = {name: type_of_value(value) for name, value in inputs.items()}
    task.declare(types, result_type(task.code, types, task.tools))
    return task
