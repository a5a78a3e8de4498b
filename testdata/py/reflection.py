class A:
    """doc of A"""
    kind = "x"
    def __init__(self): self.x = 1; self.y = [2]
    def m(self): pass
    @property
    def p(self): return 5
class B(A):
    z: int = 3
    w: "str"
a = A()
print(a.__class__, a.__class__.__name__, A.__class__, (5).__class__, None.__class__, a.__doc__, B.__doc__, B().__doc__, A.__module__, a.__module__, B.__qualname__)
print(a.__dict__, vars(a), a.__dict__ is a.__dict__, type(a.__dict__))
a.__dict__.update(k=5); a.__dict__["j"] = 6; a.n = 7
print(a.k, a.j, a.__dict__["n"], vars(a))
del a.k; a.__dict__.pop("j")
print(sorted(vars(a)), hasattr(a, "j"))
d = a.__dict__; a.x = 100
print(d["x"], {k: v for k, v in a.__dict__.items() if k != "y"}, a.__dict__ == vars(a))
class Borg:
    _s = {}
    def __init__(self): self.__dict__ = self._s
b1, b2 = Borg(), Borg(); b1.q = 1
print(b2.q, Borg._s)
class Init:
    def __init__(self, **kw): self.__dict__.update(kw)
    def __repr__(self): return f"{self.__class__.__name__}({', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())})"
    def __eq__(self, o): return self.__class__ is o.__class__ and self.__dict__ == o.__dict__
i = Init(a=1, b="x")
print(i, i == Init(a=1, b="x"), i != Init(a=2), i.a)
print([c.__name__ for c in B.__mro__], B.__bases__, B.__base__, object.__bases__, bool.__mro__, A.__annotations__, B.__annotations__, B().__annotations__)
print([k for k in A.__dict__ if not k.startswith("_")], type(A.__dict__).__name__, "m" in vars(A), A.__dict__["kind"])
try: A.__dict__["q"] = 1
except TypeError as e: print(e)
print([c.__name__ for c in A.__subclasses__()])
for f in (lambda: vars(5), lambda: (5).__dict__, lambda: [].__dict__):
    try: f()
    except (TypeError, AttributeError) as e: print(type(e).__name__, e)
def f(x):
    "doc"
f.attr = 3
print(f.__dict__, f.__name__, f.__doc__, f.__module__, f.__class__.__name__, "attr" in dir(f), f.__qualname__)
print([n for n in dir(a) if not n.startswith("_")], [n for n in dir(B) if not n.startswith("_")], "append" in dir([]), "x" in dir(a))
print("a" in globals(), globals()["i"] is i, "nope" in globals())
class Door:
    pass
class Open(Door):
    def state(self): return "open"
class Closed(Door):
    def state(self): return "closed"
dd = Open(); dd.__class__ = Closed
print(dd.state(), isinstance(dd, Closed))
class P:
    __slots__ = ("x", "y")
    def __init__(self, x): self.x = x
class Q(P):
    __slots__ = ("z",)
class R(P): pass
p = P(1); p.y = 2; q = Q(3); q.z = 4
for fn in (lambda: setattr(p, "z", 1), lambda: p.nope, lambda: p.__dict__, lambda: vars(q), lambda: setattr(q, "w", 1), lambda: type("S", (), {"__slots__": ("a",), "a": 1})):
    try: print(fn())
    except Exception as e: print(type(e).__name__, e)
r = R(1); r.any = 2
print(p.x, p.y, q.x, q.z, r.any, P.__slots__)
class W:
    __slots__ = ("v", "__dict__")
w = W(); w.v = 1; w.other = 2
print(w.other)
try:
    raise ValueError("x", 3)
except ValueError as e:
    e.extra = 5
    print(e.__class__.__name__, e.__dict__, vars(e))
try: A().missing
except AttributeError as e: print(e.__dict__, e.name, e.obj.__class__)
print(a.__dict__.keys() >= {"x"}, isinstance(a.__dict__, dict))
import json
print(json.dumps(Init(a=1, n=Init(b=2)), default=lambda o: o.__dict__))
print(getattr(a, "__class__").__name__, getattr(a, "__dict__") is a.__dict__, hasattr(5, "__dict__"), hasattr(a, "__dict__"))
