"""Writes golden.txt: what CPython 3.11 computes, one operation a line.

    python3 generate.py > golden.txt

operation | prec rounding emin emax clamp | operands | result | conditions

Conditions are not trapped, so that a result is there to compare, except in the
lines "trapped", which end with the exception.
"""
import decimal
import random
from decimal import Context, Decimal

random.seed(3)
ROUNDINGS = [getattr(decimal, n) for n in dir(decimal) if n.startswith("ROUND_")]
SPECIAL = ["NaN", "-NaN123", "sNaN", "-sNaN45", "Infinity", "-Infinity", "0", "-0", "0E+5", "-0E-7", "1", "-1", "10", "1.0", "0.5", "-2", "3",
           "1E+2", "100", "1E-2", "9999999999999999999999999999", "0.1", "1E+999999", "9.99E-999999", "1E-1000020", "-7.5", "2.5", "1.00000"]


def number(digits=40, spread=20):
    n = random.randint(1, random.choice([1, 2, 5, 9, 16, digits]))
    coef = "".join(random.choice(random.choice(["0123456789", "09", "05", "0"])) for _ in range(n))
    return f"{random.choice(['', '-'])}{int(coef)}E{random.randint(-spread, spread)}"


def small():
    return f"{random.choice(['', '-'])}{random.randint(0, 3000) / random.choice([1, 10, 1000])}"


def context():
    c = Context(prec=random.choice([1, 2, 3, 5, 9, 16, 28, 28, 40]), rounding=random.choice(ROUNDINGS),
                Emin=-999999, Emax=999999, clamp=0, traps=[])
    if random.random() < 0.3:
        c.Emax = random.choice([20, 9, 60])
        c.Emin = -c.Emax
        c.clamp = random.randint(0, 1)
        c.prec = min(c.prec, 9)
    return c


def conditions(c):
    return " ".join(sorted(s.__name__ for s, on in c.flags.items() if on))


def show(result):
    if isinstance(result, tuple):
        return " ".join(map(str, result))
    return str(result)


def emit(name, f, c, *args):
    c = c.copy()
    c.clear_flags()
    head = f"{name}|{c.prec} {c.rounding} {c.Emin} {c.Emax} {c.clamp}|{' '.join(args)}"
    try:
        with decimal.localcontext(c) as inner:
            result = show(f(inner, *[Decimal(a) for a in args]))
            c = inner
    except (ValueError, OverflowError, TypeError) as e:
        result = f"{type(e).__name__}: {e}"
    print(f"{head}|{result}|{conditions(c)}")


BINARY = {
    "add": lambda c, a, b: a + b, "subtract": lambda c, a, b: a - b, "multiply": lambda c, a, b: a * b,
    "divide": lambda c, a, b: a / b, "floordiv": lambda c, a, b: a // b, "mod": lambda c, a, b: a % b,
    "divmod": lambda c, a, b: divmod(a, b), "remainder_near": lambda c, a, b: a.remainder_near(b),
    "compare": lambda c, a, b: a.compare(b), "compare_signal": lambda c, a, b: a.compare_signal(b),
    "compare_total": lambda c, a, b: a.compare_total(b), "max": lambda c, a, b: a.max(b), "min": lambda c, a, b: a.min(b),
    "max_mag": lambda c, a, b: a.max_mag(b), "min_mag": lambda c, a, b: a.min_mag(b),
    "quantize": lambda c, a, b: a.quantize(b), "next_toward": lambda c, a, b: a.next_toward(b),
    "equal": lambda c, a, b: a == b, "less": lambda c, a, b: a < b, "same_quantum": lambda c, a, b: a.same_quantum(b),
}
PLACES = {
    "scaleb": lambda c, a, b: a.scaleb(b), "shift": lambda c, a, b: a.shift(b), "rotate": lambda c, a, b: a.rotate(b),
}
UNARY = {
    "plus": lambda c, a: +a, "minus": lambda c, a: -a, "abs": lambda c, a: abs(a), "sqrt": lambda c, a: a.sqrt(),
    "normalize": lambda c, a: a.normalize(), "to_integral_value": lambda c, a: a.to_integral_value(),
    "to_integral_exact": lambda c, a: a.to_integral_exact(), "next_plus": lambda c, a: a.next_plus(),
    "next_minus": lambda c, a: a.next_minus(), "logb": lambda c, a: a.logb(), "number_class": lambda c, a: a.number_class(),
    "str": lambda c, a: str(a), "to_eng_string": lambda c, a: a.to_eng_string(), "adjusted": lambda c, a: a.adjusted(),
    "copy_negate": lambda c, a: a.copy_negate(),
}
EXACT = {
    "hash": lambda c, a: hash(a), "int": lambda c, a: int(a), "float": lambda c, a: float(a).hex(),
    "as_integer_ratio": lambda c, a: a.as_integer_ratio(), "round": lambda c, a: round(a),
}
TRANSCENDENTAL = {"exp": lambda c, a: a.exp(), "ln": lambda c, a: a.ln(), "log10": lambda c, a: a.log10()}

for a in SPECIAL:
    for b in SPECIAL:
        for name in random.sample(list(BINARY), 4):
            emit(name, BINARY[name], context(), a, b)
    for name, f in (UNARY | TRANSCENDENTAL).items():
        emit(name, f, context(), a)
    if "99" not in a and "1000020" not in a and a not in ("NaN", "-NaN123"):
        for name, f in EXACT.items():
            emit(name, f, Context(traps=[]), a)
for name, f in BINARY.items():
    for _ in range(150):
        emit(name, f, context(), *random.choice([(number(), number()), (small(), small()), (number(3, 3), number(3, 3))]))
for name, f in PLACES.items():
    for _ in range(100):
        emit(name, f, context(), random.choice([number(), small()]), str(random.randint(-12, 12)))
