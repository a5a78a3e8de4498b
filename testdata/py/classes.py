# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
class Animal:
    kind = "animal"
    count = 0
    def __init__(self, name):
        self.name = name
        Animal.count += 1
    def speak(self):
        return f"{self.name} makes a sound"
    def __repr__(self):
        return f"{type(self).__name__}({self.name!r})"
class Dog(Animal):
    kind = "dog"
    def speak(self):
        return super().speak() + ": woof"
class Puppy(Dog):
    def __init__(self, name, age):
        super().__init__(name)
        self.age = age
    def speak(self):
        return super().speak() + "!" * self.age
animals = [Animal("a"), Dog("d"), Puppy("p", 2)]
print(animals, [a.speak() for a in animals], [a.kind for a in animals], Animal.count)
print(isinstance(animals[2], Animal), isinstance(animals[0], Dog), issubclass(Puppy, Animal), issubclass(Dog, Puppy), issubclass(Dog, (int, Animal)), type(animals[1]) is Dog, type(animals[1]) == Animal)
animals[0].kind = "own"
print(animals[0].kind, Animal.kind, Dog.kind)
Animal.kind = "changed"
print(Puppy("q", 1).kind, Animal("z").kind, animals[0].kind)
del animals[0].kind
print(animals[0].kind)
t(lambda: animals[0].nope)
t(lambda: Animal.nope)
t(lambda: Animal())
t(lambda: Dog("a", "b"))
t(lambda: animals[0].speak(1))
t(lambda: Animal.speak())
print(Animal.speak(animals[2]), Animal, Dog.__name__, Puppy)
# ---
# Multiple inheritance, the method resolution order, cooperative super.
class A:
    def hi(self): return ["A"]
class B(A):
    def hi(self): return ["B"] + super().hi()
class C(A):
    def hi(self): return ["C"] + super().hi()
class D(B, C):
    def hi(self): return ["D"] + super().hi()
print(D().hi(), B().hi(), [c.__name__ for c in D.mro()])
def bad():
    class X(A, B): pass
t(bad)
def dup():
    class X(A, A): pass
t(dup)
def notclass():
    class X(5): pass
t(notclass)
def final():
    class X(bool): pass
t(final)
class M1:
    def __init__(self, **kw):
        self.m1 = kw.pop("m1", None)
        super().__init__(**kw)
class M2:
    def __init__(self, **kw):
        self.m2 = kw.pop("m2", None)
        super().__init__(**kw)
class Both(M1, M2): pass
b = Both(m1=1, m2=2)
print(b.m1, b.m2)
t(lambda: Both(m3=1))
class E(B):
    def hi(self): return super(B, self).hi()
print(E().hi(), super(D, D()).hi())
t(lambda: super().hi())
t(lambda: super(D, A()).hi())
t(lambda: super(D, D()).nope)
class P:
    @classmethod
    def make(cls): return cls.__name__
    @staticmethod
    def st(): return "st"
class Q(P):
    @classmethod
    def make(cls): return "Q+" + super().make()
    @staticmethod
    def st(): return "Q" + P.st()
print(Q.make(), Q().make(), Q.st(), P.make())
# ---
# Properties.
class Temp:
    def __init__(self, c): self._c = c
    @property
    def c(self):
        "celsius"
        return self._c
    @c.setter
    def c(self, v):
        if v < -273.15:
            raise ValueError("too cold")
        self._c = v
    @c.deleter
    def c(self):
        print("deleted")
        self._c = None
    @property
    def f(self):
        return self._c * 9 / 5 + 32
    k = property(lambda self: self._c + 273.15)
x = Temp(100)
print(x.c, x.f, x.k)
x.c = 0
print(x.f)
def set_c(v): x.c = v
def set_f(): x.f = 5
def del_f(): del x.f
t(lambda: set_c(-300))
t(set_f)
t(del_f)
del x.c
print(x.c)
t(lambda: x.f)
class Sub(Temp):
    @property
    def c(self): return super().c * 2
