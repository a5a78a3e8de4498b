"""Writes golden.jsonl.gz: what CPython 3.11 answers to thousands of calls.

Run from the package's folder: python3 testdata/golden.py
Each line is [function, arguments, result] or [function, arguments, null, error].
A str is written as {"s": [code points]} when it is not plain ASCII, bytes as
{"b": "hex"}, a float as {"f": "hex"}, an int beyond 2**53 as {"i": "decimal"}.
"""
import gzip
import io
import json
import random
import zlib

RNG = random.Random(20240611)
SPECIAL = "aAbBzZ019 _-+'\"\\\t\n\r\v\f\x00\x1c\x1d\x1f\x7f\x80\x85\xa0\xad\xb5\xdf\xe9\u0130\u0131\u0149\u01c4\u01c5\u01f0\u0345\u0390\u03a3\u03c2\u03c3\u0561\u0587\u0665\u0e33\u10a0\u13a0\uab70\u1e9e\u1f88\u1fb7\u1ffc\u2028\u2029\u2003\u2160\u2170\u24b6\u3042\u4e00\ud800\udc00\udfff\ufb03\ufeff\uff21\U00010400\U0001d7ce\U0001f600\U0010ffff\u0378"


def enc(v):
    if isinstance(v, str):
        return v if v.isascii() else {"s": [ord(c) for c in v]}
    if isinstance(v, (bytes, bytearray)):
        return {"b": bytes(v).hex()}
    if isinstance(v, float):
        return {"f": v.hex()}
    if isinstance(v, int) and not isinstance(v, bool) and abs(v) >= 2 ** 53:
        return {"i": hex(v)}
    if isinstance(v, (list, tuple)):
        return [enc(x) for x in v]
    return v


LINES = []


def case(name, f, *args):
    line = [name, [enc(a) for a in args]]
    try:
        line.append(enc(f(*args)))
    except Exception as e:
        line += [None, type(e).__name__ + ": " + ("" if isinstance(e, MemoryError) else enc(str(e)) if str(e).isascii() else "?")]
        if not str(e).isascii():
            line[3] = enc(type(e).__name__ + ": " + str(e))
    LINES.append(line)


def text(most=8, letters=SPECIAL):
    return "".join(RNG.choice(letters) for _ in range(RNG.randrange(most + 1)))


def short(alphabet="aab"):
    return text(5, alphabet)


def position():
    return RNG.choice([0, 0, 1, 2, 3, 5, -1, -2, -4, 9, 2 ** 63 - 1])


def both(f, *, s=None, rounds=200, args=lambda: ()):
    """Calls a method of str and of bytes."""
    for _ in range(rounds):
        a = args()
        t = s() if s else text()
        case("str." + f, getattr(str, f), t, *a)
        b = [x.encode("utf-8", "surrogatepass") if isinstance(x, str) else x for x in a]
        if hasattr(bytes, f):
            case("bytes." + f, getattr(bytes, f), t.encode("utf-8", "surrogatepass"), *b)


ONE = ["upper", "lower", "title", "capitalize", "swapcase", "casefold", "isalnum", "isalpha", "isascii",
       "isdecimal", "isdigit", "isidentifier", "islower", "isnumeric", "isprintable", "isspace", "istitle",
       "isupper"]
WORDS = "aAzZ1 _'\u03a3\u03c3\u01c5\xdf\u0130\u0345\u0301\u2160\ufb03\U00010400"


