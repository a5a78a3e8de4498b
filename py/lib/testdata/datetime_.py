from datetime import date, datetime, time, timedelta, timezone, tzinfo, UTC
import datetime as mod
import random


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


rng = random.Random(3)
d = date(2024, 2, 29)
print(d, repr(d), d.weekday(), d.isoweekday(), d.isocalendar(), d.toordinal(), d.replace(year=2023, day=1), d.ctime(), d.isoformat(), d.strftime('%A %d %B %Y %j %U'), f'{d:%Y/%m}', f'{d}')
print(d + timedelta(1), d - timedelta(days=1, hours=23), d - date(2024, 1, 1), d < date(2024, 3, 1), d == date(2024, 2, 29), hash(d) == hash(date(2024, 2, 29)), date.min, date.max, date.resolution)
print(date.fromisoformat('2024-02-29'), date.fromisoformat('20240229'), date.fromisoformat('2024-W09-4'), date.fromordinal(738000), date.fromisocalendar(2024, 9, 4), date.fromtimestamp(86400 * 3 + 5))
for args in [(2023, 2, 29), (0, 1, 1), (10000, 1, 1), (2020, 13, 1), (2020, 0, 1), (2020, 1, 0), (2020,), (2020, 1), ('a', 1, 1), (2020, 1.5, 1), (1900, 2, 29), (2000, 2, 29)]:
    show(date, *args)
