"""What the machine's native module _decimal does, in terms of CPython."""

import decimal as _real
import math

_names = ('InvalidOperation', 'ConversionSyntax', 'DivisionImpossible', 'DivisionUndefined', 'InvalidContext',
          'FloatOperation', 'DivisionByZero', 'Overflow', 'Underflow', 'Subnormal', 'Inexact', 'Rounded', 'Clamped')
_signals = {getattr(_real, name): bit for bit, name in enumerate(_names) if hasattr(_real, name)}


def _context(settings, traps):
    prec, rounding, emin, emax, capitals, clamp = settings
    return _real.Context(prec, rounding, emin, emax, capitals, clamp, [], traps)


def _quantize(c, a, b, rounding):
    return a.quantize(b, rounding, c)


def _round(c, a, places):
    with _real.localcontext(c) as inner:
        result = round(a, places)
        c.flags.update(inner.flags)
        return result


def _parse(c, text):
    exact = _real.Context(_real.MAX_PREC, c.rounding, _real.MIN_EMIN, _real.MAX_EMAX, traps=[s for s in c.traps if c.traps[s]])
    result = _real.Decimal(text, exact)
    c.flags.update(exact.flags)
    return result


def _order(c, a, b):
    if a.is_nan() or b.is_nan():
        c.flags[_real.InvalidOperation] = True
        if c.traps[_real.InvalidOperation]:
            raise _real.InvalidOperation([_real.InvalidOperation])
        return None
    return int(a.compare(b))


def _equal(c, a, b):
    if a.is_snan() or b.is_snan():
        return _order(c, a, b) == 0
    return not a.is_nan() and not b.is_nan() and a == b


_operations = {
    'sub': _real.Context.subtract, 'mul': _real.Context.multiply, 'div': _real.Context.divide,
    'floordiv': _real.Context.divide_int, 'mod': _real.Context.remainder, 'pow': _real.Context.power,
    'powmod': _real.Context.power, 'quantize': _quantize, 'round': _round, 'parse': _parse,
    'order': _order, 'equal': _equal,
    'to_integral_value': lambda c, a, rounding: a.to_integral_value(rounding, c),
    'compare_signal': _real.Context.compare_signal,
}


def call(operation, settings, *values):
    run = _operations.get(operation) or getattr(_real.Context, operation)
    context = _context(settings, [])
    result = run(context, *values)
    conditions = sum(1 << _signals[one] for one, seen in context.flags.items() if seen)
    if conditions & 1:
        # which kind of invalid operation it is shows only in the exception
        try:
            run(_context(settings, [_real.InvalidOperation]), *values)
        except _real.InvalidOperation as exc:
            conditions &= ~1
            for kind in exc.args[0]:
                conditions |= 1 << _names.index(kind.__name__)
    return result, conditions


from_int = _real.Decimal
from_float = _real.Decimal
floated = float
hash = hash
copy_abs = _real.Decimal.copy_abs
copy_negate = _real.Decimal.copy_negate
copy_sign = _real.Decimal.copy_sign
same_quantum = _real.Decimal.same_quantum
adjusted = _real.Decimal.adjusted
ratio = _real.Decimal.as_integer_ratio
truncated = int


def from_tuple(sign, digits, exponent):
    return _real.Decimal((sign, tuple(digits), exponent))


def parts(a):
    sign, digits, exponent = a.as_tuple()
    return sign, ''.join(map(str, digits)), exponent


def text(a, engineering, capitals):
    c = _real.Context(capitals=capitals)
    return c.to_eng_string(a) if engineering else c.to_sci_string(a)


def rounded(a, rounding):
    if rounding == _real.ROUND_FLOOR:
        return math.floor(a)
    return math.ceil(a) if rounding == _real.ROUND_CEILING else round(a)


def compare_total(a, b):
    return int(a.compare_total(b))


def format(settings, a, spec):
    with _real.localcontext(_context(settings, [])):
        return a.__format__(spec)


def number_class(settings, a):
    return a.number_class(_context(settings, []))


def _swift(slow):
    def method(self, *args, **keywords):
        return getattr(self if isinstance(self, type) else type(self), slow)(self, *args, **keywords)
    return method


for _name in ('add radd sub rsub mul rmul truediv rtruediv floordiv rfloordiv mod rmod pow rpow new neg abs str format '
              'bool round eq lt le gt ge hash quantize').split():
    globals()[f'Decimal_{_name}'] = _swift('_slow_' + _name)
