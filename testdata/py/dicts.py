# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
d = {"a": 1, "b": 2, "c": 3}
t(lambda: d["a"])
t(lambda: d["z"])
t(lambda: d[1])
t(lambda: d[None])
t(lambda: d[(1, 2)])
t(lambda: d.get("a"))
t(lambda: d.get("z"))
t(lambda: d.get("z", 5))
t(lambda: d.get())
t(lambda: d.get(1, 2, 3))
t(lambda: d.get([]))
t(lambda: d.pop("a"))
t(lambda: d.pop("a"))
t(lambda: d.pop("a", None))
t(lambda: d.pop())
t(lambda: d.popitem())
t(lambda: d.setdefault("x", []))
t(lambda: d.setdefault("x", 7))
t(lambda: d.setdefault("y"))
t(lambda: d.setdefault())
t(lambda: d.update({"k": 1}))
t(lambda: d.update(k=2, l=3))
t(lambda: d.update([("m", 4), ["n", 5]]))
t(lambda: d.update([("a",)]))
t(lambda: d.update([1]))
t(lambda: d.update("ab"))
t(lambda: d.update(["ab", "cd"]))
t(lambda: d.update(5))
t(lambda: d.update(None))
t(lambda: d.update({}, {}))
t(lambda: d.copy())
t(lambda: list(d.items()))
t(lambda: d.keys())
t(lambda: d.values())
t(lambda: d.items())
t(lambda: d.clear())
t(lambda: d.popitem())
t(lambda: d.foo)
t(lambda: d.x())
t(lambda: d.has_key(1))
d
# ---
# Construction.
t(lambda: dict())
t(lambda: dict(a=1))
t(lambda: dict({"a": 1}, b=2))
t(lambda: dict([(1, 2), (3, 4)]))
t(lambda: dict([(1, 2)], a=3))
t(lambda: dict(zip("ab", [1, 2])))
t(lambda: dict(["ab"]))
t(lambda: dict([1]))
t(lambda: dict([(1, 2, 3)]))
t(lambda: dict(5))
t(lambda: dict("abc"))
t(lambda: dict({}, {}))
t(lambda: dict(None))
t(lambda: dict([([], 1)]))
t(lambda: dict.fromkeys("abc"))
t(lambda: dict.fromkeys([1, 2, 1], "v"))
t(lambda: dict.fromkeys(5))
t(lambda: {**{"a": 1}, "b": 2, **{"a": 3}})
t(lambda: {**5})
t(lambda: {**[1]})
t(lambda: {1: "a", 1.0: "b", True: "c"})
t(lambda: {"a": 1, "a": 2})
t(lambda: {(): 1, (1,): 2, None: 3, "": 4, 0: 5, frozenset(): 6})
t(lambda: {k: v for k, v in zip("abc", range(3)) if v != 1})
t(lambda: {i: i for i in [1, 1.0, True, 2]})
t(lambda: {[]: 1})
t(lambda: {{}: 1})
t(lambda: {{1}: 1})
t(lambda: {slice(1): 1} and 0)
# ---
# Order: insertion; replacing keeps the place, deleting and adding does not.
d = {}
for k in ["b", "a", "c", "d"]:
    d[k] = k.upper()
d["a"] = 1
del d["b"]
d["b"] = 2
print(d, list(d), list(d.values()), list(reversed(d)), next(iter(d)), d.popitem(), d)
d |= {"z": 1, "a": 0}
print(d, d | {"q": 2}, {"q": 2} | d)
t(lambda: d | [1])
t(lambda: [1] | d)
t(lambda: d + d)
def ior(v):
    e = {"a": 1}
    e |= v
    return e
t(lambda: ior([("b", 2)]))
t(lambda: ior(5))
t(lambda: ior([1]))
# ---
# Views.
d = {"a": 1, "b": 2}
k, v, i = d.keys(), d.values(), d.items()
d["c"] = 3
print(k, v, i, len(k), "a" in k, 3 in v, ("a", 1) in i, ("a", 2) in i, "a" in i, list(k), list(reversed(v)), list(reversed(i)))
print(sorted(k & {"a", "z"}), sorted(k | {"z"}), sorted(k - {"a"}), sorted(k ^ {"a", "z"}), k == {"a", "b", "c"}, k >= {"a"}, k < {"a"}, k.isdisjoint({"q"}), sorted(i & [("a", 1)]))
t(lambda: k[0])
t(lambda: v + v)
t(lambda: k & 5)
t(lambda: hash(k))
t(lambda: d.values() == d.values())
t(lambda: d.items() == {"a": 1, "b": 2, "c": 3}.items())
t(lambda: next(d.keys()))
# ---
# Equality.
print({1: 2} == {1.0: 2.0}, {1: 2, 3: 4} == {3: 4, 1: 2}, {1: 2} == {1: 3}, {} == [], {} == {}, {1: {2: 3}} == {1: {2: 3}}, {1: 2} != {2: 1})
t(lambda: {} < {})
t(lambda: {1: 2} <= {1: 2})
# ---
# Size changes while it is iterated.
def grow():
    d = {1: 1, 2: 2}
    for k in d:
        d[k + 10] = 1
