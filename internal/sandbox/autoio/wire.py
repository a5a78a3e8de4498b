"""The text of values: how each kind of scalar is written in JSON, and what bounds all values.

The runner in a cell and the Python client have this file in common. Both walk
through values in their own way, the runner because it trusts nothing that the
code of a cell has made, but what they write is the same. The file in
internal/sandbox/autoio is the one to edit; ``make generate`` copies it.

A cell reads it before each run, so it imports what the interpreter has built
in: module json would bring module re, and both are slow to import.
"""

from _codecs import utf_16_le_decode, utf_16_le_encode
from _json import encode_basestring, encode_basestring_ascii
from binascii import b2a_base64

MAX_DEPTH = 200  # containers within containers; a file counts as one
MAX_INT_BITS = 332192  # of an int: those of 99,999 decimal digits, and of no number with more than 100,000

# The type of an object with one such key, where none is declared.
TAGS = {
    "$float": "float", "$str": "str", "$bytes": "bytes", "$datetime": "datetime", "$timedelta": "timedelta",
    "$date": "date", "$time": "time", "$decimal": "Decimal", "$uuid": "UUID", "$tuple": "tuple", "$set": "set",
    "$dict": "dict", "$dict[int]": "int", "$dict[bool]": "bool", "$dict[date]": "date",
    "$file": "File", "$dir": "Dir", "$dataframe": "DataFrame",
}  # fmt: skip
FILES = ("File", "Dir", "DataFrame")
KEYS = ("str", "bool", "int", "date")  # the kinds of the keys of a dict
NOT_FINITE = {"nan": '"NaN"', "inf": '"Infinity"', "-inf": '"-Infinity"'}
INEXACT = "which is beyond 2^53, and no float is exactly that; use int, or round it with float(x) first"


def float_text(value: float) -> str:
    """Returns a float as JSON; the three that JSON has no number for as strings."""
    text = float.__repr__(value)
    return NOT_FINITE.get(text, text)


def bytes_text(data: bytes) -> str:
    """Returns bytes as JSON: in base64."""
    return '"' + b2a_base64(data, newline=False).decode() + '"'


def str_text(text: str) -> str:
    """Returns any str as JSON.

    Two surrogates that JSON would read as one character travel as bytes.
    """
    quoted = quote(text)
    return '{"$str":' + bytes_text(str.encode(text, "utf-8", "surrogatepass")) + "}" if quoted is None else quoted


def quote(text: str) -> "str | None":
    """Returns text as a JSON string, or None if it has two surrogates that JSON would read as one character."""
    if str.isascii(text):
        return encode_basestring(text)
    try:
        str.encode(text)
    except UnicodeEncodeError:
        return None if has_pair(text) else encode_basestring_ascii(text)
    return encode_basestring(text)


def has_pair(text: str) -> bool:
    """Reports whether two code points of text are surrogates that stand for one character."""
    if str.isascii(text):
        return False
    halves, _ = utf_16_le_encode(text, "surrogatepass")
    merged, _ = utf_16_le_decode(halves, "surrogatepass", True)
    return len(merged) != str.__len__(text)
