# prelude
from decimal import Decimal as D, Context, getcontext, localcontext, FloatOperation, InvalidOperation
def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
print(D("1101").logical_and(D("1011")), D("1101").logical_or(D("11")), D("1101").logical_xor(D("1011")), D("0").logical_and(5 * 0), D("101").logical_invert(Context(prec=5)), D("0").logical_invert(Context(prec=3)), D("11111").logical_and(D("10101"), context=Context(prec=3)))
t(D("2").logical_and, D("1"))
t(D("-1").logical_or, D("1"))
t(D("1.1").logical_xor, D("1"))
t(D("1").logical_and, D("NaN"))
t(D("12").logical_invert)
print(Context(traps=[]).logical_and(D("2"), D("1")), D("-7").compare_total_mag(D("3")), D("3").compare_total_mag(D("-3.0")))
c = Context(prec=4, Emin=-9, Emax=9)
for name, args in (("canonical", ("1.5",)), ("compare_signal", ("1", "2")), ("compare_total", ("1.0", "1.00")), ("compare_total_mag", ("-2", "1")), ("copy_abs", ("-1",)), ("copy_decimal", ("1",)), ("copy_negate", ("1",)), ("copy_sign", ("1", "-2")), ("is_canonical", ("1",)), ("is_finite", ("1",)), ("is_infinite", ("inf",)), ("is_nan", ("nan",)), ("is_normal", ("0.1",)), ("is_qnan", ("nan",)), ("is_signed", ("-1",)), ("is_snan", ("snan",)), ("is_subnormal", ("1E-10",)), ("is_zero", ("0",)), ("logb", ("123",)), ("logical_and", ("1", "1")), ("logical_invert", ("1",)), ("logical_or", ("1", "0")), ("logical_xor", ("1", "1")), ("max_mag", ("-3", "2")), ("min_mag", ("-3", "2")), ("next_minus", ("1",)), ("next_plus", ("1",)), ("next_toward", ("1", "2")), ("number_class", ("-0",)), ("rotate", ("1234", "1")), ("same_quantum", ("1.0", "2.0")), ("scaleb", ("1", "2")), ("shift", ("1234", "1")), ("to_integral", ("1.5",)), ("to_integral_value", ("2.5",)), ("to_sci_string", ("1E+5",)), ("quantize", ("1.2345", "0.01")), ("add", ("1.23456", "1"))):
    t(getattr(c, name), *[D(a) for a in args])
t(c.radix)
t(c.is_nan, 5)
t(c.logb, 100)
t(c.next_plus, "x")
t(c.scaleb, 5, 2)
# ---
with localcontext() as c:
    c.traps[FloatOperation] = True
    t(D, 1.5)
    t(lambda: D("1.5") < 1.6)
    t(lambda: D("1.5") == 1.5)
    t(D.from_float, 1.5)
    t(c.create_decimal_from_float, 1.5)
    t(c.create_decimal, 1.5)
with localcontext() as c:
    c.clear_flags()
    D(1.5)
    print(c.flags[FloatOperation])
    c.clear_flags()
    print(D("1.5") > 1.4, c.flags[FloatOperation])