print(Sub(4).c)
def sub_set(): Sub(4).c = 1
t(sub_set)
class WriteOnly:
    def set(self, v): self.v = v
    x = property(None, set)
w = WriteOnly()
w.x = 5
print(w.v)
t(lambda: w.x)
class Lazy:
    @property
    def value(self):
        raise AttributeError("inside")
t(lambda: Lazy().value)
t(lambda: getattr(Lazy(), "value", "default"))
print(hasattr(Lazy(), "value"), Temp.c.__doc__)
# ---
# __getattr__, __getattribute__-less proxies, __setattr__, __delattr__.
class Proxy:
    def __init__(self, **kw):
        object.__setattr__(self, "data", dict(kw))
    def __getattr__(self, name):
        if name in self.data:
            return self.data[name]
        raise AttributeError(f"no {name} here")
    def __setattr__(self, name, value):
        print("set", name, value)
        self.data[name] = value
    def __delattr__(self, name):
        print("del", name)
        del self.data[name]
p = Proxy(a=1)
p.b = 2
print(p.a, p.b, p.data, hasattr(p, "zz"), getattr(p, "zz", 5))
del p.a
t(lambda: p.a)
setattr(p, "c", 3)
delattr(p, "c")
print(p.data)
class Dyn:
    def __getattr__(self, name):
        return lambda *a: (name, a)
print(Dyn().anything(1, 2), Dyn().x())
class Base: pass
b = Base()
b.x, b.y = 1, 2
for name in ["x", "y", "z"]:
    print(name, getattr(b, name, None), hasattr(b, name))
def del_missing(): del b.zz
t(del_missing)
def del_class_attr(): del Dog.nope
class Dog: legs = 4
t(del_class_attr)
d = Dog()
def del_inst():
    del d.legs
t(del_inst)
def set_none(): None.x = 1
def set_int(): (5).x = 1
def set_list(): [].x = 1
def set_builtin(): int.x = 1
def set_func():
    len.x = 1
for f in [set_none, set_int, set_list, set_builtin, set_func]:
    t(f)
# ---
# Class bodies run code.
class Config:
    base = 10
    double = base * 2
    names = []
    for i in range(3):
        names.append("n%d" % i)
    if base > 5:
        big = True
    def helper(x): return x + 1
    computed = helper(base)
    table = {k: v for k, v in zip(names, range(3))}
    (a, b), c = (1, 2), 3
    class Inner:
        value = "inner"
        def get(self): return self.value
print(Config.double, Config.names, Config.i, Config.big, Config.computed, Config.table, Config.a, Config.c, Config.Inner().get(), Config.Inner.__qualname__, Config().names is Config.names)
def make(n):
    class Local:
        size = n
        def grow(self, k): return n + k
    return Local
A, B = make(1), make(2)
print(A.size, B.size, A().grow(5), B().grow(5), A is B, A.__name__)
class Empty: pass
e = Empty()
e.items = [1]
e.items.append(2)
e.items += [3]
e.n = 0
e.n += 5
e.n **= 2
print(e.items, e.n)
class Shared:
    items = []
    total = 0
    def add(self, x):
        self.items.append(x)
        self.total += x
s1, s2 = Shared(), Shared()
s1.add(1)
s2.add(2)
print(s1.items, s2.items, s1.total, s2.total, Shared.total)
# ---
# __new__, __init_subclass__, __class_getitem__, __set_name__, __call__ on instances.
class Single:
    inst = None
    def __new__(cls, *args):
        if cls.inst is None:
            cls.inst = super().__new__(cls)
        return cls.inst
    def __init__(self, v=None): self.v = v
a, b = Single(1), Single(2)
print(a is b, a.v)
class Plugin:
    found = []
    def __init_subclass__(cls, tag=None, **kw):
        super().__init_subclass__(**kw)
        Plugin.found.append((cls.__name__, tag))
class P1(Plugin, tag="one"): pass
class P2(Plugin): pass
print(Plugin.found)
class Box:
    def __class_getitem__(cls, item): return (cls.__name__, item)
