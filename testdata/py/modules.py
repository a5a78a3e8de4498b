# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
from functools import reduce, partial, lru_cache, cache, wraps, cmp_to_key, cached_property, singledispatch, total_ordering, partialmethod
print(reduce(lambda a, b: a * b, range(1, 6)), reduce(lambda a, b: a + b, [], 10), reduce(max, [3, 1, 4]))
t(lambda: reduce(lambda a, b: a, []))
add = lambda a, b=0, c=0: (a, b, c)
p = partial(add, 1, c=5)
print(p(2), p(2, c=9), p.args, p.keywords, partial(p, 7)())
t(lambda: p(1, 2, 3, 4))
calls = []
@lru_cache(maxsize=None)
def fib(n):
    calls.append(n)
    return n if n < 2 else fib(n - 1) + fib(n - 2)
print(fib(30), len(calls), fib.cache_info())
@lru_cache(maxsize=2)
def sq(n):
    calls.append("sq%d" % n)
    return n * n
print([sq(i) for i in [1, 2, 1, 3, 1, 2]], calls[-4:], sq.cache_info(), sq.cache_clear(), sq.cache_info())
@cache
def key(a, b=1): return (a, b)
print(key(1), key(1, 1), key(a=1), key.cache_info().hits)
t(lambda: sq([]))
def deco(f):
    @wraps(f)
    def w(*a): return f(*a) + 1
    return w
@deco
def g(x):
    "doc of g"
    return x
print(g(1), g.__name__, g.__doc__)
print(sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))
class C:
    n = 0
    @cached_property
    def v(self):
        self.n += 1
        return self.n * 10
