"""What all parts need: the ways to the host, and how this program writes what it has to say."""

import sys

from _json import encode_basestring_ascii

JOB, CONTROL = 3, 4  # descriptors
spare = []  # more, for the time after code that used up all there are

get_digits = getattr(sys, "get_int_max_str_digits", lambda: 0)
set_digits = getattr(sys, "set_int_max_str_digits", lambda n: None)


class Failure(Exception):
    """Ends the run with an error in the result."""

    def __init__(self, status, stderr, **error):
        self.status, self.stderr, self.error = status, stderr, error


def is_a(v, cls):
    return cls is not None and issubclass(type(v), cls)


def plain(v):
    """Writes the JSON of what this program itself has to say."""
    if is_a(v, dict):
        return "{%s}" % ",".join([encode_basestring_ascii(k) + ":" + plain(x) for k, x in v.items()])
    if is_a(v, list):
        return "[%s]" % ",".join([plain(x) for x in v])
    return "%d" % v if is_a(v, int) else encode_basestring_ascii(v)
