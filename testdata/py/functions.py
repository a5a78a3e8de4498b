# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
# Binding of arguments: the exact texts of the errors.
def f0(): return ()
def f1(a): return (a,)
def f2(a, b): return (a, b)
def f3(a, b, c): return (a, b, c)
def fd(a, b=2, c=3): return (a, b, c)
def fk(a, *, k): return (a, k)
def fkk(*, k, l, m=1): return (k, l, m)
def fp(a, b, /, c): return (a, b, c)
def fpd(a, b=1, /): return (a, b)
def fv(*args): return args
def fvk(a, *args, **kw): return (a, args, kw)
def fkw(**kw): return kw
def fpk(a, /, **kw): return (a, kw)
def fall(a, b=1, /, c=2, *d, e, g=5, **h): return (a, b, c, d, e, g, h)
for f in [f0, f1, f2, f3, fd, fk, fkk, fp, fpd, fv, fvk, fkw, fpk, fall]:
    for args, kw in [((), {}), ((1,), {}), ((1, 2), {}), ((1, 2, 3), {}), ((1, 2, 3, 4), {}), ((), {"a": 1}), ((1,), {"a": 1}), ((), {"k": 1}), ((1,), {"k": 1}), ((1, 2), {"k": 1}), ((), {"k": 1, "l": 2}), ((), {"x": 1}), ((1,), {"x": 1, "y": 2}), ((), {"a": 1, "b": 2, "c": 3}), ((1, 2), {"c": 3}), ((1, 2), {"b": 3}), ((1,), {"e": 1}), ((1, 2, 3, 4), {"e": 1, "z": 2}), ((1, 2, 3, 4, 5), {"k": 1, "l": 1})]:
        t(lambda: f(*args, **kw))
# ---
def f(a, b=2, *args, c, d=4, **kw): return (a, b, args, c, d, kw)
t(lambda: f(1, c=3))
t(lambda: f(*[1, 2, 3], **{"c": 4, "z": 5}))
t(lambda: f(1, *[2], 3, *[4, 5], c=6))
t(lambda: f(1, **{"c": 1}, **{"d": 2}))
t(lambda: f(1, c=1, **{"c": 2}))
t(lambda: f(1, **{"c": 1}, **{"c": 2}))
t(lambda: f(1, a=2, c=3))
t(lambda: f(**{"a": 1, "c": 2, "b": 3}))
t(lambda: f(1, **{1: 2}))
t(lambda: f(*5))
t(lambda: f(**5))
t(lambda: f(*None))
t(lambda: f(1, *(x for x in [2, 3]), c=1))
t(lambda: f(*{"k": 1}, c=1))
t(lambda: f(1, 2, 3, c=1, **{}))
t(lambda: (lambda: 1)(1))
t(lambda: (lambda a: 1)())
t(lambda: (lambda *a: a)(*range(3)))
t(lambda: (lambda a, /: a)(a=1))
t(lambda: (lambda a, b, c, d: a)(1))
t(lambda: (lambda *, a, b, c: a)())
# ---
# Methods count self.
class C:
    def m0(self): return 0
    def m2(self, a, b): return (a, b)
    def none(): return 1
    @staticmethod
    def s(a): return a
    @classmethod
    def c(cls, a): return (cls.__name__, a)
    def __init__(self, x=1): self.x = x
    def __call__(self, y): return self.x + y
c = C()
t(lambda: c.m0(1))
t(lambda: c.m2(1))
t(lambda: c.m2(1, 2, 3))
t(lambda: C.m2(1))
t(lambda: C.m2(c, 1, 2))
t(lambda: c.none())
t(lambda: C.none())
t(lambda: c.s())
t(lambda: c.s(5))
t(lambda: C.s(5))
t(lambda: c.c(5))
t(lambda: C.c())
t(lambda: C(1, 2))
t(lambda: C(y=1))
t(lambda: C(x=5)(3))
t(lambda: c())
t(lambda: c(1, 2))
class D: pass
t(lambda: D(1))
t(lambda: D(a=1))
t(lambda: D()())
class E:
    def __init__(self, a, b): pass
