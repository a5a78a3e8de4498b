"""Policies that tasks of every kind have: cache, retries, time limit, name."""

from __future__ import annotations

import datetime
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .notify import Notify

CacheMode = Literal["auto", "override", "disable"]

_MODES = ("auto", "override", "disable")
_ALIASES: dict[str, CacheMode] = {
    **dict.fromkeys(("enable", "enabled", "on", "true", "yes"), "auto"),
    **dict.fromkeys(("disabled", "off", "false", "no", "none"), "disable"),
}
_NAME = re.compile(r"[A-Za-z0-9._-]{1,128}")


def cache_mode(value: Any) -> CacheMode:
    """Returns the cache mode that a value names, and raises ValueError if it names none."""
    mode: Any = _ALIASES.get(value.lower(), value) if isinstance(value, str) else value
    if mode not in _MODES:
        raise ValueError(f'cache: expected "auto", "override" or "disable", got {value!r}')
    named: CacheMode = mode
    return named


def check_retries(value: Any) -> int:
    """Returns how many further attempts a failed one may have."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"retries: expected a number of further attempts such as 3, got {value!r}")
    if value < 0:
        raise ValueError(f"retries: expected 0 or more, got {value}")
    return value


def timeout_ns(value: Any, field: str = "timeout") -> int:
    """Returns a time limit in nanoseconds; 0 stands for none given.

    Raises TypeError or ValueError unless value is None, seconds or a timedelta.
    """
    if value is None:
        return 0
    if isinstance(value, datetime.timedelta):
        value = value.total_seconds()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{field}: expected seconds or a timedelta, got {value!r}")
    if not 0 < value <= 366 * 86400:
        raise ValueError(f"{field}: expected more than 0 seconds and at most a year, got {value}")
    return max(1, round(value * 1_000_000_000))


def check_flag(name: str, given: object) -> bool:
    """Returns a flag. TypeError if it is none."""
    if not isinstance(given, bool):
        raise TypeError(f"{name} is {given!r}, expected True or False")
    return given


def approval_of(required: Any, deadline: Any, notice: Any) -> dict[str, int] | None:
    """Returns how a task asks for approval, or None.

    Raises TypeError or ValueError for times that cannot be, or that nothing is asked at.
    """
    if not isinstance(required, bool):
        raise TypeError(f"requires_approval: expected a bool, got {required!r}")
    given = waiting_times(deadline, notice, ("approval_deadline", "approval_notice"))
    if given and not required:
        raise ValueError("approval_deadline and approval_notice need requires_approval=True")
    return given if required else None


def waiting_times(deadline: Any, notice: Any, names: tuple[str, str]) -> dict[str, int]:
    """Returns how long a task waits for somebody outside. TypeError or ValueError names the time that cannot be."""
    times = {"deadline_ns": timeout_ns(deadline, names[0]), "notice_ns": timeout_ns(notice, names[1])}
    if times["deadline_ns"] and times["notice_ns"] >= times["deadline_ns"]:
        raise ValueError(f"{names[1]}: expected a time before the deadline")
    return {name: value for name, value in times.items() if value}


def check_name(value: Any, what: str) -> str:
    """Returns a name that the engine takes."""
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected a str, got {value!r}")
    if not _NAME.fullmatch(value):
        raise ValueError(f"{what}: {value!r} is no name: use 1 to 128 letters, digits, '.', '_' and '-'")
    return value


def check_label(value: Any, what: str) -> str:
    """Returns a name for people, which ``engine_name`` makes one that the engine takes."""
    if not isinstance(value, str):
        raise TypeError(f"{what}: expected a str, got {value!r}")
    if not 0 < len(value) <= 128 or not value.isprintable():
        raise ValueError(f"{what}: {value!r} is no name: use 1 to 128 characters in one line")
    return value


def engine_name(label: str) -> str:
    """Returns a name that the engine takes: the same one if it can, else one that is made of it.

    >>> engine_name("reduce-sum"), engine_name("formula-a*b")
    ('reduce-sum', 'formula-a-b-784c3bab')
    """
    if _NAME.fullmatch(label):
        return label
    plain = re.sub(r"[^A-Za-z0-9._]+", "-", label).strip("-")[:100]
    return f"{plain}-{hashlib.sha256(label.encode()).hexdigest()[:8]}".lstrip("-")


def check_priority(priority: int) -> int:
    """Returns a priority that a run can have.

    >>> check_priority(-3)
    -3
    """
    if isinstance(priority, bool) or not isinstance(priority, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"priority: expected an int, got {type(priority).__name__}")
    if not -10 <= priority <= 10:
        raise ValueError(f"priority: {priority} is none: expected -10 to 10, of which the highest comes first")
    return priority


def check_concurrent(most: int | None) -> int:
    """Returns how many runs of a task work at the same time, 0 for any number.

    >>> check_concurrent(None), check_concurrent(2)
    (0, 2)
    """
    if most is None:
        return 0
    if isinstance(most, bool) or not isinstance(most, int):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"max_concurrent: expected an int or None, got {type(most).__name__}")
    if not 1 <= most <= 1_000_000:
        raise ValueError(f"max_concurrent: {most} is none: expected 1 to 1000000, or None for any number")
    return most


@dataclass(frozen=True)
class Policies:
    """What may happen around an attempt. ``cache`` of None is left to the engine."""

    cache: str | None = None
    retries: int = 0
    timeout: int = 0  # nanoseconds; 0 is the default of the engine
    idempotent: bool = False
    notify: tuple[Notify, ...] = ()
    labels: Mapping[str, str] | None = None
    node_selector: Mapping[str, str] | None = None
    priority: int = 0
    max_concurrent: int = 0  # any number
    approval: Mapping[str, int] | None = None  # nanoseconds; None asks nobody
    report: bool = False

    def definition(self) -> dict[str, Any]:
        """Returns the members of a task in JSON."""
        members: dict[str, Any] = {}
        if self.cache is not None:
            members["cache"] = self.cache
        if self.retries:
            members["retries"] = self.retries
        if self.timeout:
            members["timeout_ns"] = self.timeout
        if self.idempotent:
            members["idempotent"] = True
        if self.notify:
            members["notify"] = [n.definition() for n in self.notify]
        if self.labels:
            members["labels"] = dict(self.labels)
        if self.node_selector:
            members["node_selector"] = dict(self.node_selector)
        if self.priority:
            members["priority"] = self.priority
        if self.max_concurrent:
            members["max_concurrent"] = self.max_concurrent
        if self.approval is not None:
            members["approval"] = dict(self.approval)
        if self.report:
            members["report"] = True
        return members
