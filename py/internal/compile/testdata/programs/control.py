log = []
def f(x):
    log.append(x)
    return x
x = 1
print(x + (x := 2), x)
def g():
    x = 1
    y = x + (x := 5)
    z = (x := 7) + x
    a = [x, (x := 8), x]
    return x, y, z, a, x if (x := 3) < 4 else 0
print(g())
print(1 < f(2) < f(3) < f(1) < f(9), log)
def h(a, b):
    a, b = b, a
    a, b = b + 1, a + 1
    a = b = a * b
    a, *c, b = [1, 2, 3, 4]
    (a, [b, *d]), e = (1, (2, 3)), f(5)
    x, y, z = y0, x0, z0 = b, a, c
    return a, b, c, d, e, x, y, z, x0, y0, z0
print(h(1, 2))
# ---
def tf(kind):
    out = []
    for i in range(4):
        try:
            out.append(("try", i))
            if kind == "continue" and i == 1:
                continue
            if kind == "break" and i == 1:
                break
            if kind == "return" and i == 1:
                return out
            if kind == "raise" and i == 1:
                raise ValueError(i)
            try:
                if kind == "inner" and i == 2:
                    1 / 0
                if kind == "innerreturn" and i == 2:
                    return out
            finally:
                out.append(("inner", i))
        except ZeroDivisionError as e:
            out.append(str(e))
        else:
            out.append("else")
        finally:
            out.append(("finally", i))
    else:
        out.append("loop else")
    return out
for kind in ["", "continue", "break", "return", "raise", "inner", "innerreturn"]:
    try:
        print(kind, tf(kind))
    except Exception as e:
        print(kind, type(e), e)
# ---
def f1():
    try:
        return 1
    finally:
        return 2
def f2():
    for i in range(3):
        try:
            return i
        finally:
            continue
    return "end"
def f3():
    for i in range(3):
        try:
            1 / 0
        finally:
            break
    return "broke"
def f4():
    x = 1
    try:
        return x
    finally:
        x = 2
def f5():
    try:
        try:
            raise ValueError("a")
        finally:
            raise KeyError("b")
    except KeyError as e:
        return repr(e)
def f6():
    try:
        raise ValueError("a")
    except ValueError as e:
        return str(e)
def f7():
    e = 5
    try:
        raise ValueError("a")
    except ValueError as e:
        pass
    try:
        return e
    except UnboundLocalError as q:
        return str(q)
def f8():
    def g():
        return e
    try:
        raise ValueError("a")
    except ValueError as e:
        h = lambda: e
        print(h())
    try:
        return g()
    except NameError as q:
        return str(q)
def f9():
    try:
        try:
            raise ValueError(1)
        except ValueError:
            raise
    except ValueError as e:
        return "again", e.args
def f10():
    n = 0
    while True:
        n += 1
        try:
            if n < 5:
                continue
            break
        finally:
            n += 10
    return n
def f11():
    try:
        pass
    except NameError:
        return 0
    else:
        return 1
    finally:
        print("fin")
def f12(n):
    try:
        if n: raise n
    except (ValueError, TypeError) as e:
        return "vt"
    except KeyError:
        return "k"
    except:
        return "bare"
    return "none"
def f13():
    for i in [1, 2]:
        try:
            try:
                continue
            finally:
                print("a", i)
        finally:
            print("b", i)
    while i:
        try:
            try:
                return i
            finally:
                print("c")
        finally:
            print("d")
            i = 0
for f in f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, f13:
    print(f.__name__, f())
for e in None, ValueError(), TypeError(), KeyError(), IndexError():
    print(f12(e))
try:
    raise ValueError("x") from KeyError("y")
except ValueError as e:
    print(repr(e.__cause__))
def bare():
    raise
try:
    bare()
except RuntimeError as e:
    print(e)
# ---
class CM:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow
    def __enter__(self):
        print("enter", self.name)
        return self.name
    def __exit__(self, t, e, tb):
        print("exit", self.name, t, e)
        return self.swallow
def w1():
    with CM("a") as a, CM("b", True) as b:
        print(a, b)
        raise ValueError("v")
    return "after"
def w2():
    for i in range(3):
        with CM(i):
            if i == 1: continue
            if i == 2: return ("ret", i)
            try:
                with CM("in"):
                    1 / 0
            except ZeroDivisionError:
                print("caught")
            finally:
                print("fin")
class Bad(CM):
    def __exit__(self, *a):
        super().__exit__(*a)
        raise KeyError("exit")
def w3():
    try:
        with CM("outer", True):
            with Bad("bad"):
                return 1
        return "swallowed"
    finally:
        print("w3")
def w4():
    try:
        with 5: pass
    except TypeError as e:
        print(e)
    with CM("t") as (a, b):
        pass
def w5():
    with CM("x"):
        with CM("y"):
            return "r"
print(w1(), w2(), w3(), w5())
try: w4()
except ValueError as e: print(e)
# ---
def gen(n):
    got = None
    for i in range(n):
        try:
            got = yield i, got
        except ValueError as e:
            got = "caught " + str(e)
    return "done"
