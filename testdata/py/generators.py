# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
def gen(n):
    print("start")
    for i in range(n):
        got = yield i
        if got:
            print("got", got)
    print("end")
    return "result"
g = gen(3)
print(next(g), g.send("hello"), next(g))
t(lambda: next(g))
t(lambda: next(g))
t(lambda: next(g, "default"))
g = gen(1)
t(lambda: g.send(5))
print(list(g))
# ---
# throw and close.
def g():
    try:
        while True:
            try:
                x = yield 1
                print("x", x)
            except ValueError as e:
                print("caught", e)
                yield "after"
    finally:
        print("cleanup")
a = g()
print(next(a), a.throw(ValueError("v")), next(a))
t(lambda: a.throw(KeyError("k")))
t(lambda: next(a))
b = g()
next(b)
print(b.close(), b.close())
c = g()
print(c.close())
t(lambda: next(c))
d = g()
t(lambda: d.throw(RuntimeError, "not started"))
t(lambda: next(d))
def stubborn():
    try:
        yield 1
    except GeneratorExit:
        yield 2
s = stubborn()
next(s)
t(lambda: s.close())
def returns():
    try:
        yield 1
    except GeneratorExit:
        return 5
r = returns()
next(r)
print(r.close())
t(lambda: r.throw(5))
t(lambda: g().throw("x"))
# ---
# yield from.
def inner():
    x = yield 1
    print("inner got", x)
    y = yield 2
    return x, y
def outer():
    r = yield from inner()
    print("r", r)
    yield from [10, 20]
    yield from "ab"
    return "done"
g = outer()
print(next(g), g.send("a"), g.send("b"), list(g))
def flat(v):
    if isinstance(v, list):
        for x in v:
            yield from flat(x)
    else:
        yield v
print(list(flat([1, [2, [3, [[4]]]], 5])))
def bad():
    yield from 5
t(lambda: list(bad()))
def delegating():
    try:
        yield from inner()
    except ValueError as e:
        yield "delegated " + str(e)
g = delegating()
next(g)
print(g.throw(ValueError("deep")))
def stop():
    yield 1
    raise StopIteration("no")
t(lambda: list(stop()))
def tree(n):
    if n:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)
print(list(tree(4)))
# ---
# Laziness, generator expressions, and infinite sources.
def naturals():
    n = 0
    while True:
        yield n
        n += 1
def take(n, it):
    for _, x in zip(range(n), it):
        yield x
print(list(take(5, naturals())), list(take(3, (x * x for x in naturals() if x % 2))))
def noisy(x):
    print("noisy", x)
    return x
g = (noisy(x) for x in [1, 2, 3])
print("made")
print(next(g))
print(any(noisy(x) > 1 for x in [1, 2, 3]))
print(next(x for x in naturals() if x > 10), next((x for x in []), None))
t(lambda: next(x for x in []))
e = enumerate(naturals())
print(next(e), next(e))
m = map(noisy, naturals())
print(next(m), next(m))
f = filter(lambda x: x % 3 == 0, naturals())
print(next(f), next(f), next(f))
z = zip(naturals(), "ab")
print(list(z))
print(sum(x for x in range(5)), sorted(c for c in "cab"), dict((k, 1) for k in "ab"), set(x % 2 for x in range(5)), tuple(x for x in "ab"), 3 in (x for x in range(5)), [*(x for x in "xy")])
a, b, *c = (x for x in range(5))
print(a, b, c)
it = iter(range(5))
print(3 in it, list(it))
# ---
# A generator expression evaluates its first iterable at once.
t(lambda: (x for x in 5))
def f():
    return (1 / x for x in [1, 0])
g = f()
print(next(g))
t(lambda: next(g))
t(lambda: next(g))
n = 3
g = (n * x for x in range(n))
n = 10
print(list(g))
# ---
# Pipelines.
def read(lines):
    for line in lines:
        yield line.strip()
def parse(lines):
    for line in lines:
        if not line or line.startswith("#"):
            continue
        k, _, v = line.partition("=")
        yield k.strip(), v.strip()
def numbers(pairs):
    for k, v in pairs:
        try:
            yield k, float(v)
        except ValueError:
            yield k, None
