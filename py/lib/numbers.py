"""numbers: the kinds of numbers as abstract classes."""

from abc import ABCMeta, abstractmethod, update_abstractmethods as _update

__all__ = ['Number', 'Complex', 'Real', 'Rational', 'Integral']


def _require(names):
    """Class decorator that makes operations abstract, which every number of the kind must have."""
    def decorate(cls):
        for name in names.split():
            def method(self, *args):
                raise NotImplementedError
            method.__name__ = name
            setattr(cls, name, abstractmethod(method))
        return _update(cls)
    return decorate


class Number(metaclass=ABCMeta):
    """Anything that is a number."""

    __slots__ = ()
    __hash__ = None


@_require('__complex__ __add__ __radd__ __neg__ __pos__ __mul__ __rmul__ __truediv__ __rtruediv__ __pow__ __rpow__ '
          '__abs__ __eq__ real imag conjugate')
class Complex(Number):
    """A number with a real and an imaginary part."""

    __slots__ = ()

    def __bool__(self):
        return self != 0

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other


@_require('__float__ __trunc__ __floor__ __ceil__ __round__ __floordiv__ __rfloordiv__ __mod__ __rmod__ __lt__ __le__')
class Real(Complex):
    """A number on the line."""

    __slots__ = ()

    def __divmod__(self, other):
        return (self // other, self % other)

    def __rdivmod__(self, other):
        return (other // self, other % self)

    @property
    def real(self):
        return +self

    @property
    def imag(self):
        return 0

    def conjugate(self):
        return +self


@_require('numerator denominator')
class Rational(Real):
    """A fraction of two ints."""

    __slots__ = ()

    def __float__(self):
        return int(self.numerator) / int(self.denominator)


@_require('__int__ __lshift__ __rlshift__ __rshift__ __rrshift__ __and__ __rand__ __xor__ __rxor__ __or__ __ror__ '
          '__invert__')
class Integral(Rational):
    """An int."""

    __slots__ = ()

    def __index__(self):
        return int(self)

    def __float__(self):
        return float(int(self))

    @property
    def numerator(self):
        return +self

    @property
    def denominator(self):
        return 1


def _register():
    from decimal import Decimal
    from fractions import Fraction
    Integral.register(int)
    Rational.register(Fraction)
    Real.register(float)
    Number.register(Decimal)


_register()
