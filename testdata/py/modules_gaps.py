# prelude
def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from collections import UserList, UserString, UserDict
from collections.abc import MutableSequence, Sequence
class L(UserList):
    def head(self): return self[0]
x = L([3, 1, 2])
x.append(5)
x.extend([7, 8])
x += [9]
print(x, x.head(), x[1:3], type(x[1:3]).__name__, x + [1], [0] + x, x * 2, 2 * x, len(x), 3 in x, x == [3, 1, 2, 5, 7, 8, 9], x < [4], sorted(x), list(reversed(x)), isinstance(x, MutableSequence), isinstance(x, list))
x.sort()
x.reverse()
x.insert(0, 99)
print(x, x.pop(), x.pop(0), x.index(5), x.count(5), x.copy(), type(x.copy()).__name__, x.data)
x.remove(5)
del x[0]
x[0] = "z"
x[1:2] = [1, 2]
print(x, bool(L()), UserList("ab"), UserList(UserList([1])))
x.clear()
print(x)
t(hash, x)
class S(UserString):
    def shout(self): return self.upper() + "!"
s = S("hello World")
print(s, repr(s), s.shout(), type(s.shout()).__name__, len(s), s[0], s[1:3], "wor" in s, "Wor" in s, s == "hello World", s < "z", s + "x", "x" + s, s * 2, s.split(), s.title(), s.find("W"), s.replace("l", "L"), s.startswith("he"), s.count("l"), isinstance(s, Sequence), isinstance(s, str), hash(s) == hash("hello World"), s.encode(), UserString("%s-%s") % (1, 2), int(UserString("5")), UserString(12), s.center(15, "*"), s.isalpha(), s.partition(" "), ",".join([str(s)]), s.swapcase(), list(UserString("ab")), s.join(["a", "b"]), UserString("a{}").format(1))
# ---
from statistics import NormalDist, StatisticsError
n = NormalDist(100, 15)
for p in (0.001, 0.01, 0.05, 0.25, 0.5, 0.7, 0.925, 0.95, 0.999, 1e-12, 1 - 1e-12, 1e-30, 1e-300):
    print(p, repr(n.inv_cdf(p)), NormalDist().inv_cdf(p))
print(n.quantiles(), n.quantiles(10), n.overlap(NormalDist(110, 15)), n.overlap(NormalDist(90, 5)), n.overlap(n), NormalDist(2.4, 1.6).overlap(NormalDist(3.2, 2.0)))
t(n.inv_cdf, 0)
t(n.inv_cdf, 1.5)
t(n.overlap, 5)
t(n.overlap, NormalDist(1, 0))
t(NormalDist(0, 0).inv_cdf, 0.5)
# ---
import contextlib, asyncio
class M:
    def __init__(self, name, swallow=False): self.name, self.swallow = name, swallow
    async def __aenter__(self):
        print("enter", self.name)
        return self.name
    async def __aexit__(self, t, v, tb):
        print("exit", self.name, repr(v))
        return self.swallow
@contextlib.contextmanager
def plain(name):
    print("open", name)
    yield name
    print("close", name)
async def main():
    async with contextlib.AsyncExitStack() as stack:
        print(await stack.enter_async_context(M("a")), stack.enter_context(plain("b")))
        stack.callback(print, "callback", sep="-")
        async def later(x): print("later", x)
        stack.push_async_callback(later, 1)
        stack.push_async_exit(M("pushed"))
    try:
        async with contextlib.AsyncExitStack() as stack:
            await stack.enter_async_context(M("outer"))
            raise ValueError("boom")
    except ValueError as e:
        print("caught", e)
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(M("swallows", True))
        await stack.enter_async_context(M("sees"))
        raise KeyError("k")
    stack = contextlib.AsyncExitStack()
    await stack.enter_async_context(M("moved"))
    other = stack.pop_all()
    await stack.aclose()
    await other.aclose()
    try:
        await stack.enter_async_context(5)
    except TypeError as e:
        print(type(e).__name__)