for name, f in UNARY.items():
    for _ in range(80):
        emit(name, f, context(), random.choice([number(), small()]))
for name, f in EXACT.items():
    for _ in range(60):
        emit(name, f, Context(traps=[]), random.choice([number(), small()]))
for name, f in TRANSCENDENTAL.items():
    for _ in range(300):
        emit(name, f, context(), random.choice([number(), small(), number(3, 3), f"1.{'0' * random.randint(0, 30)}{random.randint(1, 99)}",
                                                f"0.{'9' * random.randint(1, 30)}{random.randint(1, 98)}", f"1E{random.randint(-30, 30)}"]))
for a in SPECIAL:
    for b in SPECIAL:
        if "E+999999" not in b and "E-9999" not in b:
            emit("power", lambda c, a, b: a ** b, context(), a, b)
for _ in range(600):
    emit("power", lambda c, a, b: a ** b, context(), random.choice([number(20, 5), small()]),
         random.choice([str(random.randint(-60, 60)), small(), number(4, 3), "0.5", "-1", "2"]))
for _ in range(100):
    emit("powmod", lambda c, a, b, m: pow(a, b, m), context(), *(str(random.randint(-9, 10 ** random.randint(1, 20))) for _ in range(3)))
    emit("fma", lambda c, a, b, d: a.fma(b, d), context(), number(), number(), number())
for _ in range(40):
    for places in random.sample(range(-5, 12), 2):
        emit("round_places", lambda c, a, n: round(a, int(n)), Context(traps=[]), small(), str(places))

for s in ["", " 1", "1 ", "\t+1\n", "1_000", "_1_", "1__0.5_", "1.", ".1", ".", "-", "+", "e1", "1e", "1e+", "1e+5", "1E-5", "1e--5", "1e+-5", "1.2.3", "0x1",
          "inf", "-INF", "Infinity", "infinit", "iNfInItY", "infinityx", "nan", "NaN12", "nan1x", "-snan5", "snan", "nane", "nan012", "٣", "१२.५", "٣e٢", "²", "1\u00a0",
          "1e1000000000000000000", "1e999999999999999999", "1e-1999999999999999997", "1e-1999999999999999998", "0e99999999999999999999", "0e-99999999999999999999", "12e999999999999999999",
          "𝟏𝟗", "1\x00", "--1", "+-1", "1 2", "1,000", "\u20031\u2003", "1\x1c", "0" * 50 + "1", "1" + "0" * 100, "1e 5", "1e5 ", "NAN", "-0", "-.0"]:
    c = Context(traps=[])
    try:
        with decimal.localcontext(c) as inner:
            result = str(Decimal(s))
            c = inner
    except Exception as e:
        result = f"{type(e).__name__}: {e}"
    print(f"parse|28 ROUND_HALF_EVEN -999999 999999 0|{s.encode().hex()}|{result}|{conditions(c)}")

values = ["0", "-0", "0.000", "0E+3", "1", "-1", "12.5", "-12.5", "1234567.891", "-1234567.891", "1E+10", "1.5E-10", "0.00001", "9.995", "99.95", "999", "-0.001",
          "NaN", "-sNaN12", "Infinity", "-Infinity", "123456789012345678901234567890.12"]
specs = ["", "f", ".2f", ".0f", "e", ".3e", ".0e", "E", ".2E", "g", ".3g", ".1G", ".10g", "%", ".1%", "n", ".3n", ",", ",.2f", "+", "+.1f", " .1f", "-.1f", "z.1f", "z", "+z.2f",
         "010", "015.2f", "015,", "016,.2f", "017,.2f", "08,", "07,.1f", "020e", "<15", ">15", "^15", "=15", "*^20.2f", "€<12", "0=15", "+015.1f", "x", "d", "_", "#", "10s", ".f", "5.",
         "<010", "005", ",n", ".2,f", "f,", "1_0", "{", "F", ".3", ".30", "3", "012%", "+,.3%", "0", "00", "z010.1f", ".", "=+20,.3f", ">+20,.3E"]
for spec in specs:
    for v in values:
        c = Context(traps=[])
        try:
            with decimal.localcontext(c):
                result = format(Decimal(v), spec)
        except Exception as e:
            result = f"{type(e).__name__}: {e}"
        print(f"format|28 ROUND_HALF_EVEN -999999 999999 0|{v} {spec.encode().hex()}|{result}|")

for name, args in [("divide", "1 0"), ("divide", "0 0"), ("floordiv", "1 0"), ("floordiv", "0 0"), ("mod", "1 0"), ("mod", "0 0"), ("divmod", "1 0"), ("divmod", "0 0"), ("multiply", "1E+999999 10"),
                   ("add", "sNaN 1"), ("subtract", "Infinity Infinity"), ("sqrt", "-1"), ("ln", "-1"), ("power", "0 0"), ("power", "-2 0.5"), ("floordiv", "1E+30 1"), ("mod", "1E+30 7"),
                   ("quantize", "1 1E-50"), ("less", "NaN 1"), ("equal", "sNaN 1"), ("logb", "0"), ("compare_signal", "NaN 1")]:
    f = (BINARY | UNARY | TRANSCENDENTAL | {"power": lambda c, a, b: a ** b})[name]
    try:
        with decimal.localcontext(Context(traps=decimal.DefaultContext.traps and [decimal.InvalidOperation, decimal.DivisionByZero, decimal.Overflow])) as inner:
            f(inner, *map(Decimal, args.split()))
            result = "no exception"
    except ArithmeticError as e:
        result = f"decimal.{type(e).__name__}: {e}"
    print(f"trapped {name}|28 ROUND_HALF_EVEN -999999 999999 0|{args}|{result}|")
