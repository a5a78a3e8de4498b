"""operator: the operators as functions."""


def lt(a, b, /): return a < b
def le(a, b, /): return a <= b
def eq(a, b, /): return a == b
def ne(a, b, /): return a != b
def ge(a, b, /): return a >= b
def gt(a, b, /): return a > b
def not_(a, /): return not a
def truth(a, /): return bool(a)
def is_(a, b, /): return a is b
def is_not(a, b, /): return a is not b
def add(a, b, /): return a + b
def sub(a, b, /): return a - b
def mul(a, b, /): return a * b
def matmul(a, b, /): return a @ b
def truediv(a, b, /): return a / b
def floordiv(a, b, /): return a // b
def mod(a, b, /): return a % b
def pow(a, b, /): return a ** b
def lshift(a, b, /): return a << b
def rshift(a, b, /): return a >> b
def and_(a, b, /): return a & b
def or_(a, b, /): return a | b
def xor(a, b, /): return a ^ b
def neg(a, /): return -a
def pos(a, /): return +a
def inv(a, /): return ~a
def contains(a, b, /): return b in a
def getitem(a, b, /): return a[b]


_abs = abs


def abs(a, /): return _abs(a)


invert = inv


def setitem(a, b, c, /):
    a[b] = c


def delitem(a, b, /):
    del a[b]


def index(a, /):
    """a as an int, by its __index__."""
    return range(a).stop


def call(obj, /, *args, **keywords):
    return obj(*args, **keywords)


def concat(a, b, /):
    if not hasattr(a, '__getitem__'):
        raise TypeError(f"'{type(a).__name__}' object can't be concatenated")
    return a + b


def countOf(a, b, /):
    return sum([one is b or one == b for one in a])


def indexOf(a, b, /):
    for place, one in enumerate(a):
        if one is b or one == b:
            return place
    raise ValueError('sequence.index(x): x not in sequence')


def length_hint(obj, default=0, /):
    if not isinstance(default, int):
        raise TypeError(f"'{type(default).__name__}' object cannot be interpreted as an integer")
    if hasattr(obj, '__len__'):
        return len(obj)
    hint = getattr(obj, '__length_hint__', None)
    return default if hint is None else hint()


def iadd(a, b, /):
    a += b
    return a


def isub(a, b, /):
    a -= b
    return a


def imul(a, b, /):
    a *= b
    return a


def imatmul(a, b, /):
    a @= b
    return a


def itruediv(a, b, /):
    a /= b
    return a


def ifloordiv(a, b, /):
    a //= b
    return a


def imod(a, b, /):
    a %= b
    return a


def ipow(a, b, /):
    a **= b
    return a


def ilshift(a, b, /):
    a <<= b
    return a


def irshift(a, b, /):
    a >>= b
    return a


def iand(a, b, /):
    a &= b
    return a


def ior(a, b, /):
    a |= b
    return a


def ixor(a, b, /):
    a ^= b
    return a


iconcat = iadd


class itemgetter:
    """Calls with an object give its items at the given keys."""

    def __init__(self, item, /, *items):
        self._items = (item, *items)
        self._first = item

    def __call__(self, obj, /):
        if len(self._items) == 1:
            return obj[self._first]
        return tuple([obj[item] for item in self._items])

    def __repr__(self):
        return f"operator.itemgetter({', '.join(map(repr, self._items))})"


class attrgetter:
    """Calls with an object give its attributes of the given names, which may have dots."""

    def __init__(self, attr, /, *attrs):
        self._attrs = (attr, *attrs)
        for name in self._attrs:
            if not isinstance(name, str):
                raise TypeError('attribute name must be a string')

    def __call__(self, obj, /):
        if len(self._attrs) == 1:
            return self._get(obj, self._attrs[0])
        return tuple([self._get(obj, name) for name in self._attrs])

    def _get(self, obj, path):
        for name in path.split('.'):
            obj = getattr(obj, name)
        return obj

    def __repr__(self):
        return f"operator.attrgetter({', '.join(map(repr, self._attrs))})"


class methodcaller:
    """Calls with an object call its method of the given name."""

    def __init__(self, name, /, *args, **keywords):
        if not isinstance(name, str):
            raise TypeError('method name must be a string')
        self._name = name
        self._args = args
        self._keywords = keywords

    def __call__(self, obj, /):
        return getattr(obj, self._name)(*self._args, **self._keywords)

    def __repr__(self):
        parts = [repr(self._name), *map(repr, self._args)]
        parts.extend([f'{name}={value!r}' for name, value in self._keywords.items()])
        return f"operator.methodcaller({', '.join(parts)})"
