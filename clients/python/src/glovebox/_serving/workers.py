"""The workers of this process at one engine: as many as its calls need.

A call that waits for another one keeps its place at its worker. A single worker
could deadlock: its places full of calls that wait for calls without a place.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import os
from typing import TYPE_CHECKING

from .._process import loop
from .._process.at_exit import pending
from .._process.fork import in_children
from .._process.log import logger
from .worker import Connect, Offered, Worker

if TYPE_CHECKING:
    from .._link.current import Engine

_logger = logger("glovebox.worker")

_DRAIN = 30.0  # seconds for calls under way when the process ends, as in the Go SDK


class WorkerPool:
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

    async def close(self, *, drain: float = 0) -> None:
        """Gives calls of other processes ``drain`` seconds to end, stops what is under way, and leaves the engine."""
        self._leaving = True
        drain = 0 if self._private else drain
        if self._growing is not None:
            self._growing.cancel()
        await asyncio.gather(*(worker.close(drain=drain) for worker in self._workers), return_exceptions=True)

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


_pools: dict[Engine, WorkerPool] = {}
in_children(_pools.clear)


def pool_of(engine: Engine) -> WorkerPool:
    """Returns the workers of this process at that engine. For the loop's thread."""
    if not _pools:
        atexit.register(_leave, os.getpid())
    pool = _pools.get(engine)
    if pool is None:
        for other in [e for e, p in _pools.items() if p.is_over]:
            del _pools[other]
        pool = _pools[engine] = WorkerPool(engine.connect_worker, private=engine.private)
    return pool


def _leave(process: int) -> None:
    """Takes leave of the engines at the end of the process, unless it is a child that was forked off.

    Calls of other processes may still run here, and must not fail because this
    process has finished.
    """
    if os.getpid() != process:
        return
    drain = 0 if pending.is_given_up else _DRAIN
    for pool in _pools.values():
        try:
            _close(pool, drain)
        except KeyboardInterrupt:
            drain = 0
            _close(pool, drain)


def _close(pool: WorkerPool, drain: float) -> None:
    with contextlib.suppress(Exception, concurrent.futures.CancelledError):
        loop.run_sync(pool.close(drain=drain))
