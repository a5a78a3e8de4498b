# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
class CM:
    def __init__(self, name, swallow=False): self.name, self.swallow = name, swallow
    def __enter__(self):
        print("enter", self.name)
        return self.name.upper()
    def __exit__(self, kind, value, tb):
        print("exit", self.name, kind.__name__ if kind else None, value)
        return self.swallow
with CM("a") as a: print("body", a)
with CM("b"): pass
with CM("c") as c, CM("d") as d: print(c, d)
with (CM("e") as e, CM("f") as f,): print(e, f)
with CM("g", True): raise ValueError("swallowed")
print("after")
def raises():
    with CM("h"), CM("i"):
        raise KeyError("k")
t(raises)
def returns():
    with CM("j"):
        return "value"
print(returns())
def loop():
    for n in range(3):
        with CM("l%d" % n):
            if n == 0: continue
            if n == 1: break
loop()
def swallow_then():
    with CM("outer"):
        with CM("inner", True):
            raise ValueError("x")
        return "continued"
print(swallow_then())
class Target: pass
x = Target()
with CM("attr") as x.value: print(x.value)
lst = [0]
with CM("idx") as lst[0]: print(lst)
class Pair:
    def __enter__(self): return 1, (2, 3)
    def __exit__(self, *a): return False
with Pair() as (p, (q, r)): print(p, q, r)
# ---
class NoEnter:
    def __exit__(self, *a): pass
class NoExit:
    def __enter__(self): pass
class BadEnter:
    def __enter__(self): raise ValueError("enter fails")
    def __exit__(self, *a): print("never")
class BadExit:
    def __enter__(self): return 1
    def __exit__(self, *a): raise TypeError("exit fails")
class WrongArity:
    def __enter__(self): pass
    def __exit__(self): pass
def use(cm, body=lambda: None):
    with cm as v:
        body()
    return "done"
t(lambda: use(NoEnter()))
t(lambda: use(NoExit()))
t(lambda: use(BadEnter()))
t(lambda: use(BadExit()))
t(lambda: use(WrongArity()))
t(lambda: use(5))
t(lambda: use(None))
t(lambda: use(BadExit(), lambda: 1 / 0))
# ---
from contextlib import contextmanager, suppress, nullcontext, ExitStack
@contextmanager
def tag(name):
    print(f"<{name}>")
    try:
        yield name
    except ValueError as e:
        print("handled", e)
    finally:
        print(f"</{name}>")
with tag("b") as b: print(b)
with tag("i"): raise ValueError("v")
def other():
    with tag("u"): raise KeyError("k")
t(other)
with suppress(ZeroDivisionError): 1 / 0
with suppress(KeyError, IndexError): {}["x"]
def not_suppressed():
    with suppress(KeyError): 1 / 0
t(not_suppressed)
with nullcontext(5) as n: print(n)
with ExitStack() as stack:
    print([stack.enter_context(tag(x)) for x in "xy"])
    stack.callback(print, "callback")
# ---
# match: literals, captures, guards, or-patterns.
def f(x):
    match x:
        case 0: return "zero"
        case 1 | 2 | 3: return "small"
        case -1: return "minus one"
        case 1.5: return "float"
        case "a" | "b": return "letter"
        case "": return "empty string"
        case None: return "none"
        case True: return "true"
        case False: return "false"
        case b"x": return "bytes"
        case int() | float() if x > 100: return "big"
        case int(n): return f"int {n}"
        case str() as s if len(s) > 3: return f"long {s}"
        case str(s): return f"str {s}"
        case []: return "empty list"
        case [x]: return f"one {x!r}"
        case [1, y]: return f"1 and {y}"
        case [a, b]: return f"two {a} {b}"
        case [first, *rest] if first == "cmd": return f"cmd {rest}"
        case [first, *_, last]: return f"{first}..{last}"
        case {"type": "circle", "r": r}: return f"circle {r}"
        case {"type": t, **rest}: return f"type {t} {rest}"
        case {}: return "mapping"
        case _: return "other " + type(x).__name__
