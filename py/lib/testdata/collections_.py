import collections
import random
from collections import ChainMap, Counter, OrderedDict, UserDict, defaultdict, deque, namedtuple


def show(f, *args, **kw):
    try:
        print(repr(f(*args, **kw)))
    except Exception as e:
        print(type(e).__name__, e)


Point = namedtuple('Point', 'x y')
p = Point(1, y=2)
print(p, p.x, p[1], p._asdict(), p._replace(x=9), Point._fields, Point._make([3, 4]), len(p), p == (1, 2), hash(p) == hash((1, 2)))
x, y = p
print(x, y, Point.__match_args__, isinstance(p, tuple), Point.__name__, p + (3,), p < Point(1, 3), [*p])
show(Point)
show(Point, 1)
show(Point, 1, 2, 3)
show(Point, 1, z=2)
show(Point, 1, x=2)
show(lambda: Point._make([1]))
show(lambda: p._replace(z=1))
show(lambda: setattr(p, 'x', 3))
for args in [('class', 'a'), ('P', 'def'), ('P', '_a'), ('P', 'a a'), ('P', '1a'), ('P', ['a', 'b c'])]:
    show(namedtuple, *args)
D = namedtuple('D', ['a', 'b', 'c'], defaults=[5, 6])
print(D(1), D(1, 2), D(c=1, a=2), D._field_defaults)
show(D)
show(D, 1, 2, 3, 4)
show(lambda: namedtuple('D', 'a', defaults=[1, 2]))
print(namedtuple('R', 'a def a _x ok', rename=True)._fields)


class Sub(namedtuple('Sub', 'w h')):
    __slots__ = ()

    @property
    def area(self):
        return self.w * self.h

    def __str__(self):
        return f'{self.w}x{self.h}'


s = Sub(3, 4)
print(s, repr(s), s.area, s._replace(w=5).area, type(s._replace(w=1)).__name__)
match p:
    case Point(x=1, y=q):
        print('matched', q)
match p:
    case Point(a, b):
        print('matched', a, b)

d = defaultdict(list)
d['a'].append(1)
d['b']
print(d, dict(d), d.get('zz'), 'zz' in d, len(d), d.default_factory)
d = defaultdict(int, {'x': 1}, y=2)
d['z'] += 5
print(sorted(d.items()), d.copy(), type(d.copy()).__name__, d | {'q': 1}, {'q': 1} | d)
show(lambda: defaultdict(None)['k'])
show(lambda: defaultdict(5))
nested = defaultdict(lambda: defaultdict(int))
nested['a']['b'] += 1
print({k: dict(v) for k, v in nested.items()})
print(defaultdict(None, {1: 2}), d == {'x': 1, 'y': 2, 'z': 5})

o = OrderedDict([('a', 1), ('b', 2), ('c', 3)])
o.move_to_end('a')
print(o, list(o), o.popitem(), o.popitem(last=False), o)
o['z'] = 1
o['y'] = 2
o.move_to_end('y', last=False)
print(o, list(reversed(o)), o == OrderedDict(o), o == dict(o), OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1, b=2) == dict(b=2, a=1))
show(o.move_to_end, 'nope')
show(OrderedDict().popitem)
print(OrderedDict.fromkeys('abc', 0), OrderedDict(), o | {'k': 1}, o.copy(), o.pop('y'), o.setdefault('n', 3), o)
show(o.pop, 'gone')

