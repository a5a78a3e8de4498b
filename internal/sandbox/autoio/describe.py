"""A value in the words of an error.

This part is loaded after the code has run, so it imports nothing but parts.
"""

from host import encode_basestring_ascii

SHORT = 60  # characters of a value in a message


def describe(v):
    """Names the type of v and shows a little of it, without calling its code."""
    cls = type(v)
    if v is None:
        return "None"
    if cls is bool:
        return "bool " + repr(v)
    if cls is int:
        return "int of %d bits" % v.bit_length() if v.bit_length() > 200 else "int %d" % v
    if cls is float:
        return "float " + repr(v)
    if cls is str:
        return "str " + short(v)
    name = type.__getattribute__(cls, "__name__")[:SHORT]
    for known in (list, tuple, dict, set, frozenset, bytes, bytearray):
        if issubclass(cls, known):
            return "%s of length %d" % (name, known.__len__(v))
    module = type.__getattribute__(cls, "__module__")
    if type(module) is str and module not in ("builtins", "__main__"):
        name = module[:SHORT] + "." + name
    return name


def short(text):
    return encode_basestring_ascii(text[:SHORT]) + ("..." if len(text) > SHORT else "")


def step(k):
    if str.isidentifier(k) and str.isascii(k) and len(k) <= 40:
        return "." + k
    return "[" + short(k) + "]"
