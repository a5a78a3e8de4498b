"""datetime: dates, times and what lies between them.

The native module _calendar has what needs text or the calendar; offsets in its
results are microseconds east of UTC:

    ordinal(y, m, d) -> int                 from_ordinal(n) -> (y, m, d)
    iso(y, m, d) -> (year, week, weekday)   from_iso(year, week, weekday) -> (y, m, d)
    parse_date(text) -> (y, m, d)           parse_time(text) -> (h, mi, s, us, offset or None)
    parse_datetime(text) -> (y, m, d, h, mi, s, us, offset or None)
    strftime(format, y, m, d, h, mi, s, us, offset text, zone text) -> str
    strptime(text, format) -> (y, m, d, h, mi, s, us, offset or None, zone or None)

date_new, timedelta_add and the like are methods of the classes here: they do
what they can, and leave the rest to the method _slow_new, _slow_add and so on of
the class.

Without a time zone of the host, local time is UTC."""

import _calendar
import _glovebox
import _time as _time_of_host

MINYEAR = 1
MAXYEAR = 9999

_second = 1_000_000
_day = 86_400 * _second
_month_days = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_month_names = ('', 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec')
_day_names = ('Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun')
_new = _glovebox.new_object
_fill = _glovebox.object_fill
_date_fields = ('year', 'month', 'day')
_time_fields = ('hour', 'minute', 'second', 'microsecond', 'tzinfo', 'fold')
_datetime_fields = _date_fields + _time_fields


def _int(value):
    if isinstance(value, int):
        return int(value)
    if hasattr(value, '__index__'):
        return value.__index__()
    raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")


def _check_date(year, month, day):
    year, month, day = _int(year), _int(month), _int(day)
    if not 1 <= year <= 9999:
        raise ValueError(f'year {year} is out of range')
    if not 1 <= month <= 12:
        raise ValueError('month must be in 1..12')
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    if not 1 <= day <= _month_days[month] + leap:
        raise ValueError('day is out of range for month')
    return year, month, day


def _check_time(hour, minute, second, microsecond, tzinfo, fold):
    hour, minute, second, microsecond = _int(hour), _int(minute), _int(second), _int(microsecond)
    if not 0 <= hour <= 23:
        raise ValueError('hour must be in 0..23')
    if not 0 <= minute <= 59:
        raise ValueError('minute must be in 0..59')
    if not 0 <= second <= 59:
        raise ValueError('second must be in 0..59')
    if not 0 <= microsecond <= 999_999:
        raise ValueError('microsecond must be in 0..999999')
    if fold not in (0, 1):
        raise ValueError('fold must be either 0 or 1')
    if tzinfo is not None and not isinstance(tzinfo, _tzinfo):
        raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{type(tzinfo).__name__}'")
    return hour, minute, second, microsecond, tzinfo, fold


def _name(obj):
    """The class's name in a repr: with its module if it is one of this module's."""
    kind = type(obj)
    return f'datetime.{kind.__name__}' if kind in _classes else kind.__qualname__


def _quotient(a, b):
    """a / b as an int, halves to even."""
    whole, rest = divmod(a, b)
    rest *= 2
    if rest > b if b > 0 else rest < b:
        return whole + 1
    return whole + 1 if rest == b and whole % 2 else whole

_absent = object()


class _Immutable:
    """What all classes here share: comparisons by _cmp, and no assignment."""

    def __setattr__(self, name, value):
        if name in _datetime_fields and hasattr(self, name):
            raise AttributeError(f"attribute '{name}' of '{_name(self)}' objects is not writable")
        if type(self) in _classes:
            raise AttributeError(f"'{_name(self)}' object has no attribute '{name}'")
        _glovebox.object_set(self, name, value)

    def _slow_lt(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order < 0

    def _slow_le(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order <= 0

    def _slow_gt(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order > 0

    def _slow_ge(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order >= 0

    __lt__, __le__, __gt__, __ge__ = _slow_lt, _slow_le, _slow_gt, _slow_ge

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _compare(a, b):
    return (a > b) - (a < b)


class timedelta(_Immutable):
    """A length of time, kept as a number of microseconds."""

    __new__ = _calendar.timedelta_new
    days = property(_calendar.timedelta_days)
    seconds = property(_calendar.timedelta_seconds)
    microseconds = property(_calendar.timedelta_microseconds)
    total_seconds = _calendar.timedelta_total_seconds
    __add__ = __radd__ = _calendar.timedelta_add
    __sub__ = _calendar.timedelta_sub
    __mul__ = __rmul__ = _calendar.timedelta_mul
    __truediv__ = _calendar.timedelta_truediv
    __neg__ = _calendar.timedelta_neg
    __bool__ = _calendar.timedelta_bool
    __eq__ = _calendar.timedelta_eq
    __lt__ = _calendar.timedelta_lt
    __le__ = _calendar.timedelta_le
    __gt__ = _calendar.timedelta_gt
    __ge__ = _calendar.timedelta_ge
    __hash__ = _calendar.timedelta_hash

    def _slow_new(cls, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        total = 0
        rest = 0.0
        for value, unit, name in (
                (days, _day, 'days'), (seconds, _second, 'seconds'), (microseconds, 1, 'microseconds'),
                (milliseconds, 1000, 'milliseconds'), (minutes, 60 * _second, 'minutes'),
                (hours, 3600 * _second, 'hours'), (weeks, 7 * _day, 'weeks')):
            if isinstance(value, int):
                total += value * unit
            elif isinstance(value, float):
                whole = int(value)
                total += whole * unit
                part = (value - whole) * unit
                whole = int(part)
                total += whole
                rest += part - whole
            else:
                raise TypeError(f'unsupported type for timedelta {name} component: {type(value).__name__}')
        if rest:
            odd = total & 1
            total += 2 * round((rest + odd) * 0.5) - odd if abs(rest - int(rest)) == 0.5 else round(rest)
        return _delta(total, cls)

    def _slow_days(self):
        return self._us // _day

    def _slow_seconds(self):
        return self._us % _day // _second

    def _slow_microseconds(self):
        return self._us % _second

    def _slow_total_seconds(self):
        return self._us / _second

    def __repr__(self):
        parts = [f'{name}={value}' for name, value in
                 (('days', self.days), ('seconds', self.seconds), ('microseconds', self.microseconds)) if value]
        return f"{_name(self)}({', '.join(parts) or 0})"

    def __str__(self):
        minutes, seconds = divmod(self.seconds, 60)
        text = f'{minutes // 60}:{minutes % 60:02d}:{seconds:02d}'
        if self.days:
            text = f"{self.days} day{'' if abs(self.days) == 1 else 's'}, {text}"
        return f'{text}.{self.microseconds:06d}' if self.microseconds else text

    def _order(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _compare(self._us, other._us)

    def _slow_eq(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return self._us == other._us

    def _slow_hash(self):
        return hash((self.days, self.seconds, self.microseconds))

    def _slow_bool(self):
        return self._us != 0

    def _slow_add(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _delta(self._us + other._us)

    def _slow_sub(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _delta(self._us - other._us)

    def _slow_neg(self):
        return _delta(-self._us)

    def __pos__(self):
        return _delta(self._us)

    def __abs__(self):
        return _delta(abs(self._us))

    def _slow_mul(self, other):
        if isinstance(other, int):
            return _delta(self._us * other)
        if isinstance(other, float):
            numerator, denominator = other.as_integer_ratio()
            return _delta(_quotient(self._us * numerator, denominator))
        return NotImplemented

    def _slow_truediv(self, other):
        if isinstance(other, timedelta):
            return self._us / other._us
        if isinstance(other, int):
            return _delta(_quotient(self._us, other))
        if isinstance(other, float):
            numerator, denominator = other.as_integer_ratio()
            return _delta(_quotient(self._us * denominator, numerator))
        return NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, timedelta):
            return self._us // other._us
        if isinstance(other, int):
            return _delta(self._us // other)
        return NotImplemented

    def __mod__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _delta(self._us % other._us)

    def __divmod__(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        whole, rest = divmod(self._us, other._us)
        return whole, _delta(rest)


def _delta(us, cls=timedelta):
    days = us // _day
    if not -1 << 31 <= days < 1 << 31:
        raise OverflowError('Python int too large to convert to C int')
    if not -999_999_999 <= days <= 999_999_999:
        raise OverflowError(f'days={days}; must have magnitude <= 999999999')
    self = _new(cls)
    _glovebox.object_set(self, '_us', us)
    return self


class tzinfo:
    """Base of time zones."""

    def tzname(self, dt):
        raise NotImplementedError('a tzinfo subclass must implement tzname()')

    def utcoffset(self, dt):
        raise NotImplementedError('a tzinfo subclass must implement utcoffset()')

    def dst(self, dt):
        raise NotImplementedError('a tzinfo subclass must implement dst()')

    def fromutc(self, dt):
        if not isinstance(dt, datetime):
            raise TypeError('fromutc: argument must be a datetime')
        if dt.tzinfo is not self:
            raise ValueError('fromutc: dt.tzinfo is not self')
        offset = dt.utcoffset()
        if offset is None:
            raise ValueError('fromutc: non-None utcoffset() result required')
        saving = dt.dst()
        if saving is None:
            raise ValueError('fromutc: non-None dst() result required')
        shift = offset - saving
        if shift:
            dt += shift
            saving = dt.dst()
            if saving is None:
                raise ValueError('fromutc: tz.dst() gave inconsistent results; cannot convert')
        return dt + saving


_tzinfo = tzinfo


class timezone(tzinfo):
    """A fixed offset from UTC."""

    def __new__(cls, offset, name=None):
        if not isinstance(offset, timedelta):
            raise TypeError(f"timezone() argument 1 must be datetime.timedelta, not {type(offset).__name__}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f'timezone() argument 2 must be str, not {type(name).__name__}')
        if name is None and not offset:
            return cls.utc
        if not -_day < offset._us < _day:
            raise ValueError('offset must be a timedelta strictly between -timedelta(hours=24) '
                             f'and timedelta(hours=24), not {offset!r}.')
        return _zone(cls, offset, name)

    def utcoffset(self, dt):
        return self._offset

    def dst(self, dt):
        return None

    def tzname(self, dt):
        if self._zone is not None:
            return self._zone
        return f"UTC{_offset_text(self._offset, ':')}" if self._offset else 'UTC'

    def fromutc(self, dt):
        if not isinstance(dt, datetime):
            raise TypeError('fromutc: argument must be a datetime')
        if dt.tzinfo is not self:
            raise ValueError('fromutc: dt.tzinfo is not self')
        return dt + self._offset

    def __eq__(self, other):
        if not isinstance(other, timezone):
            return NotImplemented
        return self._offset == other._offset

    def __hash__(self):
        return hash(self._offset)

    def __str__(self):
        return self.tzname(None)

    def __repr__(self):
        if self is timezone.utc:
            return 'datetime.timezone.utc'
        if self._zone is None:
            return f'{_name(self)}({self._offset!r})'
        return f'{_name(self)}({self._offset!r}, {self._zone!r})'

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _zone(cls, offset, name):
    self = _new(cls)
    _fill(self, ('_offset', '_zone'), (offset, name))
    return self


def _zone_of(offset, name=None):
    """The time zone at an offset in microseconds, or None."""
    return None if offset is None else timezone(_delta(offset), name) if name else timezone(_delta(offset))


def _offset_text(offset, separator):
    """offset as +HH:MM, with seconds and microseconds if it has them."""
    if offset is None:
        return ''
    sign = '-' if offset._us < 0 else '+'
    seconds, us = divmod(abs(offset._us), _second)
    minutes, seconds = divmod(seconds, 60)
    text = f'{sign}{minutes // 60:02d}{separator}{minutes % 60:02d}'
    if seconds or us:
        text += f'{separator}{seconds:02d}'
    return f'{text}.{us:06d}' if us else text


def _offset_of(tz, dt):
    """The offset from UTC that tz gives for dt, checked."""
    if tz is None:
        return None
    offset = tz.utcoffset(dt)
    if offset is None:
        return None
    if not isinstance(offset, timedelta):
        raise TypeError(f"tzinfo.utcoffset() must return None or a timedelta, not '{type(offset).__name__}'")
    if not -_day < offset._us < _day:
        raise ValueError('offset must be a timedelta strictly between -timedelta(hours=24) '
                         f'and timedelta(hours=24), not {offset!r}.')
    return offset


class date(_Immutable):
    """A day of the proleptic Gregorian calendar."""

    __new__ = _calendar.date_new
    fromisoformat = classmethod(_calendar.date_fromisoformat)
    replace = _calendar.date_replace
    toordinal = _calendar.date_toordinal
    weekday = _calendar.date_weekday
    isoweekday = _calendar.date_isoweekday
    isoformat = __str__ = _calendar.date_isoformat
    strftime = _calendar.date_strftime
    __add__ = __radd__ = _calendar.date_add
    __sub__ = _calendar.date_sub
    __eq__ = _calendar.date_eq
    __lt__ = _calendar.date_lt
    __le__ = _calendar.date_le
    __gt__ = _calendar.date_gt
    __ge__ = _calendar.date_ge
    __hash__ = _calendar.date_hash

    def _slow_new(cls, year, month=None, day=None):
        if month is None or day is None:
            _int(year)
            name, place = ('month', 2) if month is None else ('day', 3)
            raise TypeError(f"function missing required argument '{name}' (pos {place})")
        return _date(cls, _check_date(year, month, day))

    @classmethod
    def today(cls):
        now = _glovebox.clock()
        if now is not None:
            return cls.fromtimestamp(now / _second)
        from _asked import today
        day = today(_date_class)
        return day if cls is _date_class else cls(day.year, day.month, day.day)

    @classmethod
    def fromtimestamp(cls, timestamp):
        us = _micros(timestamp)
        return cls.fromordinal(719163 + (us + _local_offset(us)) // _day)

    @classmethod
    def fromordinal(cls, n):
        return cls(*_calendar.from_ordinal(_int(n)))

    def _slow_fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError('fromisoformat: argument must be str')
        return cls(*_calendar.parse_date(date_string))

    @classmethod
    def fromisocalendar(cls, year, week, day):
        return cls(*_calendar.from_iso(_int(year), _int(week), _int(day)))

    def _slow_replace(self, year=None, month=None, day=None):
        return type(self)(self.year if year is None else year, self.month if month is None else month,
                          self.day if day is None else day)

    def _slow_toordinal(self):
        return _calendar.ordinal(self.year, self.month, self.day)

    def _slow_weekday(self):
        return (self.toordinal() + 6) % 7

    def _slow_isoweekday(self):
        return self.toordinal() % 7 or 7

    def isocalendar(self):
        return _iso_date(_calendar.iso(self.year, self.month, self.day))

    def timetuple(self):
        return _struct(self, 0, 0, 0, -1)

    def ctime(self):
        return (f'{_day_names[self.weekday()]} {_month_names[self.month]} {self.day:2d} '
                f'00:00:00 {self.year:04d}')

    def _slow_isoformat(self):
        return f'{self.year:04d}-{self.month:02d}-{self.day:02d}'

    def _slow_strftime(self, format=_absent):
        if format is _absent:
            raise TypeError("strftime() missing required argument 'format' (pos 1)")
        return _calendar.strftime(format, self.year, self.month, self.day, 0, 0, 0, 0, '', '')

    def __format__(self, format):
        if not isinstance(format, str):
            raise TypeError(f'__format__() argument 1 must be str, not {type(format).__name__}')
        return self.strftime(format) if format else str(self)

    def __repr__(self):
        return f'{_name(self)}({self.year}, {self.month}, {self.day})'

    def _order(self, other):
        if not isinstance(other, date):
            return NotImplemented
        if isinstance(other, datetime):
            raise TypeError(f"can't compare {_name(self)} to {_name(other)}")
        return _compare((self.year, self.month, self.day), (other.year, other.month, other.day))

    def _slow_eq(self, other):
        if not isinstance(other, date):
            return NotImplemented
        if isinstance(other, datetime):
            return False
        return (self.year, self.month, self.day) == (other.year, other.month, other.day)

    def _slow_hash(self):
        return hash((self.year, self.month, self.day))

    def _slow_add(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return _shifted(self, other.days)

    def _slow_sub(self, other):
        if isinstance(other, timedelta):
            return _shifted(self, -other.days)
        if isinstance(other, date) and not isinstance(other, datetime):
            return _delta((self.toordinal() - other.toordinal()) * _day)
        return NotImplemented


def _date(cls, values):
    self = _new(cls)
    _fill(self, _date_fields, values)
    return self


def _shifted(day, days):
    ordinal = day.toordinal() + days
    if not 1 <= ordinal <= 3652059:
        raise OverflowError('date value out of range')
    return type(day).fromordinal(ordinal)


def _iso_date(values):
    global _iso_date
    from collections import namedtuple

    class IsoCalendarDate(namedtuple('IsoCalendarDate', 'year week weekday')):
        def __repr__(self):
            return 'datetime.' + super().__repr__()

    _iso_date = IsoCalendarDate._make
    return _iso_date(values)


def _struct(day, hour, minute, second, dst):
    from time import struct_time
    return struct_time((day.year, day.month, day.day, hour, minute, second, day.weekday(),
                        day.toordinal() - _calendar.ordinal(day.year, 1, 1) + 1, dst))


class time(_Immutable):
    """A time of day."""

    def __new__(cls, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        self = _new(cls)
        _fill(self, _time_fields, _check_time(hour, minute, second, microsecond, tzinfo, fold))
        return self

    @classmethod
    def fromisoformat(cls, time_string):
        if not isinstance(time_string, str):
            raise TypeError('fromisoformat: argument must be str')
        hour, minute, second, us, offset = _calendar.parse_time(time_string)
        return cls(hour, minute, second, us, _zone_of(offset))

    def replace(self, hour=None, minute=None, second=None, microsecond=None, tzinfo=True, *, fold=None):
        return type(self)(
            self.hour if hour is None else hour, self.minute if minute is None else minute,
            self.second if second is None else second, self.microsecond if microsecond is None else microsecond,
            self.tzinfo if tzinfo is True else tzinfo, fold=self.fold if fold is None else fold)

    def utcoffset(self):
        return _offset_of(self.tzinfo, None)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(None)

    def dst(self):
        return None if self.tzinfo is None else self.tzinfo.dst(None)

    def isoformat(self, timespec='auto'):
        return _clock(self, timespec) + _offset_text(self.utcoffset(), ':')

    def __str__(self):
        return self.isoformat()

    def strftime(self, format=_absent):
        if format is _absent:
            raise TypeError("strftime() missing required argument 'format' (pos 1)")
        return _calendar.strftime(format, 1900, 1, 1, self.hour, self.minute, self.second, self.microsecond,
                                  _offset_text(self.utcoffset(), ''), self.tzname() or '')

    __format__ = date.__format__

    def __repr__(self):
        return f"{_name(self)}({', '.join(_clock_parts(self))})"

    def _micros(self):
        us = ((self.hour * 60 + self.minute) * 60 + self.second) * _second + self.microsecond
        offset = self.utcoffset()
        return us, offset

    def _order(self, other):
        if not isinstance(other, time):
            return NotImplemented
        (a, zone), (b, its_zone) = self._micros(), other._micros()
        if (zone is None) != (its_zone is None):
            raise TypeError("can't compare offset-naive and offset-aware times")
        return _compare(a - (zone._us if zone else 0), b - (its_zone._us if its_zone else 0))

    def __eq__(self, other):
        if not isinstance(other, time):
            return NotImplemented
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            return False
        return self._order(other) == 0

    def __hash__(self):
        us, offset = self._micros()
        return hash((us - (offset._us if offset else 0), offset is None))


def _clock(moment, timespec):
    """The time of day of moment in ISO format."""
    if timespec == 'auto':
        timespec = 'microseconds' if moment.microsecond else 'seconds'
    text = f'{moment.hour:02d}'
    if timespec == 'hours':
        return text
    text += f':{moment.minute:02d}'
    if timespec == 'minutes':
        return text
    text += f':{moment.second:02d}'
    if timespec == 'seconds':
        return text
    if timespec == 'milliseconds':
        return f'{text}.{moment.microsecond // 1000:03d}'
    if timespec == 'microseconds':
        return f'{text}.{moment.microsecond:06d}'
    raise ValueError('Unknown timespec value')


def _clock_parts(moment):
    """The arguments in a repr that make the time of day of moment."""
    parts = [str(moment.hour), str(moment.minute)]
    if moment.second or moment.microsecond:
        parts.append(str(moment.second))
    if moment.microsecond:
        parts.append(str(moment.microsecond))
    if moment.fold:
        parts.append(f'fold={moment.fold}')
    if moment.tzinfo is not None:
        parts.append(f'tzinfo={moment.tzinfo!r}')
    return parts


def _local_offset(us):
    """What the local time zone adds at a time since 1970, all in microseconds."""
    local = _time_of_host.local(us // _second)
    return 0 if local is None else local[0] * _second


def _wall_offset(moment):
    """What the local time zone adds at the time that a naive moment shows in it, in microseconds."""
    local = _time_of_host.local_wall(moment._us() // _second - 719163 * 86400, bool(moment.fold))
    return 0 if local is None else local[0] * _second


def _micros(timestamp):
    """A timestamp in seconds as microseconds, halves to even."""
    if isinstance(timestamp, int):
        return timestamp * _second
    if not isinstance(timestamp, float):
        raise TypeError(f"'{type(timestamp).__name__}' object cannot be interpreted as an integer")
    if timestamp != timestamp:
        raise ValueError('Invalid value NaN (not a number)')
    numerator, denominator = timestamp.as_integer_ratio()
    return _quotient(numerator * _second, denominator)


class datetime(date):
    """A day and a time of day."""

    fold = 0
    __new__ = _calendar.datetime_new
    fromisoformat = classmethod(_calendar.datetime_fromisoformat)
    date = _calendar.datetime_date
    replace = _calendar.datetime_replace
    isoformat = _calendar.datetime_isoformat
    __str__ = _calendar.datetime_str
    strftime = _calendar.datetime_strftime
    __add__ = __radd__ = _calendar.datetime_add
    __sub__ = _calendar.datetime_sub
    __eq__ = _calendar.datetime_eq
    __lt__ = _calendar.datetime_lt
    __le__ = _calendar.datetime_le
    __gt__ = _calendar.datetime_gt
    __ge__ = _calendar.datetime_ge
    __hash__ = _calendar.datetime_hash

    def _slow_new(cls, year, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, *, fold=0):
        if month is None or day is None:
            _int(year)
            name, place = ('month', 2) if month is None else ('day', 3)
            raise TypeError(f"function missing required argument '{name}' (pos {place})")
        self = _new(cls)
        _fill(self, _datetime_fields, _check_date(year, month, day)
              + _check_time(hour, minute, second, microsecond, tzinfo, fold))
        return self

    @classmethod
    def _at(cls, us, tzinfo=None):
        """The moment us microseconds after the day before year 1."""
        ordinal, us = divmod(us, _day)
        if not 1 <= ordinal <= 3652059:
            raise OverflowError('date value out of range')
        seconds, us = divmod(us, _second)
        minutes, second = divmod(seconds, 60)
        return cls(*_calendar.from_ordinal(ordinal), minutes // 60, minutes % 60, second, us, tzinfo)

    def _us(self):
        """The microseconds since the day before year 1, whatever the time zone."""
        seconds = (self.hour * 60 + self.minute) * 60 + self.second
        return self.toordinal() * _day + seconds * _second + self.microsecond

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        us = _micros(timestamp) + 719163 * _day
        if not _day <= us < 3652060 * _day:
            raise ValueError(f'year {1970 + us // (_day * 365) - 1970} is out of range')
        if tz is None:
            return cls._local(us)
        if not isinstance(tz, _tzinfo):
            raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{type(tz).__name__}'")
        return tz.fromutc(cls._at(us, tz))

    @classmethod
    def _local(cls, us):
        """The moment in the local time zone, without saying so."""
        at = us - 719163 * _day
        moment = cls._at(us + _local_offset(at))
        return moment.replace(fold=1) if _time_of_host.local_later(at // _second) else moment

    @classmethod
    def utcfromtimestamp(cls, timestamp):
        return cls.fromtimestamp(timestamp, timezone.utc).replace(tzinfo=None)

    @classmethod
    def now(cls, tz=None):
        return cls._now(tz)

    @classmethod
    def utcnow(cls):
        return cls._now(timezone.utc).replace(tzinfo=None)

    @classmethod
    def today(cls):
        return cls._now(None)

    @classmethod
    def _now(cls, tz):
        now = _glovebox.clock()
        if now is None:
            return cls._asked(tz)
        us = now + 719163 * _day
        return cls._local(us) if tz is None else tz.fromutc(cls._at(us, tz))

    @classmethod
    def _asked(cls, tz):
        from _asked import moment
        if tz is None or type(tz) is timezone:
            now = moment(datetime, tz)
        else:
            now = moment(datetime, timezone.utc).astimezone(tz)
        return now if cls is datetime else cls.combine(now, now.timetz())

    @classmethod
    def combine(cls, date, time, tzinfo=True):
        if not isinstance(date, _date_class):
            raise TypeError(f'combine() argument 1 must be datetime.date, not {type(date).__name__}')
        if not isinstance(time, _time_class):
            raise TypeError(f'combine() argument 2 must be datetime.time, not {type(time).__name__}')
        return cls(date.year, date.month, date.day, time.hour, time.minute, time.second, time.microsecond,
                   time.tzinfo if tzinfo is True else tzinfo, fold=time.fold)

    def _slow_fromisoformat(cls, date_string):
        if not isinstance(date_string, str):
            raise TypeError('fromisoformat: argument must be str')
        *values, offset = _calendar.parse_datetime(date_string)
        return cls(*values, _zone_of(offset))

    @classmethod
    def strptime(cls, date_string, format):
        for place, text in enumerate((date_string, format), 1):
            if not isinstance(text, str):
                raise TypeError(f'strptime() argument {place} must be str, not {type(text).__name__}')
        *values, offset, zone = _calendar.strptime(date_string, format)
        return cls(*values, _zone_of(offset, zone))

    def _slow_date(self):
        return _date(_date_class, (self.year, self.month, self.day))

    def time(self):
        return _time_class(self.hour, self.minute, self.second, self.microsecond, fold=self.fold)

    def timetz(self):
        return _time_class(self.hour, self.minute, self.second, self.microsecond, self.tzinfo, fold=self.fold)

    def _slow_replace(self, year=None, month=None, day=None, hour=None, minute=None, second=None,
                microsecond=None, tzinfo=True, *, fold=None):
        return type(self)(
            self.year if year is None else year, self.month if month is None else month,
            self.day if day is None else day, self.hour if hour is None else hour,
            self.minute if minute is None else minute, self.second if second is None else second,
            self.microsecond if microsecond is None else microsecond,
            self.tzinfo if tzinfo is True else tzinfo, fold=self.fold if fold is None else fold)

    def utcoffset(self):
        return _offset_of(self.tzinfo, self)

    def tzname(self):
        return None if self.tzinfo is None else self.tzinfo.tzname(self)

    def dst(self):
        return None if self.tzinfo is None else self.tzinfo.dst(self)

    def timestamp(self):
        offset = self.utcoffset()
        us = _wall_offset(self) if offset is None else offset._us
        return (self._us() - 719163 * _day - us) / _second

    def timetuple(self):
        dst = self.dst()
        return _struct(self, self.hour, self.minute, self.second, -1 if dst is None else int(bool(dst)))

    def utctimetuple(self):
        offset = self.utcoffset()
        moment = self - offset if offset else self
        return _struct(moment, moment.hour, moment.minute, moment.second, 0)

    def astimezone(self, tz=None):
        if tz is not None and not isinstance(tz, _tzinfo):
            raise TypeError(f"tzinfo argument must be None or of a tzinfo subclass, not type '{type(tz).__name__}'")
        if tz is self.tzinfo and tz is not None:
            return self
        offset = self.utcoffset()
        if offset is None:
            offset = timedelta(microseconds=_wall_offset(self))
        utc = self - offset if offset else self
        if tz is None:
            local = _time_of_host.local(utc._us() // _second - 719163 * 86400)
            tz = timezone.utc if local is None else timezone(timedelta(seconds=local[0]), local[2])
        return tz.fromutc(utc.replace(tzinfo=tz))

    def ctime(self):
        return (f'{_day_names[self.weekday()]} {_month_names[self.month]} {self.day:2d} '
                f'{self.hour:02d}:{self.minute:02d}:{self.second:02d} {self.year:04d}')

    def _slow_isoformat(self, sep='T', timespec='auto'):
        return (f'{self.year:04d}-{self.month:02d}-{self.day:02d}{sep}{_clock(self, timespec)}'
                + _offset_text(self.utcoffset(), ':'))

    def _slow_str(self):
        return self.isoformat(' ')

    def _slow_strftime(self, format=_absent):
        if format is _absent:
            raise TypeError("strftime() missing required argument 'format' (pos 1)")
        return _calendar.strftime(format, self.year, self.month, self.day, self.hour, self.minute, self.second,
                                  self.microsecond, _offset_text(self.utcoffset(), ''), self.tzname() or '')

    def __repr__(self):
        parts = [str(self.year), str(self.month), str(self.day), *_clock_parts(self)]
        return f"{_name(self)}({', '.join(parts)})"

    def _order(self, other):
        if not isinstance(other, datetime):
            if isinstance(other, date):
                raise TypeError(f"can't compare {_name(self)} to {_name(other)}")
            return NotImplemented
        a, b = self.utcoffset(), other.utcoffset()
        if (a is None) != (b is None):
            raise TypeError("can't compare offset-naive and offset-aware datetimes")
        return _compare(self._us() - (a._us if a else 0), other._us() - (b._us if b else 0))

    def _slow_eq(self, other):
        if not isinstance(other, datetime):
            return False if isinstance(other, date) else NotImplemented
        if (self.utcoffset() is None) != (other.utcoffset() is None):
            return False
        return self._order(other) == 0

    def _slow_hash(self):
        offset = self.utcoffset()
        return hash((self._us() - (offset._us if offset else 0), offset is None))

    def _slow_add(self, other):
        if not isinstance(other, timedelta):
            return NotImplemented
        return self._at(self._us() + other._us, self.tzinfo)

    def _slow_sub(self, other):
        if isinstance(other, timedelta):
            return self._at(self._us() - other._us, self.tzinfo)
        if not isinstance(other, datetime):
            return NotImplemented
        a, b = self.utcoffset(), other.utcoffset()
        if (a is None) != (b is None):
            raise TypeError("can't subtract offset-naive and offset-aware datetimes")
        if self.tzinfo is other.tzinfo:
            a = b = None
        return _delta(self._us() - other._us() - (a._us if a else 0) + (b._us if b else 0))


_date_class = date
_time_class = time
_classes = (date, datetime, time, timedelta, timezone, tzinfo)

timezone.utc = UTC = _zone(timezone, _delta(0), None)
timezone.min = timezone(_delta(-_day + 60 * _second))
timezone.max = timezone(_delta(_day - 60 * _second))
timedelta.min = _delta(-999_999_999 * _day)
timedelta.max = _delta(1_000_000_000 * _day - 1)
timedelta.resolution = _delta(1)
date.min = date(1, 1, 1)
date.max = date(9999, 12, 31)
date.resolution = _delta(_day)
time.min = time()
time.max = time(23, 59, 59, 999_999)
time.resolution = _delta(1)
datetime.min = datetime(1, 1, 1)
datetime.max = datetime(9999, 12, 31, 23, 59, 59, 999_999)
datetime.resolution = _delta(1)
