# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import random
r = random.Random(42)
print([r.random() for _ in range(3)], [r.randint(1, 100) for _ in range(5)], r.choice("abcdef"), r.sample(range(50), 5), r.uniform(1, 2), r.randrange(0, 100, 7), r.choices([1, 2, 3], k=4), r.choices("ab", weights=[1, 9], k=5), r.gauss(0, 1), r.getrandbits(70))
random.seed(7)
L = list(range(10))
random.shuffle(L)
print(L, random.random(), random.randint(5, 5), random.normalvariate(0, 1), random.expovariate(2), random.triangular(0, 1, 0.5), random.betavariate(1, 2), random.sample(["a", "b", "c"], 2))
random.seed("text")
print(random.random())
random.seed(1.5)
print(random.random())
t(lambda: random.choice([]))
t(lambda: random.randint(5, 1))
t(lambda: random.sample([1], 2))
t(lambda: random.randrange(0))
t(lambda: random.randint(1.5, 2))
# ---
import statistics as st
data = [2, 4, 4, 4, 5, 5, 7, 9]
print(st.mean(data), st.median(data), st.mode(data), st.pstdev(data), st.stdev(data), st.pvariance(data), st.variance(data), st.median_low(data), st.median_high(data), st.multimode([1, 1, 2, 2]), st.fmean([1, 2.5]), st.harmonic_mean([40, 60]), st.quantiles(data, n=4), st.geometric_mean([1, 2, 4]), st.mean([1.5, 2.5]), st.median([1, 2]), st.mean([1, 2]))
t(lambda: st.mean([]))
t(lambda: st.median([]))
t(lambda: st.stdev([1]))
t(lambda: st.mode([]))
print(st.correlation([1, 2, 3], [2, 4, 6]), st.covariance([1, 2, 3], [1, 2, 4]), st.linear_regression([1, 2, 3], [2, 4, 6]), st.median_grouped([1, 2, 2, 3]))
# ---
import string, textwrap
print(string.ascii_letters, string.digits, string.hexdigits, string.punctuation, repr(string.whitespace), string.capwords("hello big  world"), string.Template("$a and ${b} $$").substitute(a=1, b="x"), string.Template("$z").safe_substitute())
t(lambda: string.Template("$a").substitute())
text = "The quick brown fox jumps over the lazy dog. " * 3
print(textwrap.wrap(text, 30), textwrap.fill("a bb ccc dddd eeeee", 8), textwrap.shorten(text, 25), repr(textwrap.dedent("  a\n    b\n  c\n")), textwrap.indent("a\nb\n\nc", "> "), textwrap.wrap("", 10), textwrap.wrap("averyveryverylongword x", 6), textwrap.fill(text, 40, initial_indent="* ", subsequent_indent="  "))
# ---
import heapq, bisect, copy
h = [5, 2, 8, 1, 9, 3]
heapq.heapify(h)
heapq.heappush(h, 0)
print([heapq.heappop(h) for _ in range(4)], h, heapq.nlargest(2, [1, 5, 3]), heapq.nsmallest(2, ["bb", "a", "ccc"], key=len), heapq.heappushpop(h, 1), heapq.heapreplace(h, 7), list(heapq.merge([1, 4], [2, 3], [0])), list(heapq.merge([3, 1], [2], reverse=True)))
t(lambda: heapq.heappop([]))
L = [1, 3, 3, 5]
print(bisect.bisect(L, 3), bisect.bisect_left(L, 3), bisect.bisect_right(L, 0), bisect.bisect_left(L, 9), bisect.bisect_left([("a", 1), ("b", 2)], "b", key=lambda p: p[0]))
bisect.insort(L, 4)
bisect.insort_left(L, 3)
print(L)
class N:
    def __init__(self, v): self.v, self.kids = v, []
a = {"list": [1, [2]], "t": ([3],), "n": N(1)}
a["n"].kids.append(a["n"])
b, c = copy.copy(a), copy.deepcopy(a)
a["list"][1].append(9)
a["t"][0].append(8)
a["n"].v = 5
print(b["list"], c["list"], c["t"], c["n"].v, b["n"].v, c["n"].kids[0] is c["n"], copy.copy([1]), copy.deepcopy((1, 2)), copy.copy({1}), copy.deepcopy("s"))
class Cp:
    def __copy__(self): return "copied"
    def __deepcopy__(self, memo): return "deep"
