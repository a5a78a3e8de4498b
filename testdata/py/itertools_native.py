# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from itertools import product, permutations, combinations, combinations_with_replacement as cwr, islice
for n in range(5):
    for r in range(6):
        print(n, r, list(combinations(range(n), r)), list(cwr(range(n), r)), list(permutations(range(n), r)))
print(list(product("ab", [1, 2], (None,))), list(product()), list(product("ab", [])), list(product([], "ab")), list(product("ab", repeat=2)), list(product("ab", repeat=0)), list(product(repeat=3)))
print(list(permutations("abc")), len(list(permutations(range(6)))), sum(1 for _ in combinations(range(12), 5)))
for f in (lambda: combinations("ab", -1), lambda: permutations("ab", -1), lambda: cwr("ab", -1), lambda: product("ab", repeat=-1), lambda: combinations(5, 1), lambda: permutations("ab", "x"), lambda: list(combinations("ab", 3)), lambda: list(permutations("ab", 9))):
    t(f)
it = combinations("abcd", 2)
print(next(it), [a + b for a, b in it], next(it, "end"), list(it))
p = product([1, 2, 3], "xy")
for a, b in p:
    print(a, b, end=" ")
    if a == 2:
        break
print(list(p))
def pools():
    yield 1
    yield 2
print(list(product(pools(), pools())), list(permutations(pools())), dict(zip(product("ab", repeat=2), range(4))))
print(list(islice(permutations(range(100)), 3))[2][-3:], list(islice(product(range(3), repeat=50), 4))[3][-2:], max(combinations([3, 1, 2], 2)), (1, 2) in combinations([1, 2, 3], 2))
# ---
# Tuples that a loop takes apart at once.
from itertools import combinations, product
a = b = c = None
for a, b, c in zip([1, 2], [3, 4], [5]):
    print(a, b, c)
print(a, b, c, [x + y + z for x, y, z in zip("ab", "cd", "ef")])
for a, b, c in product([1, 2], "x", [3]):
    print(a, b, c)
print(a, b, c, [x * y - z for x, y, z in combinations(range(4), 3)])
for loop in (lambda: [x for x, y in product([1], [2], [3])], lambda: [x for x, y, z in zip([1], [2])],
             lambda: [x for x, y, z in zip([1], [2], [3, 4], strict=True)], lambda: [z for x, (y, z), *w in product([1], [(2, 3)], [4])]):
    try:
        print(loop())
    except ValueError as e:
        print(e)
print(min(3, 2, 1), max(1, 2.5, 2), max("a", "b"), min(True, 1), max((1, 2), (1, 3)), min(2, 2.0), min(1, 2, key=lambda n: -n))
try:
    min(1, "a")
except TypeError as e:
    print(e)
class Least:
    def __init__(self, n):
        self.n = n
    def __lt__(self, other):
        return self.n < other.n
print(min(Least(3), Least(1), Least(2)).n, max(Least(1), Least(3)).n)
# ---
# Tuples of which a loop reads nothing but items, and ways to keep them nevertheless.
from itertools import combinations, permutations, product
class Index:
    def __init__(self, n):
        self.n = n
    def __index__(self):
        return self.n
whole = slice(None)
def items():
    kept = []
    for p in permutations("abc"):
        kept.append(p[0] + p[-1] + p[Index(1)])
    for p in permutations("ab", 2):
        kept.append(p[1])
    for p in product("x", "yz"):
        kept.append((p[0], p[1:], p[0:1]))
    return kept
def wholes():
    kept = []
    for p in combinations(range(4), 3):
        kept.append(p[:])
        kept.append(p[whole])
        kept.append(p[whole][0:Index(3)])
    return kept
def rest():
    kept = []
    for p in zip("ab", "cd"):
        for q in zip(p[0], p[1]):
            kept.append(q[0])
    for p in zip("abc", [1, 2]):
        last = kept.append(p[0])
    for p in zip("abc", [1, 2], strict=True):
        kept.append(p[0])
    return kept
def read_later():
    for p in permutations(range(3)):
        if p[0] == 2:
            break
    return p
def changed():
    kept = []
    for p in permutations([1, 2]):
        kept.append(p[0])
        p = "xy"
        kept.append(p[1])
    return kept
def shared():
    it = permutations([1, 2, 3])
    kept = []
    for p in it:
        kept.append(next(it))
        kept.append(p[0])
    return kept
def generated():
    for p in product([1, 2], repeat=2):
        yield p[0]
        yield p[:]
def missing():
    for p in permutations([1]):
        p[1]
for f in items, wholes, rest, read_later, changed, shared, lambda: list(generated()), missing:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(sum(1 for _ in combinations(range(6), 3)), [p[0] for p in zip("ab")], [p[:] for p in zip("ab")], {p[1]: p[0] for p in zip("ab", "cd")})
held = []
for p in permutations([1, 2]):
    held.append(globals()["p"])
    p[0]
print(held)