c = Counter('mississippi')
print(c, c.most_common(2), c['zz'], sum(c.values()), c.total(), sorted(c.elements()), list(c))
print(c.most_common(), c.most_common(0), c.most_common(99))
c.update('miss')
c.subtract({'s': 10, 'q': 1})
print(c, +c, -c, c - Counter(i=1), c + Counter(s=20), c & Counter(i=2, s=1), c | Counter(z=2))
print(Counter(), Counter(a=3, b=1), Counter({'x': 0}), Counter([1, 1, 2]), Counter(a=1) == Counter(a=1, b=0), Counter(a=1) != Counter(a=2))
print(Counter(a=1) <= Counter(a=2), Counter(a=1) < Counter(a=1), Counter(a=3) >= Counter(a=2), Counter(a=3) > Counter(a=2))
c += Counter('mmmm')
c -= Counter('p')
del c['nothing']
print(c, c.copy() == c, type(c.copy()).__name__)
c |= Counter(m=50)
c &= Counter(m=4, i=1)
print(c)
show(Counter.fromkeys, 'ab')
show(Counter, 5)
print(Counter({'a': 'x', 'b': 1}))
print(Counter(a=1) == {'a': 1}, dict(Counter('aab')), Counter(x for x in range(3)))
print(Counter('hello world').most_common(3))

dq = deque([1, 2, 3], maxlen=3)
dq.append(4)
print(dq, dq.maxlen, dq[0], dq[-1], len(dq), list(reversed(dq)))
dq.appendleft(0)
print(dq)
dq = deque('abcdef')
dq.rotate(2)
print(dq)
dq.rotate(-3)
print(dq, dq.count('a'), dq.index('a'), 'z' in dq)
dq.insert(1, 'Z')
dq.remove('c')
del dq[0]
dq[0] = 'X'
dq.extendleft('12')
dq.extend('34')
dq.reverse()
print(dq, dq.copy(), dq == deque(dq), dq < deque('zz'), dq + deque('q'), deque([1]) * 3)
for call in (lambda: deque().pop(), lambda: deque().popleft(), lambda: dq[99], lambda: dq.remove('no'), lambda: dq.index('no'),
             lambda: deque([1], 1).insert(0, 1), lambda: deque([], -1), lambda: deque([], 'x'), lambda: deque() + [1],
             lambda: dq['a'], lambda: deque([1, 2])[0:1], lambda: deque(5), lambda: deque().rotate()):
    show(call)


def mutate():
    q = deque([1, 2, 3])
    for item in q:
        q.append(item)


show(mutate)
print(deque(maxlen=0), deque([1, 2], 0), bool(deque()), bool(deque([0])), deque(range(5), 2), type(deque()).__name__)
rng = random.Random(5)
for maxlen in (None, 7):
    q = deque(maxlen=maxlen)
    for step in range(3000):
        op = rng.randrange(14)
        if op < 3:
            q.append(step)
        elif op < 6:
            q.appendleft(step)
        elif op < 8 and q:
            q.pop()
        elif op < 10 and q:
            q.popleft()
        elif op == 10:
            q.rotate(rng.randrange(-40, 40))
        elif op == 11 and q:
            q[rng.randrange(-len(q), len(q))] = step
        elif op == 12 and q:
            del q[rng.randrange(-len(q), len(q))]
        elif op == 13 and rng.random() < .1:
            q.reverse()
        if step % 50 == 0:
            print(list(q), q[0] if q else None, q[-1] if q else None)

cm = ChainMap({'a': 1}, {'a': 2, 'b': 3})
print(cm, cm['a'], cm['b'], sorted(cm), len(cm), 'b' in cm, dict(cm), cm.get('zz', 5), cm.parents, cm.new_child({'c': 1}))
cm['b'] = 9
print(cm, cm.maps, list(cm), list(cm.items()), list(cm.keys()), list(cm.values()), cm == {'a': 1, 'b': 9}, cm.pop('a'))
show(lambda: cm['nope'])
show(lambda: cm.pop('nope'))


def delete():
    del cm['nope']


show(delete)


class Lower(UserDict):
    def __setitem__(self, key, item):
        super().__setitem__(key.lower(), item)


u = Lower({'A': 1}, B=2)
u.update({'C': 3})
u.setdefault('D', 4)
print(u, len(u), 'a' in u, u['b'], sorted(u), u.get('q'), u.pop('a'), u == {'b': 2, 'c': 3, 'd': 4}, u.copy(), u | {'E': 1})
show(lambda: u['none'])
