"""The logical operations of decimal, and the methods of contexts that are those of numbers."""


def _bits(context, number, conditions):
    """The digits of a number of zeros and ones, last first; anything else is an invalid operation."""
    sign, digits, exponent = number.as_tuple()
    if sign or exponent != 0 or not set(digits) <= {0, 1}:
        context._signal(conditions)
        return None
    return list(reversed(digits))[:context.prec]


def _number(kind, digits):
    return kind((0, tuple(reversed(digits)) or (0,), 0))


def extend(Decimal, Context, current, invalid):
    """Give the classes the methods."""

    def logical(operate):
        def method(self, other, context=None):
            context = context or current()
            a = _bits(context, self, invalid)
            b = _bits(context, Decimal(context._plain(other)), invalid) if a is not None else None
            if a is None or b is None:
                return Decimal('NaN')
            size = max(len(a), len(b))
            a += [0] * (size - len(a))
            b += [0] * (size - len(b))
            return _number(Decimal, [operate(x, y) for x, y in zip(a, b)])
        return method

    def logical_invert(self, context=None):
        context = context or current()
        a = _bits(context, self, invalid)
        if a is None:
            return Decimal('NaN')
        return _number(Decimal, [1 - x for x in a + [0] * (context.prec - len(a))])

    def compare_total_mag(self, other, context=None):
        return self.copy_abs().compare_total((context or current())._plain(other).copy_abs())

    Decimal.logical_and = logical(lambda x, y: x & y)
    Decimal.logical_or = logical(lambda x, y: x | y)
    Decimal.logical_xor = logical(lambda x, y: x ^ y)
    Decimal.logical_invert = logical_invert
    Decimal.compare_total_mag = compare_total_mag

    def plain(self, other):
        """A number as a Decimal, unrounded."""
        if isinstance(other, Decimal):
            return other
        if isinstance(other, int):
            return Decimal(other)
        raise TypeError(f'conversion from {type(other).__name__} to Decimal is not supported')
    Context._plain = plain

    def asked(name, with_context):
        def method(self, a, /, *others):
            found = getattr(self._plain(a), name)
            return found(*others, context=self) if with_context else found(*others)
        method.__name__ = name
        return method

    for name in ('compare_signal compare_total compare_total_mag copy_sign is_normal is_subnormal logb logical_and '
                 'logical_invert logical_or logical_xor max_mag min_mag next_minus next_plus next_toward number_class '
                 'rotate same_quantum scaleb shift').split():
        setattr(Context, name, asked(name, True))
    for name in ('canonical copy_abs copy_negate is_canonical is_finite is_infinite is_nan is_qnan is_signed is_snan '
                 'is_zero').split():
        setattr(Context, name, asked(name, False))
    Context.copy_decimal = plain
    Context.radix = lambda self: Decimal(10)
    Context.to_integral = Context.to_integral_value
