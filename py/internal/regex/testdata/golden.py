#!/usr/bin/env python3
"""Writes what CPython's re does: hand-written cases and random ones.

    golden.py > golden.jsonl             the committed expectations
    golden.py SEED COUNT > FILE          other random ones

Texts are UTF-8 with surrogates, written as Latin-1. Positions are bytes.
"""
import json, random, re, sys, warnings

warnings.simplefilter("ignore")


def wire(s):
    return s.decode("latin-1") if isinstance(s, bytes) else s.encode("utf-8", "surrogatepass").decode("latin-1")


def offset(text, i):
    if i < 0 or isinstance(text, bytes):
        return i
    return len(text[:i].encode("utf-8", "surrogatepass"))


def spans(m, text):
    if m is None:
        return None
    return [offset(text, x) for g in range((m.re.groups or 0) + 1) for x in m.span(g)]


def case(pattern, text, flags=0, repl=None, escape=False):
    out = {"p": wire(pattern), "t": wire(text), "b": isinstance(pattern, bytes), "f": int(flags)}
    try:
        p = re.compile(pattern, flags)
    except re.error as e:
        out["err"], out["pos"] = wire(str(e)), -1 if e.pos is None else e.pos
        return out
    except Exception as e:
        out["err"] = type(e).__name__ + ": " + str(e)
        return out
    out["flags"], out["groups"], out["names"] = p.flags, p.groups, list(map(wire, p.groupindex))
    found = list(p.finditer(text))
    out["all"] = [spans(m, text) for m in found]
    out["last"] = [m.lastindex or 0 for m in found]
    out["match"] = spans(p.match(text), text)
    out["full"] = spans(p.fullmatch(text), text)
    if repl is not None:
        out["repl"] = wire(repl)
        try:
            out["sub"], out["n"] = p.subn(repl, text)
            out["sub"] = wire(out["sub"])
        except re.error as e:
            out["suberr"] = wire(str(e))
        except Exception as e:
            out["suberr"] = type(e).__name__ + ": " + str(e).strip('"')
    return out


I, M, S, X, A, U = re.I, re.M, re.S, re.X, re.A, re.U

