# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
def s(x):
    print(type(x).__name__, sorted(x))
a, b = {1, 2, 3}, {3, 4}
for x in [a | b, a & b, a - b, b - a, a ^ b, a.union(b, [9]), a.intersection([1, 2], {2}), a.difference([1], (2,)), a.symmetric_difference([1, 7]), a.copy(), set(), set("hello"), frozenset([1]) | {2}, {1} | frozenset([2]), a.union(), a.intersection()]:
    s(x)
print(a <= b, a >= {1}, a < a, a <= a, {1} < a, a > {1, 2}, a == {3, 2, 1}, a != b, a.issubset(range(5)), a.issuperset([1]), a.isdisjoint([7]), a == frozenset(a), {1.0, True} == {1}, set() == {}, len({1, 1.0, True}))
# ---
a = {1}
t(lambda: a.add(2))
t(lambda: a.add(1))
t(lambda: a.discard(7))
t(lambda: a.remove(7))
t(lambda: a.remove("k"))
t(lambda: a.remove((1, 2)))
t(lambda: a.update([3], {4}))
t(lambda: a.update(5))
t(lambda: a.difference_update([4]))
t(lambda: a.intersection_update([1, 2, 3]))
t(lambda: a.symmetric_difference_update({1, 9}))
t(lambda: sorted(a))
t(lambda: a.clear())
t(lambda: a)
t(lambda: a.pop())
t(lambda: a.add([]))
t(lambda: a.add({}))
t(lambda: a.add())
t(lambda: a.add(1, 2))
t(lambda: [] in a)
t(lambda: {1} in {frozenset([1])})
t(lambda: {1}.discard([]))
t(lambda: {1} | [2])
t(lambda: {1} & 5)
t(lambda: {1} + {2})
t(lambda: {1} - [1])
t(lambda: {1} < 5)
t(lambda: {1} <= [1])
t(lambda: {1}[0])
t(lambda: {1}.foo)
t(lambda: set(5))
t(lambda: set(1, 2))
t(lambda: set([[]]))
t(lambda: {[]})
t(lambda: hash(set()))
t(lambda: frozenset([1]).add(2))
t(lambda: {1: 2, **{}} - {1})
t(lambda: {1}.union(5))
t(lambda: {1}.issubset(5))
t(lambda: frozenset(5))
# ---
print(set(), {1}, {"a"}, frozenset(), frozenset([1]), frozenset("a"), [set()], {frozenset(): 1}, {(): ()}, {None}, {1.5}, {-1})
print(hash(frozenset([1, 2])) == hash(frozenset([2, 1])), frozenset([1]) == {1}, {frozenset([1]): "x"}[frozenset([1])], frozenset([frozenset([1])]))
x = {1, 2}
y = x
x |= {3}
x -= {1}
x &= {2, 3, 4}
x ^= {4}
print(sorted(y), y is x)
f = frozenset([1])
g = f
f |= {2}
print(sorted(f), sorted(g), type(f).__name__)
def iop(v):
    x = {1}
    x |= v
t(lambda: iop([1]))
t(lambda: iop(5))
def iand(v):
    x = {1}
    x &= v
t(lambda: iand([1]))
# ---
def grow():
    x = {1, 2}
    for v in x:
        x.add(v + 10)
def shrink():
    x = {1, 2}
    for v in x:
        x.discard(v)
t(grow)
t(shrink)
print(sorted({x % 3 for x in range(10)}), {c for c in "aaa"}, sorted({(i, j) for i in range(2) for j in range(2) if i != j}), len({*range(10), *range(5)}))
seen = set()
dups = [x for x in [1, 2, 1, 3, 2] if x in seen or seen.add(x)]
print(dups, sorted(seen))
print(bool(set()), bool({0}), 1 in {1.0}, "a" in {"a"}, None in {None}, (1, 2) in {(1, 2)}, sum({1, 2, 3}), max({3, 1}), sorted({3, 1, 2}, reverse=True))
class S(set):
    pass
print(S([1]), type(S([1]) | {2}).__name__, isinstance(S(), set))