for f in [lambda: date.fromisoformat('x'), lambda: date.fromisoformat('2024-13-01'), lambda: date.fromisoformat(3), lambda: date.max + timedelta(1), lambda: date.min - timedelta(1), lambda: date.fromordinal(0),
          lambda: d + 1, lambda: d < 3, lambda: d < datetime(2020, 1, 1), lambda: datetime(2020, 1, 1) < d, lambda: d == datetime(2024, 2, 29), lambda: setattr(d, 'year', 3), lambda: d.replace(month=13), lambda: date.fromisocalendar(2024, 54, 1)]:
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, str(e).replace("datetime.date'", "date'"))
td = timedelta(days=1, hours=2, minutes=3, seconds=4, milliseconds=5, microseconds=6)
print(td, repr(td), td.days, td.seconds, td.microseconds, td.total_seconds(), -td, repr(-td), abs(-td), td * 2, td * 1.5, td / 2, td / 3.7, td // 7, td / timedelta(hours=1), td // timedelta(hours=1), td % timedelta(hours=1), divmod(td, timedelta(hours=5)), bool(timedelta()), +td)
print(timedelta(), repr(timedelta()), timedelta(weeks=2), timedelta(-1), repr(timedelta(seconds=-1)), timedelta(seconds=1.5), timedelta(days=.5), timedelta(microseconds=.5), timedelta(microseconds=1.5), timedelta(microseconds=2.5), timedelta(hours=1) < timedelta(hours=2), timedelta(1) == timedelta(hours=24), sum([timedelta(1), timedelta(2)], timedelta()), timedelta.max, timedelta.min, timedelta.resolution, 3 * timedelta(1), timedelta(1) == 3, timedelta(days=2), sorted([timedelta(2), timedelta(1)])[0])
for f in [lambda: timedelta(days=10**9), lambda: timedelta('a'), lambda: timedelta(1) / 0, lambda: timedelta(1) // timedelta(), lambda: timedelta(1) + 1, lambda: timedelta.max + timedelta.resolution, lambda: timedelta(1) // 0, lambda: timedelta(1) * 'a', lambda: timedelta(foo=1) if False else 0]:
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, str(e).replace("'datetime.timedelta'", "'timedelta'"))
for _ in range(300):
    kw = {name: rng.choice([rng.randrange(-50, 50), rng.uniform(-3, 3), rng.randrange(-7, 7) / 2]) for name in rng.sample(['days', 'seconds', 'microseconds', 'milliseconds', 'minutes', 'hours', 'weeks'], 3)}
    t = timedelta(**kw)
    print(repr(t), t, t.total_seconds(), repr(t / 7), repr(t * 0.3), repr(t / 2.5))
dt = datetime(2024, 2, 29, 13, 5, 7, 123456)
print(dt, repr(dt), dt.date(), dt.time(), repr(dt.timetz()), dt.isoformat(' ', 'minutes'), dt.isoformat(timespec='milliseconds'), dt.isoformat(timespec='hours'), dt.ctime(), dt.weekday(), dt.timestamp() if False else '', dt.replace(hour=1, tzinfo=timezone.utc))
print(datetime(2024, 1, 1), repr(datetime(2024, 1, 1, 0, 0, 5)), repr(datetime(2024, 1, 1, 2)), repr(datetime(2024, 1, 1, fold=1)), dt + timedelta(hours=30), dt - timedelta(days=60), dt - datetime(2024, 1, 1), dt.strftime('%Y-%m-%d %H:%M:%S.%f %p %I %y %a %b %%'), f'{dt:%H:%M}', datetime.combine(date(2020, 1, 2), time(3, 4)), datetime.min, datetime.max)
est = timezone(timedelta(hours=-5))
named = timezone(timedelta(hours=5, minutes=30), 'IST')
a = datetime(2024, 1, 1, 12, tzinfo=est)
print(a, repr(a), a.utcoffset(), a.tzname(), a.dst(), a.astimezone(timezone.utc), a.astimezone(named), repr(a.astimezone(named)), a.timestamp(), a == a.astimezone(named), a.strftime('%z %Z'), named, repr(named), est, repr(est), UTC is timezone.utc, repr(timezone.utc), timezone.utc, hash(a) == hash(a.astimezone(named)))
print(a - datetime(2024, 1, 1, tzinfo=timezone.utc), a < a.astimezone(named) + timedelta(1), a == datetime(2024, 1, 1, 12), timezone(timedelta(0)), timezone(timedelta(seconds=3661)), timezone(timedelta(hours=1)) == timezone(timedelta(minutes=60)), timezone.min, timezone.max)
print(datetime.fromtimestamp(1700000000.123456, timezone.utc), datetime.fromtimestamp(1700000000, named), datetime.utcfromtimestamp(0.5), datetime.fromtimestamp(-1.5, timezone.utc), datetime.utcfromtimestamp(1e9 + .0000005))
for text in ('2024-01-02', '2024-01-02T03:04', '2024-01-02 03:04:05', '2024-01-02T03:04:05.123', '2024-01-02T03:04:05.123456+05:30', '2024-01-02T03:04:05Z', '20240102T030405', '2024-W01-2T10', '2024-01-02T25:00', 'bad', '2024-01-02T', '', '2024-01-02T03:04:05-00:30:15'):
    show(datetime.fromisoformat, text)
for text in ('03:04', '03:04:05', '030405', 'T03:04', '03:04:05.5', '03:04Z', '25:00', 'x', '03:04+01:00'):
    show(time.fromisoformat, text)
for text, fmt in [('2024-01-02', '%Y-%m-%d'), ('02 Jan 2024 5:06 PM', '%d %b %Y %I:%M %p'), ('2024-01-02 +0530', '%Y-%m-%d %z'), ('x', '%Y'), ('2024-01-02x', '%Y-%m-%d'), ('31/02/2024', '%d/%m/%Y'), ('12:30:45.123', '%H:%M:%S.%f'), ('Monday', '%A'), ('2024 060', '%Y %j'), ('2024-01-02 UTC +0000', '%Y-%m-%d %Z %z'), ('5', '%q'), ('2024-01-02 10:00Z', '%Y-%m-%d %H:%M%z')]:
    show(datetime.strptime, text, fmt)
show(datetime.strptime, 3, '%Y')
t = time(13, 5, 7, 9)
print(t, repr(t), t.isoformat('minutes'), t.replace(hour=1), t < time(14), t == time(13, 5, 7, 9), time.min, time.max, repr(time(1, tzinfo=timezone.utc)), time(1, tzinfo=est), t.strftime('%H-%M'), f'{t:%M}', bool(time()), time(1, tzinfo=timezone.utc) == time(2, tzinfo=timezone(timedelta(hours=1))), time(5).utcoffset())
for f in [lambda: time(24), lambda: time(1, 60), lambda: time(1, 1, 60), lambda: time(1, 1, 1, 10**6), lambda: time(1, tzinfo=3), lambda: time(1) < time(1, tzinfo=est), lambda: datetime(2024, 1, 1, 24), lambda: datetime(2024, 1, 1, tzinfo='x'), lambda: datetime(2024, 1, 1, fold=2),
          lambda: a - datetime(2024, 1, 1), lambda: a < datetime(2024, 1, 1), lambda: timezone(timedelta(days=1)), lambda: timezone(5), lambda: dt.isoformat(timespec='x'), lambda: datetime.max + timedelta(1), lambda: datetime.combine(1, 2), lambda: setattr(dt, 'hour', 3), lambda: datetime(2024), lambda: dt.astimezone(5)]:
    show(f)


class Zone(tzinfo):
    def utcoffset(self, dt):
        return timedelta(hours=2)

    def dst(self, dt):
        return timedelta(hours=1)

    def tzname(self, dt):
        return 'ZONE'


z = datetime(2024, 6, 1, 12, tzinfo=Zone())
print(z, z.tzname(), z.dst(), z.astimezone(timezone.utc), datetime(2024, 6, 1, 12, tzinfo=timezone.utc).astimezone(Zone()), z.strftime('%Z%z'))
show(tzinfo().utcoffset, None)


class MyDate(date):
    def next(self):
        return self + timedelta(1)


print(repr(MyDate(2024, 1, 31)), repr(MyDate(2024, 1, 31).next()), isinstance(dt, date), MyDate(2024, 1, 1) == date(2024, 1, 1))
for _ in range(400):
    x = datetime.min + timedelta(seconds=rng.randrange(315537897599), microseconds=rng.randrange(10**6))
    print(x, x.isocalendar()[:], x.weekday(), x.strftime('%U %W %j %y %G %V %u'), x - timedelta(seconds=rng.randrange(10**6)) if x.year > 1 else '', x.replace(tzinfo=named).astimezone(est) if 1 < x.year < 9999 else '', x.replace(tzinfo=est).timestamp())
print(list(dt.timetuple())[:9], list(a.utctimetuple())[:6], dt.date().timetuple().tm_yday)
match dt:
    case datetime(year=y, month=2):
        print(y)