HAND = [
    (r"a+b", "xaabaab"), (r"(\w+)@(\w+)\.com", "me@x.com, you@yy.com"), (r"^$", "\n\n", M), (r"$", "a\n"), (r"$", "a\n\nb\n", M),
    (r"x*", "axbxx", 0, "-"), (r"\b", "ab cd, é ü", 0, "|"), (r"\B", "ab cd", 0, "|"), (r"\b|\B", ""), (r"(a)|(b)", "ab"), (r"((a)(b))?c", "abcc"),
    (r"(?i)straße", "STRASSE STRAßE"), (r"k", "\u212aKk", I), (r"[k-m]", "\u212aKLk", I), (r"s", "ſS", I), (r"i", "İıIi", I), (r"[^i]", "İıIix", I),
    (r"(?a)\w+", "aé b"), (r"(?a:\w+)é", "aé"), (r"\d+", "１２3 ٣"), (r"\s", "\x1c \x85\xa0\u3000\u200b"), (r"[\s\S]", "a\n"), (r".", "a\nb\r"), (r".", "a\nb", S),
    (r"(?P<y>\d{4})-(?P<m>\d\d)", "2024-01 and 1999-12", 0, r"\g<m>/\g<y>"), (r"(a)(b)?", "ab a", 0, r"[\2\1]"), (r"a", "banana", 0, r"\0\x"), (r"a", "banana", 0, r"\n\t\\\.\101\08"),
    (r"a", "b", 0, r"\1"), (r"(a)", "a", 0, r"\g<2>"), (r"(a)", "a", 0, r"\g<b>"), (r"(a)", "a", 0, r"\g<1"), (r"(a)", "a", 0, r"\g"), (r"(a)", "a", 0, r"\q"), (r"(a)", "a", 0, r"\400"), (r"(a)", "a", 0, r"\g<>"), (r"(a)", "a", 0, r"\g<1a>"), (r"(a)", "a", 0, r"\18"), (r"(a)", "a", 0, "x\\"), (r"(a)", "a", 0, r"\g<0>\g<01>"),
    (r"(?x) a  b # c" "\n" r" \  [ ]", "ab  "), (r"a(?#comment)*", "aaa"), (r"(?s:.)\n.", "\n\nab"), (r"(?-i:a)b", "aB AB ab", I), (r"(?im)^a", "A\na"), (r"(?i:a)b", "AB Ab ab"),
    (r"a{2}", "aaaaa"), (r"a{,2}", "aaaaa"), (r"a{2,}", "aaaaa"), (r"a{2,3}?", "aaaaa"), (r"a{", "a{"), (r"a{1", "a{1"), (r"a{1,x}", "a{1,x}"), (r"{}", "{}"), (r"a{}", "a{}"), (r"a{,}", "aaa"), (r"x{0}y", "xy"),
    (r"(a|ab)(c|bcd)(d*)", "abcd"), (r"(a*)*", "b"), (r"(?:a*)*b", "aaab"), (r"(|a)+", "aaa"), (r"(|a)*", "aaa"), (r"(a|b)*?c", "abac"), (r"(?:(a)|b)*", "ab"), (r"(?:a|(b))*", "ba"),
    (r"(?<=\d)(?=(?:\d{3})+$)", "1234567", 0, ","), (r"(?<=\d)(?=(\d{3})+$)", "1234567", 0, ","), (r"(?<!\w)cat(?!s)", "cat cats scat cat"), (r"^(?=.*\d)(?=.*[a-z]).{4,}$", "abc1"), (r"(?=(a+))a", "aaa"), (r"(?!x)*a", "aa"), (r"(?<=a|b)c", "acbcc"), (r"(?<=^)a", "aa"), (r"(?<=é)a", "éa"),
    (r"[]a]+", "]a]"), (r"[^]a]+", "]ab]"), (r"[a-]+", "a-b"), (r"[-a]+", "a-b"), (r"[\]\\]+", r"a]\b"), (r"[\b]", "\b"), (r"[a\d]+", "a1b"), (r"[^\d]+", "a1b"), (r"[\W_]+", "a_ -b"), (r"[\x41-\x43\u0044]+", "ABCDE"), (r"\x41\u0042\U00000043\103\0", "ABCC\0"), (r"[\101]", "A"),
    (r"\Aa\Z", "a"), (r"a\Z", "a\n"), (r"\Aa", "aa"), (r"^a", "aa"), (r"\.\*\-\ \é", ".*- é"), ("\U0001F600+", "\U0001F600\U0001F600"), (".", "\ud800a\udfff"), ("[\ud800-\udfff]", "a\ud800"), ("\ud800", "\ud800"), ("\\w", "\ud800é"),
    (rb"\w+", "aé".encode()), (rb"[\x80-\xff]+", "aé".encode()), (rb"(?i)\xc9", b"\xe9\xc9"), (rb".", b"a\xff\n"), (rb"a", b"banana", 0, rb"<\g<0>>\xff"), (rb"(?i)A", b"aA"), (rb"\b", b"a b", 0, b"|"),
    # errors
    ("[", ""), ("[a", ""), ("*", ""), ("a**", ""), ("a*+", ""), ("a|*", ""), ("(", ""), ("(a", ""), (")", ""), ("a)", ""), ("(?", ""), ("(?<", ""), ("(?<x", ""), ("(?<x>a)", ""), ("(?P", ""), ("(?Px)", ""), ("(?P<", ""), ("(?P<>a)", ""), ("(?P<a", ""), ("(?P<1>a)", ""), ("(?P<a b>a)", ""), ("(?P<a>x)(?P<a>y)", ""), ("(?P=a)", ""), ("(?P=", ""),
    ("\\q", ""), ("\\", ""), ("a\\", ""), ("(\\", ""), ("[\\", ""), ("\\x1", ""), ("\\u12", ""), ("\\U00110000", ""), ("[\\x]", ""), ("[\\q]", ""), ("\\1", ""), ("(a\\1)", ""), ("\\8", ""), ("\\400", ""), ("[\\400]", ""), ("[\\8]", ""), ("[z-a]", ""), ("[a-\\d]", ""), ("[\\d-a]", ""), ("[a-", ""), ("a{3,2}", ""), ("a{99999999999}", ""), ("(?#", ""), ("(?i", ""), ("(?i-", ""), ("(?i-:a)", ""), ("(?z)", ""), ("(?iz)", ""), ("(?i1)", ""), ("(?-i)", ""), ("(?i-i:a)", ""), ("(?au)", ""), ("(?L)", ""), (b"(?u)", b""), ("(?-a:x)", ""), ("(?i-s", ""), ("(?i-s1)", ""), ("(?i-1)", ""),
    ("a(?i)b", ""), ("(?i)*", ""), ("^*", ""), ("(?:^)*", "a"), ("$+", ""), ("\\b?", ""), ("a\nb[", ""), ("a\n\nb(", ""), ("(?<=a*)b", ""), ("(?<=a|bc)b", ""), ("(?<", ""), ("(?=", ""), ("(?=a", ""), ("(?!", ""), ("(?:", ""), ("(?:a", ""), ("(?P<n>", ""), ("(?P=x", ""), ("?", ""), ("+", ""), ("{1}", ""), ("|{1}", ""), ("(*)", ""), ("(?:+)", ""), ("\\N", ""), ("(?~a)", ""), ("(?\\d)", ""), ("(?P\\d)", ""), ("(?<\\d)", ""),
    ("(?\ud800)", ""), ("(?P\ud800)", ""), ("(?<\ud800)", ""), ("(?P<\ud800>a)", ""), ("(?P<a\x01\u200b>a)", ""), ("(?P=\ud800)", ""), ("[\ud800-a]", ""), (b"\\\xe9(", b""), (b"[\xe9-a]", b""), (b"(?\xe9)", b""), (b"(?P<\xe9>a)", b"a"), ("(a)", "a", 0, "\\g<\ud800>"), ("(?P<\U0001F600>a)", ""),
    ("a", "", A | U), ("a", "", re.L), (b"a", b"", U), ("é[", ""), ("(?P<é>a)", "a"), ("\\é", "é"), ("\\_", "_"),
]