def methods():
    for f in ONE:
        both(f, rounds=60)
        both(f, rounds=40, s=lambda: text(4, WORDS))
        both(f, rounds=20, s=lambda: text(4, "aB1 "))
        both(f, rounds=1, s=str)
    for f in ("find", "rfind", "index", "rindex", "count", "startswith", "endswith"):
        both(f, s=lambda: text(9, "aab"), args=lambda: (short(), position(), position()))
        both(f, s=lambda: text(9, "aab\xe9\U0001f600"), args=lambda: (short("ab\xe9"), position(), position()))
        both(f, s=lambda: "ab" * RNG.randrange(80) + "c", rounds=30,
             args=lambda: ("ab" * RNG.randrange(14, 40) + RNG.choice(["", "c", "d"]), 0, 2 ** 63 - 1))
    for f in ("split", "rsplit"):
        both(f, s=lambda: text(9, "ab,,\xe9"), args=lambda: (RNG.choice([",", ",,", "a", "\xe9", ""]), RNG.randrange(-1, 4)))
        both(f, s=lambda: text(9, "ab  \t\x1c\x85\u2003"), args=lambda: (None, RNG.randrange(-1, 4)))
    both("splitlines", s=lambda: text(9, "ab\n\r\n\r\v\f\x1c\x1d\x1e\x1f\x85\u2028\u2029\u2027"), args=lambda: (RNG.random() < .5,))
    for f in ("partition", "rpartition"):
        both(f, s=lambda: text(9, "ab,\xe9"), args=lambda: (RNG.choice([",", "ab", "\xe9", ""]),))
    for f in ("strip", "lstrip", "rstrip"):
        both(f, s=lambda: text(9, "ab \t\x1c\x85\u2003\xa0"), rounds=80, args=lambda: ())
        both(f, s=lambda: text(9, "ab\xe9\u20ac"), rounds=80, args=lambda: (RNG.choice(["a", "ab", "\xe9", "", "\u20acb"]),))
    for f in ("removeprefix", "removesuffix"):
        both(f, s=lambda: text(5, "ab"), rounds=60, args=lambda: (short("ab"),))
    for f in ("center", "ljust", "rjust"):
        both(f, rounds=60, args=lambda: (RNG.randrange(-2, 14), RNG.choice("*a ")))
        for _ in range(20):
            case("str." + f, getattr(str, f), text(), RNG.randrange(12), RNG.choice(["\xe9", "\U0001f600", "\ud800", "", "ab"]))
    both("zfill", s=lambda: RNG.choice(["", "+", "-", "--"]) + text(4), rounds=60, args=lambda: (RNG.randrange(-2, 12),))
    both("expandtabs", s=lambda: text(12, "ab\t\t\n\r\xe9"), rounds=100, args=lambda: (RNG.randrange(-1, 9),))
    both("replace", s=lambda: text(9, "aab\xe9"), rounds=300, args=lambda: (RNG.choice(["a", "ab", "", "aa", "\xe9"]), RNG.choice(["", "x", "xyz", "\u20ac"]), RNG.randrange(-1, 5)))
    for _ in range(300):
        s = text(12)
        start, stop, step = (RNG.choice([None, -20, -5, -3, -2, -1, 0, 1, 2, 3, 5, 20]) for _ in range(3))
        case("slice", lambda s, a, b, c: "".join(s[i] for i in range(a, b, c)), s, *slice(start, stop, step or None).indices(len(s)))
    for _ in range(200):
        case("repr", repr, text())
        case("repr", repr, text().encode("utf-8", "surrogatepass"))
    for n in range(0, 0x110000, 1):
        if n < 0x400 or n % 197 == 0:
            case("repr", repr, chr(n))
    for _ in range(100):
        case("maketrans", lambda a, b, c: str.maketrans(a, b, c) and [[k, v] for k, v in str.maketrans(a, b, c).items()], short("ab\xe9"), short("xy\u20ac"), short("pq"))
        case("bytes.translate", lambda s, a, b, c: s.translate(bytes.maketrans(a, b), c), text().encode("utf-8", "surrogatepass"), b"ab", b"xy", short().encode())


CODECS = ["utf-8", "ascii", "latin-1", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]
HANDLERS = ["strict", "ignore", "replace", "backslashreplace", "surrogatepass", "xmlcharrefreplace", "surrogateescape"]


