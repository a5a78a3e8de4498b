"""Orchestrators from code in a string."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._orchestrators.limits import DEPTH, MEMORY, Clock, Dialect, Randomness, SandboxedConfig
from .._orchestrators.orchestrator import NONE_TYPE, CodeTaskTemplate
from .._process.tracebacks import public
from .._tasks.image import Image
from .._tasks.labels import labels_of
from .._tasks.notify import Notify, receivers
from .._tasks.policies import CacheMode, Policies, cache_mode, check_concurrent, check_priority, check_retries


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
    notify: Notify | Sequence[Notify] | None = None,
    labels: Mapping[str, str] | None = None,
    node_selector: Mapping[str, str] | None = None,
    priority: int = 0,
    max_concurrent: int | None = None,
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
        notify: Receivers that hear of the end of its runs.
        labels: Those of each of its runs, by which ``glovebox.runs`` finds them.
        node_selector: Labels that a node has to have to carry its runs out; see ``glovebox serve --label``.
        priority: That of its runs among those that wait, from -10 to 10: the higher is first. Each step is worth
            30 seconds of waiting.
        max_concurrent: How many of its runs work at the same time, on all nodes together. None is any number.

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
        policies=Policies(
            cache=cache_mode(cache),
            retries=check_retries(retries),
            notify=receivers(notify),
            labels=labels_of(labels),
            node_selector=labels_of(node_selector, "node_selector"),
            priority=check_priority(priority),
            max_concurrent=check_concurrent(max_concurrent),
        ),
    )
