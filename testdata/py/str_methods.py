# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
# Methods without arguments.
samples = ["", "a", "Abc", "hello World", "HELLO", "  pad\t\n", "123", "12.5", "Ünï", "straße", "x_1", "1x", "ǅ", "ﬁ", "ab\ncd\r\nef", "ΑΣ", "日本", "½", "٣", "\u2028x", "Hello, It's me", "a\x00b", " \u00a0\u3000x\u3000"]
for s in samples:
    print([s, s.upper(), s.lower(), s.title(), s.capitalize(), s.swapcase(), s.casefold(), s.strip(), s.lstrip(), s.rstrip()])
    print(s.isalpha(), s.isdigit(), s.isalnum(), s.isnumeric(), s.isdecimal(), s.isspace(), s.isupper(), s.islower(), s.istitle(), s.isidentifier(), s.isprintable(), s.isascii())
    print(s.split(), s.rsplit(), s.splitlines(), s.splitlines(True), s.encode(), len(s), s[::-1])
# ---
# Search with and without bounds.
s = "banana bandana"
for sub in ["", "a", "an", "ana", "band", "x", "banana bandana", "banana bandanas"]:
    print(sub, s.find(sub), s.rfind(sub), s.count(sub), s.startswith(sub), s.endswith(sub), sub in s)
    for i, j in [(0, 5), (3, 100), (-5, -1), (20, 30), (14, 14), (5, 2), (None, 4), (-100, 3)]:
        print("", i, j, s.find(sub, i, j), s.rfind(sub, i, j), s.count(sub, i, j), s.startswith(sub, i, j), s.endswith(sub, i, j))
    t(lambda: s.index(sub))
    t(lambda: s.rindex(sub, 3))
# ---
# split and its relatives.
for s in ["", " ", "a", "a b", " a  b ", "a,b,,c,", ",", ",,", "aXbXc", "one two  three"]:
    for sep in [None, ",", " ", "X", ",,", "ab"]:
        print([s, sep], s.split(sep), s.rsplit(sep), s.split(sep, 1), s.rsplit(sep, 1), s.split(sep, 0), s.split(sep, -1), s.split(sep, maxsplit=2))
        if sep:
            print("", s.partition(sep), s.rpartition(sep), s.removeprefix(sep), s.removesuffix(sep))
t(lambda: "a".split(""))
t(lambda: "a".partition(""))
t(lambda: "a".rpartition(""))
t(lambda: "a".split(1))
t(lambda: "a".split(None, None))
t(lambda: "a b".split(sep=" "))
t(lambda: "a b".split(maxsplit=0))
t(lambda: "a".split(" ", 1, 2))
# ---
# replace, translate, expandtabs, padding.
for s in ["", "a", "aaa", "abcabc", "x\ty\t\tz", "日本日"]:
    print(s.replace("a", "b"), s.replace("", "-"), s.replace("", "-", 2), s.replace("a", ""), s.replace("abc", "x", 1), s.replace("日", "nichi"), s.replace("a", "aa", 2), s.replace("a", "b", 0), s.replace("z", "q"))
    print(s.center(9, "*"), s.center(8), s.ljust(6, "."), s.rjust(6), s.zfill(5), [s.expandtabs()], [s.expandtabs(4)], [s.expandtabs(0)], [s.expandtabs(1)], [s.expandtabs(-3)])
for s in ["+5", "-5", "5", "", "--5", "+-", "abc", "-12345"]:
    print(s.zfill(0), s.zfill(3), s.zfill(4), s.zfill(8), s.zfill(-1))
for n in range(0, 8):
    print(["ab".center(n, "-"), "abc".center(n, "-"), "a".center(n), "".center(n, "x")])
print("hello".translate({104: "J", 101: None, 108: "LL", 111: 48}))
print("hello".translate(str.maketrans("hl", "xy", "e")))
print(str.maketrans({"a": "b", 99: None}), str.maketrans("ab", "cd"), str.maketrans("ab", "cd", "z"))
t(lambda: str.maketrans("ab", "c"))
t(lambda: str.maketrans({"ab": "c"}))
t(lambda: str.maketrans(5))
t(lambda: str.maketrans("a", 5))
t(lambda: "x".replace("a"))
t(lambda: "x".replace(1, 2))
t(lambda: "x".replace("a", "b", "c"))
t(lambda: "x".center())
t(lambda: "x".center("5"))
t(lambda: "x".center(5, "ab"))
t(lambda: "x".ljust(5, ""))
t(lambda: "x".rjust(5, 1))
t(lambda: "x".zfill("1"))
t(lambda: "x".zfill(2.0))
t(lambda: "x".translate(5))
t(lambda: "x\t".expandtabs(tabsize=3))
# ---
# strip with characters.
for s in ["", "xxabcxx", "xyxabcyx", "abc", "xxx", "éaé"]:
    print([s.strip("x"), s.lstrip("x"), s.rstrip("x"), s.strip("xy"), s.strip(""), s.strip(None), s.strip("abcx"), s.strip("é")])
