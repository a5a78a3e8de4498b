"""fractions: exact rational numbers."""

import _glovebox
from math import gcd as _gcd

_new = _glovebox.new_object
_fill = _glovebox.object_fill
_parts = ('_numerator', '_denominator')


def _made(numerator, denominator):
    """The fraction of two ints without common factors, the second positive."""
    self = _new(Fraction)
    _fill(self, _parts, (numerator, denominator))
    return self


def _reduced(numerator, denominator):
    factor = _gcd(numerator, denominator)
    if denominator < 0:
        factor = -factor
    return _made(numerator // factor, denominator // factor)


def _digits(text):
    """Whether text is digits, with single underscores between them at most."""
    return bool(text) and all(part.isdecimal() for part in text.split('_'))


def _parse(text):
    """The numerator and denominator that text shows."""
    body = text.strip()
    sign = -1 if body[:1] == '-' else 1
    if body[:1] in ('-', '+') and body:
        body = body[1:]
    number, slash, denominator = body.partition('/')
    if slash:
        if _digits(number) and _digits(denominator):
            return sign * int(number), int(denominator)
        raise ValueError(f'Invalid literal for Fraction: {text!r}')
    mantissa, e, exponent = number.replace('E', 'e').partition('e')
    whole, dot, decimals = mantissa.partition('.')
    plain = exponent[1:] if exponent[:1] in ('-', '+') else exponent
    if (whole and not _digits(whole) or decimals and not _digits(decimals) or not whole and not decimals
            or e and not _digits(plain)):
        raise ValueError(f'Invalid literal for Fraction: {text!r}')
    decimals = decimals.replace('_', '')
    value = sign * int((whole or '0') + decimals)
    shift = int(exponent or 0) - len(decimals)
    return (value * 10 ** shift, 1) if shift >= 0 else (value, 10 ** -shift)


class Fraction:
    """A numerator over a denominator, in lowest terms."""

    def __new__(cls, numerator=0, denominator=None):
        if denominator is None:
            if isinstance(numerator, str):
                numerator, denominator = _parse(numerator)
            elif type(numerator) is not int:
                if not hasattr(numerator, 'as_integer_ratio') or isinstance(numerator, type):
                    raise TypeError('argument should be a string or a Rational instance')
                numerator, denominator = numerator.as_integer_ratio()
            else:
                denominator = 1
        elif type(numerator) is not int or type(denominator) is not int:
            if not all([isinstance(part, (int, Fraction)) for part in (numerator, denominator)]):
                raise TypeError('both arguments should be Rational instances')
            numerator, denominator = (numerator.numerator * denominator.denominator,
                                      denominator.numerator * numerator.denominator)
        if denominator == 0:
            raise ZeroDivisionError(f'Fraction({numerator}, 0)')
        factor = _gcd(numerator, denominator)
        if denominator < 0:
            factor = -factor
        self = _new(cls)
        _fill(self, _parts, (numerator // factor, denominator // factor))
        return self

    @classmethod
    def from_float(cls, f):
        if not isinstance(f, (int, float)):
            raise TypeError(f'{cls.__name__}.from_float() only takes floats, not {f!r} ({type(f).__name__})')
        return cls(f)

    @classmethod
    def from_decimal(cls, dec):
        return cls(dec)

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    @property
    def real(self):
        return self

    @property
    def imag(self):
        return 0

    def conjugate(self):
        return self

    def as_integer_ratio(self):
        return self._numerator, self._denominator

    def is_integer(self):
        return self._denominator == 1

    def limit_denominator(self, max_denominator=1_000_000):
        """The closest fraction whose denominator is not above max_denominator."""
        if max_denominator < 1:
            raise ValueError('max_denominator should be at least 1')
        if self._denominator <= max_denominator:
            return Fraction(self)
        p0, q0, p1, q1 = 0, 1, 1, 0
        n, d = self._numerator, self._denominator
        while True:
            whole = n // d
            if q0 + whole * q1 > max_denominator:
                break
            p0, q0, p1, q1 = p1, q1, p0 + whole * p1, q0 + whole * q1
            n, d = d, n - whole * d
        steps = (max_denominator - q0) // q1
        if 2 * d * (q0 + steps * q1) <= self._denominator:
            return _made(p1, q1)
        return _made(p0 + steps * p1, q0 + steps * q1)

    def __repr__(self):
        return f'{type(self).__name__}({self._numerator}, {self._denominator})'

    def __str__(self):
        return str(self._numerator) if self._denominator == 1 else f'{self._numerator}/{self._denominator}'

    def __add__(self, other):
        if isinstance(other, (int, Fraction)):
            a, b = self._denominator, other.denominator
            return _reduced(self._numerator * b + other.numerator * a, a * b)
        return float(self) + other if isinstance(other, float) else NotImplemented

    def __radd__(self, other):
        if isinstance(other, int):
            return self + other
        return other + float(self) if isinstance(other, float) else NotImplemented

    def __sub__(self, other):
        if isinstance(other, (int, Fraction)):
            a, b = self._denominator, other.denominator
            return _reduced(self._numerator * b - other.numerator * a, a * b)
        return float(self) - other if isinstance(other, float) else NotImplemented

    def __rsub__(self, other):
        if isinstance(other, int):
            return _made(other * self._denominator - self._numerator, self._denominator)
        return other - float(self) if isinstance(other, float) else NotImplemented

    def __mul__(self, other):
        if isinstance(other, (int, Fraction)):
            return _reduced(self._numerator * other.numerator, self._denominator * other.denominator)
        return float(self) * other if isinstance(other, float) else NotImplemented

    def __rmul__(self, other):
        if isinstance(other, int):
            return self * other
        return other * float(self) if isinstance(other, float) else NotImplemented

    def __truediv__(self, other):
        if isinstance(other, (int, Fraction)):
            return _divided(self, other)
        return float(self) / other if isinstance(other, float) else NotImplemented

    def __rtruediv__(self, other):
        if isinstance(other, int):
            return _divided(other, self)
        return other / float(self) if isinstance(other, float) else NotImplemented

    def __floordiv__(self, other):
        if isinstance(other, (int, Fraction)):
            return (self._numerator * other.denominator) // (self._denominator * other.numerator)
        return float(self) // other if isinstance(other, float) else NotImplemented

    def __rfloordiv__(self, other):
        if isinstance(other, int):
            return Fraction(other) // self
        return other // float(self) if isinstance(other, float) else NotImplemented

    def __mod__(self, other):
        if isinstance(other, (int, Fraction)):
            a, b = self._denominator, other.denominator
            return _reduced(self._numerator * b % (other.numerator * a), a * b)
        return float(self) % other if isinstance(other, float) else NotImplemented

    def __rmod__(self, other):
        if isinstance(other, int):
            return Fraction(other) % self
        return other % float(self) if isinstance(other, float) else NotImplemented

    def __divmod__(self, other):
        if isinstance(other, (int, Fraction)):
            return self // other, self % other
        return divmod(float(self), other) if isinstance(other, float) else NotImplemented

    def __rdivmod__(self, other):
        if isinstance(other, int):
            return divmod(Fraction(other), self)
        return divmod(other, float(self)) if isinstance(other, float) else NotImplemented

    def __pow__(self, other):
        if isinstance(other, float):
            return float(self) ** other
        if not isinstance(other, (int, Fraction)):
            return NotImplemented
        if other.denominator != 1:
            return float(self) ** float(other)
        power = other.numerator
        n, d = self._numerator, self._denominator
        if power >= 0:
            return _made(n ** power, d ** power)
        if n == 0:
            raise ZeroDivisionError(f'Fraction({d ** -power}, 0)')
        return _made(d ** -power, n ** -power) if n > 0 else _made((-d) ** -power, (-n) ** -power)

    def __rpow__(self, other):
        if self._denominator == 1 and self._numerator >= 0:
            return other ** self._numerator
        if isinstance(other, int) and self._denominator == 1:
            return Fraction(other) ** self._numerator
        return other ** float(self)

    def __pos__(self):
        return _made(self._numerator, self._denominator)

    def __neg__(self):
        return _made(-self._numerator, self._denominator)

    def __abs__(self):
        return _made(abs(self._numerator), self._denominator)

    def __int__(self):
        return self.__trunc__()

    def __float__(self):
        return self._numerator / self._denominator

    def __trunc__(self):
        whole = abs(self._numerator) // self._denominator
        return -whole if self._numerator < 0 else whole

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            whole, rest = divmod(self._numerator, self._denominator)
            if rest * 2 > self._denominator or rest * 2 == self._denominator and whole % 2:
                return whole + 1
            return whole
        shift = 10 ** abs(ndigits)
        return Fraction(round(self * shift), shift) if ndigits > 0 else Fraction(round(self / shift) * shift)

    def __bool__(self):
        return self._numerator != 0

    def __hash__(self):
        # by the rule for all numbers: modulo the Mersenne prime 2 ** 61 - 1
        try:
            inverse = pow(self._denominator, -1, 2305843009213693951)
        except ValueError:
            value = 314159
        else:
            value = hash(hash(abs(self._numerator)) * inverse)
        result = value if self._numerator >= 0 else -value
        return -2 if result == -1 else result

    def __eq__(self, other):
        if isinstance(other, (int, Fraction)):
            return self._numerator == other.numerator and self._denominator == other.denominator
        if isinstance(other, float):
            if other != other or other in (float('inf'), float('-inf')):
                return 0.0 == other
            return self == Fraction(other)
        return NotImplemented

    def _order(self, other):
        """A number that compares to 0 as self does to other."""
        if isinstance(other, (int, Fraction)):
            return self._numerator * other.denominator - self._denominator * other.numerator
        if isinstance(other, float):
            if other != other or other in (float('inf'), float('-inf')):
                return 0.0 - other
            return self._order(Fraction(other))
        return NotImplemented

    def __lt__(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order < 0

    def __le__(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order <= 0

    def __gt__(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order > 0

    def __ge__(self, other):
        order = self._order(other)
        return order if order is NotImplemented else order >= 0

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


def _divided(a, b):
    numerator, denominator = a.numerator * b.denominator, a.denominator * b.numerator
    if denominator == 0:
        raise ZeroDivisionError(f'Fraction({(numerator > 0) - (numerator < 0)}, 0)')
    return _reduced(numerator, denominator)
