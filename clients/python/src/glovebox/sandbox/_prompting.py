"""What a model has to know to write the code of an orchestrator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .._link.current import current_engine
from .._orchestrators.limits import Clock, Dialect, Randomness, SandboxedConfig
from .._orchestrators.orchestrator import CodeTaskTemplate
from .._process.loop import run_sync
from .._process.tracebacks import public


@public
def prompt(
    *,
    inputs: Mapping[str, Any] | None = None,
    output: Any = Any,
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
) -> str:
    """Returns what a model has to know to write code for ``orchestrator_from_str``.

    It describes the language, the inputs, the tools with their types and docstrings, and the result, in the words
    of the engine that will run the code. Without a clock, or without randomness, it says that there is none.

    >>> print(glovebox.sandbox.prompt(inputs={"n": int}, output=int, tasks=[add], dialect="extended"))
    Write one Python program. ...

    Args:
        inputs: The types of the inputs, by name.
        output: The type of the result; by default any.
        tasks: What the code may call, as for ``orchestrator_from_str``.
        dialect: ``"extended"``, most of Python, or ``"strict"``.
        clock: Which clock the code will be granted, as for ``orchestrator_from_str``.
        random: Which randomness it will be granted, likewise.
    """
    config = SandboxedConfig(dialect=dialect, clock=clock, random=random)
    task = CodeTaskTemplate("None", inputs=inputs or {}, output=output, tasks=tasks, plugin_config=config)
    return run_sync(_prompt(task))


async def _prompt(task: CodeTaskTemplate) -> str:
    engine = await current_engine()
    return await engine.prompt(await task._definition(engine))  # pyright: ignore[reportPrivateUsage]
