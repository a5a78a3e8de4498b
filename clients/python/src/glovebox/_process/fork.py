"""Children that are forked off, where the system has such."""

from __future__ import annotations

import os
from collections.abc import Callable


def in_children(renew: Callable[[], object]) -> None:
    """Calls ``renew`` at the beginning of every child that is forked off from now on."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=renew)
