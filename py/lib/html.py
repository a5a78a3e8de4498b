"""html: text for pages, and back."""

import _html

_numbers = '0123456789'
_hex_digits = '0123456789abcdefABCDEF'
_name_ends = '\t\n\f <&#;'
_replaced = dict(zip(range(0x80, 0xa0), (
    '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f'
    '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178')))


def escape(s, quote=True):
    """s with the characters replaced that mean something in a page."""
    s = s.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
    if quote:
        s = s.replace('"', '&quot;').replace("'", '&#x27;')
    return s


def unescape(s):
    """s with references such as &gt; and &#62; replaced by their characters."""
    if '&' not in s:
        return s
    first, *rest = s.split('&')
    return first + ''.join([_resolved(part) for part in rest])


def _resolved(part):
    """What stands for '&' + part, of which a reference may be the beginning."""
    if part[:1] == '#':
        base, digits = (16, _hex_digits) if part[1:2] in ('x', 'X') else (10, _numbers)
        start = end = 2 if base == 16 else 1
        while part[end:end + 1] and part[end] in digits:
            end += 1
        if start == end:
            return '&' + part
        return _character(_number(part[start:end], base)) + part[end + (part[end:end + 1] == ';'):]
    end = 0
    while end < min(32, len(part)) and part[end] not in _name_ends:
        end += 1
    if end == 0:
        return '&' + part
    end += part[end:end + 1] == ';'
    return _html.entity(part[:end]) + part[end:]


def _character(number):
    if number == 0 or 0xd800 <= number < 0xe000 or number > 0x10ffff:
        return '\ufffd'
    if number in _replaced:
        return _replaced[number]
    unusable = (number < 0x20 and number not in (9, 10, 12, 13) or number == 0x7f or 0xfdd0 <= number <= 0xfdef
                or number & 0xfffe == 0xfffe)
    return '' if unusable else chr(number)


def _number(digits, base):
    digits = digits.lstrip('0')
    return int(digits or '0', base) if len(digits) < 10 else 0x110000
