# prelude
# A statement that calls code of the program without wanting its value changes
# no variable but its own: n and m hold the results of the calls before it.
import contextlib, copy, dataclasses, enum, functools, itertools, operator, collections
class Field:
    def __set_name__(self, owner, name): self.key = "_" + name
    def __get__(self, obj, owner=None): return self if obj is None else getattr(obj, self.key, 0)
    def __set__(self, obj, value): setattr(obj, self.key, value)
    def __delete__(self, obj): setattr(obj, self.key, "gone")
class Plain:
    d = Field()
    def __init__(self):
        self._x, self.log, self.items = 1, [], {}
    @property
    def x(self): return self._x
    @x.setter
    def x(self, value): self._x = value
    @x.deleter
    def x(self): self._x = "deleted"
    def get(self): return self._x
    def __getitem__(self, k): return self.items.get(repr(k), 0)
    def __setitem__(self, k, v): self.items[repr(k)] = v
    def __delitem__(self, k): self.items.pop(repr(k), None)
    def __contains__(self, k): return repr(k) in self.items
    def __len__(self): return 3
    def __bool__(self): return True
    def __iter__(self): return iter([1, 2, 3])
    def __enter__(self): return self
    def __exit__(self, *a): return True
    def __eq__(self, o): return isinstance(o, Plain)
    def __hash__(self): return 7
    def __lt__(self, o): return True
    def __add__(self, o): return 10
    def __radd__(self, o): return 11
    def __iadd__(self, o): self.log.append(o); return self
    def __neg__(self): return -1
    def __index__(self): return 2
    def __call__(self, *a, **k): return len(a)
    def __repr__(self): return "P"
    def __format__(self, spec): return "F" + spec
    def __getattr__(self, name):
        if name.startswith("_"): raise AttributeError(name)
        return "dyn " + name
class Hooked(Plain):
    def __setattr__(self, name, value): object.__setattr__(self, name, value)
    def __delattr__(self, name): object.__delattr__(self, name)
class Super(Plain):
    def __setattr__(self, name, value): super().__setattr__(name, value)
    def __delattr__(self, name): super().__delattr__(name)
class Native(Plain):
    __setattr__ = object.__setattr__
    __delattr__ = object.__delattr__
class Table(dict):
    def __setitem__(self, k, v): super().__setitem__(k, v)
    def __delitem__(self, k): super().__delitem__(k)
    def __missing__(self, k): return "missing"
class Open(dict):
    __setattr__ = dict.__setitem__
    __delattr__ = dict.__delitem__
    __getattr__ = dict.get
class Row(list):
    def append(self, v): super().append(v)
    def __setitem__(self, k, v): super().__setitem__(k, v)
    def __delitem__(self, k): super().__delitem__(k)
class Key:
    def __init__(self, n): self.n = n
    def __hash__(self): return 1
    def __eq__(self, o): return self.n == o.n
    def __lt__(self, o): return self.n < o.n
    def __repr__(self): return f"K{self.n}"
class Count:
    def __init__(self): self.i = 0
    def __iter__(self): return self
    def __next__(self):
        self.i += 1
        if self.i > 3: raise StopIteration
        return self.i
class Meta(type):
    def __setattr__(cls, n, v): super().__setattr__(n, v)
    def __delattr__(cls, n): super().__delattr__(n)
    def __call__(cls, *a): return super().__call__(*a)
class Made(metaclass=Meta):
    v = 0
class Trouble(Exception):
    def __init__(self, *a):
        super().__init__(*a)
        self.count = len(a)
@dataclasses.dataclass
class Point:
    a: int
    b: int = 2
    def __post_init__(self): self.c = self.a + self.b
@dataclasses.dataclass(frozen=True)
class Fixed:
    a: int
class Slots:
    __slots__ = ("p", "q")
class Cached:
    @functools.cached_property
    def v(self): return len("xyz")
def gen():
    got = yield 1
    yield got
def left(h):
    try:
        return len("four")
    finally:
        h.x = 5
def outcome(f, h):
    try:
        return f(h)
    except Exception as e:
        return type(e).__name__, str(e)
