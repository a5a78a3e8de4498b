"""The engine of this process. What it takes to reach it is loaded with its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._process import context

if TYPE_CHECKING:
    from .documents import Json as Json
    from .engine import Engine as Engine
    from .engine import Progress as Progress


async def current_engine() -> Engine:
    """Returns the engine of this process, and connects to it, or starts it, first.

    It is that of ``glovebox.init``, of ``GLOVEBOX_URL``, or a child of this
    process. A child that ended by itself is replaced.

    Raises RuntimeError in a cell while it imports the module of its function:
    what a script begins there would begin again in every cell, without end.
    """
    module = context.loading.get()
    if module:
        raise RuntimeError(
            f"module {module} starts something while a cell imports it to find a function in it. "
            'Put what the script does below: if __name__ == "__main__":'
        )
    from .connect import connect  # lazy: only a run needs it

    return await connect()
