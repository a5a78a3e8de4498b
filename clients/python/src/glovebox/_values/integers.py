"""Integers of any length in decimal, in less than quadratic time.

``int`` and ``str`` refuse more digits than ``sys.get_int_max_str_digits()``,
whose lowest setting is 640, and take quadratic time up to there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import decimal

_SHORT_BITS = 2000  # at most 603 digits: str() always takes them
_SHORT_DIGITS = 600
_LEAF_BITS = 512
_MOST_DIGITS = 200_000  # that are read: twice as many as a value may have; far more would take minutes


def decimal_of(value: int) -> str:
    """Returns the decimal digits of value, with a minus sign if it is negative."""
    if value.bit_length() <= _SHORT_BITS:
        return str(value)
    if value < 0:
        return "-" + decimal_of(-value)
    import decimal  # lazy: only long ones need it

    bits = value.bit_length()
    with decimal.localcontext() as context:
        context.prec = bits * 30103 // 100000 + 10
        context.Emax = decimal.MAX_EMAX
        context.Emin = decimal.MIN_EMIN
        context.traps[decimal.Inexact] = True
        return str(_decimal(value, bits, {}))


def _decimal(value: int, bits: int, powers: dict[int, decimal.Decimal]) -> decimal.Decimal:
    """Returns value, which has at most this many bits, from its two halves."""
    import decimal  # lazy: the same

    if bits <= _LEAF_BITS:
        return decimal.Decimal(value)
    half = bits // 2
    if half not in powers:
        powers[half] = decimal.Decimal(2) ** half
    high = _decimal(value >> half, bits - half, powers)
    return high * powers[half] + _decimal(value & ((1 << half) - 1), half, powers)


def int_of(text: str) -> int:
    """Returns the int that text spells: ASCII digits, with a minus sign or without.

    ValueError if there are more than 200,000.
    """
    if len(text) > _MOST_DIGITS:
        raise ValueError(f"expected an int of at most {_MOST_DIGITS} digits, got one of {len(text)}")
    if len(text) <= _SHORT_DIGITS:
        return int(text)
    if text[0] == "-":
        return -_int(text[1:], {})
    return _int(text, {})


def _int(digits: str, powers: dict[int, int]) -> int:
    if len(digits) <= _SHORT_DIGITS:
        return int(digits)
    half = len(digits) // 2
    if half not in powers:
        powers[half] = 5**half << half
    return _int(digits[:-half], powers) * powers[half] + _int(digits[-half:], powers)
