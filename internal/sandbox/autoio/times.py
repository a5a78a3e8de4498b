"""The codec of dates and times."""

from _datetime import date, datetime, time, timedelta, timezone  # module datetime is slow to import, and has the same

from values import Bad


def decode_datetime(text):
    return decode_clock(datetime, text, 19)


def decode_time(text):
    return decode_clock(time, text, 8)


def decode_clock(cls, text, least):
    """Reads isoformat(), with an offset at least so far from the front. It is
    read here, because fromisoformat() loses those of less than a second."""
    at = max(text.find("+", least), text.find("-", least))
    if at < 0:
        return cls.fromisoformat(text)
    hours, minutes, seconds = (text[at + 1 :] + ":0").split(":")[:3]
    whole, _, micros = seconds.partition(".")
    offset = timedelta(0, int(whole), int(micros or 0), 0, int(minutes), int(hours))
    zone = timezone(-offset if text[at] == "-" else offset)
    return cls.fromisoformat(text[:at]).replace(tzinfo=zone)


def decode_timedelta(text):
    """Reads [-]P[nD][Tn[.f]S]."""
    negative = text.startswith("-")
    days, _, seconds = text.lstrip("-")[1:].partition("T")
    whole, _, fraction = (seconds[:-1] or "0").partition(".")
    micros = int((fraction + "000000")[:6])
    value = timedelta(int(days[:-1] or 0), int(whole), micros)
    return -value if negative else value


def encode_datetime(v):
    if v != v:
        raise Bad("datetime", "NaT")
    return '"' + datetime.isoformat(v) + '"'


def encode_timedelta(v):
    days, seconds, micros = v.days, v.seconds, v.microseconds
    sign = ""
    if days < 0:
        sign = "-"
        total = -((days * 86400 + seconds) * 1000000 + micros)
        rest, micros = divmod(total, 1000000)
        days, seconds = divmod(rest, 86400)
    return '"%sP%dDT%d.%06dS"' % (sign, days, seconds, micros)


def encode_day(kind, v):
    """Writes a date, which no datetime is here, or a time."""
    if kind == "time":
        return '"' + time.isoformat(v) + '"' if issubclass(type(v), time) else None
    is_day = issubclass(type(v), date) and not issubclass(type(v), datetime)
    return '"' + date.isoformat(v) + '"' if is_day else None
