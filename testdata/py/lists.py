# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
L = [3, 1, 2]
t(lambda: L.append(5))
t(lambda: L.extend([7, 8]))
t(lambda: L.extend("ab"))
t(lambda: L.insert(0, "first"))
t(lambda: L.insert(100, "last"))
t(lambda: L.insert(-1, "before last"))
t(lambda: L.insert(-100, "very first"))
t(lambda: L.pop())
t(lambda: L.pop(0))
t(lambda: L.pop(-2))
t(lambda: L.remove(3))
t(lambda: L.index(7))
t(lambda: L.count(7))
t(lambda: L.reverse())
t(lambda: L.copy())
t(lambda: L.clear())
L
# ---
t(lambda: [].pop())
t(lambda: [1].pop(5))
t(lambda: [1].pop("a"))
t(lambda: [1].pop(1.0))
t(lambda: [1].remove(2))
t(lambda: [1].index(2))
t(lambda: [1, 2, 3].index(3, 0, 2))
t(lambda: [1, 2, 3].index(3, -1))
t(lambda: [1, 2, 3].index("x"))
t(lambda: [1].append())
t(lambda: [1].append(1, 2))
t(lambda: [1].extend(5))
t(lambda: [1].extend())
t(lambda: [1].extend(None))
t(lambda: [1].insert(1))
t(lambda: [1].insert("a", 1))
t(lambda: [1].count())
t(lambda: [1].sort(1))
t(lambda: [1].sort(foo=1))
t(lambda: [1].reverse(1))
t(lambda: [1].foo)
t(lambda: [1].push(1))
t(lambda: [1] + (2,))
t(lambda: [1] + "a")
t(lambda: [1] + None)
t(lambda: [1] * "a")
t(lambda: [1] * 2.0)
t(lambda: [1] - [1])
t(lambda: [1] < 1)
t(lambda: [1] < (1,))
t(lambda: [1, "a"] < [1, 2])
t(lambda: [1] ())
t(lambda: list(5))
t(lambda: list(None))
t(lambda: list(1, 2))
t(lambda: list(x=1))
t(lambda: hash([]))
t(lambda: {[]: 1})
t(lambda: {[1]})
t(lambda: {}[[]])
t(lambda: [] in {})
t(lambda: hash((1, [2])))
t(lambda: -[1])
# ---
# Comparison and repetition.
cases = [[], [1], [1, 2], [1, 2, 3], [2], [1, 3], [True], [1.0, 2], [[1]], [[1], 2]]
for a in cases:
    row = []
    for b in cases:
        try:
            row.append((a == b, a < b, a >= b))
        except TypeError as e:
            row.append(str(e))
    print(a, row)
print([0] * 3, 2 * [1, 2], [1] * -1, [[]] * 2, [1] * True, [1, 2] + [3], [] + [], [1] * 0)
a = [1]
b = a
b += [2]
b = b + [3]
print(a, b)
a *= 3
print(a)
# ---
# Sorting: stable, keys, reverse, errors in the middle.
words = ["banana", "Apple", "cherry", "apple", "fig", "Banana", "date"]
print(sorted(words), sorted(words, key=str.lower), sorted(words, key=len), sorted(words, key=len, reverse=True), sorted(words, key=lambda w: (-len(w), w)))
pairs = [(i % 3, i) for i in range(12)]
print(sorted(pairs, key=lambda p: p[0]), sorted(pairs, key=lambda p: p[0], reverse=True), sorted(pairs, reverse=True))
print(sorted([3, 1.5, True, -2, 2**70, 0.0]), sorted("hello"), sorted({"b": 1, "a": 2}), sorted([(1, "b"), (1, "a")]), sorted([[2], [1, 5], [1]]), sorted([]), sorted([1]), sorted(range(5), reverse=True))
t(lambda: sorted([1, "a"]))
t(lambda: sorted(["a", 1, 2]))
t(lambda: sorted([None, 1]))
t(lambda: sorted([1, 2], key=5))
t(lambda: sorted([1, 2], key=lambda: 1))
t(lambda: sorted([1, 0, 2], key=lambda x: 1 / x))
t(lambda: sorted(5))
t(lambda: sorted())
t(lambda: sorted([1], lambda x: x))
t(lambda: sorted([2, 1], key=None, reverse=1))
t(lambda: sorted([2, 1], reverse="x"))
t(lambda: sorted([{}, {}]))
t(lambda: sorted([3, 1, 2], cmp=1))
L = [3, 1, 2]
t(lambda: L.sort(key=lambda x: L.append(x)))
t(lambda: L.sort())
print(L)
nan = float("nan")
print(sorted([3, nan, 1, 2]), sorted([nan, 1.0]), sorted([0.0, -0.0, 0]))
# ---
# A stable sort of many rows by two passes.
rows = []
x = 12345
for i in range(300):
    x = (x * 1103515245 + 12345) % 2**31
    rows.append((x % 7, x % 11, i))
rows.sort(key=lambda r: r[1])
rows.sort(key=lambda r: r[0])
print(rows[:20], all(rows[i] < rows[i + 1] for i in range(299)))
asc = list(range(200))
print(sorted(asc) == asc, sorted(asc[::-1]) == asc, sorted([i % 10 for i in range(100)]))
# ---
# Mutation while it is iterated.
L = [1, 2, 3, 4, 5, 6]
for x in L:
    if x % 2 == 0:
        L.remove(x)
