"""Dates and times as text that the engine reads and writes.

The runner in a cell and the Python client have this file in common. The one in
internal/sandbox/autoio is the one to edit; ``make generate`` copies it.

Text is read only in the form in which it is written: where ``_CLOCKS`` has a 0,
any digit may be.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date, datetime, time, timedelta, timezone
else:  # module datetime is slow to import, and has the same
    from _datetime import date, datetime, time, timedelta, timezone

_ZEROS = str.maketrans("123456789", "000000000")
_FRACTIONS = ("", ".000000")
_OFFSETS = ("", *(sign + "00:00" + rest for sign in "+-" for rest in ("", ":00", ":00.000000")))
_CLOCKS = frozenset("00:00:00" + fraction + offset for fraction in _FRACTIONS for offset in _OFFSETS)


def datetime_text(value: datetime) -> str:
    """Returns value in ISO 8601, with its offset if it has one.

    The origin of the offset is not kept: the name of a zone, and ``fold``.
    """
    return datetime.isoformat(value)


def datetime_of(text: str) -> "datetime | None":
    """Reads what the engine writes; None if text is something else."""
    shape = text.translate(_ZEROS)
    if shape[:11] != "0000-00-00T" or shape[11:] not in _CLOCKS:
        return None
    whole, offset = _cut(text, 19)
    try:
        moment = datetime.fromisoformat(whole)
        return moment.replace(tzinfo=_zone(offset)) if offset else moment
    except ValueError:
        return None


def date_text(value: date) -> str:
    """Returns value in ISO 8601."""
    return date.isoformat(value)


def date_of(text: str) -> "date | None":
    """Reads what the engine writes; None if text is something else."""
    try:
        return date.fromisoformat(text) if text.translate(_ZEROS) == "0000-00-00" else None
    except ValueError:
        return None


def time_text(value: time) -> str:
    """Returns value in ISO 8601, with its offset if it has one."""
    return time.isoformat(value)


def time_of(text: str) -> "time | None":
    """Reads what the engine writes; None if text is something else."""
    if text.translate(_ZEROS) not in _CLOCKS:
        return None
    whole, offset = _cut(text, 8)
    try:
        clock = time.fromisoformat(whole)
        return clock.replace(tzinfo=_zone(offset)) if offset else clock
    except ValueError:
        return None


def _cut(text: str, least: int) -> "tuple[str, str]":
    """Cuts off the offset, which begins so far from the front or later."""
    at = max(text.find("+", least), text.find("-", least))
    return (text, "") if at < 0 else (text[:at], text[at:])


def _zone(offset: str) -> timezone:
    """Returns the zone of an offset. ``fromisoformat`` would lose one below a second."""
    hours, minutes, seconds = (offset[1:] + ":0").split(":")[:3]
    whole, _, micros = seconds.partition(".")
    if int(minutes) > 59 or int(whole) > 59:
        raise ValueError("no time of day")
    delta = timedelta(0, int(whole), int(micros or 0), 0, int(minutes), int(hours))
    return timezone(-delta if offset[0] == "-" else delta)


def timedelta_text(value: timedelta) -> str:
    """Returns value as an ISO 8601 duration of days and seconds, with its sign in front: ``-P1DT0.5S``."""
    days, seconds, micros = value.days, value.seconds, value.microseconds
    sign = "-" if days < 0 else ""
    if days < 0:
        total = -((days * 86400 + seconds) * 1000000 + micros)
        rest, micros = divmod(total, 1000000)
        days, seconds = divmod(rest, 86400)
    day = f"{days}D" if days else ""
    if not seconds and not micros and days:
        return sign + "P" + day
    fraction = f".{micros:06d}".rstrip("0") if micros else ""
    return f"{sign}P{day}T{seconds}{fraction}S"


def timedelta_of(text: str) -> "timedelta | None":
    """Reads what the engine writes; None if text is something else."""
    negative = text[:1] == "-"
    days, clock, rest = text[negative:].partition("T")
    if days[:1] != "P" or not text.isascii():
        return None
    days, seconds = days[1:], rest[:-1]
    if clock and rest[-1:] != "S" or days and days[-1:] != "D" or not (days or clock):
        return None
    seconds, point, fraction = seconds.partition(".")
    for digits, most, there in ((days[:-1], 10, bool(days)), (seconds, 15, bool(clock)), (fraction, 6, bool(point))):
        if there and not (digits.isdigit() and len(digits) <= most):
            return None
    try:
        value = timedelta(int(days[:-1] or 0), int(seconds or 0), int((fraction + "000000")[:6]))
        return -value if negative else value
    except OverflowError:
        return None
