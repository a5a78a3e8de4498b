# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
# Every binary operator: forward, reflected, in place, and NotImplemented.
class Op:
    def __init__(self, n): self.n = n
    def __repr__(self): return f"Op({self.n})"
    def __add__(self, o): return ("add", self, o)
    def __radd__(self, o): return ("radd", self, o)
    def __iadd__(self, o): return ("iadd", self, o)
    def __sub__(self, o): return ("sub", self, o)
    def __rsub__(self, o): return ("rsub", self, o)
    def __isub__(self, o): return ("isub", self, o)
    def __mul__(self, o): return ("mul", self, o)
    def __rmul__(self, o): return ("rmul", self, o)
    def __imul__(self, o): return ("imul", self, o)
    def __truediv__(self, o): return ("truediv", self, o)
    def __rtruediv__(self, o): return ("rtruediv", self, o)
    def __itruediv__(self, o): return ("itruediv", self, o)
    def __floordiv__(self, o): return ("floordiv", self, o)
    def __rfloordiv__(self, o): return ("rfloordiv", self, o)
    def __ifloordiv__(self, o): return ("ifloordiv", self, o)
    def __mod__(self, o): return ("mod", self, o)
    def __rmod__(self, o): return ("rmod", self, o)
    def __imod__(self, o): return ("imod", self, o)
    def __pow__(self, o, m=None): return ("pow", self, o, m)
    def __rpow__(self, o, m=None): return ("rpow", self, o, m)
    def __ipow__(self, o): return ("ipow", self, o)
    def __matmul__(self, o): return ("matmul", self, o)
    def __rmatmul__(self, o): return ("rmatmul", self, o)
    def __imatmul__(self, o): return ("imatmul", self, o)
    def __and__(self, o): return ("and", self, o)
    def __rand__(self, o): return ("rand", self, o)
    def __iand__(self, o): return ("iand", self, o)
    def __or__(self, o): return ("or", self, o)
    def __ror__(self, o): return ("ror", self, o)
    def __ior__(self, o): return ("ior", self, o)
    def __xor__(self, o): return ("xor", self, o)
    def __rxor__(self, o): return ("rxor", self, o)
    def __ixor__(self, o): return ("ixor", self, o)
    def __lshift__(self, o): return ("lshift", self, o)
    def __rlshift__(self, o): return ("rlshift", self, o)
    def __ilshift__(self, o): return ("ilshift", self, o)
    def __rshift__(self, o): return ("rshift", self, o)
    def __rrshift__(self, o): return ("rrshift", self, o)
    def __irshift__(self, o): return ("irshift", self, o)
    def __divmod__(self, o): return ("divmod", self, o)
    def __rdivmod__(self, o): return ("rdivmod", self, o)
    def __neg__(self): return "neg"
    def __pos__(self): return "pos"
    def __invert__(self): return "invert"
    def __abs__(self): return "abs"
    def __lt__(self, o): return ("lt", o)
    def __le__(self, o): return ("le", o)
    def __gt__(self, o): return ("gt", o)
    def __ge__(self, o): return ("ge", o)
    def __eq__(self, o): return ("eq", o)
    def __ne__(self, o): return ("ne", o)
