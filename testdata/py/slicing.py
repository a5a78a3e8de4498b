# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
# Slices of lists and tuples by every combination.
L = list(range(8))
T = tuple(L)
for i in [None, 0, 1, 5, 8, 12, -1, -4, -8, -20]:
    for j in [None, 0, 3, 8, 20, -1, -5, -30]:
        for k in [None, 1, 2, 3, -1, -2, 9, -9]:
            print(i, j, k, L[i:j:k], T[i:j:k] == tuple(L[i:j:k]), "abcdefgh"[i:j:k], range(8)[i:j:k], bytes(L)[i:j:k])
# ---
# Assignment to slices.
def put(i, j, k, values):
    L = list(range(6))
    try:
        if k is None:
            L[i:j] = values
        else:
            L[i:j:k] = values
        print(i, j, k, values, L)
    except Exception as e:
        print(i, j, k, values, type(e).__name__, e)
for i, j in [(0, 0), (1, 3), (2, 2), (4, 100), (-2, None), (None, None), (5, 1), (-100, 2), (None, -2)]:
    for values in [[], [9], [7, 8, 9], (1, 2), "ab", range(3)]:
        put(i, j, None, values)
for i, j, k in [(None, None, 2), (None, None, -1), (1, 5, 2), (5, 0, -2), (0, 0, 2), (None, None, 1), (0, 6, 7)]:
    for values in [[], [9], [7, 8], [7, 8, 9], list("abcdef")]:
        put(i, j, k, values)
put(0, 1, None, 5)
put(0, 1, 2, 5)
put(0, 1, None, None)
put(0, 1, 0, [1])
# ---
# del of items and slices.
def cut(i, j, k):
    L = list(range(8))
    try:
        del L[i:j:k]
        print(i, j, k, L)
    except Exception as e:
        print(i, j, k, type(e).__name__, e)
for i in [None, 0, 3, 7, -2, 20]:
    for j in [None, 0, 5, 8, -1, -30]:
        for k in [None, 1, 2, -1, -3, 0]:
            cut(i, j, k)
L = [1, 2, 3]
del L[0], L[-1]
print(L)
# ---
def index(seq, i):
    t(lambda: seq[i])
for seq in [[1, 2, 3], (1, 2, 3), "abc", b"abc", range(3), []]:
    for i in [0, 2, 3, -1, -3, -4, True, 2**70, 1.0, "0", None, (0,), [0]]:
        index(seq, i)
# ---
def store(i, v):
    L = [1, 2, 3]
    try:
        L[i] = v
        print(L)
    except Exception as e:
        print(type(e).__name__, e)
for i in [0, -1, 3, -4, True, 1.0, "a", None, 2**70]:
    store(i, "new")
def delete(i):
    L = [1, 2, 3]
    try:
        del L[i]
        print(L)
    except Exception as e:
        print(type(e).__name__, e)
for i in [0, -1, 3, -4, True, 1.0, "a", None, 2**70]:
    delete(i)
# ---
# Slices of itself.
L = [1, 2, 3]
L[1:1] = L
print(L)
L = [1, 2, 3]
L[:] = L[::-1]
print(L)
L[len(L):] = [4, 5]
print(L)
L[::2] = "xyz"
print(L)
L *= 2
print(L)
L += (7,)
L += "ab"
print(L)
M = L
M[:0] = [0]
print(L is M, L)
L = [[0] * 2] * 2
L[0][0] = 1
print(L)
# ---
# slice objects.
s = slice(1, 10, 2)
print(s, s.start, s.stop, s.step, s.indices(5), slice(5), slice(None), slice(None, -1), slice(-1, None, -1).indices(4))
print([0, 1, 2, 3][slice(1, 3)], "hello"[slice(None, None, -1)], slice(1, 2) == slice(1, 2))
t(lambda: slice())
t(lambda: slice(1, 2, 3, 4))
t(lambda: hash(slice(1)))
t(lambda: slice(0, 1, 0).indices(3))
t(lambda: slice(1).indices(-1))
t(lambda: {}[1:2])
t(lambda: {1}[0])
t(lambda: None[0])
t(lambda: (1)[0])
t(lambda: (lambda: 1)[0])
t(lambda: print[0])
t(lambda: len[0:1])
# ---
# An own class sees the slice.
class Probe:
    def __getitem__(self, key):
        return key
    def __setitem__(self, key, value):
        print("set", key, value)
    def __delitem__(self, key):
        print("del", key)
p = Probe()
print(p[1], p[1:2], p[::], p[1:2, 3], p[...], p[()], p["k"], p[-1:], p[None:None:None], p[1, 2], p[(1, 2)], p[*[1, 2]])
p[1:2] = 5
p[1, ::2] = 6
del p[3:]
p[0] += 1
# ---
# range.
for r in [range(5), range(2, 8), range(0, 10, 3), range(10, 0, -3), range(0), range(5, 2), range(-3, 3)]:
    print(r, list(r), len(r), bool(r), r.start, r.stop, r.step, list(reversed(r)), 3 in r, 2 in r, r == range(5), sum(r))
t(lambda: range(5)[10])
t(lambda: range(5).index(3))
t(lambda: range(5).index(7))
t(lambda: range(0, 10, 2).count(4))
t(lambda: range(3) == range(0, 3, 1))
t(lambda: range(0, 3, 2) == range(0, 4, 2))
t(lambda: hash(range(3)) == hash(range(0, 3)))
t(lambda: range(2) + range(2))
t(lambda: range(3) < range(4))
t(lambda: 2.0 in range(3))
t(lambda: "a" in range(3))
t(lambda: range(1, 10)[2:5])
t(lambda: range(1, 10)[::-2])
t(lambda: range(True, 3))
t(lambda: range(3).foo)
