# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from datetime import date, datetime, timedelta, time, timezone, tzinfo
d = date(2024, 2, 28)
print(d, repr(d), str(d), f"{d}", f"{d:%d/%m}", "%s" % d, d.isoformat(), d.weekday(), d.isoweekday(), d.toordinal(), d.isocalendar())
print(d + timedelta(1), d - timedelta(days=60), d - date(2023, 1, 1), timedelta(2) + d, d.replace(day=1), d.replace(2020, month=5))
print(d < date(2024, 3, 1), d == date(2024, 2, 28), d != date(2024, 2, 28), d >= d, max(d, date(2025, 1, 1)), sorted([date(2, 1, 1), date(1, 1, 1)]))
print({d: 1}[date(2024, 2, 28)], hash(d) == hash(date(2024, 2, 28)), len({date(2024, 1, i) for i in range(1, 9)}), (d, 1) == (date(2024, 2, 28), 1), d in [date(2024, 2, 28)])
for f in (lambda: date(2024, 2, 30), lambda: date(0, 1, 1), lambda: date(2024, 13, 1), lambda: date(2024), lambda: date("x", 1, 1), lambda: date(2024, 1, 1.0),
          lambda: d + 1, lambda: 1 + d, lambda: d - 1, lambda: d < 5, lambda: d == 5, lambda: d + d, lambda: date.max + timedelta(1), lambda: date.min - timedelta(1),
          lambda: d < datetime(2024, 1, 1), lambda: d == datetime(2024, 2, 28), lambda: datetime(2024, 2, 28) == d, lambda: datetime(2024, 1, 1) > d,
          lambda: date(year=2024, month=1, day=2), lambda: date(2024, day=2, month=1), lambda: date(2024, 1, 1, 1), lambda: date(True, True, True),
          lambda: date.fromisoformat("2024-01-31"), lambda: date.fromisoformat("20240131"), lambda: date.fromisoformat("2024-W05-1"), lambda: date.fromisoformat("2024-1-1"),
          lambda: date.fromisoformat(5), lambda: date.fromisoformat("2024-02-30"), lambda: d.replace(day=31), lambda: d.replace(foo=1), lambda: d.replace(1, 2, 3, 4),
          lambda: setattr(d, "year", 3), lambda: d.strftime(5), lambda: d.foo, lambda: d - datetime(2024, 1, 1)):
    t(f)
