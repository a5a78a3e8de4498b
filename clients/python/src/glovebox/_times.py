"""Dates, times and timedeltas as text that the engine reads and writes."""

from __future__ import annotations

import datetime
import re

_DATETIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{6})?)"
    r"(?:([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{6}))?)?)?"
)
_TIME = re.compile(
    r"([0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{6})?)"
    r"(?:([+-])([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{6}))?)?)?"
)
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DURATION = re.compile(r"(-?)P(?:([0-9]{1,10})D)?(?:T([0-9]{1,15})(?:\.([0-9]{1,6}))?S)?")


def datetime_text(value: datetime.datetime) -> str:
    """Returns value in ISO 8601, with its offset if it has one.

    What the offset follows from is not kept: the name of a zone, and ``fold``.
    """
    return datetime.datetime.isoformat(value)


def datetime_of(text: str) -> datetime.datetime | None:
    """Reads what the engine writes; None if text is something else."""
    match = _DATETIME.fullmatch(text)
    if not match:
        return None
    try:
        clock = datetime.datetime.fromisoformat(match[1])
        return clock.replace(tzinfo=_zone(match)) if match[2] else clock
    except ValueError:
        return None


def date_of(text: str) -> datetime.date | None:
    """Reads what the engine writes; None if text is something else."""
    try:
        return datetime.date.fromisoformat(text) if _DATE.fullmatch(text) else None
    except ValueError:
        return None


def time_text(value: datetime.time) -> str:
    """Returns value in ISO 8601, with its offset if it has one."""
    return datetime.time.isoformat(value)


def time_of(text: str) -> datetime.time | None:
    """Reads what the engine writes; None if text is something else."""
    match = _TIME.fullmatch(text)
    if not match:
        return None
    try:
        clock = datetime.time.fromisoformat(match[1])
        return clock.replace(tzinfo=_zone(match)) if match[2] else clock
    except ValueError:
        return None


def _zone(match: re.Match[str]) -> datetime.timezone:
    """Returns the offset at the end. ``fromisoformat`` drops one below a second."""
    hours, minutes, seconds, micros = (int(digits or 0) for digits in match.group(3, 4, 5, 6))
    if minutes > 59 or seconds > 59:
        raise ValueError("no time of day")
    offset = datetime.timedelta(hours=hours, minutes=minutes, seconds=seconds, microseconds=micros)
    return datetime.timezone(-offset if match[2] == "-" else offset)


def timedelta_text(value: datetime.timedelta) -> str:
    """Returns value as an ISO 8601 duration of days and seconds, with its sign in front: ``-P1DT0.5S``."""
    sign = "-" if value.days < 0 else ""
    micros = abs((value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds)
    seconds, micros = divmod(micros, 1_000_000)
    days, seconds = divmod(seconds, 86_400)
    date = f"{days}D" if days else ""
    if not seconds and not micros and days:
        return f"{sign}P{date}"
    fraction = f".{micros:06d}".rstrip("0") if micros else ""
    return f"{sign}P{date}T{seconds}{fraction}S"


def timedelta_of(text: str) -> datetime.timedelta | None:
    """Reads what the engine writes; None if text is something else."""
    match = _DURATION.fullmatch(text)
    if not match or (match[2] is None and match[3] is None):
        return None
    micros = (int(match[2] or 0) * 86_400 + int(match[3] or 0)) * 1_000_000 + int((match[4] or "").ljust(6, "0"))
    try:
        return datetime.timedelta(microseconds=-micros if match[1] else micros)
    except OverflowError:
        return None