def shrink():
    d = {1: 1, 2: 2}
    for k in d:
        del d[k]
def swap():
    d = {1: 1, 2: 2}
    for k in d:
        del d[k]
        d[k + 10] = 1
def items():
    d = {1: 1, 2: 2}
    for k, v in d.items():
        d.pop(k)
def values():
    d = {1: 1, 2: 2}
    for v in d.values():
        d[v + 5] = 0
def single():
    d = {1: 1}
    for k in d:
        d[2] = 2
def ok():
    d = {1: 1, 2: 2}
    for k in d:
        d[k] = 0
    return d
def over_list():
    d = {1: 1, 2: 2, 3: 3}
    for k in list(d):
        if k != 2:
            del d[k]
    return d
def comp():
    d = {1: 1, 2: 2}
    return [d.setdefault(k + 5, 1) for k in d]
for f in [grow, shrink, items, values, single, ok, over_list, comp]:
    t(f)
# ---
# del and missing.
def remove(d, k):
    del d[k]
    return d
t(lambda: remove({1: 2, 3: 4}, 1))
t(lambda: remove({1: 2}, 5))
t(lambda: remove({"a": 1}, "b"))
t(lambda: remove({}, []))
class D(dict):
    def __missing__(self, key):
        return "missing " + str(key)
d = D(a=1)
print(d["a"], d["zz"], d.get("zz"), "zz" in d, d, len(d), isinstance(d, dict), type(d).__name__)
# ---
# Keys of every kind.
d = {}
for k in [1, "1", 1.5, None, True, False, (1, 2), frozenset([1]), b"x", 2**80, -1, -2, "", ..., int, len, range(3), 0.0]:
    d[k] = len(d)
print(len(d), [v for v in d.values()], d[1], d[1.0], d[True], d[0], d[-0.0], d[2**80], d[float(2**80)], d[(1, 2)], d[(1.0, 2.0)], d[range(3)], d[None], d[...])
class Key:
    def __init__(self, n):
        self.n = n
    def __hash__(self):
        return self.n % 2
    def __eq__(self, other):
        return isinstance(other, Key) and self.n == other.n
    def __repr__(self):
        return "Key(%d)" % self.n
d = {Key(i): i for i in range(6)}
d[Key(3)] = "three"
print(d, Key(5) in d, Key(9) in d, d.pop(Key(0)), len(d))
class NoHash:
    def __eq__(self, other):
        return True
t(lambda: {NoHash(): 1})
t(lambda: hash(NoHash()))
class BadHash:
    def __hash__(self):
        return "x"
t(lambda: {BadHash(): 1})
class ErrHash:
    def __hash__(self):
        raise ValueError("no hash today")
t(lambda: {ErrHash()})
class ErrEq:
    def __hash__(self):
        return 1
    def __eq__(self, other):
        raise ValueError("no eq today")
t(lambda: {ErrEq(): 1, ErrEq(): 2})
# ---
# A big dict keeps its order through growth and deletion.
d = {}
for i in range(2000):
    d[i * 7919 % 4001] = i
for i in range(0, 2000, 3):
    del d[i * 7919 % 4001]
for i in range(500):
    d["s%d" % i] = i
print(len(d), list(d)[:10], list(d)[-3:], sum(v for v in d.values()), 7919 in d, d.get(7919 * 2 % 4001))
while len(d) > 3:
    d.popitem()
d
# ---
# Nested updates and counts, as they are written.
data = [("fruit", "apple", 3), ("veg", "kale", 1), ("fruit", "pear", 2), ("fruit", "apple", 4)]
nested = {}
for group, name, n in data:
    nested.setdefault(group, {}).setdefault(name, []).append(n)
print(nested, {g: {n: sum(v) for n, v in m.items()} for g, m in nested.items()})
inverse = {}
for g, m in nested.items():
    for n in m:
        inverse[n] = g
print(inverse, sorted(inverse.items(), key=lambda kv: (kv[1], kv[0])), max(inverse, key=len), dict(sorted(inverse.items(), reverse=True)))
# ---
# A dict of what a generator gives.
class Key:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return self.n == other.n
    def __hash__(self):
        return 1
    def __repr__(self):
        return f"Key({self.n})"
for make in (lambda: dict((x, x * 2) for x in range(3)), lambda: dict(x.split("=") for x in ["a=1", "b=2", "a=3"]),
             lambda: dict(x for x in ["ab", "c"]), lambda: dict(x for x in [(1, 2), 5]), lambda: dict(x for x in [(1, 2), (1, 2, 3)]),
             lambda: dict(((Key(i % 2), i) for i in range(4)), z=4), lambda: dict((i for i in (x, x + 1)) for x in range(3))):
    try:
        print(make())
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
d = {}
d.update((i, i) for i in range(2))
d |= ((i, -i) for i in range(1, 3))
print(d)
