def t(f):
    try: print(f.__name__, f())
    except Exception as e: print(f.__name__, type(e).__name__, e)
t(lambda: print(1, foo=2))
from datetime import date, datetime, time
t(lambda: date(2020,1,2).strftime())
t(lambda: datetime(2020,1,2).strftime())
t(lambda: time(1).strftime())
t(lambda: date(2020,1,2).isoformat(1))
t(lambda: date(2020,1,2).replace(1,2,3,4))
class D:
    """Doc of D."""
    x = __doc__
    y = 2
    z = __qualname__
print(D.x, D.y, D.z)
class E:
    a = 1
    t(lambda: a)
    b = [second for second in range(3) if second]
    c = [late for q in range(2) for late in [q]]
def scope():
    r = [(i, j) for i in range(3) for j in range(i)]
    return r
print(scope())
def f2():
    try:
        return [late2 for _ in range(2)]
    except NameError as e:
        print("late2")
    late2 = 1
f2()
try:
    print([second_late for _ in [1]])
except NameError as e: print(e)
second_late = 3
class It:
    def __init__(self): self.n = 0
    def __iter__(self): return self
    def __next__(self):
        self.n += 1
        if self.n > 3: raise StopIteration
        return self.n
print(list(It()))
class MutRepr:
    def __init__(self, box): self.box = box
    def __repr__(self):
        self.box.clear(); return "M"
l = []; l.extend([MutRepr(l), 2, 3]); print(l)
s = set()
class H:
    def __repr__(self): s.add(len(s)); return "H"
s.update([H(), "a"]); 
class L:
    def __init__(self, n): self.n = n
    def __hash__(self): return 1
    def __eq__(self, o):
        box.clear(); return False
box = {L(1): 1, L(2): 2} if 0 else {}
box = {}
box[L(1)] = 1
t(lambda: box.get(L(3)))
import types
p = types.MappingProxyType({1: 2}); print(p, repr(p), str(p), f"{p}")
print(vars(D) is not None, str(D.__dict__)[:1])
class A:
    @staticmethod
    def __call__(*a): return a
class B:
    @classmethod
    def __call__(cls, *a, **k): return cls.__name__, a, k
print(A()(1, 2), B()(1, x=2), list(map(A(), [1])), sorted([2, 1], key=lambda x: A()(x)))
class Idx:
    def __init__(self, n): self.n = n
    def __index__(self): return self.n
import bisect
print(bisect.bisect_left([1,2,3,4,5], 3, Idx(1), Idx(4)), bisect.bisect([1,2,3], 2, lo=Idx(0)))
a=[1,2,3]; bisect.insort(a, 2, Idx(1)); print(a)
import itertools
print(list(itertools.islice([1,2,3,4], Idx(1), Idx(3))), list(itertools.repeat(1, Idx(2))))