asyncio.run(main())
print(isinstance(contextlib.AsyncExitStack(), contextlib.ExitStack), isinstance(contextlib.ExitStack(), contextlib.AbstractContextManager))
# ---
from enum import Enum, Flag, IntFlag, verify, UNIQUE, CONTINUOUS, NAMED_FLAGS, EnumCheck, unique, auto
def build(kind, checks, **members):
    return verify(*checks)(kind("Made", members))
print(build(Enum, [UNIQUE, CONTINUOUS], A=1, B=2, C=3), list(EnumCheck), UNIQUE, repr(CONTINUOUS))
t(build, Enum, [UNIQUE], A=1, B=1, C=1)
t(build, Enum, [CONTINUOUS], A=1, B=4, C=6)
t(build, Flag, [CONTINUOUS], A=1, B=8)
t(build, Flag, [NAMED_FLAGS], A=1, B=2, AB=3, C=12)
t(build, Flag, [NAMED_FLAGS], A=1, AB=3)
t(build, Flag, [NAMED_FLAGS], A=1, AB=3, CD=12)
print(build(IntFlag, [NAMED_FLAGS, UNIQUE], A=1, B=2, AB=3))
@verify(UNIQUE)
class Color(Enum):
    RED = auto()
    BLUE = auto()
print(Color.RED, list(Color))
# ---
import mimetypes, reprlib, gc, weakref
for name in ("a.txt", "b.tar.gz", "c.JSON", "x/y.html", "noext", ".bashrc", "p.jpeg", "q.pdf", "z.tgz", "http://h/x.png", "s.svgz", "u.unknown", "v.csv", "w.py", "data:text/html,abc", "data:,x", "a.b.c.zip"):
    print(name, mimetypes.guess_type(name))
print(mimetypes.guess_extension("application/json"), mimetypes.guess_extension("text/html") in (".htm", ".html"), mimetypes.guess_extension("x/y"), mimetypes.guess_type("a.webp", strict=False))
print(reprlib.repr(list(range(100))), reprlib.repr("x" * 100), reprlib.repr({i: i for i in range(9)}), reprlib.repr((1,)), reprlib.repr(set(range(20))), reprlib.repr([[[[[[[[1]]]]]]]]), reprlib.repr(10 ** 60), reprlib.repr([]), reprlib.repr({}), reprlib.repr(frozenset()))
class N:
    def __init__(self): self.items = []
    @reprlib.recursive_repr("<...>")
    def __repr__(self): return f"N({self.items})"
n = N()
n.items.append(n)
print(n)
r = reprlib.Repr()
r.maxlist = 2
print(r.repr([1, 2, 3, 4]))
gc.collect()
class Node:
    pass
a = Node()
print(weakref.ref(a)() is a, weakref.ref(a) == weakref.ref(a))
cache = weakref.WeakValueDictionary()
cache["k"] = a
print(cache["k"] is a, "k" in cache, cache.get("z"), len(cache))
t(weakref.ref, 5)
s = weakref.WeakSet()
s.add(a)
print(a in s, len(s))
f = weakref.finalize(a, print, "gone")
print(f.alive)
f()
print(f.alive, f())
# ---
from string import Template
class Percent(Template):
    delimiter = "%"
class Dotted(Template):
    idpattern = r"[a-z][_a-z0-9.]*"
class Braced(Template):
    braceidpattern = r"[a-z0-9]+"
class Own(Template):
    pattern = r"""
    \{\{(?:
      (?P<escaped>\{\{) |
      (?P<named>[a-z]+)\}\} |
      (?P<braced>[0-9]+)\}\} |
      (?P<invalid>)
    )"""
print(Percent("%who likes %{what} %% $x").substitute(who="Tim", what="kung"), Dotted("$a.b and ${c.d}").substitute({"a.b": 1, "c.d": 2}), Braced("$name ${12}").substitute({"name": "x", "12": "y"}), Own("{{name}} {{12}} {{{{ x").substitute({"name": "N", "12": "T"}))
t(Percent("%").substitute)
t(Dotted("x\n$1").substitute)
t(Own("a {{?}}").substitute)
print(Dotted("$a.b $").safe_substitute({}), Dotted("$a.b ${c}").get_identifiers(), Dotted("$9").is_valid(), Template("$A $Ab").substitute(A=1, Ab=2))
