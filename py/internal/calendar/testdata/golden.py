#!/usr/bin/env python3
"""Writes what CPython's datetime does: golden.py [SEED COUNT] > golden.jsonl

A line is [function, arguments, result] or [function, arguments, null, error].
"""
import json, random, sys
from datetime import date, datetime, time, timedelta, timezone


def err(e):
    return type(e).__name__ + ": " + str(e) if type(e).__name__ != "error" else str(e)


def row(name, args, f):
    try:
        return [name, args, f()]
    except Exception as e:
        return [name, args, None, err(e)]


def td(d):
    return [d.days, d.seconds, d.microseconds]


def moment(m):
    off = m.utcoffset()
    day = [m.year, m.month, m.day] if hasattr(m, "year") else [0, 0, 0]
    return day + [m.hour, m.minute, m.second, m.microsecond] + ([] if off is None else td(off))


def dates(r, n):
    for _ in range(n):
        d = date.fromordinal(r.choice((r.randrange(1, 3652060), r.randrange(1, 800), r.randrange(3651300, 3652060), r.randrange(730000, 740000))))
        yield ["date", [d.year, d.month, d.day], [d.toordinal(), d.weekday(), d.timetuple().tm_yday, str(d), *d.isocalendar()]]
        y, w, k = r.choice((r.randrange(-1, 10002), 1, 9999, 2020)), r.choice((r.randrange(-1, 56), 53, 52, 1)), r.randrange(-1, 10)
        yield row("fromiso", [y, w, k], lambda: str(date.fromisocalendar(y, w, k)))
        y, m, k = r.choice((r.randrange(-1, 10002), 2023, 2024)), r.randrange(-1, 15), r.randrange(-1, 34)
        yield row("check", [y, m, k], lambda: date(y, m, k) and None)
        n = r.choice((r.randrange(-3, 3), r.randrange(3652057, 3652063), r.randrange(1, 3652060)))
        yield row("ordinal", [n], lambda: str(date.fromordinal(n)))


def some(r):
    return timedelta(r.choice((0, 0, 1, -1, r.randrange(-1000, 1000), r.randrange(-10**9 + 1, 10**9))), r.choice((0, r.randrange(86400))), r.choice((0, r.randrange(10**6))))


