# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
T = (1, 2, 3, 2)
print(T, (), (1,), (1, (2, (3,))), T + (4,), T * 2, 2 * (0,), T[1], T[-1], T.count(2), T.index(2), T.index(2, 2), len(T), 2 in T, T == (1, 2, 3, 2), T < (1, 3), hash(()) == hash(()), hash((1, 2)) == hash((1.0, 2.0)), tuple("ab"), tuple([1]), tuple())
t(lambda: T.index(9))
t(lambda: T + [1])
t(lambda: T * "a")
t(lambda: T < [1])
t(lambda: T.append(1))
t(lambda: tuple(5))
t(lambda: tuple(1, 2))
t(lambda: (1, "a") < (1, 2))
t(lambda: T["a"])
t(lambda: T())
def store():
    T[0] = 5
def delete():
    del T[0]
t(store)
t(delete)
x = ([1], 2)
def inplace():
    x[0] += [2]
t(inplace)
print(x)
a, b = b, a = 1, 2
print(a, b)
a, b, c = c, a, b = 1, 2, 3
print(a, b, c)
print((1, 2) == [1, 2], (1,) + (2,), sorted([(2, "a"), (1, "z"), (1, "b")]), max((1, 2), (1, 3)), min([(3,), (2, 9)]), sum(((1,), (2,)), ()))
# ---
# bytes.
b = b"hello world"
print(b, b[0], b[-1], b[1:4], b[::-1], len(b), list(b[:3]), 104 in b, b"wor" in b, b + b"!", b * 2, b"\x00\xff\n\t\\'", b'"', b"'\"", b == b"hello world", b < b"i", b.upper(), b.title(), b.hex(), b.hex(" "), b.hex(":", 2), b.decode(), b.split(), b.find(b"o"), b.find(111), b.rfind(b"o"), b.count(b"l"), b.replace(b"l", b"L"), b.startswith(b"he"), b.endswith((b"x", b"ld")), b.partition(b" "), b.strip(b"hd"), b.center(15, b"*"), b.zfill(13), b.isalpha(), b.islower(), b.join([b"a", b"b"]), b.index(b"w"), b.splitlines(), b.removeprefix(b"he"), b.capitalize(), b.swapcase(), b.ljust(12), b.rjust(12), b.rsplit(b" ", 1), b.expandtabs(), b.translate(None, b"l"))
print(bytes(), bytes(3), bytes([1, 2, 255]), bytes("é", "utf-8"), bytes(b"x"), bytes(range(3)), bytes.fromhex("00 ff 1a"), b"a" + "b".encode(), hash(b"a") == hash(b"a"), bool(b""), bool(b"\0"), {b"k": 1}, sorted([b"b", b"a"]), b"%d %s" % (5, b"x"), b"\xe9".decode("latin-1"))
t(lambda: b[100])
t(lambda: b["a"])
t(lambda: b + "a")
t(lambda: "a" + b)
t(lambda: b < "a")
t(lambda: b == "hello world")
t(lambda: "h" in b)
t(lambda: 300 in b)
t(lambda: b.find("a"))
t(lambda: b.index(b"z"))
t(lambda: b.split("x"))
t(lambda: b.join(["a"]))
t(lambda: b.foo)
t(lambda: b.encode())
t(lambda: "x".decode())
t(lambda: bytes("é"))
t(lambda: bytes([256]))
t(lambda: bytes([-1]))
t(lambda: bytes(["a"]))
t(lambda: bytes(-1))
t(lambda: bytes(1.5))
t(lambda: bytes(None))
t(lambda: bytes.fromhex("0"))
t(lambda: bytes.fromhex("zz"))
t(lambda: b"\xff".decode())
t(lambda: b"abc\xff".decode("ascii"))
t(lambda: b"\xe9a".decode("utf-8"))
t(lambda: b"\xe6\x97".decode("utf-8"))
t(lambda: b"\xc0\x80".decode("utf-8"))
t(lambda: b"\xed\xa0\x80".decode("utf-8"))
t(lambda: b"\xff\xfea".decode("utf-8", "replace"))
t(lambda: b"a\xffb".decode("utf-8", "ignore"))
t(lambda: b"a\xffb".decode("utf-8", "backslashreplace"))
t(lambda: b"a".decode("nope"))
t(lambda: b"a" * 1.5)
t(lambda: b"a" - b"a")
t(lambda: hash(b"x") is None)
def set_byte():
    c = b"abc"
    c[0] = 1
t(set_byte)
for i, c in enumerate(b"ab"):
    print(i, c)
# ---
# Truth.
class Len:
    def __init__(self, n):
        self.n = n
    def __len__(self):
        return self.n
class Bool:
    def __init__(self, v):
        self.v = v
    def __bool__(self):
        return self.v
class Neither:
    pass
for v in [0, 1, -1, 0.0, 0.1, float("nan"), "", "0", " ", [], [0], (), (0,), {}, {0: 0}, set(), {0}, None, True, False, range(0), range(1), b"", b"0", ..., Len(0), Len(2), Bool(True), Bool(False), Neither(), int, len, frozenset()]:
    print(bool(v), not v, 1 if v else 2, type(v and 5).__name__, type(v or 5).__name__, end=" | ")
print()
t(lambda: bool(Bool(1)))
t(lambda: bool(Bool("x")))
t(lambda: bool(Len(-1)))
t(lambda: len(Len(-1)))
t(lambda: len(Len("a")))
t(lambda: len(Len(2**70)))
t(lambda: len(Len(1.0)))
t(lambda: not Bool(None))
print(1 and 0, 1 and "a", 0 or [], 0 or 5, not "", not not 5, None or False, "" and 1/0, 1 or 1/0, (1 and 2) or 3, 1 if [] else 2 if {} else 3)
# ---
# Chained comparison evaluates each operand once and stops early.
def v(x):
    print("v", x, end=" ")
    return x
print(v(1) < v(2) < v(3))
print(v(3) < v(2) < v(1))
print(v(1) == v(1) != v(2) > v(0))
print(v(1) in [1] in [[1]])
print(v(1) is v(1) is not None)
print(1 < 2 == True, (1 < 2) == True, 1 == 1 in [1], not 1 == 2, 1 < 3 > 2, 5 > 4 > 3 > 2 > 1)
# ---
# Identity of the singletons, and is.
print(None is None, True is True, ... is Ellipsis, () is (), NotImplemented is NotImplemented, None is not False, type(None) is type(None), type(1) is int, type(type(1)) is type)
print(None, ..., NotImplemented, True, type(None), type(...), int, str, type, list, object, dict, ValueError, print, len, type(len), type(lambda: 0), type(range(1)), type(iter([])), type({}.keys()), type(x for x in []))
x = [1]
y = x
print(x is y, x is [1], x == [1], [] is [], x is not y)