# ---
from datetime import date, datetime, timedelta
a, b = timedelta(days=1, hours=2), timedelta(minutes=-5, microseconds=7)
print(a, repr(a), b, repr(b), a + b, a - b, -a, +a, abs(b), a * 3, 2 * b, a / 2, a / b, a // b, a % b, divmod(a, b), a / 1.5, a * 0.5)
print(a.days, a.seconds, a.microseconds, b.days, b.seconds, b.microseconds, a.total_seconds(), b.total_seconds(), bool(a), bool(timedelta()))
print(a > b, a == timedelta(hours=26), a != b, a <= a, {a: 1}[timedelta(hours=26)], sum([a, b], timedelta()), max(a, b), sorted([a, b]))
print(timedelta(1.5), timedelta(hours=0.1), timedelta(weeks=1, days=2, hours=3, minutes=4, seconds=5, milliseconds=6, microseconds=7), timedelta(1, 2, 3, 4, 5, 6, 7))
print(timedelta(days=999999999), timedelta.max, timedelta.min, timedelta.resolution, timedelta(days=999999999) - timedelta(1), timedelta(True))
for f in (lambda: timedelta("1"), lambda: timedelta(foo=1), lambda: timedelta(1, days=2), lambda: timedelta(days=10 ** 10), lambda: timedelta.max + timedelta(1),
          lambda: a + 1, lambda: a < 1, lambda: a == 1, lambda: a / 0, lambda: a / timedelta(), lambda: a * a, lambda: 5 - a, lambda: a // 0, lambda: timedelta(*range(8)),
          lambda: timedelta(days=10 ** 9) * 2, lambda: timedelta(days=500000) * 3000, lambda: timedelta(days=1) * -3, lambda: timedelta(days=300000000) + timedelta(days=300000000)):
    t(f)
# ---
from datetime import date, datetime, timedelta, timezone, time
m = datetime(2024, 2, 28, 23, 30, 15, 250)
n = datetime(2024, 3, 1)
print(m, repr(m), n, repr(n), m.isoformat(), m.isoformat(" "), m.isoformat(timespec="minutes"), m.date(), m.time(), f"{m:%H:%M}", m.strftime("%Y%m%d %f"))
print(m + timedelta(hours=1), m - timedelta(days=1, seconds=1), n - m, m - n, timedelta(1) + m, (n - m).total_seconds())
print(m < n, m == n, m == datetime(2024, 2, 28, 23, 30, 15, 250), max(m, n), sorted([n, m]), {m: 1}[m + timedelta(0)], m in [n, m], len({m, n, m}))
print(m.replace(hour=0, minute=0, second=0, microsecond=0), m.replace(2023), m.replace(tzinfo=timezone.utc), m.weekday(), m.toordinal(), m.fold, m.replace(fold=1).fold)
u = datetime(2024, 1, 1, tzinfo=timezone.utc)
p = datetime(2024, 1, 1, 2, tzinfo=timezone(timedelta(hours=2)))
print(u, p, u == p, u - p, hash(u) == hash(p), u < p, u + timedelta(hours=1), {u: 1}.get(p), u.isoformat(), p.astimezone(timezone.utc), u.timestamp(), u == u.replace(hour=0))
print(datetime(2024, 1, 1, 5, fold=1), repr(datetime(2024, 1, 1, 5, fold=1)), datetime(2024, 1, 1, 5, fold=1) == datetime(2024, 1, 1, 5), datetime.combine(date(2024, 1, 1), time(3)))
for f in (lambda: m < u, lambda: m == u, lambda: m - u, lambda: u - m, lambda: m + 1, lambda: m - 1, lambda: m < 3, lambda: datetime(2024, 1), lambda: datetime(2024, 1, 1, 25),
          lambda: datetime(2024, 1, 1, tzinfo=3), lambda: datetime(2024, 1, 1, foo=3), lambda: datetime(2024, 1, 1, 1, hour=2), lambda: datetime(2024, 1, 1, 0, 0, 0, 10 ** 6),
          lambda: datetime.max + timedelta(1), lambda: datetime.min - timedelta(microseconds=1), lambda: datetime.fromisoformat("2024-01-02T03:04:05"), lambda: datetime.fromisoformat("2024-01-02"),
          lambda: datetime.fromisoformat("2024-01-02T03:04:05.678+05:30"), lambda: datetime.fromisoformat("2024-01-02T03:04:05Z"), lambda: datetime.fromisoformat("nope"), lambda: datetime.fromisoformat(4),
          lambda: setattr(m, "hour", 4), lambda: m.replace(hour=24), lambda: m.replace(tzinfo=5), lambda: m.foo, lambda: m.isoformat(timespec="no"), lambda: m.isoformat(sep="_")):
    t(f)
# ---
from datetime import date, datetime, timedelta
import copy
class D(date):
    def quarter(self):
        return (self.month + 2) // 3
class M(datetime):
    pass
class S(date):
    def __new__(cls, text):
        y, m, d = text.split("/")
        return super().__new__(cls, int(y), int(m), int(d))
class I(date):
    def __init__(self, *a):
        self.tag = a
class Later(date):
    def __lt__(self, other):
        return "mine"
    def __eq__(self, other):
        return "eq"
    __hash__ = date.__hash__
x = D(2024, 5, 6)
print(x, repr(x), type(x + timedelta(1)).__name__, (x + timedelta(1)).quarter(), x == date(2024, 5, 6), x < date(2025, 1, 1), type(x.replace(day=1)).__name__, type(D.fromisoformat("2024-01-01")).__name__, {x: 1}[date(2024, 5, 6)])
y = M(2024, 5, 6, 7)
print(y, repr(y), type(y + timedelta(1)).__name__, y == datetime(2024, 5, 6, 7), type(y.date()).__name__, y - datetime(2024, 5, 6), y > datetime(2024, 5, 6))
t(lambda: S("2024/5/6"))
t(lambda: I(2024, 1, 2).tag)
t(lambda: Later(2024, 1, 2) < date(2024, 1, 1))
t(lambda: date(2024, 1, 1) > Later(2024, 1, 2))
t(lambda: (Later(2024, 1, 2) == 4, 4 == Later(2024, 1, 2)))
c = copy.deepcopy([x, y, timedelta(3)])
print(c, copy.copy(y) == y)
print(date.__add__(date(2024, 1, 1), timedelta(1)), date.__lt__(date(2024, 1, 1), 5), date.__eq__(date(2024, 1, 1), 5))
t(lambda: date.__add__(5, 6))
