"""time: the host's clock, if it grants one, sleeping, and calendar times."""

import _calendar
import _glovebox
import _time
from operator import index as _index

if _glovebox.asks_clock():
    import _asked
    time, time_ns = _asked.reader('time')
    monotonic, monotonic_ns = _asked.reader('monotonic')
    perf_counter, perf_counter_ns = _asked.reader('perf_counter')
    _read = _asked.seconds
else:
    time, time_ns = _time.time, _time.time_ns
    monotonic, monotonic_ns = _time.monotonic, _time.monotonic_ns
    perf_counter, perf_counter_ns = _time.perf_counter, _time.perf_counter_ns

    def _read(caller):
        return time()

process_time, process_time_ns = perf_counter, perf_counter_ns
if _time.process() is not None:
    def process_time():
        return process_time_ns() / 1e9

    def process_time_ns():
        return _time.process()

thread_time, thread_time_ns = process_time, process_time_ns
_constants = _time.constants()
if _constants is not None:
    timezone, altzone, daylight, tzname = _constants

_fields = ('tm_year', 'tm_mon', 'tm_mday', 'tm_hour', 'tm_min', 'tm_sec', 'tm_wday', 'tm_yday', 'tm_isdst')


class struct_time(tuple):
    """A calendar time: nine numbers that also have names."""

    def __new__(cls, sequence, /):
        values = tuple(sequence)
        if len(values) < 9:
            raise TypeError(f'time.struct_time() takes an at least 9-sequence ({len(values)}-sequence given)')
        if len(values) > 11:
            raise TypeError(f'time.struct_time() takes an at most 11-sequence ({len(values)}-sequence given)')
        return tuple.__new__(cls, values[:9])

    tm_year = _glovebox.item_property(0)
    tm_mon = _glovebox.item_property(1)
    tm_mday = _glovebox.item_property(2)
    tm_hour = _glovebox.item_property(3)
    tm_min = _glovebox.item_property(4)
    tm_sec = _glovebox.item_property(5)
    tm_wday = _glovebox.item_property(6)
    tm_yday = _glovebox.item_property(7)
    tm_isdst = _glovebox.item_property(8)

    def __repr__(self):
        return f"time.struct_time({', '.join([f'{name}={value!r}' for name, value in zip(_fields, self)])})"


def sleep(seconds, /):
    if not isinstance(seconds, float):
        seconds = _index(seconds)
    if seconds != seconds:
        raise ValueError('Invalid value NaN (not a number)')
    if seconds < 0:
        raise ValueError('sleep length must be non-negative')
    if seconds >= 1 << 33:
        raise OverflowError('timestamp out of range for platform time_t')
    import _loop
    _loop.sleep_alone(seconds)


def gmtime(seconds=None, /):
    return _calendar_time(_read('gmtime') if seconds is None else seconds)


def localtime(seconds=None, /):
    seconds = _read('localtime') if seconds is None else seconds
    local = _time.local(int(seconds // 1))
    if local is None:
        return _calendar_time(seconds)
    offset, saving, _ = local
    return _calendar_time(seconds + offset, int(saving != 0))


def _calendar_time(seconds, is_dst=0):
    whole = int(seconds // 1)
    days, rest = divmod(whole, 86400)
    year, month, day = _calendar.from_ordinal(719163 + days)
    return struct_time((
        year, month, day, rest // 3600, rest // 60 % 60, rest % 60, (days + 3) % 7,
        719163 + days - _calendar.ordinal(year, 1, 1) + 1, is_dst))


def mktime(t, /):
    days = _calendar.ordinal(t[0], t[1], 1) + t[2] - 1 - 719163
    wall = days * 86400 + t[3] * 3600 + t[4] * 60 + t[5]
    local = _time.local_wall(wall, t[8] == 0)  # of two alike the later is in standard time
    return float(wall if local is None else wall - local[0])


def strftime(format, t=None, /):
    if t is None:
        t = localtime(_read('strftime'))
    offset, name = '+0000', 'UTC'
    if _time.local(0) is not None:
        seconds, _, name = _time.local(int(mktime(t)))
        offset = _offset_text(seconds)
    return _calendar.strftime(format, t[0], t[1], t[2], t[3], t[4], t[5], 0, offset, name)


def _offset_text(seconds):
    minutes = abs(seconds) // 60
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02d}{minutes % 60:02d}"


def strptime(string, format='%a %b %d %H:%M:%S %Y', /):
    year, month, day, hour, minute, second, us, offset, zone = _calendar.strptime(string, format)
    day_number = _calendar.ordinal(year, month, day)
    return struct_time((
        year, month, day, hour, minute, second, (day_number + 6) % 7, day_number - _calendar.ordinal(year, 1, 1) + 1, -1))


def asctime(t=None, /):
    if t is None:
        t = localtime(_read('asctime'))
    return f"{strftime('%a %b', t)} {t[2]:2d} {strftime('%H:%M:%S %Y', t)}"


def ctime(seconds=None, /):
    return asctime(localtime(_read('ctime') if seconds is None else seconds))
