"""sys: what programs ask of the interpreter that is the same in every run.

stdout and stderr both go to the output of the program, unless its host tells them apart."""

import _glovebox
from _records import record as _record

argv = ['']
byteorder = 'little'
copyright = ''
executable = ''
float_repr_style = 'short'
hexversion = 0x030b00f0
maxsize = 9223372036854775807
maxunicode = 0x10ffff
path = []
platform = 'glovebox'
version = '3.11.0 (Glovebox)'
warnoptions = []

_info = _record('sys', 'version_info', ('major', 'minor', 'micro', 'releaselevel', 'serial'))
version_info = _info((3, 11, 0, 'final', 0))

_float_info = _record('sys', 'float_info', (
    'max', 'max_exp', 'max_10_exp', 'min', 'min_exp', 'min_10_exp', 'dig', 'mant_dig', 'epsilon', 'radix', 'rounds'))
float_info = _float_info((1.7976931348623157e+308, 1024, 308, 2.2250738585072014e-308, -1021, -307, 15, 53,
                          2.220446049250313e-16, 2, 1))

_int_info = _record('sys', 'int_info', ('bits_per_digit', 'sizeof_digit', 'default_max_str_digits', 'str_digits_check_threshold'))
int_info = _int_info((30, 4, 4300, 640))

_hash_info = _record('sys', 'hash_info', (
    'width', 'modulus', 'inf', 'nan', 'imag', 'algorithm', 'hash_bits', 'seed_bits', 'cutoff'))
hash_info = _hash_info((64, 2305843009213693951, 314159, 0, 1000003, 'siphash13', 64, 128, 0))


class _Implementation:
    name = 'glovebox'
    version = version_info
    hexversion = hexversion
    cache_tag = None


implementation = _Implementation()


class _Output:
    """The output of the program as a stream of text."""

    closed = False
    encoding = 'utf-8'
    errors = 'strict'
    newlines = None
    line_buffering = False

    def __init__(self, name):
        self.name = name
        self.mode = 'w'

    def write(self, text, /):
        if not isinstance(text, str):
            raise TypeError(f'write() argument must be str, not {type(text).__name__}')
        _glovebox.output(text, self is _stderr)
        return len(text)

    def writelines(self, lines, /):
        for line in lines:
            self.write(line)

    def flush(self):
        pass

    def close(self):
        pass

    def reconfigure(self, *, encoding=None, errors=None, newline=None, line_buffering=None, write_through=None):
        pass

    def isatty(self):
        return False

    def readable(self):
        return False

    def writable(self):
        return True

    def seekable(self):
        return False

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        pass


stdout = _stdout = _Output('<stdout>')
stderr = _stderr = _Output('<stderr>')


def _redirect(name, target):
    """Makes target the stream of that name, and returns the one before."""
    global stdout, stderr
    if name == 'stdout':
        before, stdout = stdout, target
    else:
        before, stderr = stderr, target
    return before


def exit(status=None, /):
    """Ends the program: well with None or 0, with SystemExit otherwise."""
    if status is None:
        raise SystemExit
    raise SystemExit(status)


def exc_info():
    """The class, the value and the traceback of the exception that is being handled."""
    exc = _glovebox.handled()
    if exc is None:
        return None, None, None
    return type(exc), exc, exc.__traceback__


def exception():
    return _glovebox.handled()


_depth = 1000


def getrecursionlimit():
    return _depth


def setrecursionlimit(limit, /):
    """Has no effect: the host sets how deep calls may be."""
    global _depth
    if not isinstance(limit, int):
        raise TypeError(f"'{type(limit).__name__}' object cannot be interpreted as an integer")
    if limit < 1:
        raise ValueError('recursion limit must be greater or equal than 1')
    _depth = limit


def getdefaultencoding():
    return 'utf-8'


def getfilesystemencoding():
    return 'utf-8'


def intern(text, /):
    if not isinstance(text, str):
        raise TypeError(f'intern() argument must be str, not {type(text).__name__}')
    return text


def getsizeof(obj, default=None):
    """About what the object takes, without what it refers to."""
    if isinstance(obj, bool):
        return 28 if obj else 24
    if isinstance(obj, int):
        return 24 + 4 * ((obj.bit_length() + 29) // 30)
    if isinstance(obj, float):
        return 24
    if isinstance(obj, str):
        return _size_of_text(obj)
    if isinstance(obj, bytes):
        return 33 + len(obj)
    if isinstance(obj, tuple):
        return 40 + 8 * len(obj)
    if isinstance(obj, list):
        return 56 + 8 * len(obj)
    if isinstance(obj, dict):
        return 64 if not obj else 184 + 48 * max(0, len(obj) - 5)
    if isinstance(obj, (set, frozenset)):
        return 216 + 64 * max(0, len(obj) - 4)
    return 16 if obj is None else 48


def _size_of_text(text):
    widest = max(text, default='')
    if widest < '\x80':
        return 49 + len(text)
    if widest < '\u0100':
        return 73 + len(text)
    return 74 + 2 * len(text) if widest < '\U00010000' else 76 + 4 * len(text)
