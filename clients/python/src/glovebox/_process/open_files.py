"""Bounds how many connections a process has open, to wait on or to carry bytes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

_MOST = 1024  # of the 4096 streams of an engine
_LEAST = 16
_OPEN_FILES = 1024  # where the system does not say


class Places:
    """Places for connections, fewer than the files that this process may open.

    A caller gets its turn soon, as long as holders that can be brief are brief
    when the places are crowded.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most or max(_LEAST, min(_MOST, open_files() // 2))
        self._free = asyncio.Semaphore(self._most)
        self._taken = 0

    @property
    def crowded(self) -> bool:
        """Reports whether more than half of them are taken."""
        return self._taken > self._most // 2

    @contextlib.asynccontextmanager
    async def place(self) -> AsyncGenerator[bool, None]:
        """Takes a place, and yields whether the places are crowded."""
        async with self._free:
            self._taken += 1
            try:
                yield self.crowded
            finally:
                self._taken -= 1


def open_files() -> int:
    """Returns how many files this process may have open."""
    try:
        import resource  # lazy: only Unix has it
    except ImportError:  # not a Unix
        return _OPEN_FILES
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _OPEN_FILES if soft == resource.RLIM_INFINITY else soft