c = C()
print(c.v, c.v, c.n)
@singledispatch
def show(x): return "obj"
@show.register(int)
def _(x): return "int"
@show.register(list)
def _(x): return "list"
print(show(1), show([]), show("s"), show(True))
# ---
import itertools as it
print(list(it.chain([1], "ab")), list(it.chain.from_iterable([[1], [2, 3]])), list(it.islice(it.count(5, 2), 4)), list(it.islice("abcdef", 1, None, 2)), list(it.repeat(1, 3)), [x for x, _ in zip(it.cycle("ab"), range(5))], list(it.accumulate([1, 2, 3, 4])), list(it.accumulate([3, 1, 4], max)), list(it.accumulate([1, 2], initial=10)))
print(list(it.product("ab", [1, 2])), list(it.product([0, 1], repeat=2)), list(it.permutations([1, 2, 3], 2)), list(it.combinations("abcd", 2)), list(it.combinations_with_replacement("ab", 2)), len(list(it.permutations(range(5)))))
print([(k, list(g)) for k, g in it.groupby("aabccc")], [(k, len(list(g))) for k, g in it.groupby([1, 3, 2, 4, 5], key=lambda x: x % 2)], list(it.takewhile(lambda x: x < 3, [1, 2, 3, 1])), list(it.dropwhile(lambda x: x < 3, [1, 2, 3, 1])), list(it.filterfalse(lambda x: x % 2, range(5))), list(it.starmap(pow, [(2, 3), (3, 2)])), list(it.compress("abcd", [1, 0, 1, 0])), list(it.pairwise([1, 2, 3])), list(it.zip_longest("ab", [1], fillvalue="-")))
a, b = it.tee([1, 2, 3])
print(list(a), list(b), next(it.count()), list(it.islice(it.count(0.5, 0.25), 3)))
t(lambda: it.islice([1], -1))
t(lambda: list(it.combinations([1], -1)))
t(lambda: list(it.islice("abc", 1.5)))
t(lambda: list(it.chain(5)))
# ---
from collections import Counter, defaultdict, deque, OrderedDict, ChainMap
c = Counter("abracadabra")
print(c, c.most_common(2), c["z"], c["a"], sum(c.values()), c.total(), sorted(c.elements())[:4], Counter(a=1) + Counter(a=2, b=1), Counter(a=3) - Counter(a=1, b=2), Counter(a=3, b=1) & Counter(a=1, b=5), Counter(a=3) | Counter(a=1, b=2), +Counter(a=-1, b=1), Counter(["x", "y", "x"]), Counter({"k": 2}), dict(c), c == Counter("abracadabra"))
c.update("aaa")
c.subtract({"b": 5})
del c["r"]
print(c, c.most_common(), [k for k in c], Counter(), repr(Counter(a=1)))
d = defaultdict(list)
d["a"].append(1)
d["b"].extend([2, 3])
print(d, dict(d), d["c"], len(d), d.get("q"), "q" in d, defaultdict(int, x=1)["y"], defaultdict(lambda: "def")["z"], defaultdict(list))
t(lambda: defaultdict()["x"])
t(lambda: defaultdict(5))
n = defaultdict(lambda: defaultdict(int))
n["a"]["b"] += 1
print({k: dict(v) for k, v in n.items()})
q = deque([1, 2, 3], maxlen=4)
q.append(4); q.append(5); q.appendleft(0)
print(q, q.pop(), q.popleft(), len(q), q[0], q[-1], list(q), q.maxlen, deque("ab") == deque("ab"), 3 in q)
q.rotate(1); q.extend([7, 8]); q.extendleft([9]); print(q, list(reversed(q)), q.count(7), q.index(7), q.copy())
q.remove(7); q.insert(1, "i"); q.reverse(); print(q); q.clear(); print(q)
t(lambda: q.pop())
t(lambda: q.popleft())
t(lambda: deque([1])[5])
t(lambda: deque([1]).remove(9))
o = OrderedDict(a=1, b=2, c=3)
o.move_to_end("a"); print(o, o.popitem(last=False), list(o), o == {"c": 3, "a": 1}, o == OrderedDict(a=1, c=3))
o.move_to_end("a", last=False); print(list(o), repr(OrderedDict()), reversed(o) is not None)
m = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(m["a"], m["b"], sorted(m), dict(m), m.new_child({"a": 0})["a"], len(m), m.get("zz"))
t(lambda: m["zz"])
# ---
import json
for v in [None, True, False, 0, -5, 10**20, 1.5, 1e100, 0.1, float("inf"), "", "text", 'q"\\/\n\t\x00é日😀', [], [1, [2, {}]], {}, {"a": 1, "b": [None]}, {1: "x", None: "y", True: "z", 2.5: "f"}, (1, 2)]:
    print(json.dumps(v), json.dumps(v, indent=2), json.dumps(v, ensure_ascii=False), json.dumps(v, separators=(",", ":")))
print(json.dumps({"b": 1, "a": [1, {"z": 0, "y": 1}]}, sort_keys=True, indent=4), json.dumps([1, 2], indent="--"), json.dumps({(1, 2): 3}, skipkeys=True), json.dumps({"k": {1, 2}}, default=sorted), json.dumps("x", indent=0), json.dumps([], indent=2), json.dumps({"a": []}, indent=1))
for s in ['null', 'true', '[1, 2.5, "a", {"b": [false]}]', '1e5', '-0', '-0.0', '10000000000000000000000', '"\\u00e9\\n\\ud83d\\ude00"', ' [ ] ', '{"a":1,"a":2}', 'NaN', '-Infinity', '"\\ud800"', '1.0', '"a/b\\/c"']:
    t(lambda: json.loads(s))
for s in ['', ' ', '{', '[', '[1,', '[1,]', '{"a"}', '{"a":}', '{"a":1,}', "{'a':1}", '{1:2}', 'nul', 'tru', '01', '1.', '.5', '+1', '1e', '"abc', '"\x01"', '"\\x"', '"\\u12"', '[1 2]', '{"a":1 "b":2}', '1 2', '[] x', '\n\n  x', 'undefined', '"a\nb"', '--1', '[1,,2]', ']', '}', '{"a":1}}']:
    t(lambda: json.loads(s))