print(L)
L = [1, 2, 3]
out = []
for x in L:
    out.append(x)
    if len(L) < 8:
        L.append(x * 10)
print(out, L)
L = [1, 2, 3, 4]
it = iter(L)
print(next(it), next(it))
L.clear()
print(list(it), next(it, "done"))
L.append(9)
print(next(it, "still done"))
L = [1, 2, 3]
r = reversed(L)
L.pop()
print(list(r))
# ---
# repr of nested and cyclic containers.
a = [1]
a.append(a)
print(a, [a], (a,), {"k": a})
d = {}
d["self"] = d
d["list"] = [d, {1: d}]
print(d)
t1 = ([],)
t1[0].append(t1)
print(t1)
b, c = [], []
b.append(c)
c.append(b)
print(b, c, str(b) == repr(b), f"{b}")
# ---
# Copies are shallow.
a = [[1], [2]]
b, c, d, e = a.copy(), a[:], list(a), [*a]
a[0].append(9)
a.append(3)
print(a, b, c, d, e, b is a, b[0] is a[0])
# ---
# in, index, count, remove use equality, and identity first.
nan = float("nan")
print(1.0 in [1], True in [1], nan in [nan], "1" in [1], None in [0], [] in [[]], [1, 1.0, True].count(1), [0, False, 0.0].index(False), [nan].count(nan), [nan] == [nan], [nan].index(nan))
L = [1, True, 1.0, "1"]
L.remove(1.0)
print(L)
class Any:
    def __eq__(self, other):
        print("eq", other)
        return True
print(5 in [Any()], Any() in [3], [1, 2].index(Any()), [Any()] == [7])
# ---
# Unpacking into a list, and from one.
a, b = [1, 2]
[c, d] = (3, 4)
e, *f = [5]
*g, h = "xyz"
i, (j, *k), l = 1, [2, 3, 4], 5
(m,) = [6]
[n] = "q"
print(a, b, c, d, e, f, g, h, i, j, k, l, m, n, [*range(3), *"ab", *[]], (*[1], 2), {*[1, 1]})
def two(v):
    a, b = v
def star(v):
    a, *b, c = v
for v in [[], [1], [1, 2, 3], "ab", "abc", (x for x in range(5)), {1: 2}, range(1)]:
    t(lambda: two(v))
t(lambda: star([1]))
t(lambda: star([]))
t(lambda: two(5))
t(lambda: two(None))
t(lambda: [*5])
t(lambda: [*None])
t(lambda: (*1,))
t(lambda: {*1})
t(lambda: print(*5))
# ---
# zip, enumerate, map, filter, reversed, any, all.
print(list(zip()), list(zip([1, 2])), list(zip([1, 2], "abc")), list(zip([1], [], [2])), list(zip([1, 2], "ab", strict=True)))
t(lambda: list(zip([1, 2], [1], strict=True)))
t(lambda: list(zip([1], [1, 2], strict=True)))
t(lambda: list(zip([1], [1], [1, 2], strict=True)))
t(lambda: list(zip([1, 2], [1, 2], [1], strict=True)))
t(lambda: zip(5))
t(lambda: zip([1], 5))
t(lambda: list(enumerate("ab")))
t(lambda: list(enumerate("ab", start=5)))
t(lambda: list(enumerate("ab", 2**64)))
t(lambda: enumerate(5))
t(lambda: enumerate())
t(lambda: enumerate([], "a"))
t(lambda: list(map(lambda a, b: a + b, [1, 2, 3], [10, 20])))
t(lambda: list(map(int, "123")))
t(lambda: map(int))
t(lambda: map())
t(lambda: list(map(5, [1])))
t(lambda: list(map(int, ["1", "x"])))
t(lambda: map(int, 5))
t(lambda: list(filter(None, [0, 1, "", "a", [], [0], None])))
t(lambda: list(filter(lambda x: x > 1, [1, 2, 3])))
t(lambda: filter(None))
t(lambda: list(filter(5, [1])))
t(lambda: list(reversed([1, 2, 3])))
t(lambda: list(reversed("abc")))
t(lambda: list(reversed({"a": 1, "b": 2})))
t(lambda: reversed({1}))
t(lambda: reversed(5))
t(lambda: reversed(x for x in "a"))
t(lambda: any([]))
t(lambda: all([]))
t(lambda: any([0, "", None]))
t(lambda: all([1, "a", [0]]))
t(lambda: any(5))
t(lambda: all(x > 0 for x in [1, 0]))
t(lambda: sum([[1], [2]], []))
t(lambda: max([3, 1, 2], key=lambda x: -x))
t(lambda: min("banana", key="nab".index))
t(lambda: max([(1, "a"), (1, "b")], key=lambda p: p[0]))
t(lambda: min([], default=None))
t(lambda: max(["a", "bb"], key=len, default=0))
t(lambda: max(1, 2, key=lambda x: -x))
t(lambda: max([1], 2))
t(lambda: max(1, foo=2))
t(lambda: len())
t(lambda: len([], []))
t(lambda: len(x for x in []))
t(lambda: len(None))
t(lambda: len(range(5)))
t(lambda: next([]))
t(lambda: next(iter([])))
t(lambda: next(iter([]), "d"))
t(lambda: next())
t(lambda: iter(5))
t(lambda: list(iter([3, 2, 1].pop, 2)))
t(lambda: iter(5, 1))
z = zip("ab", [1, 2])
print(next(z), list(z), list(z))
m = map(str, [1, 2])
print(list(m), list(m))