ATOMS = ["a", "b", "c", "é", ".", r"\w", r"\d", r"\s", "[ab]", "[^a]", "[a-c1]", r"\b", r"\B", "^", "$", r"\A", r"\Z", "A", "1", " ", r"[^\w]", r"\W", "ſ", "\n"]
QUANT = ["*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}", "{,1}"]


def gen(r, depth=0):
    parts = []
    for _ in range(r.choice((1, 1, 2, 2, 3))):
        k = r.random()
        if k < 0.62 or depth > 2:
            x = r.choice(ATOMS)
        elif k < 0.80:
            x = "(" + gen(r, depth + 1) + ")"
        elif k < 0.90:
            x = "(?:" + gen(r, depth + 1) + ")"
        elif k < 0.94:
            x = "(?%s%s)" % (r.choice(("=", "!")), gen(r, depth + 1))
        elif k < 0.97:
            x = "(?%s%s)" % (r.choice(("<=", "<!")), r.choice(("a", "[ab]", r"\w", "a|b", "ab")))
        else:
            x = "(?i:" + gen(r, depth + 1) + ")"
        if r.random() < 0.35:
            x += r.choice(QUANT)
        parts.append(x)
    s = "".join(parts)
    return s + "|" + gen(r, depth + 1) if r.random() < 0.15 else s


def noise(r):
    return "".join(r.choice("ab()[]{}?*+|\\.^$-,1<>=!PizuxdwbAZ# \n:") for _ in range(r.randrange(1, 9)))


def main():
    r = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
    rows = [case(*h) for h in HAND] if len(sys.argv) < 2 else []
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1500):
        text = "".join(r.choice("aabbc1 é_A\nſ-") for _ in range(r.randrange(0, 12)))
        pattern = gen(r) if r.random() < 0.85 else noise(r)
        flags = r.choice((0, 0, 0, I, M, S, X, A, I | A, M | I))
        if r.random() < 0.15:
            rows.append(case(pattern.encode(), text.encode(), flags, b"<\\g<0>>"))
        else:
            rows.append(case(pattern, text, flags, r.choice((None, r"<\g<0>>", r"[\1]", noise(r)))))
    for row in rows:
        print(json.dumps(row))


main()
