"""The tasks of the examples of docstrings, in a module that cells can import."""

from __future__ import annotations

from typing import Any

import glovebox

env = glovebox.TaskEnvironment(name="demo")


@env.task
def add(x: int, y: int) -> int:
    return x + y


@env.task
async def count_lines(data: glovebox.io.File[Any]) -> int:
    return data.read_text().count("\n")