print(copy.copy(Cp()), copy.deepcopy([Cp()]))
x = []
x.append(x)
y = copy.deepcopy(x)
print(y[0] is y, y is x)
# ---
from decimal import Decimal, getcontext, ROUND_HALF_UP, InvalidOperation, ROUND_DOWN, DivisionByZero
D = Decimal
print(D("1.10") + D("2.20"), D("0.1") * 3, D(1) / D(3), D("10") / 4, D("1.5") ** 2, D("7") // 2, D("-7") % 3, D("7.50").quantize(D("0.1")), D("2.675").quantize(D("0.01"), rounding=ROUND_HALF_UP), D("1E+3"), D("1000").normalize(), D("0.000001"), D("0.0000001"), -D("1.0"), abs(D("-2")), D("1.0") == D("1.00"), D("1.0") == 1, D("0.1") == 0.1, D("1") < 2, D(5), D(0.1), D("NaN"), D("Infinity"), repr(D("1.10")), str(D("1.10")), f"{D('1234.567'):,.2f}", f"{D('1.5'):.0f}", int(D("3.9")), float(D("1.5")), round(D("2.5")), round(D("2.675"), 2), hash(D("1.0")) == hash(1), sum([D("0.1")] * 3), max(D(1), D(2)), sorted([D("2"), D("1.5")]), D("1.23").as_tuple(), D("123.456").to_integral_value(), D(2).sqrt(), D("1.10").is_zero(), bool(D(0)), D("3.14159").quantize(D("1."), rounding=ROUND_DOWN), D("1e2") + 1, divmod(D(7), D(2)))
t(lambda: D("x"))
t(lambda: D(1) / 0)
t(lambda: D(0) / 0)
t(lambda: D("1") + 1.5)
t(lambda: D(1) + "a")
t(lambda: D(None))
t(lambda: D("NaN") < 1)
getcontext().prec = 5
print(D(1) / D(3), D("123456.789") + 0)
# ---
from fractions import Fraction as F
print(F(1, 3) + F(1, 6), F(3, 4) * 2, F(1, 2) / F(1, 4), F("0.125"), F("3/9"), F(0.5), F(2) ** -2, F(7, 2) // 1, F(7, 2) % 1, -F(1, 2), abs(F(-1, 2)), F(1, 2) == 0.5, F(1, 2) < 1, F(4, 2), repr(F(1, 3)), float(F(1, 3)), int(F(7, 2)), round(F(7, 2)), F(1, 2).numerator, F(3.14159).limit_denominator(100), F(1, 2) + 0.5, F(1, 2) + 1, sum([F(1, 10)] * 3), hash(F(2)) == hash(2), F(), max(F(1, 2), F(2, 3)))
t(lambda: F(1, 0))
t(lambda: F("x"))
t(lambda: F(1, 2) + "a")
# ---
from datetime import date, datetime, timedelta, time, timezone
d = date(2024, 2, 28)
print(d, repr(d), d + timedelta(days=2), d - date(2023, 2, 28), d.weekday(), d.isoweekday(), d.isoformat(), d.strftime("%d/%m/%Y %a %A %b %B %j"), d.replace(day=1), date.fromisoformat("2024-12-25"), d < date(2025, 1, 1), d.isocalendar(), d.toordinal(), date.fromordinal(738000), d.year, d.timetuple().tm_yday, date.min, date.max, d.ctime())
n = datetime(2024, 1, 31, 23, 59, 58, 123456)
print(n, repr(n), n + timedelta(seconds=2), n - datetime(2024, 1, 1), n.isoformat(), n.date(), n.time(), n.strftime("%Y-%m-%d %H:%M:%S.%f %I %p %y %%"), datetime.strptime("2024-03-15 14:30", "%Y-%m-%d %H:%M"), n.replace(microsecond=0), datetime.fromisoformat("2024-01-01T10:00:00+02:00"), n.isoformat(sep=" ", timespec="minutes"), datetime(2024, 1, 1), datetime.combine(d, time(1, 2)), n.timetuple().tm_wday, datetime(2024, 1, 1, tzinfo=timezone.utc).isoformat(), datetime.fromtimestamp(0, timezone.utc), datetime(2024, 1, 1, tzinfo=timezone.utc).timestamp(), datetime.strptime("15 Mar 2024", "%d %b %Y").date())
td = timedelta(days=1, hours=2, minutes=3, seconds=4, milliseconds=5)
print(td, repr(td), td.days, td.seconds, td.microseconds, td.total_seconds(), td * 2, td / 2, td // 3, -td, abs(-td), td > timedelta(hours=1), timedelta(hours=25), timedelta(seconds=-1), str(timedelta(days=-1, hours=5)), timedelta(1) / timedelta(hours=1), timedelta(7) % timedelta(2), divmod(timedelta(7), timedelta(2)), timedelta(weeks=1), timedelta(0), bool(timedelta(0)), sum([td, td], timedelta()), timedelta(minutes=90), timedelta(days=0.5))
print(time(10, 30), repr(time(10, 30, 5)), time(10, 30).isoformat(), time.fromisoformat("04:05:06"), time(1) < time(2), datetime(2024, 1, 1, 12, tzinfo=timezone(timedelta(hours=5, minutes=30))).astimezone(timezone.utc), timezone.utc, timezone(timedelta(hours=-3)), repr(timezone.utc), datetime(2024, 1, 1) == datetime(2024, 1, 1), sorted([date(2024, 5, 1), date(2023, 1, 1)]), {date(2024, 1, 1): 1}[date(2024, 1, 1)])
t(lambda: date(2023, 2, 29))
t(lambda: date(2023, 13, 1))
t(lambda: datetime(2023, 1, 1, 25))
t(lambda: date.fromisoformat("nope"))
t(lambda: datetime.strptime("x", "%Y"))
t(lambda: datetime.strptime("2024-13-01", "%Y-%m-%d"))
t(lambda: datetime.strptime("2024 extra", "%Y"))
t(lambda: d + 1)
t(lambda: d - "x")
t(lambda: d < 5)
t(lambda: date(2024, 1, 1) < datetime(2024, 1, 1))
t(lambda: datetime(2024, 1, 1) - datetime(2024, 1, 1, tzinfo=timezone.utc))
t(lambda: datetime(2024, 1, 1) < datetime(2024, 1, 1, tzinfo=timezone.utc))
t(lambda: date.max + timedelta(1))
t(lambda: timedelta(days=10**10))
t(lambda: date("2024"))
t(lambda: td * "x")
t(lambda: f"{d:%d %b}, {n:%H:%M}")
# ---
import uuid, hashlib, base64
print(hashlib.sha256(b"abc").hexdigest(), hashlib.md5(b"").hexdigest(), hashlib.sha1(b"x").hexdigest(), hashlib.sha512(b"a").hexdigest()[:20], hashlib.new("sha256", b"abc").digest()[:4], hashlib.sha256().digest_size)
h = hashlib.sha256()
h.update(b"a")
h.update(b"bc")
print(h.hexdigest() == hashlib.sha256(b"abc").hexdigest(), h.name, h.block_size, h.copy().hexdigest()[:8])
t(lambda: hashlib.sha256("text"))
t(lambda: hashlib.new("nope"))
print(base64.b64encode(b"hello\xff"), base64.b64decode("aGVsbG8="), base64.urlsafe_b64encode(b"\xff\xfe"), base64.urlsafe_b64decode("__4="), base64.b32encode(b"hi"), base64.b16encode(b"hi"), base64.b64decode(b"aGk="), base64.b85encode(b"hello"), base64.b64encode("é".encode()).decode())
t(lambda: base64.b64decode("a"))
t(lambda: base64.b64encode("text"))
t(lambda: base64.b64decode("a\xff"))
u = uuid.UUID("12345678-1234-5678-1234-567812345678")
print(u, repr(u), u.hex, u.int, u.version, u == uuid.UUID(hex="12345678123456781234567812345678"), uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"), uuid.uuid3(uuid.NAMESPACE_URL, "x"), u.bytes[:2], str(u)[:8], {u: 1}[u], uuid.UUID(int=5))
t(lambda: uuid.UUID("bad"))
# ---
from typing import TypeVar, Optional, Any, Union, List, Dict, Tuple, Final, Generic, cast, TYPE_CHECKING, Protocol, Callable, Iterable, Iterator, Literal, NewType
T = TypeVar("T")
def f(a: int, b: Optional[str] = None, *c: Any, **d: Union[int, str]) -> List[Dict[str, Tuple[int, ...]]]:
    x: Final = 5
    y: "forward" = a
    return [x, y]
class G(Generic[T]):
    def __init__(self, v: T): self.v = v
print(f(1), G(5).v, G[int](6).v, cast(int, "x"), TYPE_CHECKING)
class Proto(Protocol):
    def run(self) -> int: ...
def g(x: Callable[[int], str], y: Iterable[int] = (), z: Literal["a", "b"] = "a", *, w: "int | None" = None) -> Iterator[int]: yield 1
print(list(g(str)))
v: dict[str, list[int]] = {}
Alias = Dict[str, int]
UserId = NewType("UserId", int)
print(UserId(5), v)