def outer():
    r = yield from gen(3)
    print("r", r)
    yield (yield 5)
g = outer()
print(next(g), g.send("s"), g.throw(ValueError("t")))
print(list(g))
def counter():
    n = 0
    def inc(by=1, *, scale=2):
        nonlocal n
        n += by * scale
        return n
    return inc
c = counter()
print(c(), c(2), c(scale=5))
fs = [lambda i=i: i * k for i in range(3) for k in [10]]
print([f() for f in fs])
fs = [lambda: i for i in range(3)]
print([f() for f in fs])
def comp(xs):
    y = 10
    t = [x + y for x in xs if x for y in range(x)]
    u = {x: [x * z for z in range(y)] for x in xs}
    s = {(a, b) for a, b in u.items() for b in b}
    v = [w := x for x in xs]
    return t, u, sorted(s), y, v, w, sum(x for x in xs if x % 2), list((a, b) for a in xs for b in range(a))
print(comp([1, 2, 3]))
# ---
class A:
    x = 1
    y = [x for _ in range(2)]
    z = x + 1
    def m(self, *args, k=x, **kw):
        return self.__p(args), k, kw, __class__ if False else None
    def __p(self, a):
        return a
    __q = 5
    def q(self): return self.__q
    for i in range(3): w = i
    del i
    class Inner:
        v = 2
        def r(self): return super().__repr__()[:5]
print(A.y, A.z, A().m(1, 2, z=3), A().q(), A.w, hasattr(A, "i"), A.__qualname__, A.Inner.__qualname__, A.m.__qualname__, A.Inner().r()[:3])
class B(A, metaclass=type):
    "doc"
    a: int
    b: "str" = 3
    def __init__(self): self.t = super().m(0)
    @property
    def p(self): return [super(B, self).q() for _ in range(1)]
    @staticmethod
    def s(x, /, y=2): return x, y
    @classmethod
    def c(cls, x): return cls.__name__, x
print(B().t, B().p, B.s(1), B.c(2), B.__doc__, list(B.__annotations__), B.b)
def deco(n):
    print("deco", n)
    return lambda f: (print("apply", n), f)[1]
@deco(1)
@deco(2)
def fn(a, b=3, *, c=4): return a, b, c
print(fn(1), fn(1, c=2), fn(*[1], **{"c": 3}), fn(1, *[2], c=7))
@deco(3)
class D(*[A], **{}): pass
print(D.__mro__[1].__name__)
try: fn(1, b=2, **{"b": 3})
except TypeError as e: print(e)
def order(*a, **k): return a, k
def p(x): print("p", x); return x
print(order(p(1), *p([2]), p(3), k=p(4), **p({"z": 5}), y=p(6)))
# ---
def m(x):
    match x:
        case 0 | 1: return "small"
        case -1: return "neg"
        case "a" | "b" as s: return s
        case None: return "none"
        case True: return "true"
        case [1, y]: return "pair", y
        case [a, *rest, b] if a == b: return "ends", rest
        case [_, *_, 9]: return "nine"
        case (3, (4, q)): return "nested", q
        case {"k": v, **rest}: return "map", v, rest
        case {"only": {"deep": [z]}}: return z
        case int(n) | float(n): return "num", n
        case P(x=px, y=[py]): return "P", px, py
        case P(1): return "P1"
        case []: return "empty"
        case {}: return "emptymap"
    return "no"
class P:
    __match_args__ = ("x",)
    def __init__(self, x, y): self.x, self.y = x, y
for v in [0, 1, -1, "a", "b", "c", None, True, [1, 2], [2, 3, 2], [2, 8, 9], (3, (4, 5)), {"k": 1, "j": 2}, {"only": {"deep": [7]}}, 5, 2.5, P(1, [2]), P(1, 2), P(2, 2), [], {}, {"x": 1}, "", b"ab", range(0), (3, 3)]:
    print(v if not isinstance(v, P) else "P", m(v))
match p0 := 5, 6:
    case (x, y) if x > y: print("gt")
    case (x, y): print(x, y, p0)
# ---
def t(f, *a):
    try: return f(*a)
    except Exception as e: return f"{type(e).__name__}: {e}"
def u1(c):
    if c: x = 1
    return x
def u2():
    for i in []: pass
    return i
def u3():
    x = 1
    del x
    return x
def u4():
    try: y = 1 / 0
    except ZeroDivisionError: pass
    return y
def u5(n):
    while n:
        n -= 1
        if n == 2: z = n
        elif n == 1: break
    else:
        z = "else"
    return z
def u6(): return [y for x in [1] for y in y]
def u7(): return undefined
def u8():
    def g(): return q
    if False: q = 1
    return g()
def u9(a):
    del a
    def g(): return a
    return g()
def u10():
    global GG
    GG = 5
    del GG
    return GG
def u11(x):
    x = x and y
    y = 1
    return x
