import decimal, math, random
from decimal import (
    BasicContext, Context, Decimal, DefaultContext, DivisionByZero, ExtendedContext, FloatOperation, Inexact,
    InvalidOperation, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Rounded,
    getcontext, localcontext, setcontext)

D = Decimal


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


for value in ['1.10', ' 3 ', '1e5', '-0', 'NaN', 'sNaN', 'Infinity', '-inf', 'abc', '', '1_000.5', 5, -3, 1.1, 0.5, True, (0, (1, 2, 3), -2), (1, (0,), 'F'), [0, [1], 3], (0, (1, 2)), None, [], '1.2.3', 10**40, '1E+999999', '0.0000001', '1e-10', (2, (1,), 1), (0, (11,), 1)]:
    show(D, value)
print(D('1.10') + D('2.2'), D('1') / D('3'), D(10) // D(3), D(-10) // D(3), D(-10) % D(3), divmod(D(7), D(2)), D(2) ** 10, D(2) ** D('0.5'), D(2) ** -1, 3 + D(1), 3 - D(1), 3 * D(2), 6 / D(4), 7 // D(2), 7 % D(4), 2 ** D(3), pow(D(3), 4, 5), divmod(7, D(2)))
print(D('3.14159').quantize(D('0.01')), D('2.675').quantize(D('0.01'), rounding=ROUND_HALF_UP), D('2.5').quantize(D('1')), round(D('2.675'), 2), round(D('2.5')), round(D('3.5')), D('7.325').quantize(D('.01'), ROUND_DOWN), D('-7.5').to_integral_value(), D('7.5').to_integral_value(ROUND_CEILING))
for f in [lambda: D(1) / 0, lambda: D(0) / 0, lambda: D('NaN') < 1, lambda: int(D('NaN')), lambda: int(D('inf')), lambda: D('1e999999') * 10, lambda: D('abc'), lambda: D(-1).sqrt(), lambda: D(1) % 0, lambda: D(1) // 0, lambda: D('1e50').quantize(D('1e-5')), lambda: D(0).ln(), lambda: D(-1).ln(), lambda: D('inf') - D('inf'), lambda: round(D('NaN')), lambda: D('sNaN') + 1, lambda: D(1).quantize(D(1), rounding='x'), lambda: math.floor(D('inf')), lambda: D('inf').as_integer_ratio(), lambda: D(0) ** 0, lambda: D(0) ** -1, lambda: D(1).compare('x'), lambda: hash(D('sNaN'))]:
    show(f)
print(D(2).sqrt(), D(1).exp(), D(10).ln(), D(1000).log10(), D('1.500').normalize(), D('100').normalize(), D('123.45').as_tuple(), D('123.45').adjusted(), D('0.25').as_integer_ratio(), abs(D(-3)), -D(3), +D('1.23'), bool(D(0)), bool(D('0.0')), bool(D('NaN')), int(D('-3.9')), float(D('1.5')), math.floor(D('-1.5')), math.ceil(D('1.2')), math.trunc(D('1.9')))
print(D('1.0') == D('1.00'), D(1) == 1, D('0.5') == 0.5, D('0.1') == 0.1, D('0.1') < 0.2, D(1) != 2, D('NaN') == D('NaN'), D('inf') > 10**100, sorted([D(3), D(1), D('2.5')]), max(D(1), 2), sum([D('0.1')] * 3), sum([D('0.1')] * 3) == D('0.3'), hash(D(1)) == hash(1), hash(D('0.5')) == hash(0.5), {D(1): 'a'}[1])
for spec in ('', '.2f', ',.2f', '>10', '010.3f', 'e', '.3e', 'g', '%', '.1%', '+.2f', 'n', '*^15,.1f', ' f', 'E', 'x', '.2'):
    show(format, D('1234567.891'), spec)
    show(format, D('-0.00045'), spec)
print(f'{D("1234.5"):,.2f}', '%s' % D('1.0'), str(D('1E+3')), D('1E+3').to_eng_string(), D('12345E+3').to_eng_string(), D('1.5').copy_negate(), D(3).compare(D(4)), D(1).max(D(2)), D(1).min(D(2)), D('1').is_zero(), D(0).is_zero(), D('NaN').is_nan(), D('inf').is_infinite(), D(1).is_finite(), D(-1).is_signed(), D(1).same_quantum(D(2)), D(2).fma(3, 4), D(1).number_class(), D('sNaN').is_snan(), D('nan').is_qnan(), D(3).copy_sign(D(-1)), D(7).remainder_near(D(4)), D(1).scaleb(2), D(5).logb(), D(1).next_plus(), D(1).compare_total(D('1.0')), D(5).radix(), D('3').is_normal())
print(getcontext())
getcontext().prec = 6
print(D(1) / 7, getcontext().prec, D('1.23456789') + 0, +D('1.23456789'), D('1.23456789'), getcontext().flags[Inexact], getcontext().flags[Rounded], getcontext().flags[DivisionByZero])
with localcontext() as ctx:
    ctx.prec = 3
    ctx.rounding = ROUND_UP
    print(D(1) / 3, D(2) / 3, ctx)
with localcontext(prec=10) as ctx:
    print(D(1) / 3)
with localcontext(Context(prec=4, traps=[])):
    print(D(1) / 0, D(0) / 0, D('abc'), D(-1).sqrt())
print(D(1) / 3, getcontext().copy().prec)
getcontext().clear_flags()
getcontext().traps[Inexact] = True
show(lambda: D(1) / 3)
getcontext().traps[Inexact] = False
getcontext().traps[FloatOperation] = True
show(lambda: D(1.5))
show(lambda: D(1) < 1.5)
show(lambda: D(1) == 1.5)
getcontext().traps[FloatOperation] = False
for f in [lambda: setattr(getcontext(), 'prec', 0), lambda: setattr(getcontext(), 'rounding', 'x'), lambda: setattr(getcontext(), 'clamp', 2), lambda: setattr(getcontext(), 'Emax', -1), lambda: setcontext(3)]:
    show(f)
setcontext(Context(prec=5, rounding=ROUND_DOWN))
print(D(2) / 3, getcontext(), Context().create_decimal('1.23'), getcontext().create_decimal('1.23456789'), getcontext().divide(2, 3), getcontext().power(2, 5), getcontext().quantize(D('1.239'), D('.01')), getcontext().divmod(7, 2), getcontext().to_sci_string(D('1e5')), getcontext().create_decimal_from_float(0.1), Context(prec=3).sqrt(D(2)), Context(prec=3).add(1, D('2.3456')))
print(DefaultContext.prec, ExtendedContext.prec, BasicContext.rounding, D.from_float(0.1), repr(D('1E-7')), issubclass(DivisionByZero, ZeroDivisionError), issubclass(InvalidOperation, ArithmeticError), MAX_PREC, MIN_EMIN)
setcontext(Context())
rng = random.Random(4)
ops = [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b, lambda a, b: a // b, lambda a, b: a % b, lambda a, b: a < b, lambda a, b: a == b, lambda a, b: a >= b, lambda a, b: a.compare(b), lambda a, b: a.quantize(b)]
values = ['0', '-0', '1', '-1.5', '2.75', '1e10', '1e-10', 'NaN', 'Infinity', '-Infinity', '123456789.987654321', '9' * 30, '1e400', '-3']
for a in values:
    for b in values:
        for op in ops:
            show(op, D(a), D(b))


class Money(Decimal):
    pass


print(repr(Money('1.5')), type(Money('1.5') + 1).__name__, isinstance(Money(1), Decimal), Money(2) == 2)
