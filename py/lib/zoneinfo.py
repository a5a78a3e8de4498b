"""zoneinfo: the world's time zones."""

import datetime as _datetime
import _zoneinfo

TZPATH = ()

_start = _datetime.datetime(1970, 1, 1)
_second = _datetime.timedelta(seconds=1)
_zones = {}


class ZoneInfoNotFoundError(KeyError):
    """There is no such time zone."""


class ZoneInfo(_datetime.tzinfo):
    """A time zone by its name, such as 'Europe/Paris'; each is there once."""

    def __new__(cls, key):
        if not isinstance(key, str):
            raise TypeError(f'expected str, bytes or os.PathLike object, not {type(key).__name__}')
        zone = _zones.get((cls, key))
        if zone is None:
            zone = _zones[cls, key] = cls.no_cache(key)
        return zone

    @classmethod
    def no_cache(cls, key):
        """A zone that is not the one that others with this name are."""
        if not _zoneinfo.known(key):
            if key[:1] == '/' or '..' in key.split('/'):
                raise ValueError(f'ZoneInfo keys may not be absolute paths, got: {key}')
            raise ZoneInfoNotFoundError(f'No time zone found with key {key}')
        zone = _datetime.tzinfo.__new__(cls)
        zone._key = key
        return zone

    @classmethod
    def clear_cache(cls, *, only_keys=None):
        """Make the next zones of these names, or of any, anew."""
        for known in list(_zones):
            if known[0] is cls and (only_keys is None or known[1] in only_keys):
                del _zones[known]

    @property
    def key(self):
        return self._key

    def _offsets(self, dt):
        local = (dt.replace(tzinfo=None) - _start) // _second
        return _zoneinfo.at_local(self._key, local, dt.fold)

    def utcoffset(self, dt):
        return None if dt is None else _datetime.timedelta(seconds=self._offsets(dt)[0])

    def dst(self, dt):
        return None if dt is None else _datetime.timedelta(seconds=self._offsets(dt)[1])

    def tzname(self, dt):
        return None if dt is None else self._offsets(dt)[2]

    def fromutc(self, dt):
        if not isinstance(dt, _datetime.datetime):
            raise TypeError('fromutc: argument must be a datetime')
        if dt.tzinfo is not self:
            raise ValueError('fromutc: dt.tzinfo is not self')
        seconds = (dt.replace(tzinfo=None) - _start) // _second
        local = dt + _datetime.timedelta(seconds=_zoneinfo.at(self._key, seconds)[0])
        return local.replace(fold=1) if _zoneinfo.is_later(self._key, seconds) else local

    def __str__(self):
        return self._key

    def __repr__(self):
        return f'{_name(self)}(key={self._key!r})'

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _name(zone):
    kind = type(zone)
    return 'zoneinfo.ZoneInfo' if kind is ZoneInfo else f'{kind.__module__}.{kind.__qualname__}'


def available_timezones():
    """The names of all zones."""
    return set(_zoneinfo.names())
