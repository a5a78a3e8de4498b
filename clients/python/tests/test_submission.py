"""How the end of a run is waited for."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from glovebox._link.engine import Engine
from glovebox._tasks.submission import finish


class Waiting:
    """An engine whose runs have ended, and that keeps who asked for progress."""

    def __init__(self) -> None:
        self.told = False

    async def wait(self, run_id: str, *, progress: Any = None) -> dict[str, Any]:
        self.told = progress is not None
        return {"run": {"id": run_id}}


@pytest.mark.parametrize(("kind", "told"), [("sandbox", True), ("orchestrator", False), ("function", False)])
def test_only_the_progress_of_cells_is_followed(kind: str, told: bool) -> None:
    engine = Waiting()
    asyncio.run(finish(cast(Engine, engine), {"id": "run-1", "kind": kind}))
    assert engine.told is told
