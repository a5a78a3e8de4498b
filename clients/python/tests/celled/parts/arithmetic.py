from __future__ import annotations

from ..constants import OFFSET


def shifted(x: int) -> int:
    return x + OFFSET


def divide(x: int, y: int) -> float:
    return x / y