t(lambda: json.dumps({1, 2}))
t(lambda: json.dumps(object))
t(lambda: json.dumps({"a": b"x"}))
t(lambda: json.dumps({(1,): 2}))
t(lambda: json.dumps(float("nan"), allow_nan=False))
t(lambda: json.dumps(print))
t(lambda: json.loads(5))
t(lambda: json.loads(b'{"a": 1}'))
t(lambda: json.loads('{"a": 1.5}', parse_float=str))
t(lambda: json.loads('{"a": 1}', object_hook=lambda d: list(d.items())))
t(lambda: json.loads('[1, 2]', parse_int=float))
t(lambda: json.loads('{"b": 1, "a": 2}', object_pairs_hook=lambda p: p))
a = []
a.append(a)
t(lambda: json.dumps(a))
try: json.loads("[1, x]")
except json.JSONDecodeError as e: print(e.msg, e.pos, e.lineno, e.colno, e.doc, isinstance(e, ValueError))
# ---
import re
print(re.findall(r"\d+", "a1b22c333"), re.findall(r"(\w)(\d)", "a1 b2"), re.split(r"[,;]\s*", "a, b;c"), re.split(r"(-)", "a-b-c"), re.sub(r"\s+", " ", "a  b \n c"), re.sub(r"(\w+) (\w+)", r"\2 \1", "hello world"), re.sub("a", lambda m: m.group().upper() + str(m.start()), "banana"), re.subn("a", "b", "aaa", count=2), re.escape("a.b*c"))
m = re.match(r"(?P<year>\d{4})-(?P<month>\d\d)", "2024-03-15 rest")
print(m, m.group(), m.group(1), m.group("month"), m.groups(), m.groupdict(), m.span(), m.start(2), m.end("year"), m[0], m["year"], m.string, m.lastgroup, bool(m))
print(re.match("b", "ab"), re.search("b", "ab").start(), re.fullmatch(r"\d+", "123a"), re.fullmatch(r"\d+", "123").group(), re.search(r"(a)|(b)", "b").groups(), re.search(r"(a)|(b)", "b").group(1), [m.span() for m in re.finditer("a*", "baac")], re.findall("a*", "baac"), re.search("x*", "abc").span())
p = re.compile(r"^(\w+)\s*=\s*(.*)$", re.M | re.I)
print(p.findall("a = 1\nB=2"), p.pattern, p.groups, [m.group(2) for m in p.finditer("x = y\nz = w")], p.search("nothing"), re.findall("(?i)ABC", "abc ABC"), re.findall(r"\bfoo\b", "foo food foo"), re.findall(r"a.c", "a\nc abc", re.S), re.findall(r"(?:ab)+", "ababxab"), re.findall(r"a+?", "aaa"), re.findall(r"[^abc]", "abxc"), re.findall(r"é\w", "éa éb"), re.sub(r"(?P<w>\w+)", r"<\g<w>>", "a b"), re.sub("x*", "-", "abc"), re.split("x*", "axbc"), re.split(",", "a,b,c", maxsplit=1))
t(lambda: re.compile("("))
t(lambda: re.compile("["))
t(lambda: re.compile("*a"))
t(lambda: re.compile("a{2,1}"))
t(lambda: re.compile(")"))
t(lambda: re.compile("(?P<1>a)"))
t(lambda: re.compile("\\"))
t(lambda: re.match("(a)", "a").group(2))
t(lambda: re.match("(a)", "a").group("x"))
t(lambda: re.match(5, "a"))
t(lambda: re.match("a", 5))
t(lambda: re.sub("a", r"\2", "a"))
t(lambda: re.match("a", b"a"))
print(re.compile("a|b"), re.search(r"(\d+)(?:px|em)", "12em").expand(r"\1!"), re.findall(r"^\w", "ab\ncd", re.MULTILINE), re.search("b", "aXb", re.I).group(), re.findall(r"\w+@\w+\.com", "x@y.com, a@b.com"), re.sub(r"[aeiou]", "", "education"), re.match(r"\s*$", "   ") is not None, re.split(r"\W+", "Hello, world! Bye."), re.findall(r"\$(\d+\.\d\d)", "$1.50 and $20.99"))