t(lambda: "a".strip(1))
t(lambda: "a".strip("a", "b"))
# ---
# join.
t(lambda: ",".join([]))
t(lambda: ",".join(["a"]))
t(lambda: ", ".join(["a", "b", "c"]))
t(lambda: "".join("abc"))
t(lambda: "-".join("abc"))
t(lambda: "-".join({"k": 1, "l": 2}))
t(lambda: "-".join(str(i) for i in range(5)))
t(lambda: ",".join([1, 2]))
t(lambda: ",".join(["a", None]))
t(lambda: ",".join(["a", b"b"]))
t(lambda: ",".join(5))
t(lambda: ",".join())
t(lambda: ",".join("a", "b"))
t(lambda: ",".join(None))
# ---
# startswith and endswith with tuples; errors.
t(lambda: "abc".startswith(("x", "ab")))
t(lambda: "abc".startswith(()))
t(lambda: "abc".endswith(("c", "d"), 1))
t(lambda: "abc".startswith(["a"]))
t(lambda: "abc".startswith(("a", 1)))
t(lambda: "abc".startswith((1, "a")))
t(lambda: "abc".endswith(1))
t(lambda: "abc".startswith())
t(lambda: "abc".find())
t(lambda: "abc".find(1))
t(lambda: "abc".find("a", "b"))
t(lambda: "abc".find("a", 1.0))
t(lambda: "abc".index("z"))
t(lambda: "abc".rindex("z"))
t(lambda: "abc".count(1))
t(lambda: "abc".count("", 5))
t(lambda: "abc".find("", 4))
t(lambda: "abc".find("", 3))
t(lambda: 1 in "abc")
t(lambda: None in "abc")
t(lambda: "abc".foo)
t(lambda: "abc".foo())
t(lambda: "abc".append("d"))
t(lambda: "abc".upper(1))
t(lambda: "abc".lower(x=1))
t(lambda: "abc"[5])
t(lambda: "abc"[-4])
t(lambda: "abc"["a"])
t(lambda: "abc"[1.0])
t(lambda: "abc"[None])
t(lambda: "abc"[1, 2])
t(lambda: "abc"["a":])
t(lambda: "abc"[::0])
t(lambda: "abc" * "d")
t(lambda: "abc" + 1)
t(lambda: "abc" + None)
t(lambda: "abc" + b"d")
t(lambda: "abc" - "d")
t(lambda: "abc" < 1)
t(lambda: "abc"())
t(lambda: int("abc"))
t(lambda: str(1, 2))
t(lambda: str(b"abc", "utf-8"))
t(lambda: str(b"\xff", "utf-8"))
t(lambda: str(b"\xff", "utf-8", "replace"))
t(lambda: str(b"\xff", "utf-8", "ignore"))
t(lambda: str(b"abc"))
t(lambda: str("abc", "utf-8"))
t(lambda: str())
t(lambda: str(object=5))
t(lambda: iter("abc") is None)
# ---
# An item assignment or deletion on a str.
def set_item():
    s = "abc"
    s[0] = "x"
def del_item():
    s = "abc"
    del s[0]
def set_attr():
    s = "abc"
    s.x = 1
t(set_item)
t(del_item)
t(set_attr)
# ---
# Slices of every sign.
s = "abcdefg"
for i in [None, 0, 2, 6, 7, 10, -1, -3, -7, -10]:
    for j in [None, 0, 3, 7, 10, -1, -4, -8]:
        print([s[i:j], s[i:j:2], s[i:j:-1], s[i:j:-3], s[i:j:10]])
u = "aé日𝔘z"
print(len(u), u[1], u[3], u[-2], u[1:4], u[::-1], u[::2], u.find("z"), u.index("日"), list(u), u * 2, u.upper())
# ---
# repr and escapes.
for s in ["", "'", '"', "'\"", "\\", "\n\r\t", "\x00\x1f\x7f", "\x80\xa0\xad\xff", "\u0100\u200b\u2028\ue000\uffff", "\U0001f600\U000e0001\U0010ffff", "é日", "\ud800", "a\ud83d\ude00b", "tab\there", "it's", 'say "hi"', "\a\b\f\v", "\u2022"]:
    print(repr(s), ascii(s), len(s))
print('\x41\101\u0041\U00000041', r"\n\x", "a" "b" 'c', """two
lines""", 'con\
tinued', "\q" == "\\q")
# ---
# Comparison and order.
words = ["b", "a", "B", "", "ab", "aa", "é", "z", "日", "𝔘", "\uffff", "a\x00", "a"]
print(sorted(words), min(words), max(words))
for a in words:
    print([a < b for b in words], [a == b for b in words])
print("a" "b" == "ab", "a" * 0, "ab" * -1, 3 * "ab", "ab" * True, "a" is "a", "x" not in "abc")
# ---
# encode.
for s in ["abc", "é", "日", "😀", "\ud800"]:
    for enc in ["utf-8", "ascii", "latin-1", "utf-16", "utf-32-le", "UTF8", "utf_8", "nope"]:
        t(lambda: s.encode(enc))
t(lambda: "é".encode("ascii", "ignore"))
t(lambda: "é".encode("ascii", "replace"))
t(lambda: "é日".encode("ascii", "xmlcharrefreplace"))
t(lambda: "é日".encode("ascii", "backslashreplace"))
t(lambda: "\ud800".encode("utf-8", "surrogatepass"))
t(lambda: "é".encode("ascii", "nope"))
t(lambda: "é".encode(1))
# ---
# A str is a sequence.
print(list("abc"), tuple("ab"), set("a"), sorted("hello"), list(enumerate("ab", 1)), list(zip("ab", "cd")), "".join(reversed("abc")), max("hello"), min("hello"), dict.fromkeys("ab", 0))
a, *b = "xyz"
print(a, b, [*"ab", *"cd"], {c: ord(c) for c in "ab"}, "a" in ["a"], all("ab"), any(""))
for i, c in enumerate("aé"):
    print(i, c)
# ---
# Unbound methods and methods as values.
print(str.upper("abc"), list(map(str.strip, [" a ", "b "])), sorted(["b", "A", "c"], key=str.lower), "x".join(map(str, [1, 2.5, None, True])))
f = "a-b".split
print(f("-"))
t(lambda: str.upper(5))
t(lambda: str.upper())
t(lambda: str.join(",", ["a", "b"]))
