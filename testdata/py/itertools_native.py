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
