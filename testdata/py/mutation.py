def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
def fine():
    d = {"a": 1, "b": 2}
    for k in d:
        d[k] += 1
    return d, [k for k in d], list(d.items())
t(fine)
def grows():
    d = {1: 1}
    for k in d: d[k + 1] = 1
t(grows)
class S:
    def __gt__(self, other): return "reflected"
    def __lt__(self, other): return "less"
t(lambda: {1} < S())
t(lambda: [1] < S())
t(lambda: {1} > S())
t(lambda: {1} < 5)
it = iter([1, 2, 3])
class R:
    def __iter__(self): return self
    def __next__(self): return next(it)
t(lambda: list(zip(R(), R())))
