# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
import configparser, io
text = """
[DEFAULT]
base = /srv
timeout = 30

; a comment
[server]
Host: example.org
port = 8080
debug = yes
path = %(base)s/www
multi = one
    two

    three
percent = 100%%

[client]
# another
name = value = with equals
empty =
timeout = 5
ratio = 0.5
"""
c = configparser.ConfigParser()
c.read_string(text)
print(c.sections(), c.options("server"), c.defaults(), "server" in c, "nope" in c, len(c), list(c))
print(c["server"]["host"], c["server"].getint("port"), c.getboolean("server", "debug"), c["server"]["PATH"], repr(c["server"]["multi"]), c["server"]["percent"], c["client"]["name"], repr(c["client"]["empty"]), c["client"]["timeout"], c["server"]["timeout"], c.getfloat("client", "ratio"))
print(c.get("server", "nope", fallback="fb"), c["server"].get("nope"), c["server"].get("nope", "d"), c["server"].getint("nope", 7), c.getint("nope", "x", fallback=1), c.get("server", "path", raw=True), c.has_option("server", "base"), c.has_section("client"), c.has_section("DEFAULT"))
print(dict(c["client"]), c.items("client"), list(c["client"].items()), {s: dict(c[s]) for s in c.sections()}["client"]["base"], c["client"], c["client"].name)
c["new"] = {"a": "1", "b": "two"}
c.set("new", "c", "3")
c["new"]["d"] = "4"
c.add_section("empty")
print(c.remove_option("new", "a"), c.remove_section("empty"), c.remove_section("empty"), "b" in c["new"])
out = io.StringIO()
c.write(out)
print(out.getvalue())
c2 = configparser.ConfigParser()
c2.read_file(io.StringIO(out.getvalue()))
print(c2 == c, c2["server"]["path"])
c3 = configparser.ConfigParser(allow_no_value=True, delimiters=("=",), inline_comment_prefixes=("#",), interpolation=None)
c3.read_string("[a]\nflag\nk = v # note\nu = http://x:1/#y\np = %(nope)s\n")
print(dict(c3["a"]))
c4 = configparser.RawConfigParser()
c4.optionxform = str
c4.read_string("[S]\nKey = %(x)s\n")
print(dict(c4["S"]))
c5 = configparser.ConfigParser(interpolation=configparser.ExtendedInterpolation())
c5.read_string("[paths]\nhome = /h\n[x]\nd = ${paths:home}/d\ne = ${d}/e $$\n")
print(c5["x"]["d"], c5["x"]["e"])
c6 = configparser.ConfigParser()
c6.read_dict({"s": {"n": 1, "b": True}, "DEFAULT": {"z": "q"}})
print(c6["s"]["n"], c6.getboolean("s", "b"), c6["s"]["z"], dict(c6["DEFAULT"]))
# ---
import configparser
def read(text, **options):
    c = configparser.ConfigParser(**options)
    c.read_string(text)
    return c
c = read("[a]\nk = v\nb = maybe\nloop = %(loop)s\nbad = %(nope)s\nworse = %x\nopen = %(a\n")
t(lambda: c["nope"])
t(lambda: c["a"]["nope"])
t(lambda: c.get("nope", "x"))
t(lambda: c.get("a", "X"))
t(lambda: c.getint("a", "k"))
t(lambda: c.getboolean("a", "b"))
t(lambda: c.get("a", "loop"))
t(lambda: c.get("a", "bad"))
t(lambda: c.get("a", "worse"))
t(lambda: c.get("a", "open"))
t(lambda: c.add_section("a"))
t(lambda: c.add_section("DEFAULT"))
t(lambda: c.set("nope", "k", "v"))
t(lambda: c.set("a", "k", 5))
t(lambda: c.set("a", "k", "%"))
t(lambda: c.options("nope"))
t(lambda: read("k = v\n"))
t(lambda: read("[a]\nk = 1\nk = 2\n"))
t(lambda: read("[a]\n[a]\n"))
t(lambda: read("[a]\nnonsense\n"))
print(read("[a]\nk=1\nk=2\n[a]\nj=3\n", strict=False)["a"]["k"], issubclass(configparser.NoOptionError, configparser.Error))
# ---
import codecs
print(codecs.encode("Hello, World", "rot13"), codecs.decode("Uryyb", "rot_13"), codecs.encode(b"ab", "hex"), codecs.decode("6162", "hex"), codecs.encode("é", "utf-8"), codecs.decode(b"\xc3\xa9", "utf-8"), codecs.decode(b"\xff", "utf-8", "replace"), codecs.encode("é€", "ascii", "ignore"))
print(codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.lookup("UTF8").name, codecs.lookup("latin-1").name, codecs.lookup("ascii").name, codecs.getencoder("utf-8")("é"), codecs.getdecoder("utf-8")(b"ab"), codecs.encode(b"hello world", "base64"), codecs.decode(b"aGk=\n", "base64"))
print(codecs.decode("a\\n\\tb\\x41\\u00e9\\101\\\\", "unicode_escape"), codecs.decode(b"\\u20ac", "unicode_escape"), codecs.encode("é\n€😀'\\", "unicode_escape"))
t(lambda: codecs.encode("x", "nope"))
t(lambda: codecs.lookup("nope"))
t(lambda: codecs.encode(5, "utf-8"))
t(lambda: codecs.encode("é", "ascii"))
t(lambda: codecs.decode("x", "utf-8"))
# ---
import string
f = string.Formatter()
print(f.format("{0} {name!r:>6} {1[k]} {2.real:03d} {{}}", "a", {"k": 5}, 7, name="x"), f.format("{} {}", 1, 2), f.format("{:{w}}|", "x", w=4), f.vformat("{a}", (), {"a": 1}))
print(list(f.parse("a{0!r:>{w}}b{{c}}{}{x.y[0]}")), list(f.parse("")), list(f.parse("text")))
class Default(string.Formatter):
    def get_value(self, key, args, kwargs):
        return kwargs.get(key, f"<{key}>") if isinstance(key, str) else super().get_value(key, args, kwargs)
    def convert_field(self, value, conversion):
        return str(value).upper() if conversion == "u" else super().convert_field(value, conversion)
    def format_field(self, value, spec):
        return value * int(spec[1:]) if spec.startswith("x") else super().format_field(value, spec)
print(Default().format("{a} {b!u} {c:x3}", a=1, b="low", c="ab"), Default().format("{missing}"))
t(lambda: f.format("{0}"))
t(lambda: f.format("{a}"))
t(lambda: f.format("{"))
t(lambda: f.format("}"))
t(lambda: f.format("{!z}", 1))
t(lambda: f.format("{0} {}", 1, 2))
t(lambda: f.format("{} {0}", 1, 2))
t(lambda: f.format())
