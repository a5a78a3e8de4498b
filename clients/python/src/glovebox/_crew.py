"""The workers of this process at one engine: as many as its calls need.

A call that waits for another one keeps its place at its worker. With one worker
alone, calls could hold all its places that wait for calls that find none.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import logging
import os
from typing import TYPE_CHECKING

from . import _loop
from ._worker import Connect, Offered, Worker

if TYPE_CHECKING:
    from ._engine import Engine

_logger = logging.getLogger("glovebox.worker")


class Crew:
    """Offers functions to one engine, by one worker, and by further ones when all are full."""

    def __init__(self, connect: Connect, *, private: bool = False) -> None:
        self._connect = connect
        self._private = private
        self._workers = [self._worker()]
        self._growing: asyncio.Task[None] | None = None
        self._leaving = False

    @property
    def workers(self) -> list[Worker]:
        """Its workers, the first one first."""
        return list(self._workers)

    @property
    def is_over(self) -> bool:
        """Whether its engine is gone, so that it can be forgotten."""
        return all(worker.is_over for worker in self._workers)

    async def offer(self, function: Offered) -> None:
        """Offers a function by every worker, from now on. It connects first if need be."""
        for worker in self.workers:
            await worker.offer(function)

    async def close(self) -> None:
        """Stops the calls under way and leaves the engine."""
        self._leaving = True
        if self._growing is not None:
            self._growing.cancel()
        await asyncio.gather(*(worker.close() for worker in self._workers), return_exceptions=True)

    def _worker(self) -> Worker:
        return Worker(self._connect, private=self._private, full=self._grow)

    def _grow(self) -> None:
        """Makes a further worker if none has a place left."""
        growing = self._growing is not None and not self._growing.done()
        if not (growing or self._leaving) and all(worker.is_full for worker in self._workers):
            self._growing = asyncio.create_task(self._join())

    async def _join(self) -> None:
        worker = self._worker()
        try:
            await worker.join(self._workers[0])
        except Exception as error:
            _logger.warning("no further worker could be made, so that calls may wait: %s", error)
            await worker.close()
            return
        self._workers.append(worker)


_crews: dict[Engine, Crew] = {}
os.register_at_fork(after_in_child=_crews.clear)


def crew_of(engine: Engine) -> Crew:
    """Returns the workers of this process at that engine. For the loop's thread."""
    if not _crews:
        atexit.register(_leave, os.getpid())
    crew = _crews.get(engine)
    if crew is None:
        for other in [e for e, c in _crews.items() if c.is_over]:
            del _crews[other]
        crew = _crews[engine] = Crew(engine.connect_worker, private=engine.private)
    return crew


def _leave(process: int) -> None:
    """Takes leave of the engines at the end of the process, unless it is a child that was forked off."""
    if os.getpid() != process:
        return
    for crew in _crews.values():
        with contextlib.suppress(Exception, concurrent.futures.CancelledError):
            _loop.run_sync(crew.close())
