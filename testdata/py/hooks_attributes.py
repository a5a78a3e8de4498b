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
    h.x = 5
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.x = 5
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    del h.x
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    del h.x
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.d = 6
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.d = 6
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    del h.d
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    del h.d
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.x += 5
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.x += 5
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.d += 1
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.d += 1
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.new = 3
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.new = 3
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.new = 3; del h.new
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.new = 3; del h.new
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    setattr(h, "x", 4)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    setattr(h, "x", 4)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    setattr(h, "d", 4)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    setattr(h, "d", 4)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    setattr(h, "other", 4)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    setattr(h, "other", 4)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    delattr(h, "x")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    delattr(h, "x")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    delattr(h, "d")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    delattr(h, "d")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    object.__setattr__(h, "x", 9)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    object.__setattr__(h, "x", 9)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    object.__delattr__(h, "x")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    object.__delattr__(h, "x")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    type(h).__setattr__(h, "d", 9)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    type(h).__setattr__(h, "d", 9)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.__setattr__("x", 2)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.__setattr__("x", 2)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.__delattr__("x")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.__delattr__("x")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    type(h).x.__set__(h, 3)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    type(h).x.__set__(h, 3)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    type(h).x.__delete__(h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    type(h).x.__delete__(h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    type(h).x.fset(h, 3)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    type(h).x.fset(h, 3)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    super(type(h), h).x
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    super(type(h), h).x
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.x, h.d = 1, 2
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.x, h.d = 1, 2
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.x, (h.d, h[3]) = 1, (2, 3)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.x, (h.d, h[3]) = 1, (2, 3)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    *h.x, h.d = Count()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    *h.x, h.d = Count()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    for h.x in [1, 2]: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    for h.x in [1, 2]: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    for h.x, h.d in [(1, 2)]: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    for h.x, h.d in [(1, 2)]: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    with h as h.x: pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    with h as h.x: pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    with h as (h.x, h.d): pass
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    with h as (h.x, h.d): pass
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.x = h.d = h[1] = 4
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.x = h.d = h[1] = 4
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    k = h.x = 7
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    k = h.x = 7
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.x: int = 5
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.x: int = 5
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    del h.x, h.d, h[1]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    del h.x, h.d, h[1]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    h.foo
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    h.foo
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    getattr(h, "foo")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    getattr(h, "foo")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    getattr(h, "x", None)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    getattr(h, "x", None)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    hasattr(h, "foo")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    hasattr(h, "foo")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    hasattr(h, "_foo")
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    hasattr(h, "_foo")
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    Made.v = 5
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    Made.v = 5
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    Made.w = 3
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    Made.w = 3
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    Made.w = 3; del Made.w
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    Made.w = 3; del Made.w
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    w = Made()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    w = Made()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    o = Open(); o.foo = 5; o.foo
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    o = Open(); o.foo = 5; o.foo
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    o = Open(a=1); del o.a
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    o = Open(a=1); del o.a
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    p = Point(1)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    p = Point(1)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    p = Point(1); p.a = 5
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    p = Point(1); p.a = 5
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    p = dataclasses.replace(Point(1), b=4)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    p = dataclasses.replace(Point(1), b=4)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    try: Fixed(1).a = 2
    except Exception as e: e = type(e).__name__
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    try: Fixed(1).a = 2
    except Exception as e: e = type(e).__name__
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    s = Slots(); s.p = 3; s.q = 4
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    s = Slots(); s.p = 3; s.q = 4
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    Cached().v
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    Cached().v
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    c = Cached(); c.v; c.v
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    c = Cached(); c.v; c.v
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    class Z:
        k = h.x
        h.x = 12
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    class Z:
        k = h.x
        h.x = 12
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    f = lambda: setattr(h, "x", 3)
    f()
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    f = lambda: setattr(h, "x", 3)
    f()
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    left(h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    left(h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    operator.attrgetter("x")(h)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    operator.attrgetter("x")(h)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    functools.partial(setattr, h, "x")(3)
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    functools.partial(setattr, h, "x")(3)
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    list(map(setattr, [h, h], ["x", "d"], [8, 9]))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    list(map(setattr, [h, h], ["x", "d"], [8, 9]))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    [setattr(h, "x", i) for i in Count()]
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    [setattr(h, "x", i) for i in Count()]
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    try: pass
    finally: h.x = 3
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    try: pass
    finally: h.x = 3
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    try: h.x = 1 / 0
    except ZeroDivisionError: h.x = 4
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    try: h.x = 1 / 0
    except ZeroDivisionError: h.x = 4
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    while h.x != 3: h.x = 3
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    while h.x != 3: h.x = 3
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    if h.x: h.d = h.x
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    if h.x: h.d = h.x
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    copy.copy(p := Point(3))
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    copy.copy(p := Point(3))
    return n, m
show(f, g)
# ---
def f(h):
    n = len("abc")
    m = h.get()
    type("Q", (Plain,), {"x": 5})().x
    return n, m
def g(h):
    m = abs(-4)
    n = [i for i in range(2)]
    n = str(5)
    type("Q", (Plain,), {"x": 5})().x
    return n, m
show(f, g)