def show(*fs):
    for f in fs:
        for cls in Plain, Hooked, Super, Native:
            h = cls()
            print(cls.__name__, outcome(f, h), h._x, getattr(h, "_d", None), h.log, h.items)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h[1] = 2
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h[1] = 2
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h[1] += 2
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h[1] += 2
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    del h[1]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    del h[1]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h[1:2] = [3]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h[1:2] = [3]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    del h[1:2]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    del h[1:2]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.__setitem__(1, 2)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.__setitem__(1, 2)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.__delitem__(1)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.__delitem__(1)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    operator.setitem(h, 1, 2)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    operator.setitem(h, 1, 2)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    operator.delitem(h, 1)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    operator.delitem(h, 1)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h[0], h[1] = 1, 2
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h[0], h[1] = 1, 2
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    for h[0] in Count(): pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    for h[0] in Count(): pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.items["n"] = h.x
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.items["n"] = h.x
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    t = Table(j=1); t["k"] = 1
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    t = Table(j=1); t["k"] = 1
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    t = Table(j=1); t["k"] = len("ab")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    t = Table(j=1); t["k"] = len("ab")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    t = Table(j=1); del t["j"]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    t = Table(j=1); del t["j"]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    t = Table(); t["zz"]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    t = Table(); t["zz"]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    t = Table(j=1); t.update(k=2)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    t = Table(j=1); t.update(k=2)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    t = Table(j=1); t |= {"k": 2}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    t = Table(j=1); t |= {"k": 2}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    Table.__setitem__(Table(), "q", 1)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    Table.__setitem__(Table(), "q", 1)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    r = Row([1, 2]); r[0] = 5
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    r = Row([1, 2]); r[0] = 5
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    r = Row([1, 2]); r[0:1] = Count()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    r = Row([1, 2]); r[0:1] = Count()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    r = Row([1, 2]); del r[0]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    r = Row([1, 2]); del r[0]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    r = Row([1, 2]); r.append(4)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    r = Row([1, 2]); r.append(4)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    r = Row([1, 2]); r += [1]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    r = Row([1, 2]); r += [1]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    r = Row([1, 2]); r *= 2
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    r = Row([1, 2]); r *= 2
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    r = Row([1, 2]); r.extend(Count())
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    r = Row([1, 2]); r.extend(Count())
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    l = [1, 2, 3, 4]; l[h]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    l = [1, 2, 3, 4]; l[h]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    l = [1, 2, 3, 4]; l[h] = 9
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    l = [1, 2, 3, 4]; l[h] = 9
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    l = [1, 2, 3, 4]; del l[h]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    l = [1, 2, 3, 4]; del l[h]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    l = [1, 2, 3, 4]; l[h:] = [h]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    l = [1, 2, 3, 4]; l[h:] = [h]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; d[Key(1)] = 2
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; d[Key(1)] = 2
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; d[Key(3)] = 2
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; d[Key(3)] = 2
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; del d[Key(1)]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; del d[Key(1)]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; d.pop(Key(1))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; d.pop(Key(1))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; d.setdefault(Key(2), 5)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; d.setdefault(Key(2), 5)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; d.get(Key(2))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; d.get(Key(2))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; d |= {Key(9): 1}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; d |= {Key(9): 1}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; d.update({Key(9): 1})
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; d.update({Key(9): 1})
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1}; d == {Key(1): 1}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1}; d == {Key(1): 1}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {Key(1): 1, **{Key(2): 2}}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {Key(1): 1, **{Key(2): 2}}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = dict({Key(1): 1}); d = {**d}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = dict({Key(1): 1}); d = {**d}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {h: 1}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {h: 1}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    d = {}; d[h] = 1; d[h]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    d = {}; d[h] = 1; d[h]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    Key(1) in {Key(1): 1}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    Key(1) in {Key(1): 1}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    s = {Key(1)}; s.add(Key(1)); s.add(Key(5))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    s = {Key(1)}; s.add(Key(1)); s.add(Key(5))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    s = {Key(1)}; s.discard(Key(1))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    s = {Key(1)}; s.discard(Key(1))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    s = {Key(1)}; s |= {Key(7)}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    s = {Key(1)}; s |= {Key(7)}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    s = {Key(1), *[Key(1), Key(2)]}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    s = {Key(1), *[Key(1), Key(2)]}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    s = set([Key(1), Key(2)])
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    s = set([Key(1), Key(2)])
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    l = [Key(2), Key(1)]; l.remove(Key(2))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    l = [Key(2), Key(1)]; l.remove(Key(2))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    l = [Key(2), Key(1)]; l.index(Key(1))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    l = [Key(2), Key(1)]; l.index(Key(1))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    l = [Key(2), Key(1)]; l.count(Key(1))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    l = [Key(2), Key(1)]; l.count(Key(1))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    l = [Key(2), Key(1)]; l.sort()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    l = [Key(2), Key(1)]; l.sort()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    Key(2) in [Key(2), Key(1)]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    Key(2) in [Key(2), Key(1)]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    [Key(1)] == [Key(1)]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    [Key(1)] == [Key(1)]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    [Key(1), Key(2)] < [Key(1), Key(3)]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    [Key(1), Key(2)] < [Key(1), Key(3)]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    (Key(1),) == (Key(1),)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    (Key(1),) == (Key(1),)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    tuple(Count()) < tuple(Count())
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    tuple(Count()) < tuple(Count())
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    {Key(1): 1}.items() == {Key(1): 1}.items()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    {Key(1): 1}.items() == {Key(1): 1}.items()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    copy.deepcopy([Key(2)])
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    copy.deepcopy([Key(2)])
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    sorted([Key(2), Key(1)])
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    sorted([Key(2), Key(1)])
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    min(Key(2), Key(1))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    min(Key(2), Key(1))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    max([Key(2), Key(1)], key=lambda k: -k.n)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    max([Key(2), Key(1)], key=lambda k: -k.n)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    collections.Counter(Count())
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    collections.Counter(Count())
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    dict(zip("ab", Count()))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    dict(zip("ab", Count()))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    {q: q for q in Count()}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    {q: q for q in Count()}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    {Key(q): q for q in Count()}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    {Key(q): q for q in Count()}
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    {Key(q) for q in Count()}
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    {Key(q) for q in Count()}
    return n, m
show(f, g)
