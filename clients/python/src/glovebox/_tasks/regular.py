"""Files of this machine that others may have put there."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_regular(path: Path, flags: int = 0) -> BinaryIO:
    """Opens a regular file to read it, and nothing else: a pipe would make it wait for ever.

    Raises:
        OSError: It cannot be opened, or is a directory.
        ValueError: It is a pipe or a device.
    """
    flags |= getattr(os, "O_NONBLOCK", 0)
    file = open(path, "rb", opener=lambda name, reading: os.open(name, reading | flags))
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise ValueError(f"{path} is no regular file")
    return file