def codecs():
    for codec in CODECS:
        for handler in HANDLERS:
            for _ in range(12):
                case("encode", str.encode, text(5), codec, handler)
                case("encode", str.encode, text(4, "a\x80\xe9\u1234\ud800\udc80\U0001f600"), codec, handler)
            if handler == "xmlcharrefreplace" and codec[:4] != "utf-8":
                continue  # no handler of decoding: CPython words the error by codec
            for _ in range(12):
                case("decode", bytes.decode, bytes(RNG.choice(b"a\x00\x7f\x80\x90\xa0\xbf\xc0\xc2\xdf\xd8\xdc\xe0\xe2\xed\xf0\xf4\xf5\xfe\xff\x10\x11") for _ in range(RNG.randrange(9))), codec, handler)
                case("decode", bytes.decode, text(4, "a\xe9\u1234\ud800\udc00\U0001f600").encode(codec, "surrogatepass" if codec[:3] == "utf" else "ignore"), codec, handler)
    for name in ("UTF8", "utf_8", "U8", "latin1", "iso-8859-1", "L1", "us-ascii", "646", "utf-16LE", "UTF-32BE", "utf 8", "cp1252x", "nope", "", "utf-8-sig"):
        case("encode", str.encode, "a", name, "strict")
        case("decode", bytes.decode, b"abcd", name, "strict")
    case("encode", str.encode, "\xe9", "ascii", "nope")
    case("encode", str.encode, "a", "ascii", "nope")
    case("decode", bytes.decode, b"\xff", "utf-8", "nope")
    for _ in range(200):
        case("fromhex", bytes.fromhex, text(10, "0123456789abcdefABF \t\n\xe9g"))
        case("fromhex", bytes.fromhex, text(4, "0f").replace("0", "0a").replace("f", "fF ") )
    for _ in range(100):
        case("hex", bytes.hex, text(5).encode("utf-8", "surrogatepass"), RNG.choice([":", "-", "", "ab", "\xe9"]), RNG.randrange(-4, 5))


def number():
    k = RNG.randrange(8)
    if k == 0:
        return RNG.choice([0.0, -0.0, float("inf"), float("-inf"), float("nan"), 1e16, 1e15, 1e-4, 1e-5, 0.5, 1.5, 2.5, 1e22, 1e23, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 123456789012345680.0, 9999999999999998.0])
    if k == 1:
        return RNG.uniform(-1000, 1000)
    if k == 2:
        return float(RNG.randrange(-10 ** 6, 10 ** 6))
    if k == 3:
        return RNG.randrange(-10 ** 5, 10 ** 5) / 10 ** RNG.randrange(6)
    if k == 4:
        return RNG.uniform(-1, 1) * 10.0 ** RNG.randrange(-300, 300)
    if k == 5:
        return RNG.randrange(-2000, 2000) / 8
    if k == 6:
        return round(RNG.uniform(0, 100), RNG.randrange(4))
    return RNG.choice([1, -1]) * 10.0 ** RNG.randrange(-25, 25)


def integer():
    return RNG.choice([0, 1, -1, 7, 10, 255, -255, 1234, 65536, 1234567, -1234567, 2 ** 31, 2 ** 63 - 1, -2 ** 63, 2 ** 63, 2 ** 64, -2 ** 70, 10 ** 30, RNG.randrange(-10 ** 9, 10 ** 9), RNG.randrange(10 ** 40), 10 ** 400, 2 ** 1024 - 1])


def spec():
    r = RNG.random
    s = ""
    if r() < .4:
        s += RNG.choice(["<", ">", "^", "=", "*<", "x^", "0>", "\xe9=", "\U0001f600>", "\ud800^", "{<", "==", "<<"])
    if r() < .3:
        s += RNG.choice("+- ")
    if r() < .1:
        s += "z"
    if r() < .2:
        s += "#"
    if r() < .25:
        s += "0"
    if r() < .6:
        s += str(RNG.randrange(30))
    if r() < .25:
        s += RNG.choice([",", "_", ",", "_", ",_", "__", ",,", "_,"])
    if r() < .4:
        s += "." + RNG.choice(["", "0", "1", "2", "3", "6", "12", "20", "-1"])
    if r() < .8:
        s += RNG.choice("bcdoxXneEfFgG%s" + "dfeg%%" + "rz!\xe9\x01\x7f")
    if r() < .02:
        s += RNG.choice(["d", " ", "5"])
    return s


