"""What would fail in the code of an orchestrator, before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._link.current import current_engine
from .._orchestrators.limits import Clock, Dialect, Randomness, SandboxedConfig
from .._orchestrators.orchestrator import CodeTaskTemplate, SandboxedTaskTemplate
from .._process.loop import syncify

if TYPE_CHECKING:
    from .._link.current import Json


@dataclass(frozen=True)
class Problem:
    """One place of a program that would fail. ``str()`` of it is one line that a model can act on.

    ``level`` is ``"refusal"`` for what the language does not have, ``"error"`` for what would fail, and ``"warning"``
    for what may. ``line`` and ``column`` begin with 1.

    >>> for problem in glovebox.check(code, tasks=[add]):
    ...     print(problem)
    """

    __module__ = "glovebox.sandbox"  # where users find it

    level: str
    code: str
    line: int
    column: int
    message: str
    construct: str = ""

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.level}: {self.message}"


async def _check(
    source: str | SandboxedTaskTemplate[..., Any],
    *,
    inputs: Mapping[str, Any] | None = None,
    output: Any = Any,
    tasks: Sequence[Any] | Mapping[str, Any] | None = None,
    dialect: Dialect = "strict",
    clock: Clock | None = None,
    random: Randomness | None = None,
) -> list[Problem]:
    """Returns what would fail in code for ``orchestrator_from_str``, or in an orchestrator, before anything runs.

    Names, syntax, calls of the tools with the wrong arguments, and types, as far as the text shows them.
    Nothing is called. An empty list says that nothing was found. It is called plainly, or awaited as ``check.aio``.

    >>> [problem] = glovebox.check("add(1)", tasks=[add])
    >>> print(problem)
    1:1: error: add needs y; call add(x: int, y: int)

    Args:
        source: The code, or an orchestrator, which has its inputs, output and tasks itself.
        inputs: The types of the inputs, by name.
        output: The type of the result; by default any.
        tasks: What the code may call, as for ``orchestrator_from_str``.
        dialect: ``"extended"``, most of Python, or ``"strict"``.
        clock: Which clock the code will be granted, as for ``orchestrator_from_str``.
        random: Which randomness it will be granted, likewise.
    """
    if isinstance(source, SandboxedTaskTemplate):
        if inputs is not None or tasks is not None or output is not Any:
            raise TypeError("check(): an orchestrator has its inputs, output and tasks itself; leave them out")
        task: SandboxedTaskTemplate[..., Any] = source
    else:
        config = SandboxedConfig(dialect=dialect, clock=clock, random=random)
        task = CodeTaskTemplate(source, inputs=inputs or {}, output=output, tasks=tasks, plugin_config=config)
    engine = await current_engine()
    return [_problem(node) for node in await engine.check(await task._definition(engine))]  # pyright: ignore[reportPrivateUsage]


_check.__name__ = _check.__qualname__ = "check"  # what help() calls it
check = syncify(_check)


def _problem(node: Json) -> Problem:
    return Problem(
        level=str(node.get("level", "")),
        code=str(node.get("code", "")),
        line=int(node.get("line", 0)),
        column=int(node.get("column", 0)),
        message=str(node.get("message", "")),
        construct=str(node.get("construct", "")),
    )
