# Big outputs, and print's arguments.
for i in range(400):
    print(i, "x" * (i % 50), [i] * (i % 7))
print(*range(100), sep=",")
print("a", end="")
print("b", "c", sep="", end="\n\n")
print(None, True, 1.0, "s", b"b", [1], (1,), {1: 2}, {1}, print)
print(sep="x")
print("\ttab\\", "line\nbreak", "é日😀", repr("é\n"))
"x" * 5000
# ---
[i for i in range(3000)]
# ---
{i: str(i) * 3 for i in range(500)}
# ---
# Names with every letter of the language; unicode identifiers; comments; line joining.
été = 1
变量 = 2
_x1 = été + 变量  # comment
y = (1 +
     2  # inside
     + 3)
z = 1 + \
    2
s = ("a"
     "b")
d = {
    "k": 1,
}
if y == 6: z += 1; z *= 2
print(_x1, y, z, s, d)
class A: x = 1; y = 2
def f(): return 1; print("never")
print(A.y, f())
x = 1,
print(x, 0b11, 0o17, 0xFf, 1_0, .5, 1e3, 1E-2, 0xdead, 00)
# ---
# Semantics of names in loops and comprehensions, del, chained assignment.
for i in range(3): pass
print(i)
for x in []: pass
try: print(x)
except NameError as e: print(e)
a = b = []
a.append(1)
print(b)
a, b = b, [2]
print(a, b)
i = 0
i, a[i:] = 1, [9, 9]
print(i, a)
a[0], a = 7, [a[0]]
print(a)
x, *y, z = range(5)
print(x, y, z)
n = 5
n //= 2; n **= 3; n <<= 2; n |= 1; n ^= 7; n &= 62; n %= 40; n -= 1; n >>= 1
print(n)
s = "a"; s += "b"; s *= 2; s %= ()
print(s)
f = 7.0; f /= 2; f //= 1; f -= 0.5
print(f)
# ---
# Mixed numbers: hash and equality are one.
pairs = [(1, 1.0), (True, 1), (0, False), (2**53, float(2**53)), (10**22, 1e22), (-1, -1.0)]
from fractions import Fraction
from decimal import Decimal
for a, b in pairs:
    print(a == b, hash(a) == hash(b), {a: "x"}[b], a in [b], a in {b}, len({a, b}), (a,) == (b,), {a: 1} == {b: 1})
print(1 == Fraction(1) == Decimal(1) == 1.0 == True, len({1, Fraction(1), Decimal(1), 1.0, True}), Fraction(1, 2) == 0.5 == Decimal("0.5"), hash(Fraction(1, 2)) == hash(0.5) == hash(Decimal("0.5")))
print(sorted([3, 2.5, True, Fraction(1, 3), -1]), max(1, 1.0), max(1.0, 1), sum([1, 2.5, True]), 1 < 1.5 < 2, 2**63 < 2.0**63 + 2048, 3 == 3.0000000000000001)
# ---
# type(), isinstance and the tower of builtin classes.
for v in [1, 1.5, "s", b"b", True, None, [], (), {}, set(), frozenset(), range(1), slice(1), len, lambda: 0, int, ValueError("x"), (x for x in []), enumerate([]), zip(), map(str, []), iter([]), iter(""), iter({}), reversed([]), {}.keys(), {}.values(), {}.items(), ..., NotImplemented, type, object(), "".join, [].append, property(), staticmethod(len), classmethod(len), super]:
    print(type(v).__name__, isinstance(v, object), isinstance(v, (int, str)), callable(v), isinstance(v, type))
print(issubclass(bool, int), issubclass(int, object), issubclass(ValueError, Exception), issubclass(KeyError, LookupError), isinstance(True, int), type(True) is int, isinstance(type, object), issubclass(type, object), isinstance(1, (str, (int, float))), int.__name__, [c.__name__ for c in bool.mro()])
print(int is int, type(1) is type(2), type("") is str, type([]) == list, str(int), repr(str), f"{list}", [int, str], {int: "i"}[type(5)])
print(object() == object(), object() is object(), type(object()).__name__)
# ---
# Functions of strings and characters in loops.
out = []
for c in "Hello, World! 123":
    if c.isalpha(): out.append(c.swapcase())
    elif c.isdigit(): out.append(str(9 - int(c)))
    elif c in ",!": continue
    else: out.append("_")
