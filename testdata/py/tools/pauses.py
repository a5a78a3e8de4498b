x = tool_add(1, 2)
y = tool_add(x, y=tool_add(x))
print(x, y, tool_add(y=5, x=1), tool_add(10))
[x, y, tool_echo({"k": [1, (2, None)], "f": 1.5})]
# ---
sorted([3, 1, 2], key=lambda v: tool_add(-v, 0))
# ---
words = ["pear", "fig", "apple"]
words.sort(key=lambda w: tool_echo(len(w)), reverse=True)
print(words, max(words, key=lambda w: tool_echo(w[-1])), min(words, key=tool_echo))
list(map(tool_echo, filter(lambda w: tool_echo(len(w) > 3), words)))
# ---
print([tool_add(i, i) for i in range(4) if tool_echo(i % 2)], {tool_echo(k): tool_add(v) for k, v in {"a": 1, "b": 2}.items()}, sum(tool_add(i, 0) for i in range(5)), any(tool_echo(i > 2) for i in range(5)))
f"{tool_add(1, 1)} {tool_echo('t')!r:>6} {tool_add(5, 5):0{tool_echo(4)}d}"
# ---
class Box:
    def __init__(self, v):
        self.v = tool_echo(v)
    def __repr__(self):
        return f"Box({tool_echo(self.v)!r})"
    def __eq__(self, other):
        return tool_echo(self.v == other.v)
    def __lt__(self, other):
        return tool_echo(self.v < other.v)
    def __hash__(self):
        return tool_echo(hash(self.v))
    def __add__(self, other):
        return Box(tool_add(self.v, other.v))
    def __getitem__(self, i):
        return tool_add(self.v, i)
    def __iter__(self):
        for i in range(self.v):
            yield tool_echo(i)
    def __len__(self):
        return tool_echo(self.v)
    def __bool__(self):
        return tool_echo(self.v > 1)
    def __enter__(self):
        return tool_echo("entered")
    def __exit__(self, *a):
        print("exit", tool_echo(a[0] is None))
    def __call__(self, *a):
        return tool_echo(a)
    def __contains__(self, x):
        return tool_echo(x == self.v)
    def __getattr__(self, name):
        return tool_echo(name)
    @property
    def prop(self):
        return tool_add(self.v, 100)
a, b = Box(2), Box(1)
print(a, [a, b], {"k": a}, str((a,)), "%s %r" % (a, b))
print(a == b, a != b, [a] == [Box(2)], a in [b, Box(2)], sorted([a, b]), max([b, a]))
print({a: 1, b: 2}[Box(2)], len({a, b, Box(1)}), a + b, a[5], list(a), len(a), bool(b), not a, 2 in a, a(1, 2), a.missing, a.prop)
with a as got:
    print(got)
print([*a], sum(a), dict(zip(a, "xy")), (lambda *z: z)(*a), [a, b].index(Box(1)))
x, y = a
print(x, y)
# ---
def gen(n):
    for i in range(n):
        try:
            got = yield tool_add(i, 10)
            if got:
                print("got", tool_echo(got))
        finally:
            print("f", tool_echo(i))
    return tool_echo("end")
def outer():
    r = yield from gen(2)
    yield r
g = outer()
print(next(g), g.send("hi"), next(g), list(g))
list(x for x in gen(1))
# ---
def work(n):
    try:
        print("before", tool_add(n))
        tool_fail(f"bad {n}")
    except ValueError as e:
        return tool_echo(str(e))
    finally:
        print("cleanup", tool_echo(n))
print([work(i) for i in range(2)])
try:
    try:
        tool_fail("inner")
    finally:
        print(tool_echo("finally"))
except ValueError as e:
    print(repr(e))
tool_fail("at the end")
# ---
import functools
print(functools.reduce(lambda a, b: tool_add(a, b), [1, 2, 3, 4]))
def deco(f):
    name = tool_echo("deco")
    def w(*a, **k):
        return name, f(*a, **k)
    return w
@deco
def f(a, b=tool_add(1, 1)):
    return a + b
print(f(5), f(5, b=tool_echo(0)))
def fib(n):
    return n if n < 2 else tool_add(fib(n - 1), fib(n - 2))
fib(7)
# ---
async def job(n):
    a = await tool_later(n)
    b = await tool_later(n * 10)
    return tool_add(a, b)
async def main():
    print(await job(1))
    print(await gather(job(1), job(2), job(3)))
    print(await gather(tool_later("a"), tool_later("b")))
    results = await gather(*(job(i) for i in range(5)))
    return sum(results)
await main()
# ---
async def risky(n):
    v = await tool_later(n)
    if v % 2:
        tool_fail(f"odd {v}")
    return v
async def main():
    try:
        return await gather(risky(2), risky(4))
    finally:
        print("done")
print(await main())
try:
    await risky(3)
except ValueError as e:
    print("caught", e)
x = await tool_later([1, {"k": (1, 2)}])
x
# ---
match tool_echo(["go", "north"]):
    case ["go", way] if tool_echo(way == "north"):
        print("going", way)
d = {}
d[tool_echo("key")] = tool_add(1)
d["key"] += tool_add(d["key"])
i = 0
while tool_echo(i < 3):
    i += tool_echo(1)
print(d, i, tool_echo(1) < tool_echo(2) < tool_echo(3), tool_echo(0) or tool_echo("x"))
assert tool_echo(True), tool_echo("never")
del d[tool_echo("key")]
d
# ---
state = {"n": 0, "log": []}
state["me"] = state
def step():
    state["n"] = tool_add(state["n"])
    state["log"].append(len(state["log"]))
    return state["me"] is state
print([step() for _ in range(5)], state["n"], state["log"], state["me"]["me"] is state)
a = [1]
b = (a, a)
tool_echo(1)
b[0].append(tool_echo(2))
print(a, b, b[0] is b[1])
# ---
import json, re
def sub(m):
    return tool_echo(m.group().upper())
print(re.sub(r"[aeiou]", sub, "education"))
class Key(str):
    def __eq__(self, o): return tool_echo(str.__eq__(self, o))
    def __hash__(self): return str.__hash__(self)
print({Key("a"): 1}[Key("a")])
it = iter(lambda: tool_add(len(out), 0), 3)
out = []
for v in it:
    out.append(v)
print(out, list(zip(map(tool_echo, "ab"), (tool_add(i) for i in range(5)))))
big = 10 ** 30
tool_add(big, big)
