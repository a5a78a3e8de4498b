# prelude
def t(f, *a, **k):
    try:
        print(repr(f(*a, **k)))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import types
from types import SimpleNamespace, MappingProxyType
n = SimpleNamespace(a=1, b="x")
n.c = [n.a]
print(n, n.a, n == SimpleNamespace(a=1, b="x", c=[1]), n != SimpleNamespace(), n == 5, SimpleNamespace(), "")
del n.c
print(hasattr(n, "c"))
t(SimpleNamespace, 1)
n.me = n
print(n)
class Sub(SimpleNamespace):
    def double(self):
        return self.v * 2
print(Sub(v=4).double(), Sub(v=4), SimpleNamespace(**{"x": {"y": 1}}).x["y"])
d = {"a": 1}
m = MappingProxyType(d)
print(m, m["a"], "a" in m, len(m), list(m), m.get("z", 5), dict(m), list(m.items()), m == {"a": 1}, m.copy(), m | {"b": 2}, type(m).__name__)
d["b"] = 2
print(m, list(m.keys()), list(m.values()), {**m}, list(reversed(m)))
def put():
    m["x"] = 1
t(put)
t(types.MethodType, 5, n)
t(types.MethodType, len, None)
print(types.MethodType(len, "abc")(), types.MethodType(dict, [(1, 2)])())
class Made:
    def __init__(self, *args): self.args = args
class Maker:
    plain = classmethod(dict)
    made = classmethod(Made)
try:
    print(1, 2, Maker.plain())
except TypeError as e:
    print(e)
print("a", Maker.made(1, 2).args[1:], "b", types.MethodType(Made, 5)(6).args, "c")
t(MappingProxyType, [1])
t(lambda: m["zz"])
t(lambda: m.update({}))
def f(): pass
def g(): yield
async def c(): pass
class K:
    def m(self): pass
k = c()
print([isinstance(f, types.FunctionType), isinstance(lambda: 0, types.LambdaType), isinstance(len, types.BuiltinFunctionType), isinstance(K().m, types.MethodType), isinstance(types, types.ModuleType), isinstance(g(), types.GeneratorType), isinstance(k, types.CoroutineType), isinstance(None, types.NoneType), isinstance(..., types.EllipsisType), isinstance(NotImplemented, types.NotImplementedType), isinstance(f, types.MethodType), isinstance(K, types.FunctionType)])
k.close()
P = types.new_class("P", (K,), {}, lambda ns: ns.update(x=5))
print(P.x, P.__name__, issubclass(P, K), types.new_class("Q").__name__)
def hello(self): return f"hi {self.name}"
o = SimpleNamespace(name="Ann")
o.hello = types.MethodType(hello, o)
print(o.hello())
# ---
import numbers
from fractions import Fraction
from decimal import Decimal
for v in (1, True, 1.5, Fraction(1, 2), Decimal(1), "x", None):
    print(v, [isinstance(v, k) for k in (numbers.Number, numbers.Complex, numbers.Real, numbers.Rational, numbers.Integral)])
print(issubclass(int, numbers.Integral), issubclass(bool, numbers.Number), issubclass(numbers.Integral, numbers.Real), issubclass(str, numbers.Number))
class Money(numbers.Number):
    def __init__(self, v): self.v = v
print(isinstance(Money(1), numbers.Number), isinstance(Money(1), numbers.Real))
class Odd: pass
numbers.Integral.register(Odd)
print(isinstance(Odd(), numbers.Rational))
def flat(v):
    match v:
        case numbers.Integral(): return "int"
        case numbers.Number(): return "number"
        case _: return "other"
print(flat(1), flat(1.5), flat("a"))
# ---
from graphlib import TopologicalSorter, CycleError
print(list(TopologicalSorter({"D": {"B"}, "B": ["A"], "C": ["A"]}).static_order())[0])
print(tuple(TopologicalSorter({3: [2], 2: [1]}).static_order()), list(TopologicalSorter().static_order()))
s = TopologicalSorter()
s.add("d", "b", "c")
s.add("b", "a")
s.add("c", "a")
t(s.get_ready)
t(s.is_active)
t(s.done, 1)
s.prepare()
order = []
while s.is_active():
    ready = sorted(s.get_ready())
    order.append(ready)
    s.done(*ready)
print(order, bool(s))
t(s.add, "e")
t(s.prepare)
t(s.done, "a")
t(s.done, "zz")
s = TopologicalSorter({"a": ["b"]})
s.prepare()
t(s.done, "a")
for graph in ({"a": ["b"], "b": ["c"], "c": ["a"]}, {1: [1]}, {1: [2], 2: [1], 3: [1]}):
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as e:
        print(e.args[0], len(e.args[1]), e.args[1][0] == e.args[1][-1], isinstance(e, ValueError))
t(TopologicalSorter, {"a": [[]]})
# ---
import queue
q = queue.Queue(maxsize=2)
q.put(1)
q.put(2)
t(q.put_nowait, 3)
t(q.put, 3, block=False)
t(q.put, 3, timeout=0.01)
t(q.put, 3, True, -1)
print(q.qsize(), q.full(), q.empty(), q.get(), q.get_nowait(), q.empty(), q.maxsize)
t(q.get_nowait)
t(q.get, timeout=0.01)
q.task_done()
q.task_done()
q.join()
t(q.task_done)
l, p, s = queue.LifoQueue(), queue.PriorityQueue(), queue.SimpleQueue()
for x in (3, 1, 2):
    l.put(x)
    p.put((x, str(x)))
    s.put(x)
print([l.get() for _ in range(3)], [p.get() for _ in range(3)], [s.get() for _ in range(3)], s.empty())
try:
    queue.Queue().get(False)
except queue.Empty as e:
    print("empty", e.args)
# ---
import colorsys
for rgb in ((0.2, 0.4, 0.4), (1, 0, 0), (0, 0, 0), (1, 1, 1), (0.5, 0.25, 0.75), (0.1, 0.9, 0.3), (0.3, 0.3, 0.9)):
    for to, back in ((colorsys.rgb_to_hsv, colorsys.hsv_to_rgb), (colorsys.rgb_to_hls, colorsys.hls_to_rgb), (colorsys.rgb_to_yiq, colorsys.yiq_to_rgb)):
        print(rgb, [round(x, 12) for x in to(*rgb)], [round(x, 9) for x in back(*to(*rgb))])
import keyword
print(keyword.iskeyword("for"), keyword.iskeyword("match"), keyword.issoftkeyword("match"), len(keyword.kwlist), keyword.softkwlist, keyword.kwlist)
# ---
import threading
lock = threading.Lock()
with lock:
    print(lock.locked(), lock.acquire(blocking=False), lock.acquire(timeout=0.01))
print(lock.locked(), lock.acquire())
lock.release()
t(lock.release)
r = threading.RLock()
with r, r:
    print("twice")
t(r.release)
e = threading.Event()
print(e.is_set(), e.wait(0))
e.set()
print(e.wait(), threading.current_thread().name)
