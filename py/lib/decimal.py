"""decimal: decimal numbers of chosen precision.

The native module _decimal has the arithmetic, on values that only it can read.
A context is given to it as (prec, rounding, Emin, Emax, capitals, clamp):

    call(operation, context, *values) -> (result, conditions)

never raises; conditions are the bits of _conditions, in that order. The
operations are plus minus abs add sub mul fma div floordiv mod divmod pow powmod
sqrt exp ln log10 logb remainder_near scaleb shift rotate max min max_mag
min_mag compare compare_signal next_plus next_minus next_toward normalize
to_integral_exact; those whose other arguments or results are not such values:
parse(text), quantize(a, b, rounding), to_integral_value(a, rounding),
round(a, places), equal(a, b) -> bool, order(a, b) -> int or None. Without a context:

    from_int(n) from_float(f) copy_abs(a) copy_negate(a) copy_sign(a, b) -> value
    from_tuple(sign, digits as bytes, exponent or 'F', 'n' or 'N') -> value
    parts(a) -> (sign, digits as str, exponent or 'F', 'n' or 'N')
    text(a, engineering, capitals) -> str       hash(a), adjusted(a) -> int
    truncated(a) -> int     rounded(a, rounding) -> int     floated(a) -> float
    ratio(a) -> (int, int)  compare_total(a, b) -> int      same_quantum(a, b) -> bool
    format(context, a, spec) -> str             number_class(context, a) -> str

with CPython's errors. Decimal_add and the like are methods of the class: they do
what they can in the current context, and leave the rest to the method _slow_add
and so on. rounded and truncated refuse what is not finite."""

import _decimal
import _glovebox

ROUND_CEILING = 'ROUND_CEILING'
ROUND_FLOOR = 'ROUND_FLOOR'
ROUND_UP = 'ROUND_UP'
ROUND_DOWN = 'ROUND_DOWN'
ROUND_HALF_UP = 'ROUND_HALF_UP'
ROUND_HALF_DOWN = 'ROUND_HALF_DOWN'
ROUND_HALF_EVEN = 'ROUND_HALF_EVEN'
ROUND_05UP = 'ROUND_05UP'
MAX_PREC = MAX_EMAX = 999999999999999999
MIN_EMIN = -MAX_EMAX
MIN_ETINY = -1999999999999999997

_roundings = (ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN, ROUND_HALF_UP, ROUND_HALF_DOWN,
              ROUND_HALF_EVEN, ROUND_05UP)
_call = _decimal.call
_new = _glovebox.new_object
_set = _glovebox.object_set


class DecimalException(ArithmeticError):
    pass


class InvalidOperation(DecimalException):
    pass


class ConversionSyntax(InvalidOperation):
    pass


class DivisionImpossible(InvalidOperation):
    pass


class DivisionUndefined(InvalidOperation, ZeroDivisionError):
    pass


class InvalidContext(InvalidOperation):
    pass


class FloatOperation(DecimalException, TypeError):
    pass


class DivisionByZero(DecimalException, ZeroDivisionError):
    pass


class Clamped(DecimalException):
    pass


class Inexact(DecimalException):
    pass


class Rounded(DecimalException):
    pass


class Subnormal(DecimalException):
    pass


class Overflow(Inexact, Rounded):
    pass


class Underflow(Inexact, Rounded, Subnormal):
    pass


_conditions = (InvalidOperation, ConversionSyntax, DivisionImpossible, DivisionUndefined, InvalidContext,
               FloatOperation, DivisionByZero, Overflow, Underflow, Subnormal, Inexact, Rounded, Clamped)
_signals = (InvalidOperation, FloatOperation, DivisionByZero, Overflow, Underflow, Subnormal, Inexact, Rounded, Clamped)
_shown_signals = (Clamped, InvalidOperation, DivisionByZero, Inexact, FloatOperation, Overflow, Rounded, Subnormal, Underflow)
_float_operation = 1 << 5
_roundings_message = '''valid values for rounding are:
  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,
   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,
   ROUND_05UP]'''


class DecimalTuple(tuple):
    """The sign, the digits and the exponent of a number."""

    def __new__(cls, sign, digits, exponent):
        return tuple.__new__(cls, (sign, digits, exponent))

    sign = _glovebox.item_property(0)
    digits = _glovebox.item_property(1)
    exponent = _glovebox.item_property(2)

    def __repr__(self):
        return f'DecimalTuple(sign={self.sign!r}, digits={self.digits!r}, exponent={self.exponent!r})'


