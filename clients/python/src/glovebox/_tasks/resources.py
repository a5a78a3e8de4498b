"""What a cell may use: processors, memory, disk."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .._values.type_guards import is_tuple

Cpu = int | float | str

_UNITS = {
    "": 1,
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "P": 10**15,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
    "Ti": 2**40,
    "Pi": 2**50,
}
_NUMBER = r"([0-9]{1,18}(?:\.[0-9]{1,9})?)"
_SIZE = re.compile(_NUMBER + r"(|[KMGTP]i|[kMGTP])")
_CORES = re.compile(_NUMBER + r"(m?)")
_MOST_BYTES = 2**50


@dataclass(frozen=True)
class Resources:
    """The limits of the cell of a task. What is left out takes the default of the engine.

    Every limit is enforced: a program that needs more memory is ended with
    ``OOMError``, one that needs more processor time gets slower.

    Args:
        cpu: Cores: ``2``, ``0.5``, ``"500m"`` (a half). Default 1.
        memory: Bytes with a unit: ``"512Mi"``, ``"8Gi"``, ``"2G"``. Default ``"1Gi"``.
        gpu: Only ``None`` or ``0``. This engine has no accelerators.
        disk: Bytes that the cell can write, in the same spelling as memory. Default ``"10Gi"``.
        shm: Only ``None`` or ``"auto"``: /dev/shm is there, and what is in it counts as memory.
        pids: Processes and threads together. Default 512.
        open_files: Open files of each process. Default 1024.

    A pair, such as ``cpu=(1, 4)``, is a request and a limit: a cell has one
    size, which is the limit.

    Raises:
        ValueError: A field cannot be what it is. The message names the field.

    Example::

        glovebox.Resources(cpu=4, memory="8Gi")
    """

    __module__ = "glovebox"  # where users find it

    cpu: Cpu | tuple[Cpu, Cpu] | None = None
    memory: str | tuple[str, str] | None = None
    gpu: Any = None
    disk: str | None = None
    shm: str | None = None
    pids: int | None = None
    open_files: int | None = None

    def __post_init__(self) -> None:
        if self.gpu is not None and (isinstance(self.gpu, bool) or self.gpu != 0):
            raise ValueError(f"gpu is {self.gpu!r}, but this engine has no accelerators; leave out gpu")
        if self.shm not in (None, "auto"):
            raise ValueError(
                f"shm is {self.shm!r}, but /dev/shm has no limit of its own: it counts as memory; "
                'leave out shm, or write "auto", and raise memory'
            )
        self._json()

    def _json(self) -> dict[str, Any]:
        """Returns the limits as the engine reads them: cores, and bytes."""
        limits = {
            "cpu": _cores(_limit("cpu", self.cpu, _cores)),
            "memory": _bytes("memory", _limit("memory", self.memory, _memory)),
            "disk": _bytes("disk", self.disk),
            "pids": _count("pids", self.pids),
            "open_files": _count("open_files", self.open_files),
        }
        return {name: limit for name, limit in limits.items() if limit is not None}


def resources_json(resources: object) -> dict[str, Any]:
    """Returns the limits that are asked for as the engine reads them.

    Raises:
        TypeError: They are no Resources.
    """
    if resources is None:
        return {}
    if not isinstance(resources, Resources):
        raise TypeError(f"resources is {resources!r} ({type(resources).__name__}), expected glovebox.Resources(...)")
    return resources._json()  # pyright: ignore[reportPrivateUsage]


def _limit(field: str, value: Any, read: Callable[[Any], Any]) -> Any:
    """Returns the limit of a request and a limit, or the value as it is."""
    if not is_tuple(value):
        return value
    if len(value) != 2:
        raise ValueError(f"{field} tuple must have exactly two elements, a request and a limit, got {value!r}")
    if None in value:
        raise ValueError(f"{field} pair elements must both be set, got {value!r}")
    request, limit = value
    if read(request) > read(limit):
        raise ValueError(f"{field} is {value!r}: the request is above the limit")
    return limit


def _memory(value: Any) -> Any:
    return _bytes("memory", value)


def _cores(value: Any) -> float | None:
    if value is None:
        return None
    expected = "expected a number of cores above 0, such as 2, 0.5 or '500m'"
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise ValueError(f"cpu is {value!r} ({type(value).__name__}), {expected}")
    if isinstance(value, str):
        match = _CORES.fullmatch(value)
        if not match:
            raise ValueError(f"cpu is {value!r}, {expected}")
        from fractions import Fraction  # lazy: it loads all of decimal

        value = Fraction(match[1]) / (1000 if match[2] else 1)
    cores = float(value)
    if not math.isfinite(cores) or cores <= 0:
        raise ValueError(f"cpu is {value!r}, {expected}")
    return cores


def _bytes(field: str, value: Any) -> int | None:
    if value is None:
        return None
    expected = "expected bytes with a unit, such as '512Mi', '1Gi' or '2G'"
    if not isinstance(value, str):
        raise ValueError(f"{field} is {value!r} ({type(value).__name__}), {expected}")
    match = _SIZE.fullmatch(value)
    if not match:
        raise ValueError(f"{field} is {value!r}, {expected}")
    from fractions import Fraction  # lazy: it loads all of decimal

    size = int(Fraction(match[1]) * _UNITS[match[2]])
    if not 0 < size <= _MOST_BYTES:
        raise ValueError(f"{field} is {value!r}, expected more than nothing and at most 1Pi")
    return size


def _count(field: str, value: Any) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError(f"{field} is {value!r}, expected a whole number above 0")
    return value