def deltas(r, n):
    for _ in range(n):
        a, b = some(r), some(r)
        k = r.choice((0, 1, -1, 2, 3, -7, 1000, r.randrange(-10**12, 10**12)))
        f = r.choice((0.0, 0.5, -1.5, 1e-7, 2.5, r.random(), r.uniform(-1e9, 1e9), float("inf"), float("nan")))
        for op, g in (("add", lambda: td(a + b)), ("sub", lambda: td(a - b)), ("floordivmod", lambda: [str(a // b), td(a % b)]), ("ratio", lambda: a / b)):
            yield row(op, [td(a), td(b)], g)
        yield row("neg", [td(a)], lambda: td(-a))
        yield row("mul", [td(a), k], lambda: td(a * k))
        yield row("div", [td(a), k], lambda: td(a / k))
        yield row("floordiv", [td(a), k], lambda: td(a // k))
        yield row("divfloat", [td(a), repr(f)], lambda: td(a / f))
        yield ["show", [td(a)], [str(a), repr(a)]]


def mutate(r, s, letters, most=2):
    s = list(s)
    for _ in range(r.randrange(most + 1)):
        i = r.randrange(len(s) + 1)
        k = r.randrange(3)
        if k == 0:
            s.insert(i, r.choice(letters))
        elif i < len(s):
            if k == 1:
                del s[i]
            else:
                s[i] = r.choice(letters)
    return "".join(s)


ISO = ["2024-02-05", "20240205", "2024-W06-1", "2024W061", "2024W06", "2024-W06", "2024-13-01", "2024-02-30", "2020-W53-7", "2021-W53-1"]
CLOCK = ["12", "12:30", "1230", "12:30:45", "123045", "12:30:45.5", "12:30:45,123456", "12:30:45.1234567", "123045.123", "24:00", "12:60", "T12:30", "12:30:61", "12.5", "12:30.5"]
ZONE = ["", "", "Z", "+05:30", "-0530", "+05", "-05:30:15", "+05:30:15.000005", "+00:00", "-00:00", "+23:59:59.999999"]


def iso(r, n):
    for _ in range(n):
        d, c = r.choice(ISO), r.choice(CLOCK) + r.choice(ZONE)
        for name, text, f in (("isodate", d, lambda s: moment(datetime.combine(date.fromisoformat(s), time()))[:3]),
                              ("isotime", c, lambda s: moment(time.fromisoformat(s))),
                              ("isodatetime", d + r.choice("TT  -.5_é:+") + c if r.random() < 0.9 else d, lambda s: moment(datetime.fromisoformat(s)))):
            s = mutate(r, text, "0123456789-:.,TZW+ é'\n")
            # CPython leaves offsets of a day and more to timezone().
            got = row(name, [s], lambda: f(s))
            if "strictly between" not in str(got[-1]):
                yield got


STRF = list("aAbBcCdDeFgGhHIjklmMnpPrRSstTuUVwWxXyYzZ%fQ+v")


def strf(r, n):
    for _ in range(n):
        d = datetime.fromordinal(r.choice((r.randrange(1, 3652060), r.randrange(738000, 741000)))).replace(hour=r.randrange(24), minute=r.randrange(60), second=r.randrange(60), microsecond=r.choice((0, r.randrange(10**6))))
        f = ""
        for _ in range(r.randrange(1, 5)):
            flags = "" if r.random() < 0.6 else r.choice(("-", "_", "0", "^", "#", "5", "-5", "_10", "010", "E", "O", "20", "99", "1000000000"))
            f += "%" + flags + r.choice(STRF) + r.choice(("", "-", " é", ":"))
        yield row("strftime", [moment(d), f], lambda: d.strftime(f))


STRP = ["%d", "%m", "%Y", "%y", "%H", "%I", "%M", "%S", "%f", "%p", "%j", "%a", "%A", "%b", "%B", "%U", "%W", "%w", "%u", "%G", "%V", "%z", "%Z", "%%", "%c", "%x", "%X"]
COMMON = ["%Y-%m-%d", "%d/%m/%Y %H:%M", "%Y-%m-%dT%H:%M:%S.%f%z", "%b %d, %Y", "%I:%M %p", "%d%m%Y", "%A, %d %B %Y", "%G-W%V-%u", "%Y %U %w", "%Y %W %a", "%Y-%j", "%Y%m%d%H%M%S", "%d %b %y", "%d %m", "%H%M%S", "%a %b %d %H:%M:%S %Y", "%j %p %H", "%y%j", "%Y.%m", "(%d)", "%d  %m"]
HAND = [("x", "%d"), ("1x", "%d"), ("1", "%"), ("1", "%q"), ("1", "a%"), ("1 1", "%d %d"), ("it's", "%d"), ("2020", "%G"), ("1", "%V"), ("2020 1 1", "%Y %V %w"), ("2020 1 1 1", "%G %V %u %j"),
        ("29 02", "%d %m"), ("31 02 2021", "%d %m %Y"), ("2021 366", "%Y %j"), ("0001 0 0", "%Y %W %w"), ("9999 53 0", "%Y %U %w"), ("+05:3012", "%z"), ("+0530:12", "%z"), ("Z", "%z"), ("z", "%z"), ("-01:02:03.5", "%z"), ("UTC", "%Z"),
        ("61", "%S"), ("a  b1", "a b%d"), ("Mon feb", "%a %b"), ("x", "%-d"), ("1", "% d"), ("1", "%."), ("\u0665", "%d"), ("0000", "%Y"), ("MAY", "%B"), ("Mar", "%B"), ("1", "%\u00e9"), ("12 PM", "%I %p"), ("12 AM", "%I %p"), ("5", "%d"), (" 5", "%d"), ("x.y", "x.y"), ("xzy", "x.y")]


def strp(r, n):
    for s, f in HAND:
        yield row("strptime", [s, f], lambda: moment(datetime.strptime(s, f)))
    for _ in range(n):
        f = r.choice(COMMON) if r.random() < 0.7 else r.choice(("", " ", "-")).join(r.sample(STRP, r.randrange(1, 4)))
        d = datetime.fromordinal(r.randrange(366 * 1000, 3652060)).replace(hour=r.randrange(24), minute=r.randrange(60), second=r.randrange(60), microsecond=r.randrange(10**6), tzinfo=r.choice((timezone.utc, timezone(timedelta(hours=-3)))))
        s = mutate(r, d.strftime(f), "0123456789 -:./aAM", r.choice((0, 0, 1, 2)))
        got = row("strptime", [s, f], lambda: moment(datetime.strptime(s, f)))
        if "strictly between" not in str(got[-1]):
            yield got


def main():
    r = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    for g in (dates, deltas, iso, strf, strp):
        for x in g(r, n * (1 if g in (dates, deltas) else 3)):
            print(json.dumps(x))


main()
