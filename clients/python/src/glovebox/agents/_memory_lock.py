"""The lock of a memory, which one writer has at a time, of all processes of a machine."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path

from ._memory_errors import MemoryStoreError

_PATIENCE, _PAUSE = 10.0, 0.005  # seconds
_FLAGS: int = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)

if sys.platform == "win32":
    import msvcrt

    def _taken(fd: int) -> bool:
        try:
            msvcrt.locking(fd, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _taken(fd: int) -> bool:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextlib.contextmanager
def locked(file: Path) -> Generator[None, None, None]:
    """Holds the lock while the block runs. A process that dies gives it up, so none is left behind.

    MemoryStoreError if others hold it for 10 s.
    """
    fd = os.open(file, _FLAGS, 0o600)
    try:
        until = time.monotonic() + _PATIENCE
        while not _taken(fd):
            if time.monotonic() > until:
                raise MemoryStoreError(f"{file}: other writers held the lock for {_PATIENCE:.0f} s; try again")
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(fd)  # and the lock with it
