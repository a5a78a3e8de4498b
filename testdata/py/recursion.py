# prelude
def t(f):
    try:
        return f()
    except RecursionError as e:
        print("RecursionError", isinstance(e, RuntimeError))
# ---
def f(n): return f(n + 1)
t(lambda: f(0))
# ---
def even(n): return odd(n + 1)
def odd(n): return even(n + 1)
t(lambda: even(0))
# ---
class C:
    def __repr__(self): return repr(self)
    def __eq__(self, o): return self == o
    def __hash__(self): return hash(self)
    def __add__(self, o): return self + o
    def __getattr__(self, n): return getattr(self, n + "x")
    def __len__(self): return len(self)
    def __iter__(self): return iter(self)
    def __call__(self): return self()
    def __getitem__(self, k): return self[k]
    def __lt__(self, o): return self < o
    def __bool__(self): return not self
    def __contains__(self, x): return x in self
    def __str__(self): return f"{self}"
c = C()
t(lambda: repr(c))
t(lambda: c == 1)
t(lambda: hash(c))
t(lambda: c + 1)
t(lambda: c.foo)
t(lambda: len(c))
t(lambda: list(c))
t(lambda: c())
t(lambda: c[0])
t(lambda: sorted([c, c]))
t(lambda: bool(c))
t(lambda: 1 in c)
t(lambda: str(c))
# ---
t(lambda: (lambda f: f(f))(lambda f: f(f)))
def key(x): return sorted([x, x], key=key)
t(lambda: key(1))
def m(x): return list(map(m, [x]))
t(lambda: m(1))
def g():
    yield from g()
t(lambda: list(g()))
def comp(x): return [comp(y) for y in [x]]
t(lambda: comp(1))
# ---
def f(n):
    try:
        return f(n + 1)
    except RecursionError:
        return "caught inside"
f(0)
# ---
a = []
for _ in range(50000):
    a = [a]
b = []
for _ in range(50000):
    b = [b]
t(lambda: repr(a))
t(lambda: a == b)
# ---
d = {}
for _ in range(50000):
    d = {"k": d}
t(lambda: repr(d))
a = ()
for _ in range(50000):
    a = (a,)
t(lambda: repr(a))
# ---
# differs: the depth of what is hashed has a bound, too
a = ()
for _ in range(50000):
    a = (a,)
t(lambda: hash(a))
