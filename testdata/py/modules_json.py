# prelude
import json
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import datetime
from json import JSONEncoder, JSONDecoder, JSONDecodeError
class E(JSONEncoder):
    def default(self, o):
        if isinstance(o, (datetime.date, datetime.datetime)):
            return o.isoformat()
        if isinstance(o, set):
            return sorted(o)
        return super().default(o)
v = {"d": datetime.date(2024, 5, 6), "s": {3, 1, 2}, "n": [1, 2.5, None, True, "é"]}
print(json.dumps(v, cls=E))
print(json.dumps(v, cls=E, indent=2, sort_keys=True, ensure_ascii=False))
print(json.dumps(v, cls=E, separators=(",", ":")))
t(lambda: json.dumps({"x": object}, cls=E))
t(lambda: json.dumps(b"a", cls=E))
print(E().encode(v), E(indent=1).encode([1, [2]]))
print("".join(E().iterencode(v)))
print(json.dumps([1], cls=None), json.dumps({"d": datetime.date(1, 2, 3)}, default=str))
print(JSONEncoder().encode("text"), JSONEncoder(sort_keys=True, separators=("; ", "= ")).encode({"b": 1, "a": 2}))
print(JSONEncoder(default=lambda o: "?").encode([object()]))
e = JSONEncoder(indent=4)
print(e.item_separator, e.key_separator, e.indent, e.skipkeys, e.ensure_ascii, e.allow_nan, e.sort_keys, e.check_circular)
t(lambda: JSONEncoder().default(1))
t(lambda: JSONEncoder(allow_nan=False).encode(float("nan")))
t(lambda: JSONEncoder(1))
print(JSONEncoder(skipkeys=True).encode({(1, 2): 3, "a": 1}))
# ---
class Upper(json.JSONEncoder):
    def encode(self, o):
        return super().encode(o).upper()
print(json.dumps({"a": "b"}, cls=Upper))
class Parts(json.JSONEncoder):
    def iterencode(self, o, _one_shot=False):
        for part in super().iterencode(o, _one_shot):
            yield part.replace("1", "one")
print(json.dumps([1, 2], cls=Parts), Parts().encode("1"))
class Custom(json.JSONEncoder):
    def __init__(self, *, unit="m", **kw):
        super().__init__(**kw)
        self.unit = unit
    def default(self, o):
        return f"{o}{self.unit}"
print(json.dumps([{1}], cls=Custom), json.dumps([{1}], cls=Custom, unit="km"))
t(lambda: json.dumps([1], cls=Custom, other=1))
t(lambda: json.dumps([1], cls=dict))
class Sep(json.JSONEncoder):
    item_separator = ","
    key_separator = ":"
print(Sep().encode({"a": [1, 2]}))
# ---
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
    def __repr__(self): return f"P({self.x}, {self.y})"
def hook(d):
    return Point(**d) if set(d) == {"x", "y"} else d
text = '{"p": {"x": 1, "y": 2}, "l": [{"x": 3, "y": 4}], "f": 1.50, "i": 7, "n": NaN}'
print(json.loads(text, object_hook=hook))
print(json.loads(text, object_pairs_hook=list, parse_float=str, parse_int=float, parse_constant=repr))
class D(json.JSONDecoder):
    def __init__(self, **kw):
        super().__init__(object_hook=hook, **kw)
    def decode(self, s):
        return [super().decode(s)]
print(json.loads(text, cls=D), json.loads(text.encode(), cls=D), json.loads('" "', cls=None))
t(lambda: json.loads("[1,]", cls=D))
t(lambda: json.loads(5, cls=D))
t(lambda: json.loads(text, cls=D, parse_int=str))
d = json.JSONDecoder()
print(d.decode("  [1, 2] \n"), d.raw_decode('[1] and more'), d.raw_decode('x = "é☃" rest', 4), d.strict, d.object_hook)
print(json.JSONDecoder(object_hook=hook, strict=False).raw_decode('{"x": 1, "y": "\n"}!'))
t(lambda: d.raw_decode(" 1"))
t(lambda: d.raw_decode("1", 5))
t(lambda: d.raw_decode(""))
t(lambda: d.decode("1 2"))
t(lambda: d.decode(""))
t(lambda: d.decode('{"a": 1} x'))
t(lambda: d.decode('["\n"]'))
t(lambda: json.JSONDecoder(parse_int=lambda s: int(s) * 2).decode("[1, 22]"))
i, text, found = 0, '1 2 "a" {"b": []}', []
while i < len(text):
    if text[i] == " ":
        i += 1
        continue
    v, i = d.raw_decode(text, i)
    found.append(v)
print(found)
# ---
from json.decoder import JSONDecodeError
try:
    json.loads('{"a": 1,\n "b": }')
except json.decoder.JSONDecodeError as e:
    print(e.msg, e.pos, e.lineno, e.colno, e.doc, e, isinstance(e, ValueError), type(e) is json.JSONDecodeError)
t(lambda: json.loads(""))
t(lambda: json.loads("\ufeff1"))
class Out:
    def __init__(self): self.parts = []
    def write(self, s): self.parts.append(s)
class In:
    def __init__(self, s): self.s = s
    def read(self): return self.s
o = Out()
json.dump({"a": [1, {"b": None}], "c": "x"}, o, indent=1)
print("".join(o.parts), json.load(In("".join(o.parts))), json.load(In(b"[1]"), parse_int=str))
json.dump({2: 1, 1: 2}, o, sort_keys=True)
print(o.parts[-1][-1])
import json.encoder
print(json.encoder.JSONEncoder is json.JSONEncoder)