t(lambda: E())
t(lambda: E(1))
t(lambda: E(1, 2, 3))
# ---
# Builtins say it in their own ways.
t(lambda: len(1, 2))
t(lambda: len(x=1))
t(lambda: ord())
t(lambda: chr(1, 2))
t(lambda: abs())
t(lambda: isinstance(1))
t(lambda: isinstance(1, 2))
t(lambda: isinstance(1, "int"))
t(lambda: isinstance(1, (int, 5)))
t(lambda: isinstance(1, [int]))
t(lambda: issubclass(1, int))
t(lambda: issubclass(int, 1))
t(lambda: isinstance(1, int | str))
t(lambda: isinstance(None, int | None))
t(lambda: hash())
t(lambda: repr())
t(lambda: repr(1, 2))
t(lambda: getattr(1))
t(lambda: getattr(1, 2))
t(lambda: getattr(1, "x", "d"))
t(lambda: getattr(1, "x"))
t(lambda: hasattr(1, "real"))
t(lambda: hasattr(1, 5))
t(lambda: setattr(1, "x", 5))
t(lambda: callable(len) and callable(int) and callable(lambda: 0) and not callable(5))
t(lambda: print(1, sep=5))
t(lambda: print(1, end=5))
t(lambda: print(1, foo=5))
t(lambda: print(1, sep=None, end="\n"))
t(lambda: sorted([1], 2))
t(lambda: divmod(1, 2, 3))
t(lambda: bin())
t(lambda: all())
t(lambda: sum())
t(lambda: sum([1], start=5))
t(lambda: sum([1], 2, 3))
t(lambda: zip(foo=1))
t(lambda: type(1, 2))
t(lambda: type())
t(lambda: object(1))
t(lambda: tuple(a=1))
t(lambda: float(a=1))
t(lambda: bool(x=1))
t(lambda: str(foo=1))
t(lambda: "a".join(x=[]))
t(lambda: [].append(x=1))
t(lambda: {}.get(x=1))
t(lambda: "".split(foo=1))
t(lambda: "".format(self=1))
t(lambda: "{self}".format(self=1))
t(lambda: max(1, key=5))
t(lambda: iter())
t(lambda: map(None))
t(lambda: map(None, [1]) and 1)
# ---
# Defaults are evaluated once, when def runs.
def f(x, acc=[]):
    acc.append(x)
    return acc
print(f(1), f(2), f(3, []), f(4))
n = 5
def g(v=n): return v
n = 6
print(g())
def h(a, b=None):
    if b is None:
        b = a * 2
    return a, b
print(h(1), h(1, 0))
def order(x):
    print("eval", x)
    return x
def k(a=order(1), b=order(2)):
    return a + b
print(k(order(3), b=order(4)))
order(1) + order(2) * order(3) - order(4)
{order("k"): order("v")}
[order(1), order(2)][order(0)]
# ---
# Closures.
def counter():
    n = 0
    def up(by=1):
        nonlocal n
        n += by
        return n
    def get():
        return n
    return up, get
u1, g1 = counter()
u2, g2 = counter()
print(u1(), u1(5), u2(), g1(), g2())
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
fs = [lambda i=i: i for i in range(3)]
print([f() for f in fs])
fs = []
for i in range(3):
    def f():
        return i * 10
    fs.append(f)
print([f() for f in fs])
i = 7
print([f() for f in fs])
def deep():
    x = 1
    def a():
        def b():
            def c():
                nonlocal x
                x += 1
                return x
            return c
        return b
    return a()()(), x
print(deep())
def shared():
    log = []
    def add(v): log.append(v)
    def show(): return list(log)
    return add, show
add, show = shared()
add(1)
add(2)
print(show())
def late():
    def inner():
        return value
    value = 1
    a = inner()
    value = 2
    return a, inner()
print(late())
def unbound():
    def inner():
        return never
    if False:
        never = 1
    return inner()
t(unbound)
def unbound2():
    del x2
    x2 = 1
t(unbound2)
def unbound3():
    x3 = 1
    def inner():
        return x3
    del x3
    return inner()
t(unbound3)
def unbound4():
    try:
        raise ValueError("v")
    except ValueError as e:
        pass
    return e
t(unbound4)
def unbound5():
    for q in []:
        pass
    return q
t(unbound5)
def unbound6():
    total6 += 1
t(unbound6)
t(lambda: undefined_thing)
def deleted():
    global gone
    gone = 1
    del gone
    return gone
t(deleted)
def del_undefined():
    del not_there
t(del_undefined)
def del_global():
    global not_there_g
    del not_there_g
t(del_global)
# ---
# global and nonlocal.
count = 0
def inc():
    global count, fresh
    count += 1
    fresh = "made"
    return count
inc()
inc()
print(count, fresh)
def outer():
    count = 100
    def inner():
        global count
        count += 1
        return count
    return inner(), count
print(outer(), count)
def scopes():
    x = "outer"
    class K:
        x = "class"
        def m(self):
            return x
        y = x
        z = [x for _ in range(1)]
    return K().m(), K.y, K.z, x
print(scopes())
x = "global"
class G:
    y = x
    x = "in class"
    z = x
    def m(self):
        return x
print(G.y, G.z, G().m(), G.x)
# ---
# Decorators.
def trace(f):
    def wrapper(*args, **kw):
        print("call", f.__name__, args, kw)
        r = f(*args, **kw)
        print("->", r)
        return r
    return wrapper
def times(n):
    def deco(f):
        def w(*a):
            return [f(*a) for _ in range(n)]
        return w
    return deco
@trace
@times(2)
def add(a, b):
    return a + b
print(add(1, 2))
registry = {}
def register(name):
    print("register", name)
    def deco(f):
        registry[name] = f
        return f
    return deco
@register("a")
def one(): return 1
@register("b")
def two(): return 2
print({k: f() for k, f in registry.items()})
@(lambda f: f())
def value():
    return 42
print(value)
@registry.get("zz", lambda f: "replaced")
def odd(): pass
print(odd)
def classdeco(cls):
    cls.tag = cls.__name__.lower()
    return cls
