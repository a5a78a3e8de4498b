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
    h += 5
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h += 5
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    k = h; k += 1
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    k = h; k += 1
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    with h: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    with h: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    with h as q: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    with h as q: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    with h: 1 / 0
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    with h: 1 / 0
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    with contextlib.suppress(KeyError): {}["x"]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    with contextlib.suppress(KeyError): {}["x"]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    for i in h: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    for i in h: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    for i in Count(): pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    for i in Count(): pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    for i in gen(): pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    for i in gen(): pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    for i, j in zip(Count(), Count()): pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    for i, j in zip(Count(), Count()): pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    for i, j in [h, h]: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    for i, j in [h, h]: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    a, b, c = h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    a, b, c = h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    a, *b = Count()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    a, *b = Count()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    a, b = Count()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    a, b = Count()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    [*h, *Count()]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    [*h, *Count()]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    [q for q in h]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    [q for q in h]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    [q for q in h if h]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    [q for q in h if h]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    list(q for q in Count())
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    list(q for q in Count())
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    print(h, end=" ")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    print(h, end=" ")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    f"{h} {h!r} {h:x}"
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    f"{h} {h!r} {h:x}"
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    "%s %r" % (h, h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    "%s %r" % (h, h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    "{} {!r:>5}".format(h, h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    "{} {!r:>5}".format(h, h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    str(h); repr(h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    str(h); repr(h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h == h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h == h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h != h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h != h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h < h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h < h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h > h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h > h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h in [h]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h in [h]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h in h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h in h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h + 1
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h + 1
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    1 + h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    1 + h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    -h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    -h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h(1, 2, k=3)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h(1, 2, k=3)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h(*h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h(*h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    bool(h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    bool(h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    not h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    not h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    if h: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    if h: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    if h == 1: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    if h == 1: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    if h in h: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    if h in h: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    if not h < h: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    if not h < h: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    while not h: break
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    while not h: break
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    assert h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    assert h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    assert h == h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    assert h == h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h and h or h
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h and h or h
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    1 if h else 2
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    1 if h else 2
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    len(h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    len(h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    range(h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    range(h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    hash(h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    hash(h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    sum([h.x, 2])
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    sum([h.x, 2])
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    sum([h, h])
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    sum([h, h])
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    any(Count()); all(Count())
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    any(Count()); all(Count())
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    any([h]); all([h])
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    any([h]); all([h])
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    list(map(str, Count()))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    list(map(str, Count()))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    list(filter(None, Count()))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    list(filter(None, Count()))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    next(Count())
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    next(Count())
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    iter(Count())
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    iter(Count())
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    reversed([h])
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    reversed([h])
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    isinstance(h, Plain)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    isinstance(h, Plain)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    try: raise Trouble(1, 2)
    except Trouble as e: k = e.count
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    try: raise Trouble(1, 2)
    except Trouble as e: k = e.count
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    try: raise Trouble
    except Trouble as e: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    try: raise Trouble
    except Trouble as e: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    try: raise Trouble(1) from Trouble(2)
    except (KeyError, Trouble): pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    try: raise Trouble(1) from Trouble(2)
    except (KeyError, Trouble): pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    g = gen(); next(g); g.send(4)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    g = gen(); next(g); g.send(4)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    g = gen(); next(g); g.close()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    g = gen(); next(g); g.close()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    g = gen(); next(g, 0); next(g, 0); next(g, 0)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    g = gen(); next(g, 0); next(g, 0); next(g, 0)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    match h:
        case Plain(x=k): pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    match h:
        case Plain(x=k): pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    match h:
        case [a, b, c]: pass
        case _: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    match h:
        case [a, b, c]: pass
        case _: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    match {"k": h}:
        case {"k": Plain()}: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    match {"k": h}:
        case {"k": Plain()}: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    functools.reduce(operator.add, [h.x, 2, 3])
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    functools.reduce(operator.add, [h.x, 2, 3])
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    ", ".join(str(v) for v in Count())
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    ", ".join(str(v) for v in Count())
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.log.append(h.x)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.log.append(h.x)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    enum.Enum("C1", "A B").A
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    enum.Enum("C1", "A B").A
    return n, m
show(f, g)
# ---
def f(h):
    global gg
    n = len("abc")
    m = h.get()
    gg = h; gg.x = 3
    return n, m
def g(h):
    global gg
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    gg = h; gg.x = 3
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    import json
    json.dumps({"a": [1]}, default=str)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    import json
    json.dumps({"a": [1]}, default=str)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    @functools.wraps(gen)
    def inner(): pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    @functools.wraps(gen)
    def inner(): pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    def inner(a=h.x, *, b=len(h)): return a
    inner()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    def inner(a=h.x, *, b=len(h)): return a
    inner()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    class Z(Plain):
        y = len("ab")
    z = Z(); z.x = 4
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    class Z(Plain):
        y = len("ab")
    z = Z(); z.x = 4
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    list(itertools.chain(Count(), h))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    list(itertools.chain(Count(), h))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    k = [h.get() for q in Count()][0]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    k = [h.get() for q in Count()][0]
    return n, m
show(f, g)
