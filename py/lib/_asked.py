"""_asked: the clock and randomness, where a session asks its host for them.

The natives that read a clock or draw bytes return None there: see
Host.AskClock and Host.AskEntropy.
"""

import _calls
from operator import index as _index


def seconds(caller):
    """What a function of the module time reads."""
    now = _calls.ask('time', 'time.' + caller)
    if isinstance(now, bool) or not isinstance(now, (int, float)):
        raise RuntimeError(f"'time.time' must return a float, not {type(now).__name__}")
    return float(now)


def micros():
    """The time since 1970 in microseconds."""
    return round(seconds('time') * 1e6)


def reader(caller):
    """A function of the module time, and its twin that counts nanoseconds."""
    def read():
        return seconds(caller)

    def read_ns():
        return round(seconds(caller) * 1e9)

    read.__name__, read_ns.__name__ = caller, caller + '_ns'
    return read, read_ns


def today(kind):
    """The day, as a date."""
    day = _calls.ask('today')
    if type(day) is not kind:
        raise RuntimeError(f"'date.today' must return a date, not {type(day).__name__}")
    return day


def moment(kind, zone=None):
    """The time in a zone of a fixed offset, or without one, as a datetime."""
    now = _calls.ask('now', zone)
    if type(now) is not kind:
        raise RuntimeError(f"'datetime.now' must return a datetime, not {type(now).__name__}")
    if zone is None:
        return now.replace(tzinfo=None)
    return now.replace(tzinfo=zone) if now.tzinfo is None else now.astimezone(zone)


def entropy(size):
    """Random bytes."""
    size = _index(size)
    if size < 0:
        raise ValueError('negative argument not allowed')
    drawn = _calls.ask('urandom', size)
    if not isinstance(drawn, bytes):
        raise RuntimeError(f"'os.urandom' must return bytes, not {type(drawn).__name__}")
    if len(drawn) != size:
        raise RuntimeError(f"'os.urandom' returned {len(drawn)} bytes, expected {size}")
    return drawn