print(t(u1, 1), t(u1, 0), t(u2), t(u3), t(u4), t(u5, 5), t(u5, 0), t(u5, 1), t(u6), t(u7), t(u8), t(u9, 1), t(u10), t(u11, 0), t(u11, 1))
len2 = len
def len(x): return "mine"
print(len([]), len2([]))
del len
print(len([]))
# ---
def ops(a, b):
    r = [a + b, a - b, a * b, a / b, a // b, a % b, a ** 2, a << 1, a >> 1, a & b, a | b, a ^ b, -a, +a, ~a, not a]
    r += [a + 1, a - 1, a * 3, a // 2, a % 3, a + 300, a - 1.5, a * 2.5, a / 4, 3 - a, 2 ** 3 ** 2, -2 ** 2, 1_000_000 * 10**12]
    r += [a == b, a != b, a < b, a <= b, a > b, a >= b, a is b, a is not b, a in [1, 2, 3], a not in (1, 2), a in {5: 1}]
    r += [a and b, a or b, not a and b, a if a > b else b, 1 if a == 7 else 2 if a == 3 else 4]
    x = a
    x += 1; x -= 2; x *= 3; x /= 2; x //= 1; x %= 50; x **= 2
    y = a
    y <<= 3; y >>= 1; y &= 255; y |= 64; y ^= 5; y += 300; y *= 7
    d = {"k": [1, 2, 3, 4]}
    d["k"][1] += 5
    d["k"][1:3] += [9] if False else []
    d["k"][-1] = d["k"][0]
    d["k"][0], d["j"] = 7, 8
    s = d["k"]
    return r, x, y, d, s[1:], s[:-1], s[::2], s[::-1], s[1:3:1], "%s" % a, f"{a}{b!r:>5}|{a:{b}d}|{a=}|{x:.2f}|{'q' 'r'}"
print(ops(7, 3))
print(ops(3, 7))
class O: pass
o = O()
o.a = o.b = 1
o.a += 5
o.c = [1]
o.c[0] += o.a
del o.b
print(o.a, o.c, hasattr(o, "b"))
a = b = [1]
a += [2]
print(a, b, a is b)
l = [0] * 3
i = 0
i, l[i] = 1, 5
print(i, l)
assert l, "no"
try:
    assert not l, f"bad {l}"
except AssertionError as e:
    print(e)
print([*l, *"ab", 1], (*l,), {*l, 9}, {**{"a": 1}, "b": 2, **{"a": 3}}, [[i, j] for i in range(2) for j in range(2)])
print("a" "b" + "c", (1, "x", (2.5, None)), -5, 0x10, 1e300 * 1e10, -0.0, ..., b"x", "\ud800" == "\ud800")
while i < 10:
    i += 1
    if i == 3: continue
    if i == 6: break
else: print("no")
print(i, *range(i), sep=",")
for i in range(0): pass
else: print("empty")
for i, (j, k) in [(1, (2, 3))]: print(i, j, k)
for o.z in [1]: print(o.z)
for l[0], l[1] in [(7, 8)]: print(l)
import os.path, json as js
from math import pi, floor as fl
print(os.path.join("a", "b"), js.dumps([1]), pi, fl(2.5))
try:
    from math import nothing
except ImportError as e:
    print("ImportError")
# ---
async def agen(n):
    for i in range(n):
        yield i
        await nothing()
async def nothing(): return 1
class ACM:
    async def __aenter__(self): print("aenter"); return 5
    async def __aexit__(self, t, e, tb): print("aexit", t); return t is ValueError
async def amain():
    out = []
    async for i in agen(4):
        if i == 1: continue
        out.append(i)
    else:
        out.append("else")
    async with ACM() as v:
        out.append(v)
        raise ValueError
    out.append([await nothing() + x async for x in agen(3) if await nothing()])
    out.append({x async for x in agen(2)})
    g = (x * 2 async for x in agen(3))
    out.append([x async for x in g])
    async with ACM():
        return out
print(await amain())
print([await nothing() for _ in range(2)])
async for q in agen(2): print(q)
async with ACM() as z: print(z)
# ---
big = [[1, 2, [3, 4, [5, 6, [7, 8, [9, [10, [11, [12]]]]]]]], *range(3)]
print(big)
print(sum([1]*1) + max([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 77, 8, 9]))
def va(*a, **k): return len(a), len(k), a[-1:]
print(va(
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 77, 8, 9, k=1, j=2))
def scopes():
    x = "outer"
    class C:
        x = "class"
        y = x
        def m(self): return x
        z = [x for _ in [0]]
        w = (lambda: x)()
    def inner():
        global x
        x = "global"
        def deep(): return x
        return deep()
    return C.y, C().m(), C.z, C.w, inner(), x
print(scopes(), x)
def walrus():
    if any((hit := v) > 2 for v in [1, 2, 3, 4]):
        return hit, [last := v for v in range(3)], last
print(walrus())
total = 0
print([total := total + v for v in range(4)], total, list((total := v) for v in "ab"), total)