class Context:
    """How results are rounded, and which conditions are errors."""

    def __init__(self, prec=None, rounding=None, Emin=None, Emax=None, capitals=None, clamp=None, flags=None, traps=None):
        base = _default
        self.prec = base.prec if prec is None else prec
        self.rounding = base.rounding if rounding is None else rounding
        self.Emin = base.Emin if Emin is None else Emin
        self.Emax = base.Emax if Emax is None else Emax
        self.capitals = base.capitals if capitals is None else capitals
        self.clamp = base.clamp if clamp is None else clamp
        self.flags = _chosen((), flags)
        self.traps = _chosen([one for one in _signals if base.traps[one]], traps)

    def __setattr__(self, name, value):
        if name in _ranges:
            low, high, shown = _ranges[name]
            if not isinstance(value, int):
                raise TypeError('integer argument expected, got ' + type(value).__name__)
            if not low <= value <= high:
                raise ValueError(f'valid range for {name} is [{shown}]' if ',' in shown else f'valid values for {name} are {shown}')
        elif name == 'rounding':
            if value not in _roundings:
                raise TypeError(_roundings_message)
        elif name not in ('flags', 'traps'):
            raise AttributeError(f"'decimal.Context' object has no attribute '{name}'")
        _set(self, name, value)

    def __repr__(self):
        flags = ', '.join([one.__name__ for one in _shown_signals if self.flags[one]])
        traps = ', '.join([one.__name__ for one in _shown_signals if self.traps[one]])
        return (f'Context(prec={self.prec}, rounding={self.rounding}, Emin={self.Emin}, Emax={self.Emax}, '
                f'capitals={self.capitals}, clamp={self.clamp}, flags=[{flags}], traps=[{traps}])')

    def copy(self):
        made = _new(Context)
        for name in ('prec', 'rounding', 'Emin', 'Emax', 'capitals', 'clamp'):
            _set(made, name, getattr(self, name))
        _set(made, 'flags', dict(self.flags))
        _set(made, 'traps', dict(self.traps))
        return made

    __copy__ = copy

    def clear_flags(self):
        for one in self.flags:
            self.flags[one] = False

    def clear_traps(self):
        for one in self.traps:
            self.traps[one] = False

    def Etiny(self):
        return self.Emin - self.prec + 1

    def Etop(self):
        return self.Emax - self.prec + 1

    def _settings(self):
        return self.prec, self.rounding, self.Emin, self.Emax, self.capitals, self.clamp

    def _signal(self, conditions):
        """Note what happened, and raise the first condition that is trapped."""
        trapped = []
        for bit, one in enumerate(_conditions):
            if conditions >> bit & 1:
                signal = InvalidOperation if bit < 5 else one
                self.flags[signal] = True
                if self.traps[signal]:
                    trapped.append((signal, one))
        if trapped:
            raise trapped[0][0]([one for _, one in trapped])

    def _run(self, operation, *values):
        result, conditions = _call(operation, self._settings(), *values)
        if conditions:
            self._signal(conditions)
        return result

    def _value(self, other):
        value = _operand(other)
        if value is NotImplemented:
            raise TypeError(f'conversion from {type(other).__name__} to Decimal is not supported')
        return value

    def _do(self, operation, *numbers):
        return _wrap(self._run(operation, *map(self._value, numbers)))

    def create_decimal(self, num='0', /):
        if isinstance(num, str):
            num = _wrap(self._run('parse', num.strip().replace('_', '')))
        return self._do('plus', num if isinstance(num, Decimal) else Decimal(num))

    def create_decimal_from_float(self, f, /):
        return self._do('plus', Decimal.from_float(f))

    def plus(self, a): return self._do('plus', a)
    def minus(self, a): return self._do('minus', a)
    def abs(self, a): return self._do('abs', a)
    def add(self, a, b): return self._do('add', a, b)
    def subtract(self, a, b): return self._do('sub', a, b)
    def multiply(self, a, b): return self._do('mul', a, b)
    def divide(self, a, b): return self._do('div', a, b)
    def divide_int(self, a, b): return self._do('floordiv', a, b)
    def remainder(self, a, b): return self._do('mod', a, b)
    def remainder_near(self, a, b): return self._do('remainder_near', a, b)
    def fma(self, a, b, c): return self._do('fma', a, b, c)
    def sqrt(self, a): return self._do('sqrt', a)
    def exp(self, a): return self._do('exp', a)
    def ln(self, a): return self._do('ln', a)
    def log10(self, a): return self._do('log10', a)
    def compare(self, a, b): return self._do('compare', a, b)
    def max(self, a, b): return self._do('max', a, b)
    def min(self, a, b): return self._do('min', a, b)
    def normalize(self, a): return self._do('normalize', a)
    def to_integral_exact(self, a): return self._do('to_integral_exact', a)

    def power(self, a, b, modulo=None):
        return self._do('pow', a, b) if modulo is None else self._do('powmod', a, b, modulo)

    def divmod(self, a, b):
        quotient, rest = self._run('divmod', self._value(a), self._value(b))
        return _wrap(quotient), _wrap(rest)

    def quantize(self, a, b):
        return _wrap(self._run('quantize', self._value(a), self._value(b), self.rounding))

    def to_integral_value(self, a):
        return _wrap(self._run('to_integral_value', self._value(a), self.rounding))

    def to_sci_string(self, a):
        return _decimal.text(self._value(a), False, self.capitals)

    def to_eng_string(self, a):
        return _decimal.text(self._value(a), True, self.capitals)


