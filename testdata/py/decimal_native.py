# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from decimal import Decimal, getcontext, localcontext, ROUND_HALF_UP, ROUND_DOWN, ROUND_UP, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_05UP, Inexact, Rounded, InvalidOperation, DivisionByZero, FloatOperation
D = Decimal
a, b = D("1.10"), D("-2.345")
print(a + b, a - b, a * b, a / b, a // b, a % b, a ** 2, -a, abs(b), +a, 1 + a, 2 - a, 3 * a, 1 / D(8), 7 // D(2), 7 % D(4), 2 ** D(3), divmod(D(7), 2), pow(D(3), 4, 5))
print(a == D("1.1"), a < b, b < a, a <= 1, 1 <= a, a != 1.1, D("0.5") == 0.5, D("0.5") < 0.75, D(2) == 2, 2 == D(2), D(1) == True, D(1) == "1", a is a, D("0") == D("-0"), D("1e5") == 100000)
print(max([a, b, D(3)]), min(a, b), sorted([D("3"), D("1.5"), D("-2"), D("1.50")]), sum([a, b]), sum([], D(0)), {D("1.0"): "x"}[1], {D(1), 1, D("1.00")}, D(3) in [1, 2, 3], (D(1), 2) < (D(1), 3))
print(str(D("1E+5")), D("1e-7"), D("1.000"), D("-0"), D("NaN"), D("inf"), f"{a:.1f} {b:,.2f} {a:>8} {D('1234567.891'):,}", bool(D(0)), bool(D("0.0")), bool(a), int(b), float(a), round(b), round(b, 1), round(D("2.5")), hash(D(5)) == hash(5))
for mode in (ROUND_HALF_UP, ROUND_DOWN, ROUND_UP, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_05UP):
    print(mode, *[D(x).quantize(D("0.1"), rounding=mode) for x in ("0.25", "-0.25", "0.35", "0.251", "0.249", "-0.9", "0.05", "0", "9.96", "99999999.95", "12345678901234567890.05")])
print(a.quantize(D("0.001")), a.quantize(D(1)), a.quantize(D("1e1")), a.quantize(D("1"), ROUND_UP))
for x, y in [("999999999999999999", "1"), ("9223372036854775807", "9223372036854775807"), ("18446744073709551615", "1"), ("0.000000000000000001", "1e18"), ("1e300", "1"), ("5", "-5"), ("-5.00", "5"), ("0", "0.00"), ("-0", "-0"), ("123456789012", "987654321098"), ("4294967296", "4294967296"), ("1e-400", "1e-400")]:
    x, y = D(x), D(y)
    print(x + y, x - y, x * y, x == y, x < y, x > y)
# ---
from decimal import Decimal, getcontext, localcontext, ROUND_UP, Inexact, Rounded, InvalidOperation
D = Decimal
for f in (lambda: D(1) / 0, lambda: D(0) / 0, lambda: D("abc"), lambda: D("1_000"), lambda: D(" 1.5 "), lambda: D("١٢"), lambda: D(1.5), lambda: D((0, (1, 2), -1)), lambda: D(None), lambda: D(), lambda: D("sNaN") + 1,
          lambda: D("NaN") + 1, lambda: D("NaN") < 1, lambda: D("NaN") == D("NaN"), lambda: D("inf") - D("inf"), lambda: D("inf") > 5, lambda: D(1) + 1.0, lambda: D(1) + "x", lambda: D(1) < "x", lambda: "x" == D(1),
          lambda: D(1).quantize(D("1e-50")), lambda: D(1).quantize(D("inf")), lambda: D(1).quantize("0.1"), lambda: D(1).quantize(D("0.1"), rounding="nope"), lambda: D(1).quantize(D("0.1"), foo=1), lambda: hash(D("sNaN")), lambda: D(10 ** 30), lambda: D(10 ** 30) + 1,
          lambda: D(True), lambda: D("9" * 40) * 1, lambda: D("1e999999") * 10, lambda: D(2).sqrt(), lambda: D(1, None), lambda: D(value="3"), lambda: D.__add__(D(1), 2), lambda: D.__add__(D(1), "x"), lambda: D.__add__(1, 2), lambda: D.__eq__(D(1), 1)):
    t(f)
c = getcontext()
c.clear_flags()
D(1) / 3
print(c.flags[Inexact], c.flags[Rounded], c.flags[InvalidOperation])
c.clear_flags()
D("1.25").quantize(D("0.1"))
print([s.__name__ for s in c.flags if c.flags[s]])
with localcontext() as k:
    k.prec = 3
    print(D("1.23456") + 0, D(100) * D("1.0005"), D(1) / 7, D("123456").quantize(D(1)) if False else "-", D("12345") + 0)
    k.traps[Inexact] = True
    t(lambda: D(1) / 3)
    t(lambda: D(12345) + 1)
    k.rounding = ROUND_UP
    k.traps[Inexact] = False
    print(D("1.231") + 0)
    k.capitals = 0
    print(D("1E+9"), repr(D("1E+9")))
with localcontext() as k:
    k.clamp = 1
    k.Emax, k.Emin = 10, -10
    print(D("1e9") * 10, D("1e-9") / 10)
    t(lambda: D("1e9") * 1000)
print(D(1) / 3)
class Money(Decimal):
    def __new__(cls, text, currency="EUR"):
        self = super().__new__(cls, text)
        self.currency = currency
        return self
    def __str__(self):
        return f"{super().__str__()} {self.currency}"
m = Money("3.50")
print(m, repr(m), m.currency, type(m + 1).__name__, m == D("3.5"), m > 3, f"{m:.1f}", hash(m) == hash(D("3.5")))
class Loud(Decimal):
    def __add__(self, other):
        return "loud"
    def __lt__(self, other):
        return True
print(Loud(1) + 1, D(1) + Loud(1), Loud(5) < D(1), D(1) > Loud(5), sorted([D(2), D(1)]))
from fractions import Fraction
t(lambda: D("0.5") == Fraction(1, 2))
t(lambda: D("0.5") < Fraction(3, 4))
t(lambda: D(1) + Fraction(1, 2))