print(Box[int], Box["a", 1])
class Field:
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None):
        if obj is None: return self
        return obj.store.get(self.name, "unset")
    def __set__(self, obj, value):
        obj.store[self.name] = value * 2
class Model:
    x = Field()
    y = Field()
    def __init__(self): self.store = {}
m = Model()
m.x = 5
print(m.x, m.y, m.store, Model.x.name)
class Int(int):
    def __new__(cls, v): return super().__new__(cls, v * 2)
    def double(self): return self * 2
i = Int(5)
print(i, i + 1, i.double(), type(i).__name__, type(i + 1).__name__, isinstance(i, int), {10: "ten"}[i], [0, 1, 2][Int(1)])
class Str(str):
    def shout(self): return self.upper() + "!"
s = Str("hey")
print(s, s.shout(), s + "x", len(s), s == "hey", type(s.upper()).__name__, {"hey": 1}[s], s[1:], f"{s:>5}")
class L(list):
    def second(self): return self[1]
l = L([1, 2, 3])
l.append(4)
print(l, l.second(), len(l), isinstance(l, list), l == [1, 2, 3, 4], type(l[:2]).__name__, sum(l))
class Dd(dict):
    def __getattr__(self, k):
        try: return self[k]
        except KeyError: raise AttributeError(k)
d = Dd(a=1)
d["b"] = 2
print(d.a, d.b, d, sorted(d), {**d})
t(lambda: d.c)
class T(tuple):
    def __new__(cls, a, b): return tuple.__new__(cls, (a, b))
    @property
    def total(self): return self[0] + self[1]
p = T(1, 2)
print(p, p.total, p == (1, 2), hash(p) == hash((1, 2)), len(p))
class Fl(float): pass
print(Fl(1.5) + 1, Fl("2.5"), repr(Fl(1.0)))
# ---
# Names with two underscores are mangled.
class Account:
    def __init__(self): self.__secret = 42
    def get(self): return self.__secret
    def __hidden(self): return "hidden"
    def call(self): return self.__hidden()
a = Account()
print(a.get(), a.call(), a._Account__secret, a._Account__hidden())
t(lambda: a.__secret)
class Sub(Account):
    def peek(self): return self.__secret
t(lambda: Sub().peek())
# ---
# Metaclasses and type().
class Meta(type):
    def __new__(mcs, name, bases, ns, **kw):
        ns["tag"] = name.lower()
        return super().__new__(mcs, name, bases, ns)
    def __call__(cls, *a, **k):
        print("creating", cls.__name__)
        return super().__call__(*a, **k)
    def shout(cls): return cls.__name__.upper()
class Thing(metaclass=Meta):
    def __init__(self, v): self.v = v
x = Thing(5)
print(x.v, Thing.tag, Thing.shout(), type(Thing).__name__, isinstance(Thing, Meta), isinstance(Thing, type))
class Child(Thing): pass
print(Child.tag, type(Child).__name__, Child(1).v)
Dyn = type("Dyn", (), {"x": 5, "get": lambda self: self.x})
print(Dyn().get(), Dyn.__name__, Dyn)
Dyn2 = type("Dyn2", (Dyn,), {})
print(Dyn2().get(), issubclass(Dyn2, Dyn))
# ---
# Abstract classes.
from abc import ABC, abstractmethod
class Shape(ABC):
    @abstractmethod
    def area(self): ...
    @property
    @abstractmethod
    def name(self): ...
    def describe(self): return f"{self.name}: {self.area()}"
class Sq(Shape):
    def __init__(self, s): self.s = s
    def area(self): return self.s ** 2
    @property
    def name(self): return "square"
class Half(Shape):
    def area(self): return 1
print(Sq(3).describe(), isinstance(Sq(1), Shape))
t(lambda: Shape())
t(lambda: Half())
class One(ABC):
    @abstractmethod
    def only(self): pass
