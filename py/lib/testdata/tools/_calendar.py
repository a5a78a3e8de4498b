"""What the machine's native module _calendar does, in terms of CPython."""

import datetime as _real


def ordinal(year, month, day):
    return _real.date(year, month, day).toordinal()


def from_ordinal(n):
    day = _real.date.fromordinal(n)
    return day.year, day.month, day.day


def iso(year, month, day):
    return tuple(_real.date(year, month, day).isocalendar())


def from_iso(year, week, weekday):
    day = _real.date.fromisocalendar(year, week, weekday)
    return day.year, day.month, day.day


def _offset(moment):
    offset = moment.utcoffset()
    return None if offset is None else offset // _real.timedelta(microseconds=1)


def parse_date(text):
    day = _real.date.fromisoformat(text)
    return day.year, day.month, day.day


def parse_time(text):
    t = _real.time.fromisoformat(text)
    return t.hour, t.minute, t.second, t.microsecond, _offset(t)


def parse_datetime(text):
    t = _real.datetime.fromisoformat(text)
    return t.year, t.month, t.day, t.hour, t.minute, t.second, t.microsecond, _offset(t)


class _Zone(_real.tzinfo):
    def __init__(self, offset, zone):
        self.offset, self.zone = offset, zone

    def utcoffset(self, dt):
        if not self.offset:
            return None
        digits = self.offset[1:]
        seconds = int(digits[:2]) * 3600 + int(digits[2:4]) * 60 + float(digits[4:] or 0)
        return _real.timedelta(seconds=-seconds if self.offset[0] == '-' else seconds)

    def tzname(self, dt):
        return self.zone

    def dst(self, dt):
        return None


def strftime(format, year, month, day, hour, minute, second, us, offset, zone):
    """datetime.strftime with these texts for %z and %Z."""
    return _real.datetime(year, month, day, hour, minute, second, us, _Zone(offset, zone)).strftime(format)


def strptime(text, format):
    """datetime.strptime; the zone is the text of %Z if there is %z too."""
    t = _real.datetime.strptime(text, format)
    zone = None if t.tzinfo is None or repr(t.tzinfo).count(',') == 0 else t.tzname()
    return t.year, t.month, t.day, t.hour, t.minute, t.second, t.microsecond, _offset(t), zone


def _swift(slow):
    def method(self, *args, **keywords):
        return getattr(self if isinstance(self, type) else type(self), slow)(self, *args, **keywords)
    return method


_compared = 'eq lt le gt ge hash'
for _class, _names in (
        ('timedelta', 'new days seconds microseconds total_seconds add sub mul truediv neg bool'),
        ('date', 'new fromisoformat replace toordinal weekday isoweekday isoformat strftime add sub'),
        ('datetime', 'new fromisoformat date replace isoformat str strftime add sub')):
    for _name in (_names + ' ' + _compared).split():
        globals()[f'{_class}_{_name}'] = _swift('_slow_' + _name)
