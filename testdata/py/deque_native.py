from collections import deque
import copy
d=deque([1,2,3],maxlen=3); d.append(4); print(d, d.maxlen, len(d), bool(d), bool(deque()))
d.appendleft(9); print(d); d.rotate(1); print(d); d.rotate(-2); print(d); d.reverse(); print(d)
e=deque(range(20)); e.rotate(7); print(e); e.rotate(-13); print(e); e.insert(3,'x'); e.insert(-2,'y'); e.insert(100,'z'); print(e)
e.remove('x'); del e[0]; del e[-1]; e[2]='q'; print(e, e[2], e[-1], e.index('q'), e.count('q'), 'q' in e, 'zz' in e)
for bad in (lambda: e['a'], lambda: e[100], lambda: deque().pop(), lambda: deque().popleft(), lambda: deque(1), lambda: deque([],-1), lambda: deque([],'a'), lambda: e.remove('nope'), lambda: e.index('nope'), lambda: hash(e), lambda: deque([1,2],2).insert(0,1), lambda: deque(1,2,3), lambda: e.append(), lambda: e.append(1,2), lambda: e.rotate('a'), lambda: e.extend(3), lambda: deque.append(3,4), lambda: e + [1], lambda: e < [1], lambda: e[0:2], lambda: deque(foo=1)):
    try: print(bad())
    except Exception as x: print(type(x).__name__, x)
r=deque([1]); r.append(r); print(r)
def gen():
    for i in range(5): yield i
print(deque(gen()), deque(gen(), maxlen=2), deque(gen(), 0)); f=deque(); f.extend(gen()); f.extendleft(gen()); f.extend(f); print(f)
f=deque([1,2,3]); f.extendleft(f); print(f)
try:
    for x in f: f.append(1)
except RuntimeError as x: print(x)
print(list(reversed(f)), list(f), sorted(f), max(f), sum(f), [*f], tuple(f))
print(f==deque([3,2,1,1,2,3,1]), f!=deque(), f<deque([4]), f+deque([1]), deque([1,2])*2, 2*deque([1,2],3))
f+= [7]; f*=2; print(f)
class Q(deque):
    def __init__(self, *a): super().__init__(*a); self.tag='t'
    def append(self, x): super().append(x*2)
q=Q([1]); q.append(4); print(q, q.tag, len(q), list(q), q.copy())
c=copy.copy(e); dc=copy.deepcopy(deque([[1],[2]])); print(c==e, dc)
class L(deque):
    def __len__(self): return 42
    def __iter__(self): return iter('ab')
    def __bool__(self): return False
l=L([1,2]); print(len(l), list(l), bool(l))
class N(deque):
    def __init__(self): pass
n=N(); n.append(3); print(n)
a,b,*c=deque(range(6)); print(a,b,c)
it=iter(deque([1,2])); print(next(it), it is iter(it), next(it), next(it,'end'))
print(type(it).__name__ , isinstance(e, deque))
print("%s"%deque('ab'), str(deque('ab')))
h=deque(maxlen=2); h.extend([1,2,3]); h.extendleft('ab'); print(h, h.maxlen)
x=deque([1,2,3]); y=iter(x); next(y); x[1]=9; print(next(y))
s=set(); s.add(tuple(deque([1]))); print(s); import json
class I:
    def __index__(self): return 1
print(x[I()]); x.rotate(I()); x.insert(I(),'i'); print(x)
for i in range(1000): x.append(i)
while len(x)>5: x.popleft()
print(x)
# ---
from collections import deque
d = deque(range(40))
for i in range(100):
    d.append(d.popleft())
    if i % 3 == 0:
        d.appendleft(i)
        d.pop()
it, back = iter(d), reversed(d)
print(next(it), next(back), next(it), next(back))
print(sum(it), list(back)[:4], next(it, "end"))
inner = deque([d, deque(maxlen=1)])
inner.append(inner)
print(inner[1], len(inner[0]), inner[2] is inner, len(repr(inner)) > 50)
# ---
import collections
d = collections.deque([1, 2])
for x in d:
    d.append(x)
    d.popleft()
    break
for x in d:
    d.rotate(1)