text = ["# comment", "a = 1", "", "b=x", " c = 2.5 "]
print(dict(numbers(parse(read(text)))))
def window(it, n):
    buf = []
    for x in it:
        buf.append(x)
        if len(buf) > n:
            buf.pop(0)
        if len(buf) == n:
            yield tuple(buf)
print(list(window(range(6), 3)))
def chunks(seq, n):
    for i in range(0, len(seq), n):
        yield seq[i:i + n]
print(list(chunks("abcdefgh", 3)))
def primes():
    found = []
    n = 2
    while True:
        if all(n % p for p in found if p * p <= n):
            found.append(n)
            yield n
        n += 1
from itertools import islice
print(list(islice(primes(), 15)))
def averager():
    total, n, avg = 0, 0, None
    while True:
        x = yield avg
        total += x
        n += 1
        avg = total / n
a = averager()
next(a)
print([a.send(v) for v in [10, 20, 60]])
# ---
# The iterator protocol of classes.
class Count:
    def __init__(self, n): self.n = n
    def __iter__(self): return self
    def __next__(self):
        if self.n <= 0: raise StopIteration
        self.n -= 1
        return self.n
print(list(Count(3)), sum(Count(4)), max(Count(3)), 2 in Count(5), [*Count(2)], dict(zip("ab", Count(5))))
c = Count(3)
for x in c:
    if x == 1: break
print(list(c))
class Old:
    def __getitem__(self, i):
        if i > 2: raise IndexError("end")
        return i * 10
print(list(Old()), 20 in Old(), [x for x in Old()], list(reversed([1])))
class Gen:
    def __iter__(self):
        yield 1
        yield 2
print(list(Gen()), list(Gen()), sorted(Gen(), reverse=True))
class NotIter:
    def __iter__(self): return 5
t(lambda: list(NotIter()))
class NoNext:
    def __iter__(self): return self
t(lambda: list(NoNext()))
class Raises:
    def __iter__(self): raise ValueError("no iter")
t(lambda: list(Raises()))
class RaisesNext:
    def __iter__(self): return self
    def __next__(self): raise KeyError("k")
t(lambda: list(RaisesNext()))
t(lambda: [x for x in RaisesNext()])
class Blocked:
    __iter__ = None
    def __getitem__(self, i): return i
t(lambda: list(Blocked()))
class Contains:
    def __contains__(self, x): return x == "magic"
print("magic" in Contains(), 5 in Contains(), 5 not in Contains())
class Rev:
    def __len__(self): return 3
    def __getitem__(self, i): return i * i
print(list(reversed(Rev())))
class Rev2:
    def __reversed__(self): return iter("custom")
print(list(reversed(Rev2())))
# ---
# StopIteration and friends.
def g():
    r = yield from h()
    print("r is", r)
def h():
    return "from return"
    yield
print(list(g()))
def early():
    yield 1
    return
    yield 2
print(list(early()))
try:
    it = early()
    next(it)
    next(it)
except StopIteration as e:
    print("stop", e.value, e.args)
def value():
    return (yield) or "none"
v = value()
next(v)
try:
    v.send("sent")
except StopIteration as e:
    print(e.value)
def swallow():
    try:
        next(iter([]))
    except StopIteration:
        return "swallowed"
print(swallow())
def leak():
    yield next(iter([]))
t(lambda: list(leak()))
def running():
    yield next(me)
me = running()
t(lambda: next(me))
def lam():
    f = lambda: (yield)
    return type(f()).__name__
print(lam())
x = (i for i in range(3))
print(type(x).__name__, iter(x) is x, hasattr(x, "send"), hasattr(x, "__next__"), next(x), list(x))
def with_finally():
    try:
        yield 1
        yield 2
    finally:
        print("finally ran")
for v in with_finally():
    print(v)
# ---
# Coroutines by hand: a scheduler of generators.
def task(name, n):
    for i in range(n):
        print(name, i)
        yield
    return name
def run(tasks):
    done = []
    while tasks:
        t = tasks.pop(0)
        try:
            next(t)
        except StopIteration as e:
            done.append(e.value)
        else:
            tasks.append(t)
    return done
print(run([task("a", 2), task("b", 3), task("c", 1)]))