t(lambda: One())
# ---
# Equality and hashing by default; comparison of unrelated classes.
class P:
    def __init__(self, x): self.x = x
a, b = P(1), P(1)
print(a == a, a == b, a != b, a in [b], a in [a], hash(a) == hash(a), {a: 1}[a], len({a, b, a}))
t(lambda: a < b)
t(lambda: a + b)
t(lambda: a + 1)
t(lambda: 1 + a)
t(lambda: -a)
t(lambda: a[0])
t(lambda: len(a))
t(lambda: iter(a))
t(lambda: a())
t(lambda: a in a)
t(lambda: int(a))
t(lambda: float(a))
t(lambda: "x" % a and "x" * a)
t(lambda: [1][a])
t(lambda: abs(a))
t(lambda: round(a))
t(lambda: next(a))
t(lambda: a.x.y)
t(lambda: P.x)
t(lambda: [*a])
t(lambda: {**a})
t(lambda: len(P))
t(lambda: P[0])
t(lambda: P + 1)
t(lambda: P < P)
def with_it():
    with a: pass
t(with_it)
def for_it():
    for _ in a: pass
t(for_it)
def set_item(): a[0] = 1
def del_item(): del a[0]
def aug(): 
    b = a
    b += 1
t(set_item)
t(del_item)
t(aug)
async def aw(): await a
# ---
# __slots__ and __eq__ with __hash__.
class V:
    def __init__(self, x, y): self.x, self.y = x, y
    def __eq__(self, o):
        if not isinstance(o, V): return NotImplemented
        return (self.x, self.y) == (o.x, o.y)
    def __hash__(self): return hash((self.x, self.y))
    def __repr__(self): return f"V({self.x}, {self.y})"
print(V(1, 2) == V(1, 2), V(1, 2) != V(1, 3), V(1, 2) == 5, len({V(1, 2), V(1, 2), V(3, 4)}), {V(1, 2): "found"}[V(1, 2)], [V(1, 2), V(3, 4)].index(V(3, 4)), V(0, 0) in (V(0, 0),))
# ---
# A class as a value: tables of classes, factories, isinstance on a tuple, type names.
class Circle:
    def __init__(self, r): self.r = r
    def area(self): return round(3.14159 * self.r ** 2, 2)
class Rect:
    def __init__(self, w, h): self.w, self.h = w, h
    def area(self): return self.w * self.h
    @classmethod
    def square(cls, s): return cls(s, s)
    def __str__(self): return f"<{self.w}x{self.h}>"
kinds = {"circle": Circle, "rect": Rect}
shapes = [kinds[k](*args) for k, args in [("circle", (1,)), ("rect", (2, 3))]] + [Rect.square(4)]
print([s.area() for s in shapes], [type(s).__name__ for s in shapes], str(shapes[2]), f"{shapes[1]}", "%s" % shapes[1], max(shapes, key=lambda s: s.area()).w)
for s in shapes:
    match s:
        case Circle(r=r): print("circle", r)
        case Rect(w=w, h=h) if w == h: print("square", w)
        case Rect(): print("rect")
# ---
class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next
class Stack:
    def __init__(self): self.head, self.size = None, 0
    def push(self, v):
        self.head = Node(v, self.head)
        self.size += 1
        return self
    def pop(self):
        if not self.head: raise IndexError("pop from empty stack")
        v, self.head = self.head.value, self.head.next
        self.size -= 1
        return v
    def __len__(self): return self.size
    def __iter__(self):
        n = self.head
        while n:
            yield n.value
            n = n.next
s = Stack().push(1).push(2).push(3)
print(len(s), list(s), s.pop(), s.pop(), len(s), bool(s), s.pop(), bool(s))
t(s.pop)
t(lambda: s.head.value)
class Before:
    def __lt__(self, other): return True
print([hasattr(Before(), "__" + op + "__") for op in ("lt", "le", "eq", "ne", "gt", "ge")], Before() > Before(), object().__lt__(1))
t(lambda: Before() <= Before())
t(lambda: object() > 1)