print("".join(out), "".join(sorted(set("mississippi"))), {c: "mississippi".count(c) for c in dict.fromkeys("mississippi")}, "-".join(str(ord(c)) for c in "abc"), "".join(chr(ord(c) + 1) for c in "HAL"), max("hello", key="hello".count), list(map(ord, "é")), " ".join(w[::-1] for w in "abc def".split()), "".join(a + b for a, b in zip("ace", "bdf")))
# ---
# map, filter and zip chains; any order of laziness; key functions that are methods and classes.
print(list(map(str.upper, filter(str.isalpha, "a1b2"))), sorted("bA", key=str.swapcase), sorted([(2, "b"), (1, "c")], key=lambda p: p[1]), list(map(max, [1, 5], [3, 2])), dict(map(lambda kv: (kv[1], kv[0]), {"a": 1}.items())), sum(map(len, ["a", "bb"])), list(zip(*[(1, "a"), (2, "b")])), [list(g) for g in zip(*[iter(range(6))] * 2)], list(map(int, map(str, [1]))), list(filter(lambda p: p[0] < p[1], zip([1, 4], [2, 3]))), min(["bb", "a"], key=len), sorted(["10", "9", "1"], key=int), list(map(lambda *a: a, [1], [2], [3])))
# ---
# Objects in containers: aliasing, default arguments, class attributes, copies.
m = [[0] * 3 for _ in range(2)]
m[0][1] = 5
n = [[0] * 3] * 2
n[0][1] = 5
print(m, n)
def add(x, to={}):
    to[x] = len(to)
    return to
print(add("a"), add("b"), add("c", {}))
rows = [{"v": 1}, {"v": 2}]
same = [r for r in rows]
copy = [dict(r) for r in rows]
rows[0]["v"] = 9
print(same, copy)
d = dict.fromkeys("ab", [])
d["a"].append(1)
print(d)
t = ([], 1)
t[0].append(2)
print(t)
def swap(a, b): a, b = b, a; return a, b
x = [1]
y = x
x = x + [2]
print(x, y)
x = y
x += [3]
print(x, y, x is y)
# ---
# Very long flat expressions and chains.
x = 0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 10 + 11 + 12 + 13 + 14 + 15 + 16 + 17 + 18 + 19 + 20 + 21 + 22 + 23 + 24 + 25 + 26 + 27 + 28 + 29 + 30
print(x, "a" + "b" + "c" + "d" + "e", 1 < 2 < 3 < 4 < 5 < 6 < 7, not not not not True, - - - 5, ~~~0, (((((((((1))))))))), [[[[[[]]]]]], 2 ** 2 ** 3, -2 ** 2, 2 ** -1, not 1 == 2, 1 if 0 else 2 if 0 else 3, (lambda: (lambda: (lambda: 7)())())(), 1 or 2 and 3, 5 - 3 - 1, 100 // 7 // 2, 2 * 3 % 4, 1 | 2 ^ 3 & 4 << 1, 1 + 2 << 3, 7 & 3 == 3, "a" "b" * 2, -3 ** 2, (-3) ** 2, 10 - -3, 3 - + 2)
def many(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z): return a + z
print(many(*range(26)), many(**{c: ord(c) for c in "abcdefghijklmnopqrstuvwxyz"}))
big = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] + [10] * 300
print(len(big), sum(big), len((*big, *big)), max(*big), len({*big}))
# ---
# Errors inside nested calls come with the innermost line.
def a(x):
    return b(x)
def b(x):
    y = x + 1
    return c(y)
def c(x):
    data = {"k": [x]}
    return data["k"][1]
a(1)
# ---
class T:
    def go(self):
        for i in [1, 0]:
            self.check(i)
    def check(self, i):
        return 1 // i
T().go()
# ---
x = [1,
     2,
     undefined_here,
     4]
# ---
print("before")
total = sum(int(v) for v in ["1", "2", "three"])
# ---
sorted([3, 1, 2], key=lambda x: x.size)
# ---
{"a": 1}["a"]["b"]
# ---
print("printed")
"abc".nope()
# ---
def f(): return g()
def g(): raise LookupError("no such thing", 42)
f()
# ---
[1, 2, 3][3]