a = Op(1)
for b in [Op(2), 5, 1.5, "s", [1], (1,), None, {1: 2}]:
    print(a + b, a - b, a * b, a / b, a // b, a % b, a ** b, a @ b, a & b, a | b, a ^ b, a << b, a >> b, divmod(a, b), pow(a, b), pow(a, b, 7))
    print(b - a, b / a, b // a, b ** a, b @ a, b & a, b ^ a, b << a, b >> a, divmod(b, a))
    if not isinstance(b, str):
        print(b + a, b * a, b % a, b | a)
    print(a < b, a <= b, a > b, a >= b, a == b, a != b, b < a, b <= a, b > a, b >= a, b == a, b != a)
print(-a, +a, ~a, abs(a))
x = a; x += 1; print(x)
x = a; x -= 1; print(x)
x = a; x *= 1; print(x)
x = a; x /= 1; print(x)
x = a; x //= 1; print(x)
x = a; x %= 1; print(x)
x = a; x **= 1; print(x)
x = a; x @= 1; print(x)
x = a; x &= 1; print(x)
x = a; x |= 1; print(x)
x = a; x ^= 1; print(x)
x = a; x <<= 1; print(x)
x = a; x >>= 1; print(x)
# ---
# NotImplemented falls through to the other side, then to an error.
class N:
    def __add__(self, o): return NotImplemented
    def __radd__(self, o): return NotImplemented
    def __lt__(self, o): return NotImplemented
    def __eq__(self, o): return NotImplemented
    def __iadd__(self, o): return NotImplemented
    def __mul__(self, o): return NotImplemented
    def __pow__(self, o): return NotImplemented
    def __divmod__(self, o): return NotImplemented
    def __matmul__(self, o): return NotImplemented
n = N()
t(lambda: n + 1)
t(lambda: 1 + n)
t(lambda: n + n)
t(lambda: n < 1)
t(lambda: 1 < n)
t(lambda: n == 1)
t(lambda: n == n)
t(lambda: n != N())
t(lambda: n * 2)
t(lambda: n ** 2)
t(lambda: pow(n, 2))
t(lambda: divmod(n, 2))
t(lambda: n @ n)
t(lambda: 1 @ 2)
t(lambda: "a" + n)
t(lambda: [] + n)
t(lambda: n - 1)
t(lambda: n & 1)
def iadd():
    m = n
    m += 1
def isub():
    m = n
    m -= 1
def ipow():
    m = n
    m **= 1
def imatmul():
    m = 1
    m @= 2
def ior():
    m = "a"
    m |= 1
def ilshift():
    m = 1.5
    m <<= 1
def list_iadd():
    m = [1]
    m += 5
def list_imul():
    m = [1]
    m *= "a"
def str_iadd():
    m = "a"
    m += 1
for f in [iadd, isub, ipow, imatmul, ior, ilshift, list_iadd, list_imul, str_iadd]:
    t(f)
# ---
# A subclass on the right goes first.
class A:
    def __add__(self, o): return "A.add"
    def __radd__(self, o): return "A.radd"
    def __eq__(self, o): return "A.eq"
    def __lt__(self, o): return "A.lt"
    def __gt__(self, o): return "A.gt"
class B(A):
    def __radd__(self, o): return "B.radd"
    def __eq__(self, o): return "B.eq"
    def __gt__(self, o): return "B.gt"
class C(A): pass
print(A() + B(), B() + A(), A() + C(), A() + A(), A() == B(), B() == A(), A() < B(), A() < C(), 1 + B(), B() + 1, A() > B())
class MyInt(int):
    def __add__(self, o): return "MyInt.add"
    def __radd__(self, o): return "MyInt.radd"
print(1 + MyInt(2), MyInt(2) + 1, MyInt(2) + MyInt(3), 1.5 + MyInt(2), MyInt(3) * 2, sum([MyInt(1)]))
# ---
# Containers.
class Grid:
    def __init__(self): self.cells = {}
    def __getitem__(self, k):
        if k not in self.cells: raise KeyError(k)
        return self.cells[k]
    def __setitem__(self, k, v): self.cells[k] = v
    def __delitem__(self, k): del self.cells[k]
    def __contains__(self, k): return k in self.cells
    def __len__(self): return len(self.cells)
    def __iter__(self): return iter(sorted(self.cells))
    def __bool__(self): return True
    def __missing__(self, k): return "never"
g = Grid()
g[1, 2] = "a"
g[0, 0] = "b"
g[1, 2] += "c"
print(g[1, 2], (0, 0) in g, (9, 9) not in g, len(g), list(g), bool(g), bool(Grid()))
del g[0, 0]
t(lambda: g[0, 0])
print(list(g), [k for k in g], [*g], dict.fromkeys(g))
# ---
# Conversions.
class Conv:
    def __int__(self): return 7
    def __float__(self): return 2.5
    def __index__(self): return 3
    def __bool__(self): return False
    def __str__(self): return "str"
    def __repr__(self): return "repr"
    def __hash__(self): return 99
    def __len__(self): return 4
    def __round__(self, n=None): return ("round", n)
    def __trunc__(self): return 1
    def __floor__(self): return 11
    def __ceil__(self): return 12
    def __bytes__(self): return b"by"
    def __format__(self, s): return "fmt:" + s
    def __contains__(self, x): return 5
c = Conv()
import math
print(int(c), float(c), [0, 1, 2, 3, 4][c], bool(c), str(c), repr(c), hash(c), len(c), round(c), round(c, 2), math.floor(c), math.ceil(c), math.trunc(c), bytes(c), format(c, "x"), hex(c), range(5)[c], "abcd"[c], [1] * c, "ab"[:c], 1 in c, chr(c), math.sqrt(c), list(range(c)), [0] * c)
print(f"{c} {c!r} {c:abc}", "%s %r %d" % (c, c, 5), "{} {!r} {:z}".format(c, c, c), [c], {c: 1}, (c,))
class Bad:
    def __int__(self): return "x"
    def __float__(self): return 1
    def __index__(self): return 1.5
    def __bool__(self): return 1
    def __hash__(self): return 1.5
    def __len__(self): return "n"
    def __str__(self): return b"x"
    def __repr__(self): return 5
    def __iter__(self): return []
    def __contains__(self, x): raise ValueError("contains")
b = Bad()
t(lambda: int(b))
t(lambda: float(b))
t(lambda: [1][b])
t(lambda: bool(b))
t(lambda: hash(b))
t(lambda: len(b))
t(lambda: str(b))
t(lambda: repr(b))
t(lambda: list(b))
t(lambda: 1 in b)
t(lambda: [1] * b)
t(lambda: range(b))
class OnlyIndex:
    def __index__(self): return 5
t(lambda: int(OnlyIndex()))
t(lambda: float(OnlyIndex()))
t(lambda: "%d" % OnlyIndex())
t(lambda: "%x" % OnlyIndex())
t(lambda: 10 - OnlyIndex())
t(lambda: bin(OnlyIndex()))
# ---
# A vector that works as numbers do.
class Vec:
    def __init__(self, *xs): self.xs = tuple(xs)
    def __repr__(self): return "Vec" + repr(self.xs)
    def __add__(self, o):
        if not isinstance(o, Vec): return NotImplemented
        return Vec(*(a + b for a, b in zip(self.xs, o.xs)))
    def __radd__(self, o): return self if o == 0 else NotImplemented
    def __sub__(self, o): return self + -o
    def __neg__(self): return Vec(*(-a for a in self.xs))
    def __mul__(self, k):
        if isinstance(k, (int, float)): return Vec(*(a * k for a in self.xs))
        if isinstance(k, Vec): return sum(a * b for a, b in zip(self.xs, k.xs))
        return NotImplemented
    __rmul__ = __mul__
    def __truediv__(self, k): return self * (1 / k)
    def __matmul__(self, o): return self * o
    def __abs__(self): return (self * self) ** 0.5
    def __eq__(self, o): return isinstance(o, Vec) and self.xs == o.xs
    def __hash__(self): return hash(self.xs)
    def __len__(self): return len(self.xs)
    def __getitem__(self, i): return self.xs[i]
    def __iter__(self): return iter(self.xs)
    def __bool__(self): return any(self.xs)
    def __lt__(self, o): return abs(self) < abs(o)
a, b = Vec(1, 2), Vec(3, 4)
print(a + b, a - b, a * 2, 2 * a, a * b, a @ b, a / 2, abs(b), -a, a == Vec(1, 2), a != b, len(a), a[1], list(a), [*a, *b], bool(Vec(0, 0)), sum([a, b, a]), sorted([b, a]), max([a, b]), {a: 1}[Vec(1, 2)], b[::-1])
x, y = a
a += b
print(x, y, a)
t(lambda: a + 1)
t(lambda: 1 + a)
t(lambda: a * "x")
t(lambda: "x" * a)
t(lambda: sum([a], 5))
# ---
# Comparison helpers.
from functools import total_ordering
@total_ordering
class Ver:
    def __init__(self, s): self.parts = tuple(int(p) for p in s.split("."))
    def __eq__(self, o): return self.parts == o.parts
    def __lt__(self, o): return self.parts < o.parts
    def __repr__(self): return "v" + ".".join(map(str, self.parts))
vs = [Ver(s) for s in ["1.10", "1.2", "1.2.3", "0.9"]]
print(sorted(vs), max(vs), min(vs), Ver("1.0") <= Ver("1.0"), Ver("1.1") > Ver("1.0"), Ver("2") >= Ver("10"), Ver("1") != Ver("1"))
class Cmp:
    def __init__(self, v): self.v = v
    def __lt__(self, o):
        log.append((self.v, o.v))
        return self.v < o.v
log = []
print([c.v for c in sorted([Cmp(3), Cmp(1), Cmp(2)])], len(log) > 0, [c.v for c in sorted([Cmp(1), Cmp(2)], reverse=True)])
t(lambda: max([Cmp(1), Cmp(5)]).v)
t(lambda: min([Cmp(1), Cmp(0)]).v)
# ---
# in, iter, next, reversed, call, enter and exit are looked up on the type.
class Q: pass
q = Q()
q.__len__ = lambda: 5
q.__add__ = lambda o: 1
q.__call__ = lambda: 1
q.__iter__ = lambda: iter([])
t(lambda: len(q))
t(lambda: q + 1)
t(lambda: q())
t(lambda: list(q))
print(q.__len__())
Q.__len__ = lambda self: 7
print(len(q))
# ---
import operator as op
for f in [op.add, op.sub, op.mul, op.truediv, op.floordiv, op.mod, op.pow, op.eq, op.ne, op.lt, op.le, op.gt, op.ge, op.and_, op.or_, op.xor, op.lshift, op.rshift, op.contains, op.concat, op.is_, op.iadd]:
    for a, b in [(7, 2), (-7, 2), ("a", "b"), ([1], [2]), ([1], 1)]:
        try:
            print(f(a, b), end=" ")
        except TypeError as e:
            print(e, end=" ")
    print()
print(op.itemgetter(1)([5, 6]), op.itemgetter("a", "b")({"a": 1, "b": 2}), op.attrgetter("real")(5), op.methodcaller("upper")("x"), op.methodcaller("split", ",", 1)("a,b,c"), op.neg(5), op.not_(0), op.truth([]), op.index(5), op.abs(-3), op.inv(5), op.getitem([1, 2], 1), op.countOf([1, 1, 2], 1), op.indexOf([5, 6], 6))
# ---
# A polynomial class.
class Poly:
    def __init__(self, *c):
        c = list(c)
        while c and c[-1] == 0: c.pop()
        self.c = c
    def __add__(self, o):
        n = max(len(self.c), len(o.c))
        return Poly(*[(self.c[i] if i < len(self.c) else 0) + (o.c[i] if i < len(o.c) else 0) for i in range(n)])
    def __mul__(self, o):
        out = [0] * (len(self.c) + len(o.c))
        for i, a in enumerate(self.c):
            for j, b in enumerate(o.c):
                out[i + j] += a * b
        return Poly(*out)
    def __call__(self, x):
        r = 0
        for a in reversed(self.c): r = r * x + a
        return r
    def __str__(self):
        return " + ".join(f"{a}x^{i}" if i else str(a) for i, a in enumerate(self.c) if a) or "0"
    def __pow__(self, n):
        r = Poly(1)
        for _ in range(n): r *= self
        return r
    def __eq__(self, o): return self.c == o.c
p = Poly(1, 1)
print(p, p + p, p * p, p ** 5, (p ** 3)(2), Poly(), p == Poly(1, 1, 0))