@classdeco
class Thing: pass
print(Thing.tag)
# ---
# Recursion and mutual recursion, forward references.
def even(n): return n == 0 or odd(n - 1)
def odd(n): return n != 0 and even(n - 1)
print(even(50), odd(50))
def ack(m, n):
    if m == 0: return n + 1
    if n == 0: return ack(m - 1, 1)
    return ack(m - 1, ack(m, n - 1))
print(ack(2, 3))
def perms(s): return [s] if len(s) <= 1 else [c + p for i, c in enumerate(s) for p in perms(s[:i] + s[i + 1:])]
print(perms("abc"))
def depth(n): return 0 if n == 0 else 1 + depth(n - 1)
print(depth(100))
# ---
# Function attributes and names.
def named(a, b=1):
    "the doc"
    return a
print(named.__name__, named.__doc__, (lambda: 0).__name__, len.__name__, "".join.__name__, int.__name__, str.upper.__name__)
named.calls = 3
named.calls += 1
print(named.calls, hasattr(named, "calls"), hasattr(named, "nope"))
t(lambda: named.nope)
t(lambda: len.nope)
class C:
    "class doc"
    def m(self):
        """m doc"""
print(C.__doc__, C.m.__doc__, C().m.__name__, C.m.__qualname__, C.__name__, C.__qualname__)
def outer():
    def inner(): pass
    return inner
print(outer().__qualname__, outer().__name__)
f = C().m
print(f.__name__, f == f, C.m is C.m)
# ---
# Walrus.
if (n := 10) > 5:
    print(n)
data = [1, 5, 3, 8]
print([y for x in data if (y := x * 2) > 5], y)
i = 0
while (i := i + 1) < 5:
    pass
print(i, (a := 1, b := 2), a, b, [c := 3, c ** 2])
def f():
    return [last := x for x in range(3)], last
print(f())
print(any((hit := v) > 4 for v in data), hit)
def g(x): return x
print(g(z := 5), z, {(k := "a"): (v := 1)}, k, v)
print(f"{(w := 7)} {w}")
# ---
# Comprehension scope.
x = "outer"
print([x for x in range(3)], x, {x: x for x in "ab"}, x, {x for x in [1]}, x)
print([(i, j) for i in range(3) for j in range(i) if (i + j) % 2], [[j for j in range(i)] for i in range(3)], [a for a, *b in ["xyz", "pq"]], [i if i % 2 else -i for i in range(4)], [k for k in {"a": 1}], [*[1, 2]], [i for i in range(20) if i % 2 if i % 3])
def f(n): return [lambda: i for i in range(n)]
print([g() for g in f(3)])
t(lambda: [1 / v for v in [1, 0]])
t(lambda: [v for v in 5])
t(lambda: {k: v for k in [1]})
t(lambda: {[]: 1 for _ in [1]})
t(lambda: [a for a, b in [1]])
print([y for x in [[1, 2], [3]] for y in x], {(a, b): a * b for a in (1, 2) for b in (3, 4)}, sum(x * x for x in range(10)), max((w for w in ["a", "bbb"]), key=len), list(x for x in [1]), "".join(c for c in "abc" if c != "b"))
# ---
# Evaluation order of assignment and augmented assignment.
def v(x):
    print(x, end=" ")
    return x
d = {}
d[v("key")] = v("value")
a = [0, 0]
a[v(0)], a[v(1)] = v(5), v(6)
print(a)
class T:
    def __getitem__(self, k): print("get", k, end=" "); return 1
    def __setitem__(self, k, x): print("set", k, x, end=" ")
    def __getattr__(self, n): print("attr", n, end=" "); return 1
T()[v("i")] += v(2)
T().name += v(3)
x = y = z = []
y.append(1)
print(x, z is x)
i = 0
i, a[i] = 1, "moved"
print(i, a)
v(1) if v(0) else v(2)
v(1) and v(0) and v(2)
v(1) + v(2) * v(3) ** v(2)
(v(1), v(2))
print(v(3), v(4), sep=v("-"))
(lambda *a, **k: print(a, k))(v(1), *v([2]), k=v(3), **v({"l": 4}))
v(1) < v(5) < v(3) < v(9)
# ---
# Statements.
for i in range(10):
    if i == 2: continue
    if i == 4: break
else:
    print("no break")
print(i)
for i in []: pass
else: print("empty else")
n = 3
while n: n -= 1
else: print("while else", n)
for a, (b, *c) in [(1, (2, 3, 4)), (5, "xy")]: print(a, b, c)
for [p, q] in [(1, 2)]: print(p + q)
lst = [0]
for lst[0] in range(3): pass
print(lst)
if 0: pass
elif "": pass
elif []: pass
else: print("else")
x = 5; y = 6; print(x, y)
if x: print("one line"); print("two")
del x, (y)
assert True
t(lambda: x)
def a1(): assert False
def a2(): assert 1 == 2, "message"
def a3(): assert [], ("tuple", 1)
t(a1)
t(a2)
t(a3)
pass
...
"expression statement"
# ---
# differs: annotations of functions are not evaluated
def k(a: print("a") = 1) -> print("ret"):
    return a
k()