_ranges = {'prec': (1, MAX_PREC, '1, MAX_PREC'), 'Emin': (MIN_EMIN, 0, 'MIN_EMIN, 0'),
           'Emax': (0, MAX_EMAX, '0, MAX_EMAX'), 'capitals': (0, 1, '0 or 1'), 'clamp': (0, 1, '0 or 1')}


def _chosen(standard, signals):
    """A dictionary that says of each signal whether it is among those given."""
    if isinstance(signals, dict):
        return {one: bool(signals.get(one)) for one in _signals}
    chosen = standard if signals is None else signals
    return {one: one in chosen for one in _signals}


def _context(prec, rounding, traps):
    made = _new(Context)
    for name, value in (('prec', prec), ('rounding', rounding), ('Emin', -999999), ('Emax', 999999),
                        ('capitals', 1), ('clamp', 0), ('flags', _chosen((), None)), ('traps', _chosen(traps, None))):
        _set(made, name, value)
    return made


DefaultContext = _default = _context(28, ROUND_HALF_EVEN, (InvalidOperation, DivisionByZero, Overflow))
BasicContext = _context(9, ROUND_HALF_UP, (InvalidOperation, DivisionByZero, Overflow, Underflow, Clamped))
ExtendedContext = _context(9, ROUND_HALF_EVEN, ())
_current = _default.copy()


def getcontext():
    """The context in which operators work."""
    return _current


def setcontext(context, /):
    global _current
    if not isinstance(context, Context):
        raise TypeError('argument must be a context')
    _current = context.copy() if context in (DefaultContext, BasicContext, ExtendedContext) else context


class _LocalContext:
    def __init__(self, context):
        self._context = context

    def __enter__(self):
        self._saved = getcontext()
        setcontext(self._context)
        return self._context

    def __exit__(self, *details):
        setcontext(self._saved)


def localcontext(ctx=None, **settings):
    """A context manager in whose block another context counts."""
    context = (getcontext() if ctx is None else ctx).copy()
    for name, value in settings.items():
        if name not in ('prec', 'rounding', 'Emin', 'Emax', 'capitals', 'clamp', 'flags', 'traps'):
            raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        setattr(context, name, _chosen((), value) if name in ('flags', 'traps') else value)
    return _LocalContext(context)


def _wrap(value):
    made = _new(Decimal)
    _set(made, '_v', value)
    return made


def _operand(other):
    """The native value of an operand, or NotImplemented."""
    if isinstance(other, Decimal):
        return other._v
    return _decimal.from_int(other) if isinstance(other, int) else NotImplemented


def _binary(operation):
    """The operator's method, and the one with its operands exchanged."""
    def method(self, other):
        value = _operand(other)
        return value if value is NotImplemented else _wrap(_current._run(operation, self._v, value))

    def reflected(self, other):
        value = _operand(other)
        return value if value is NotImplemented else _wrap(_current._run(operation, value, self._v))
    return method, reflected


def _unary(operation):
    def method(self, context=None):
        return _wrap((context or _current)._run(operation, self._v))
    return method


def _with(operation):
    """A method with another number."""
    def method(self, other, context=None):
        context = context or _current
        return _wrap(context._run(operation, self._v, context._value(other)))
    return method


def _from_sequence(value):
    if len(value) != 3:
        raise ValueError('argument must be a sequence of length 3')
    sign, digits, exponent = value
    if sign not in (0, 1):
        raise ValueError('sign must be an integer with the value 0 or 1')
    if not isinstance(exponent, int) and exponent not in ('F', 'n', 'N'):
        raise ValueError("string argument in the third position must be 'F', 'n' or 'N'")
    if any([not isinstance(digit, int) or not 0 <= digit <= 9 for digit in digits]):
        raise ValueError('coefficient must be a tuple of digits')
    return _decimal.from_tuple(sign, bytes(digits), exponent)


