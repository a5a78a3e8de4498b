"""Tasks of test_orchestrator_cells, in a module of their own: what a cell imports has no pytest."""

from __future__ import annotations

from typing import Any

import glovebox
from glovebox.sandbox import gather

cells = glovebox.TaskEnvironment(name="cells", resources=glovebox.Resources(cpu=1, memory="256Mi"))
here = glovebox.TaskEnvironment(name="here")


@cells.task
def add(x: int, y: int) -> int:
    return x + y


@cells.task
def fails(x: int) -> int:
    raise KeyError(f"key {x}")


@here.task
def local(x: int) -> int:
    return x + 1


@here.sandbox.orchestrator
def both(n: int) -> dict[str, int]:
    return {"cell": add(n, 2), "local": local(n)}


@here.sandbox.orchestrator
def breaks(n: int) -> int:
    return fails(n)


@here.sandbox.orchestrator
async def parallel(xs: list[int]) -> list[Any]:
    return await gather(*[add(x, x) for x in xs])


@here.sandbox.orchestrator
def only(n: int) -> int:
    return add(n, n)


@cells.task
def outer(n: int) -> int:
    """Calls an orchestrator from a cell, whose tools run in cells of their own."""
    return only(n) + 100


@here.task
def near(n: int) -> dict[str, int]:
    return both(n)