def numbers():
    for _ in range(1500):
        x = number()
        case("repr.float", repr, x)
        case("hex.float", float.hex, x)
        case("ratio", float.as_integer_ratio, x)
        case("round", round, x, RNG.choice([0, 1, 2, 3, 5, 10, 15, 17, -1, -2, -3, -5, -20, 22, 300, 400, -308, -400]))
    for x in (0.5, 1.5, 2.5, 2.675, 1e308 * 1.7, 5.0, 15.0, 25.0, 45.0, 55.0, 4.999, 5.000001, 8.5e307, 0.05, 0.15, 0.25):
        for n in (-308, -307, -2, -1, 0, 1, 2):
            case("round", round, x, n)
            case("round", round, -x, n)
    for _ in range(1500):
        case("float", float, text(8, "0011223.5e_+-EinfaN \u0665\x00"))
        case("float", float, repr(number()))
        case("float", float, text(3, " \t\u2003") + RNG.choice(["inf", "nan", "-Infinity", "+nAn", "1_000.5", "1e5", ".5", "5.", "_1", "1_", "1__2", "\u0661\u0662", "1e400", "1e-400", "0x10", "1e_5", "1_e5", "\ud800", "infinit", "\U0001d7ce"]) + text(2, " \n"))
        case("float.fromhex", float.fromhex, text(8, "0x1.fFp+-39 "))
        case("float.fromhex", float.fromhex, RNG.choice(["", "-", "+", " "]) + RNG.choice(["0x", ""]) + "%x.%xp%d" % (RNG.randrange(2 ** RNG.randrange(1, 60)), RNG.randrange(2 ** 60), RNG.randrange(-1100, 1030)))
        case("float.fromhex", float.fromhex, number().hex())
    for s in ("0x1p-1074", "0x1p-1075", "0x1.8p-1075", "0x1.0000000000000000000001p-1075", "0x1.fffffffffffff7p1023", "0x1.fffffffffffff8p1023", "0x1p1024", "0x0p99999999999999999999", "0x1p99999999999999999999", "0x1p-99999999999999999999", "0x.8p1", "0x1.", "0x.", "0x", "1", ".", "infinity", "-inf", "nan", "+NAN", "0x1.00000000000008p0", "0x1.00000000000018p0", "0x1.000000000000080p0", "0x1p+", "0x1p5x", "0X1P5"):
        case("float.fromhex", float.fromhex, s)
    for _ in range(2000):
        base = RNG.choice([0, 10, 10, 2, 8, 16, 36, 3, 1, 37, -1])
        case("int", int, text(8, "0011279abxXoOzZ_+- \u0665"), base)
        case("int", int, text(1, " \t") + text(1, "+-") + RNG.choice(["0x", "0b", "0o", "0X", "", "0", "0_"]) + text(12, "01234567_"), base)
    for n, base in ((4300, 10), (4301, 10), (5000, 16), (5000, 2), (5000, 7), (4301, 32), (4300, 36)):
        case("int", int, "1" * n, base)
        case("int", int, "-" + "1_" * (n - 1) + "1", base)
    case("int", int, "z" * 300, 10)
    case("int", int, "\u4e00" * 300, 10)
    for x in (10 ** 4299, 10 ** 4300, -10 ** 4299, 10 ** 4300 - 1, 2 ** 14284, 2 ** 14285):
        case("str.int", str, x)
    for _ in range(200):
        x = integer()
        for f in (str, hex, oct, bin):
            case(("str" if f is str else f.__name__) + ".int", f, x)


