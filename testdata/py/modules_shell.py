# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import shlex
for s in ("a b c", " a  'b c' \"d e\" ", "a\\ b", "'a\\b'", '"a\\"b\\c\\\\"', "a'b'c", '""', "''", "a # b", "a#b c", "x='1 2'", "é ü", "a\tb\nc", "--opt=\"v w\" -x", "", "a\\\nb", "echo 'it'\"'\"'s'", "a;b|c>d"):
    print(repr(s), shlex.split(s), shlex.split(s, comments=True))
for s in ("a 'b c' \"d e\"", "x'y z'w", "'a'b", "a\\ b", "k=\"v w\"", "a #b"):
    print(shlex.split(s, posix=False), shlex.split(s, True, False))
for s in ("'a", '"a', "a\\", '"a\\'):
    t(lambda: shlex.split(s))
t(lambda: shlex.split("'a", posix=False))
print(shlex.quote("a b"), shlex.quote("it's"), shlex.quote(""), shlex.quote("safe-1.2_x/@%+=:,"), shlex.quote("é"), shlex.quote("$x"), shlex.join(["echo", "a b", "it's", ""]), shlex.split(shlex.join(["a b", "c'd\"e"])))
# ---
import fnmatch
names = ["a.txt", "b.TXT", "data_1.csv", "data_22.csv", "img[1].png", ".hidden", "x", "", "é.txt", "a\nb", "a-b", "a]b", "a^b", "!x", "a\\b"]
for pat in ("*", "*.txt", "?", "data_?.csv", "data_*.csv", "[a-c]*", "[!a-c]*", "img[[]1].png", "*[0-9]*", "[", "[]", "[]]", "[!]", "[!]]*", "a[]]b", "a[^]b", "a[-x]b", "a[x-]b", "*.*", "**", "a*b*", "[a-]*", "[z-a]", "[!z-a]", "a.txt", "[\\]", "a[\\]b", "[a-cx-z]", "[]-a]*", "*b", "A.TXT", "[--0]*", "[a&&b]", "a?b"):
    print(repr(pat), fnmatch.filter(names, pat), fnmatch.translate(pat))
print(fnmatch.fnmatch("a.py", "*.py"), fnmatch.fnmatch("a.py", "*.PY"), fnmatch.fnmatchcase("A", "a"), fnmatch.filter(["x.py", "y.txt"], "*.py"), fnmatch.fnmatch(b"ab", b"a*"), fnmatch.fnmatch("a" * 5000, "*a" * 20 + "b"))
t(lambda: fnmatch.fnmatch("a", b"a"))

