from pprint import pformat, pprint, pp, PrettyPrinter, saferepr, isreadable
from collections import OrderedDict, defaultdict, Counter, deque, ChainMap, namedtuple
from dataclasses import dataclass, field
data = {"users": [{"name": "Alice Anderson", "email": "alice@example.com", "roles": ["admin", "editor"]}, {"name": "Bob", "email": "bob@example.com", "roles": []}], "total": 2, "nested": {"a": {"b": {"c": {"d": [1, 2, 3]}}}}, "tuple": (1,), "none": None}
print(pformat(data))
pprint(data, width=40)
pprint(data, indent=4)
pprint(data, depth=2)
pprint(data, sort_dicts=False)
pp(data, width=60)
pprint(list(range(40)))
pprint(list(range(40)), compact=True)
pprint(list(range(40)), compact=True, width=30, indent=3)
pprint([["word%d" % i for i in range(8)], ("x" * 30, "y" * 30, "z" * 30), {"k" * 20: "v" * 70}], compact=True)
pprint({"b": 1, "a": 2, 3: "c", None: 4, (1, 2): 5})
pprint({1: "x" * 60, 2: {"y": "z" * 40, "w": ("q" * 20,) * 4}})
# ---
from pprint import pformat, pprint, pp, PrettyPrinter, saferepr, isreadable
pprint("the quick brown fox jumps over the lazy dog " * 4)
pprint(["the quick brown fox jumps over the lazy dog " * 3, "short"])
pprint({"text": "line one\nline two is a bit longer than the others\n" * 2, "k": "x" * 100})
pprint(b"0123456789abcdef" * 8)
pprint([b"\x00\x01" * 30])
pprint({"a"})
pprint({f"item number {i}" for i in range(8)})
pprint(frozenset(f"item number {i}" for i in range(8)))
pprint((("a" * 50, "b" * 50),))
pprint({}), pprint([]), pprint(()), pprint(""), pprint(None), pprint(3.5), pprint(True)
pprint(123456789, underscore_numbers=True)
pprint([1000000, {"n": 2500000}], underscore_numbers=True)
print(saferepr({"b": 1, "a": [2]}), isreadable([1, "a"]), isreadable(object()))
for bad in ({"indent": -1}, {"depth": 0}, {"width": 0}):
    try:
        pformat([1], **bad)
    except ValueError as e:
        print(e)
import io
out = io.StringIO()
pprint([1, 2], stream=out)
PrettyPrinter(width=20, stream=out, indent=2).pprint({"alpha": [1, 2, 3], "beta": "a long string of words here"})
print(out.getvalue())
# ---
from pprint import pformat, pprint
from collections import OrderedDict, defaultdict, Counter, deque, ChainMap, namedtuple
from dataclasses import dataclass, field
words = [f"word number {i}" for i in range(7)]
pprint(OrderedDict((w, i) for i, w in enumerate(words)))
pprint(defaultdict(list, {w: [i] for i, w in enumerate(words)}))
pprint(Counter({w: i for i, w in enumerate(words)}))
pprint(deque(words))
pprint(deque(words, maxlen=10))
pprint(ChainMap({w: 1 for w in words}, {"a": 1}))
pprint(Counter("abc")), pprint(defaultdict(int)), pprint(OrderedDict(a=1)), pprint(deque([1]))
Point = namedtuple("Point", "x y")
pprint([Point("x" * 40, "y" * 40), Point(1, 2)])
@dataclass
class Item:
    name: str
    price: float
    tags: list = field(default_factory=list)
    secret: str = field(default="s", repr=False)
pprint(Item("short", 1.5))
pprint(Item("a rather long name for an item in a list", 19.99, ["one tag", "another tag", "third"]))
pprint([Item("a rather long name for an item in a list", 19.99, ["one tag", "another tag", "third"])] * 2, width=60)
@dataclass
class Custom:
    text: str
    def __repr__(self):
        return f"<Custom {self.text}>"
pprint([Custom("x" * 50), Custom("y" * 50)])
class D(dict):
    pass
class L(list):
    def __repr__(self):
        return "L!"
pprint(D({w: 1 for w in words}))
pprint([L(words), L()])
a = [1]
a.append(a)
print(pformat(a).startswith("[1, <Recursion on list with id="))