def formats():
    for _ in range(2500):
        s = spec()
        case("format.int", format, integer(), s)
        case("format.float", format, number(), s)
        case("format.str", format, text(6), s)
    for s in ("99999999999999999999", ".99999999999999999999", ".2147483648f", "d", "\u0665d", "9223372036854775808", "010,d", "0<10", "z+.0f", "+z.0f", ".", "010.", "n", "_n", ",n", "N", "\u00e9\u00e9", "\ud800", "\x7f", "   ", "  5"):
        case("format.int", format, 5, s)
        case("format.float", format, 5.5, s)
        case("format.str", format, "abc", s)
        case("format.bool", format, True, s)
    for _ in range(1500):
        s = "%" + text(3, "#0- +") + RNG.choice(["", "", "5", "12", "1"]) + RNG.choice(["", "", ".", ".0", ".2", ".5", ".20"]) + RNG.choice(["", "", "l"])
        case("percent.int", lambda f, v: f % v, s + RNG.choice("diuoxXeEfFgGczq"), integer())
        case("percent.float", lambda f, v: f % v, s + RNG.choice("eEfFgGeEfFgG"), number())
        case("percent.str", lambda f, v: f % v, s + RNG.choice("scs"), RNG.choice([text(5), text(1)]))
    for s in ("%", "%5", "%(a", "%.", "%.5", "%l", "%*", "%z", "%\u1234", "%\U0001f600", "%99999999999999999999d", "%.99999999999999999999f", "%.2147483648d", "%(a)", "a%", "%%", "%5%", "%-%", "%ll"):
        case("percent.int", lambda f, v: f % v, s, 5)
    for _ in range(1500):
        s = text(7, "{{}}a0.[]!:r5")
        case("fields", fields, s)
    for s in ("{a!}", "{a!", "{a!r", "{a!rr}", "{a!\xe9}", "{a!\x01}", "{a!r:5}", "{a:{b}}", "{0[{}]}", "{a:x{", "{a b}", "{a[x}]}", "\u20ac{\xe9}\u20ac", "{!:}", "{a!:}", "{a!{b}}", "{a{b}}", "{a:{{}}", "{a:}}}"):
        case("fields", fields, s)
    for _ in range(1500):
        case("steps", steps, text(7, "a0.[]a0.[]9-\u0661"))
    for s in ("99999999999999999999", "a[99999999999999999999]", "0", "01", "-1", "a[01]", "a[-1]", "a[]", "a.", "a[0]b", "", ".a", "[0]", "9223372036854775806", "9223372036854775807", "9223372036854775808"):
        case("steps", steps, s)


def fields(s):
    import _string
    return [[a, b, c, d] for a, b, c, d in _string.formatter_parser(s)]


def steps(s):
    import _string
    first, rest = _string.formatter_field_name_split(s)
    return [first, [[k, v] for k, v in rest]]


def digests():
    """Sums over all code points that Unicode 14 assigns, but for private ones."""
    everything = [chr(n) for r in (range(0x32000), range(0xE0000, 0xE0200)) for n in r]
    for f in ONE:
        answers = (getattr(str, f)(c) for c in everything)
        data = "".join(a if isinstance(a, str) else "01"[a] for a in answers)
        case("digest", lambda f: zlib.crc32(data.encode("utf-8", "surrogatepass")), f)
    case("digest", lambda f: zlib.crc32("".join(map(repr, everything)).encode()), "repr")
    case("digest", lambda f: zlib.crc32("".join("01"[("a" + c).isidentifier()] for c in everything).encode()), "continues")


digests()
methods()
codecs()
numbers()
formats()
seen, out = set(), io.StringIO()
for line in LINES:
    row = json.dumps(line, ensure_ascii=True, separators=(",", ":"))
    if row not in seen:
        seen.add(row)
        out.write(row + "\n")
with open("testdata/golden.jsonl.gz", "wb") as f, gzip.GzipFile("", "wb", fileobj=f, mtime=0) as z:
    z.write(out.getvalue().encode())
print(len(seen), "cases")