class Decimal:
    """A decimal number, which keeps the digits it is given."""

    __add__, __radd__ = _decimal.Decimal_add, _decimal.Decimal_radd
    __sub__, __rsub__ = _decimal.Decimal_sub, _decimal.Decimal_rsub
    __mul__, __rmul__ = _decimal.Decimal_mul, _decimal.Decimal_rmul
    __truediv__, __rtruediv__ = _decimal.Decimal_truediv, _decimal.Decimal_rtruediv
    __floordiv__, __rfloordiv__ = _decimal.Decimal_floordiv, _decimal.Decimal_rfloordiv
    __mod__, __rmod__ = _decimal.Decimal_mod, _decimal.Decimal_rmod
    __pow__, __rpow__ = _decimal.Decimal_pow, _decimal.Decimal_rpow
    __new__ = _decimal.Decimal_new
    __neg__ = _decimal.Decimal_neg
    __abs__ = _decimal.Decimal_abs
    __str__ = _decimal.Decimal_str
    __format__ = _decimal.Decimal_format
    __bool__ = _decimal.Decimal_bool
    __round__ = _decimal.Decimal_round
    __eq__ = _decimal.Decimal_eq
    __lt__ = _decimal.Decimal_lt
    __le__ = _decimal.Decimal_le
    __gt__ = _decimal.Decimal_gt
    __ge__ = _decimal.Decimal_ge
    __hash__ = _decimal.Decimal_hash
    quantize = _decimal.Decimal_quantize

    def _slow_new(cls, value='0', context=None):
        if isinstance(value, str):
            native = (context or _current)._run('parse', value.strip().replace('_', ''))
        elif isinstance(value, int):
            native = _decimal.from_int(value)
        elif isinstance(value, Decimal):
            native = value._v
        elif isinstance(value, float):
            (context or _current)._signal(_float_operation)
            native = _decimal.from_float(value)
        elif isinstance(value, (tuple, list)):
            native = _from_sequence(value)
        else:
            raise TypeError(f'conversion from {type(value).__name__} to Decimal is not supported')
        self = _new(cls)
        _set(self, '_v', native)
        return self

    @classmethod
    def from_float(cls, f, /):
        if not isinstance(f, (int, float)):
            raise TypeError('argument must be int or float')
        return cls(_wrap(_decimal.from_float(f) if isinstance(f, float) else _decimal.from_int(f)))

    def __setattr__(self, name, value):
        if type(self) is Decimal:
            raise AttributeError(f"'decimal.Decimal' object has no attribute '{name}'")
        _set(self, name, value)

    _slow_add, _slow_radd = _binary('add')
    _slow_sub, _slow_rsub = _binary('sub')
    _slow_mul, _slow_rmul = _binary('mul')
    _slow_truediv, _slow_rtruediv = _binary('div')
    _slow_floordiv, _slow_rfloordiv = _binary('floordiv')
    _slow_mod, _slow_rmod = _binary('mod')
    _power, _slow_rpow = _binary('pow')

    def _slow_pow(self, other, modulo=None):
        if modulo is None:
            return self._power(other)
        return _wrap(_current._run('powmod', self._v, _current._value(other), _current._value(modulo)))

    def __divmod__(self, other):
        return NotImplemented if _operand(other) is NotImplemented else _current.divmod(self, other)

    def __rdivmod__(self, other):
        return NotImplemented if _operand(other) is NotImplemented else _current.divmod(other, self)

    _slow_neg = _unary('minus')
    __pos__ = _unary('plus')
    _slow_abs = _unary('abs')
    sqrt = _unary('sqrt')
    exp = _unary('exp')
    ln = _unary('ln')
    log10 = _unary('log10')
    logb = _unary('logb')
    normalize = _unary('normalize')
    next_plus = _unary('next_plus')
    next_minus = _unary('next_minus')
    compare = _with('compare')
    compare_signal = _with('compare_signal')
    max = _with('max')
    min = _with('min')
    max_mag = _with('max_mag')
    min_mag = _with('min_mag')
    next_toward = _with('next_toward')
    remainder_near = _with('remainder_near')
    scaleb = _with('scaleb')
    shift = _with('shift')
    rotate = _with('rotate')

    def fma(self, other, third, context=None):
        return (context or _current).fma(self, other, third)

    def _slow_quantize(self, exp, rounding=None, context=None):
        context = context or _current
        return _wrap(context._run('quantize', self._v, context._value(exp), _rounding(rounding, context)))

    def to_integral_value(self, rounding=None, context=None):
        context = context or _current
        return _wrap(context._run('to_integral_value', self._v, _rounding(rounding, context)))

    to_integral = to_integral_value

    def to_integral_exact(self, rounding=None, context=None):
        context = (context or _current)
        if rounding is not None:
            inner = context.copy()
            inner.rounding = rounding
            context = inner
        return _wrap(context._run('to_integral_exact', self._v))

    def copy_abs(self): return _wrap(_decimal.copy_abs(self._v))
    def copy_negate(self): return _wrap(_decimal.copy_negate(self._v))
    def copy_sign(self, other, context=None): return _wrap(_decimal.copy_sign(self._v, _current._value(other)))
    def compare_total(self, other, context=None): return Decimal(_decimal.compare_total(self._v, _current._value(other)))
    def same_quantum(self, other, context=None): return _decimal.same_quantum(self._v, _current._value(other))
    def adjusted(self): return _decimal.adjusted(self._v)
    def as_integer_ratio(self): return _decimal.ratio(self._v)
    def number_class(self, context=None): return _decimal.number_class((context or _current)._settings(), self._v)
    def canonical(self): return self
    def conjugate(self): return self
    def radix(self): return Decimal(10)
    def is_canonical(self): return True
    def is_nan(self): return self._exponent() in ('n', 'N')
    def is_qnan(self): return self._exponent() == 'n'
    def is_snan(self): return self._exponent() == 'N'
    def is_infinite(self): return self._exponent() == 'F'
    def is_finite(self): return isinstance(self._exponent(), int)
    def is_signed(self): return _decimal.parts(self._v)[0] == 1
    def is_zero(self): return self.is_finite() and not self
    def is_normal(self, context=None): return self.number_class(context) in ('+Normal', '-Normal')
    def is_subnormal(self, context=None): return self.number_class(context) in ('+Subnormal', '-Subnormal')
    def to_eng_string(self, context=None): return _decimal.text(self._v, True, (context or _current).capitals)

    def _exponent(self):
        return _decimal.parts(self._v)[2]

    def as_tuple(self):
        sign, digits, exponent = _decimal.parts(self._v)
        return DecimalTuple(sign, tuple(map(int, digits)), exponent)

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return Decimal(0)

    def _slow_str(self):
        return _decimal.text(self._v, False, _current.capitals)

    def __repr__(self):
        return f"Decimal('{_decimal.text(self._v, False, _current.capitals)}')"

    def _slow_format(self, specifier):
        return _decimal.format(_current._settings(), self._v, specifier)

    def _slow_hash(self):
        return _decimal.hash(self._v)

    def _slow_bool(self):
        return _decimal.parts(self._v)[1:] != ('0', self._exponent())

    def __int__(self):
        return _decimal.truncated(self._v)

    __trunc__ = __int__

    def __float__(self):
        return _decimal.floated(self._v)

    def __floor__(self):
        return _decimal.rounded(self._v, ROUND_FLOOR)

    def __ceil__(self):
        return _decimal.rounded(self._v, ROUND_CEILING)

    def _slow_round(self, ndigits=None):
        if ndigits is None:
            return _decimal.rounded(self._v, ROUND_HALF_EVEN)
        return _wrap(_current._run('round', self._v, ndigits))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def _slow_eq(self, other):
        if _is_fraction(other) and self.is_finite():
            return self.as_integer_ratio() == other.as_integer_ratio()
        value = _comparable(other, True)
        return value if value is NotImplemented else _current._run('equal', self._v, value)

    def _slow_lt(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order is not None and order < 0

    def _slow_le(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order is not None and order <= 0

    def _slow_gt(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order is not None and order > 0

    def _slow_ge(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order is not None and order >= 0

    def _order(self, other):
        if _is_fraction(other) and self.is_finite():
            n, d = self.as_integer_ratio()
            x, y = n * other.denominator, other.numerator * d
            return (x > y) - (x < y)
        value = _comparable(other, False)
        return value if value is NotImplemented else _current._run('order', self._v, value)


def _is_fraction(x):
    return not isinstance(x, int) and hasattr(x, 'numerator') and hasattr(x, 'denominator')


def _comparable(other, equality):
    """The native value of what a number is compared with, or NotImplemented."""
    if isinstance(other, float):
        if equality:
            _current.flags[FloatOperation] = True
        else:
            _current._signal(_float_operation)
        return _decimal.from_float(other)
    return _operand(other.numerator if _is_fraction(other) else other)


def _rounding(rounding, context):
    if rounding is None:
        return context.rounding
    if rounding not in _roundings:
        raise TypeError(_roundings_message)
    return rounding


from _decimal_more import extend as _extend
_extend(Decimal, Context, lambda: _current, 1)
