# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
values = [0.0, -0.0, 1.0, -1.5, 0.1, 1/3, 1e15, 1e16, 1e17, 123456789.123, 1e-4, 1e-5, 5e-324, 1.7976931348623157e308, 2.5, 1e22, 1e21, 123456789012345680.0, float("inf"), float("-inf"), float("nan")]
for v in values:
    print(v, repr(v), str(v), [v], bool(v), -v, abs(v), v == v, v.is_integer())
# ---
# Arithmetic over all pairs.
values = [0.0, -0.0, 1.0, -1.5, 0.1, 3.0, 1e300, -1e-300, float("inf"), float("nan")]
for a in values:
    for b in values:
        print(a, b, a + b, a - b, a * b, a < b, a <= b, a == b, a != b, max(a, b), min(a, b))
        t(lambda: a / b)
        t(lambda: (a // b, a % b))
# ---
# Powers.
for a in [0.0, -0.0, 1.0, 2.0, 0.5, -2.0, 1e200, float("inf"), float("-inf"), float("nan")]:
    for b in [0.0, 1.0, 2.0, 3.0, -1.0, 0.5, 1000.0, float("inf"), float("nan")]:
        if a < 0 and b == 0.5:
            continue
        t(lambda: a ** b)
# ---
# float() of strings.
for s in ["1", "1.5", " 1.5 ", "-1.5e3", "+.5", "5.", ".", "", " ", "e5", "1e", "1e+", "inf", "-Infinity", "nan", "NAN", "iNf", "infin", "1_000.5", "1__0.0", "_1.0", "1._5", "0x10", "1e400", "-1e400", "1e-400", "1.5abc", "1,5", "\u0661.5", "1 2", "\n3.25\t", "--1", "1.7976931348623159e308", "2.2250738585072014e-308", "4.9e-324", "2e-324", "0.1e1_0", "1e1_0"]:
    t(lambda: float(s))
t(lambda: float())
t(lambda: float(10**400))
t(lambda: float(None))
t(lambda: float([]))
t(lambda: float(b"1.5"))
t(lambda: float(True))
t(lambda: float("1", "2"))
# ---
# Rounding: half to even of the exact decimal value.
for v in [0.5, 1.5, 2.5, -0.5, -1.5, 2.675, 1.005, 0.125, 0.375, 1234.5678, -1234.5678, 1e16, 1e300, 5e-324, 0.05, 0.15, 0.25, 0.35]:
    print(v, round(v), round(v, 0), round(v, 1), round(v, 2), round(v, 3), round(v, -1), round(v, -2), round(v, None))
t(lambda: round(float("inf")))
t(lambda: round(float("nan")))
t(lambda: round(float("inf"), 2))
t(lambda: round(float("nan"), 2))
t(lambda: round(1.5, 400))
t(lambda: round(1.5, -400))
t(lambda: round(1.7e308, -308))
t(lambda: round(1.5, 1.0))
t(lambda: round())
t(lambda: round(number=2.5))
t(lambda: round(number=2.567, ndigits=1))
# ---
# Methods.
for v in [0.0, 1.5, -2.25, 0.1, 1e22, 5e-324]:
    print(v.hex(), v.as_integer_ratio(), v.conjugate(), v.real, v.imag, v.is_integer())
t(lambda: float("inf").as_integer_ratio())
t(lambda: float("nan").as_integer_ratio())
t(lambda: float.fromhex("0x1.8p3"))
t(lambda: float.fromhex("-0x.1p-4"))
t(lambda: float.fromhex("inf"))
t(lambda: float.fromhex("zz"))
t(lambda: float("inf").hex())
t(lambda: float("nan").hex())
t(lambda: (1.5).foo)
t(lambda: (1.5).bit_length())
t(lambda: 1.5 + "a")
t(lambda: 1.5 // "a")
t(lambda: 1.5 & 2)
t(lambda: 1.5 << 2)
t(lambda: "a" * 1.5)
t(lambda: [1] * 1.0)
t(lambda: [1, 2][1.0])
t(lambda: 1.5())
t(lambda: divmod(1.5, 0))
t(lambda: 1.5 % 0)
t(lambda: 1.5 < "a")
t(lambda: 1.5 < None)
# ---
# Shortest repr that reads back.
x = 0.1
for i in range(60):
    x = x * 3.7 - 0.9
    print(x, float(repr(x)) == x)
    if abs(x) > 1e18:
        x = x / 1e18
# ---
# Sums lose what floats lose.
print(0.1 + 0.2, 0.1 + 0.2 == 0.3, sum([0.1] * 10), 1e16 + 1, 1e16 + 2.0, 0.1 * 3, 1 - 0.9, 100 * 1.1, 3 * 1.1, 1.1 + 2.2)
print(sum([1, 2.5, True]), sum([1e308, 1e308]), sum([float("inf"), float("-inf")]), sum([0.1, 0.2, 0.3], 1))
print(7.0 // 2, -7.0 // 2, 7.0 % -2, -7.0 % 2, 1e308 // 1e-10, 5.5 // 1.1, 5.5 % 1.1, 1.0 // 0.1, 1.0 % 0.1, 0.0 % -1.0, -0.0 % 1.0, -1e-20 % 1.0, -1e-20 // 1.0)
print((lambda n: [n] == [n])(float("nan")), {float("inf"): 1}[float("inf")])
print(1e3, 1E3, 1_0.5_0, .5, 5., 1e-7, 0e0, 1e+2)
print(int(2.0**62), int(2.0**63), int(-2.0**63), int(1e18), int(9.999999999999999e22), 2.0**63 == 2**63, 2.0**63 < 2**63, 2**63 - 1 < 2.0**63)
print(hash(0.1), hash(1e300), hash(float("inf")), hash(-float("inf")), hash(-0.0), hash(2.0**70) == hash(2**70), hash(1.5), hash(-1.5), hash(-1.0))
# ---
import math
for f in [math.sin, math.cos, math.tan, math.atan, math.sinh, math.tanh, math.exp, math.sqrt, math.log, math.log2, math.log10, math.log1p, math.expm1, math.floor, math.ceil, math.trunc, math.fabs, math.degrees, math.radians, math.cbrt, math.exp2, math.asinh, math.isfinite, math.isinf, math.isnan, math.frexp, math.modf]:
    for v in [0.0, 1.0, 0.5, 2.0, -1.0, -2.5, 10, 710.0, float("inf"), float("nan")]:
        try:
            r = f(v)
            print("%.12g" % r if isinstance(r, float) else r)
        except Exception as e:
            print(type(e).__name__, e)
# ---
import math
t(lambda: math.hypot(3, 4))
t(lambda: math.hypot(1, 2, 2))
t(lambda: math.dist([0, 0], [3, 4]))
t(lambda: math.fsum([0.1] * 10))
t(lambda: math.prod([1, 2, 3, 4]))
t(lambda: math.prod([1.5, 2], start=2))
t(lambda: math.copysign(1, -0.0))
t(lambda: math.fmod(-7, 3))
t(lambda: math.remainder(7, 4))
t(lambda: math.ldexp(0.5, 4))
t(lambda: math.atan2(-0.0, -1))
t(lambda: math.pow(2, 0.5))
t(lambda: math.pow(-1, 0.5))
t(lambda: math.pow(0, -1))
t(lambda: math.log(8, 2))
t(lambda: math.log(0))
t(lambda: math.log(-1))
t(lambda: math.log(10**400))
t(lambda: math.log2(2**2000))
t(lambda: math.sqrt(-1))
t(lambda: math.acos(2))
t(lambda: math.exp(1000))
t(lambda: math.sqrt("a"))
t(lambda: math.floor("a"))
t(lambda: math.floor(float("inf")))
t(lambda: math.ceil(float("nan")))
t(lambda: math.isclose(0.1 + 0.2, 0.3))
t(lambda: math.isclose(1, 1.1, rel_tol=0.2))
t(lambda: math.isclose(0, 1e-10, abs_tol=1e-9))
t(lambda: math.isclose(1, 1, rel_tol=-1))
t(lambda: (math.pi, math.e, math.tau, math.inf, math.nan))
t(lambda: math.nextafter(1.0, 2.0))
t(lambda: math.ulp(1.0))
t(lambda: math.dist([1], [1, 2]))
t(lambda: math.gamma(5))
t(lambda: math.lgamma(10))
t(lambda: math.erf(0.0))
t(lambda: math.sin())
t(lambda: math.sin(1, 2))
t(lambda: math.foo)
