import functools
from functools import (
    wraps, total_ordering, cache, cmp_to_key, lru_cache, reduce, partial, partialmethod, singledispatch,
    singledispatchmethod, cached_property)


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


show(reduce, lambda a, b: a + b, [1, 2, 3])
show(reduce, lambda a, b: a + b, [], 5)
show(reduce, lambda a, b: a + b, [])
show(reduce, lambda a, b: a + b, [7])
show(reduce, lambda a, b: a * b, range(1, 30), 2)


def f(a, b=2, *args, c=3, **kw):
    return a, b, args, c, kw


p = partial(f, 1, c=9)
show(p, 5, 6, d=7)
show(p)
show(p, c=1)
q = partial(p, 8, e=1)
show(q)
print(q.args, q.keywords, q.func is f)
show(partial)
show(partial, 3)
print(repr(partial(int, base=2)), partial(int, base=2)('101'))
print(repr(partial(print, 1, 'a', end='')))


@lru_cache(maxsize=3)
def sq(x):
    """squares"""
    print('call', x)
    return x * x


for x in [1, 2, 3, 1, 4, 2, 1.0, 1, True]:
    print(sq(x))
print(sq.cache_info(), sq.__name__, sq.__doc__, sq.__wrapped__(3), sq.cache_parameters())
sq.cache_clear()
print(sq.cache_info())


@lru_cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(40), fib.cache_info(), fib.cache_parameters())


@cache
def add(a, b=0, **kw):
    return a + b


print(add(1), add(1, 2), add(1, b=2), add(b=2, a=1), add(1, 2), add.cache_info())
show(add, [1])


@lru_cache(maxsize=0)
def none(x):
    return x


print(none(1), none(1), none.cache_info())


@lru_cache(typed=True)
def typed(x):
    return type(x).__name__


print(typed(1), typed(1.0), typed(True), typed.cache_info())
show(lru_cache, 'x')


class K:
    def __init__(self, n):
        self.n = n
        self.calls = 0

    @cached_property
    def slow(self):
        """doc"""
        self.calls += 1
        return self.n * 2

    @lru_cache(maxsize=None)
    def m(self, x):
        return self.n + x


k = K(4)
print(k.slow, k.slow, k.calls)
k.slow = 10
print(k.slow)
del k.slow
print(k.slow, k.calls, k.m(1), k.m(1), K.m.cache_info(), type(K.slow).__name__)


def deco(func):
    @wraps(func)
    def wrapper(*args, **kwargs):
        """inner"""
        return func(*args, **kwargs)
    return wrapper


@deco
def hello(name):
    """outer"""
    return 'hi ' + name


hello.tag = 1
print(hello.__name__, hello.__doc__, hello('x'), hello.__wrapped__.__name__, hello.__qualname__)


@deco
@deco
def twice():
    pass


print(twice.__name__, twice.__wrapped__.__wrapped__.__name__)


@total_ordering
class V:
    def __init__(self, *v):
        self.v = v

    def __eq__(self, other):
        if not isinstance(other, V):
            return NotImplemented
        return self.v == other.v

    def __lt__(self, other):
        if not isinstance(other, V):
            return NotImplemented
        return self.v < other.v


a, b = V(1, 2), V(1, 3)
print(a < b, a <= b, a > b, a >= b, a == b, a != b, a <= a, a >= a, sorted([b, a])[0] is a)
show(lambda: a <= 3)
for op in ('__le__', '__gt__', '__ge__'):
    import operator
    native = {'__le__': operator.le, '__gt__': operator.gt, '__ge__': operator.ge}[op]

    def method(self, other, native=native):
        return native(self.v, other.v)
    cls = total_ordering(type('W', (), {op: method, '__eq__': lambda s, o: s.v == o.v, '__init__': V.__init__}))
    x, y, z = cls(1), cls(2), cls(1)
    print(op, x < y, x <= y, x > y, x >= y, x < z, x <= z, x > z, x >= z)


def noorder():
    @total_ordering
    class N:
        pass


show(noorder)
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
print(sorted(['bb', 'a', 'ccc', 'dd'], key=cmp_to_key(lambda a, b: len(a) - len(b))))
print(max([3, 9, 2], key=cmp_to_key(lambda a, b: a - b)))


@singledispatch
def kind(x):
    return 'object'


@kind.register(int)
def _(x: int):
    return 'int'


@kind.register(list)
@kind.register(tuple)
def _(x):
    return 'sequence'


@kind.register(str)
def text(x, more=''):
    return 'str' + more


print(kind(1), kind(True), kind([]), kind(()), kind('s', more='!'), kind(2.0), kind(None), text('q'))
print(kind.dispatch(bool)(0), kind.registry[int](1), len(kind.registry))
show(kind)
show(lambda: kind.register(5))


class M:
    def set(self, value, extra=None):
        return (value, extra)
    on = partialmethod(set, True)
    off = partialmethod(set, False, extra='e')

    @singledispatchmethod
    def show(self, x):
        return 'any'

    @show.register(int)
    def _(self, x: int):
        return 'int'

    @show.register(str)
    def _(self, x):
        return 'str'


m = M()
print(m.on(), m.off(), m.on(5), m.show(1), m.show('a'), m.show([]))