for v in [0, 1, 3, -1, 1.5, "a", "b", "", None, True, False, b"x", 500, 200.5, 42, "long text", "xy", [], [7], (8,), [1, 2], [3, 4], ["cmd", 1, 2], [1, 2, 3, 4], (5, 6, 7), {"type": "circle", "r": 2}, {"type": "sq", "s": 1}, {"z": 1}, {}, {1, 2}, 2.5, range(3), b"y", print]:
    print(f(v))
# ---
class Point:
    __match_args__ = ("x", "y")
    def __init__(self, x, y): self.x, self.y = x, y
class Plain:
    def __init__(self, v): self.v = v
class Color:
    RED = 1
    BLUE = "blue"
def g(p):
    match p:
        case Point(0, 0): return "origin"
        case Point(x=0, y=y): return f"y axis {y}"
        case Point(x, 0): return f"x axis {x}"
        case Point(x, y) if x == y: return f"diagonal {x}"
        case Point(): return "point"
        case Plain(v=[a, {"k": b}]): return f"deep {a} {b}"
        case Plain(v=Point(x=1) as q): return f"inner {q.y}"
        case Color.RED: return "red"
        case Color.BLUE: return "blue"
        case (Point(x=a), Point(x=b)): return f"two points {a} {b}"
        case [int(), str()] | (str(), int()): return "mixed"
        case [[a, b], [c, d]]: return f"matrix {a + b + c + d}"
        case {"user": {"name": str(name), "tags": [*tags]}}: return f"{name} {tags}"
        case {"n": int() | float() as n}: return f"n {n}"
        case {1: a, None: b}: return f"odd keys {a} {b}"
        case list(): return "list"
        case dict(d): return f"dict {len(d)}"
        case tuple((1, *_)): return "tuple starting with 1"
        case tuple(t): return f"tuple {t}"
        case set() | frozenset(): return "set"
        case bool(b): return f"bool {b}"
        case _: return "?"
for p in [Point(0, 0), Point(0, 5), Point(5, 0), Point(3, 3), Point(1, 2), Plain([1, {"k": 2, "z": 3}]), Plain(Point(1, 9)), Plain(0), 1, "blue", (Point(1, 1), Point(2, 2)), [1, "a"], ("a", 1), [[1, 2], [3, 4]], {"user": {"name": "n", "tags": ["a", "b"]}}, {"n": 2.5}, {"n": "x"}, {1: "a", None: "b"}, [1, 2, 3], {}, (1, 2, 3), (2, 3, 4), {1}, True, 5]:
    print(g(p))
def bad(p):
    match p:
        case Point(1, 2, 3): return 1
t(lambda: bad(Point(1, 2)))
def bad2(p):
    match p:
        case Plain(1): return 1
t(lambda: bad2(Plain(1)))
def bad3(p):
    match p:
        case Point(1, x=2): return 1
t(lambda: bad3(Point(1, 2)))
# ---
# Soft keywords stay names; bindings of a failed case; strings are no sequences.
match = 5
case = [1]
_ = "underscore"
print(match, case[0], _)
match case:
    case [x]: print("x", x)
match (1, 2):
    case (a, 3): pass
    case _: print("no")
match "ab":
    case [p, q]: print("never")
    case str(): print("str")
match 1, 2:
    case 1, *z: print(z)
x = 7
match 5:
    case x: print("captured", x)
def ret(v):
    match v:
        case {"a": 1}: return "a"
    return "none"
print(ret({"a": 1, "b": 2}), ret({"a": 2}), ret({}))
for cmd in ["go north", "take lamp", "drop a b", "quit", "", "go"]:
    match cmd.split():
        case ["go", ("north" | "south") as way]: print("going", way)
        case ["take" | "drop" as verb, *things] if things: print(verb, things)
        case ["quit"]: print("bye")
        case []: print("nothing")
        case unknown: print("unknown", unknown)
