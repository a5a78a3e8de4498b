"""The functions that every orchestrator has, for code that runs without the sandbox."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any


async def gather(*calls: Any, return_exceptions: bool = False) -> list[Any]:
    """Waits for calls that run at the same time, and returns their results in order.

    In an orchestrator this name is there without an import. Importing it makes
    the name known to editors, and to ``forward()``.

    >>> a, b = await gather(fetch("x"), fetch("y"))
    """

    import asyncio  # lazy: only what awaits needs it

    async def one(call: Any) -> Any:
        return await call if inspect.isawaitable(call) else call

    return list(await asyncio.gather(*map(one, calls), return_exceptions=return_exceptions))


def glovebox_map(
    tool: str | Callable[..., Any],
    *iterables: Iterable[Any],
    concurrency: int = 0,
    group_name: str | None = None,
    return_exceptions: bool = True,
) -> list[Any]:
    """Calls a tool for each item, or each tuple of items as zip makes them, and returns the results in order.

    In an orchestrator this name is there without an import, the calls run at the
    same time, and the tool may be given by its name too. Importing it makes the
    name known to editors and to ``forward()``, where one call follows another.

    Args:
        tool: What to call.
        iterables: The arguments.
        concurrency: How many calls may be under way; 0 is no bound.
        group_name: For people; it has no effect.
        return_exceptions: Leave the exception of a call that failed in the list; else the first is raised.

    >>> totals = glovebox_map(add, [1, 2], [10, 20])
    """
    if isinstance(tool, str):
        raise TypeError(f"glovebox_map: outside of the sandbox, give the tool itself and not its name {tool!r}")
    if not iterables:
        raise TypeError("glovebox_map: expected a tool and at least one iterable")
    return [_attempt(tool, items, return_exceptions) for items in zip(*iterables, strict=False)]


def _attempt(tool: Callable[..., Any], items: tuple[Any, ...], return_exceptions: bool) -> Any:
    try:
        return tool(*items)
    except Exception as e:
        if return_exceptions:
            return e
        raise
