# prelude
def t(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__ + ":", e)
# ---
# f-strings and format() of ints by every kind of spec.
specs = ["", "d", "b", "o", "x", "X", "#b", "#o", "#x", "#X", "n", "c", "e", "f", "g", "%", "5", "<5", ">5", "^5", "=5", "05", "+", "-", " ", "+05", " 05", "*^9", "*<9", "0<9", "x=+9", ",", "_", "_x", "_b", "#_x", ",d", "10,", "010,", "+,.2f", ".2f", ".0f", ".3e", ".2%", ".3g", "20.5f", "e>8", "#g", "<<5", "}>4"]
for v in [0, 7, -7, 255, 1234567, -1234567, 10**20, True]:
    for spec in specs:
        t(lambda: format(v, spec))
# ---
# Floats.
specs = ["", "e", "E", "f", "F", "g", "G", "n", "%", ".0", ".1", ".3", ".10", ".0f", ".1f", ".2f", ".10f", ".0e", ".3e", ".0g", ".1g", ".5g", ".17g", "10", "<10", ">10", "^10", "=10", "010", "+", " ", "-", "+.2f", " .2f", "+010.2f", "*^12.3f", ",", "_", ",.2f", "_.3f", "012,.1f", "#", "#.0f", "#.3g", ".2%", ",.1%", "z.1f", "10.3", "x<10.1f", ".30f"]
for v in [0.0, -0.0, 1.0, -1.5, 3.14159265, 1234567.891, 1e-7, 1e16, 1.5e300, float("inf"), float("-inf"), float("nan"), 0.5, 2.5, 99.995]:
    for spec in specs:
        t(lambda: format(v, spec))
# ---
# Strings.
specs = ["", "s", "5", "<5", ">5", "^5", "*^7", ".2", "5.2", ">5.2", "05", "é>4", ".0", "10s", "=5", "+", "d", ",", "#", " ", "x", "z"]
for v in ["", "a", "abc", "abcdefg", "日本"]:
    for spec in specs:
        t(lambda: format(v, spec))
# ---
# Bad specs.
for v, spec in [(1, "q"), (1, ".2d"), (1, "5.2"), (1, "s"), (1, ",x"), (1, ",,"), (1, "_,"), (1, ",_"), (1, "+c"), (-1, "c"), (1114112, "c"), (1.5, "d"), (1.5, "x"), (1.5, "c"), (1.5, "s"), (1.5, "."), (1, "99999999999999999999"), (1, ".99999999999999999999f"), ("a", "^^^"), (1, "zz"), ([1], "5"), (None, "5"), ((1,), ">5"), ({}, "d"), (1.5, ",,"), (1, "d5"), ("a", "5d"), (1, "-x"), (1, "5 "), (1, "<<<5"), (1, "c,"), (True, "s"), (True, "d"), (None, ""), ([1], "")]:
    t(lambda: format(v, spec))
t(lambda: format(1))
t(lambda: format())
t(lambda: format(1, 5))
t(lambda: format(1, None))
# ---
# f-strings.
x, y, name, items, d = 42, 3.14159, "world", [1, 2, 3], {"k": "v", 1: "one"}
print(f"{x} {y:.2f} {name!r} {name!s} {name!a} {items[1]} {d['k']} {d[1]}")
print(f"{x=} {y=:.3f} {name=!s} {x + 1 = } {items=} { x = !r:>6}")
print(f"{{}} {{{x}}} {x:{5}} {x:{x//7}d} {name:*^{10 + 2}} {y:.{1 + 1}f} {y:{8}.{3}}")
print(f"{'a' if x > 1 else 'b'} {(lambda v: v * 2)(x)} {[i * 2 for i in items]} {x:,} {1e6:,.0f} {x!r:>5}")
print(f"{name.upper()} {len(items)} {'nested ' + f'{x + 1}'} {'é'} {None} {True} {x:05d}" f" and {x}" " plain {x}")
print(rf"\d{x}", fr"{x}\n", f"\x41{x}\t|", F"{x}", f'{x:>{"8"}}', f"""{
    x
    + 1
}""")
print(f"{x:%}" , f"{x:x}", f"{-x:08b}", f"{x:#06x}", f"{x:e}", f"{x!s:^7}|", f"{x:c}", f"{' '.join(str(i) for i in items)}")
print(f"{1,2}", f"{(1, 2)}", f"{ {'a': 1} }", f"{ {1, 1} }", f"{x if x else y}", f"{not x}", f"{x == 42}", f"{x!=42}", f"{x>=42}")
# ---
t(lambda: f"{1:q}")
t(lambda: f"{[]:5}")
t(lambda: f"{undefined}")
t(lambda: f"{1/0}")
t(lambda: f"{'a':{-5}}")
t(lambda: f"{'a':{'x'}}")
t(lambda: f"{3.5:d}")
# ---
# str.format.
t(lambda: "{} {}".format(1, 2))
t(lambda: "{1} {0} {1}".format("a", "b"))
t(lambda: "{a} {b}".format(a=1, b=2))
t(lambda: "{0[1]} {0[-1]}".format({"-1": "neg", 1: "one"}))
t(lambda: "{0[k]} {d[1]}".format({"k": 5}, d=[1, 2]))
t(lambda: "{:>5} {:<5}| {:^5}|".format(1, 2, 3))
t(lambda: "{!r} {!s} {!a}".format("é", "é", "é"))
t(lambda: "{{}} {{{}}}".format(5))
t(lambda: "{:{}} {:{w}.{p}f}".format("a", 5, 3.14159, w=8, p=2))
t(lambda: "{0:{1}}".format(3.14159, ".2f"))
t(lambda: "{a.real} {a.imag}".format(a=5))
t(lambda: "{}".format())
t(lambda: "{} {}".format(1))
t(lambda: "{1}".format(0))
t(lambda: "{a}".format())
t(lambda: "{a}".format(b=1))
t(lambda: "{0} {}".format(1, 2))
t(lambda: "{} {0}".format(1, 2))
t(lambda: "{".format())
t(lambda: "}".format())
t(lambda: "{!}".format(1))
t(lambda: "{!x}".format(1))
t(lambda: "{!r".format(1))
t(lambda: "{!rx}".format(1))
t(lambda: "{0[}".format([1]))
t(lambda: "{0[a]}".format([1]))
t(lambda: "{0[5]}".format([1]))
t(lambda: "{0[k]}".format({}))
t(lambda: "{0.foo}".format(1))
t(lambda: "{0[]}".format([1]))
t(lambda: "{0.}".format(1))
t(lambda: "{:q}".format(1))
t(lambda: "{:5}".format([1]))
t(lambda: "{:{:{}}}".format(1, 2, 3))
t(lambda: "{a:{b}}".format(a=1, b=5))
t(lambda: "{ a}".format(**{" a": 1}))
t(lambda: "{0}{1}{2}".format(*"abc"))
t(lambda: "{x}-{y}".format(**{"x": 1, "y": 2}))
t(lambda: "{k}".format_map({"k": 1}))
t(lambda: "{k}".format_map({}))
t(lambda: "é{}日".format("ü"))
# ---
# %-formatting.
t(lambda: "%d %s %r" % (1, "a", "b"))
t(lambda: "%s" % 5)
t(lambda: "%s" % [1, 2])
t(lambda: "%s" % (1,))
t(lambda: "%s %s" % (1,))
t(lambda: "%s" % (1, 2))
t(lambda: "no" % 5)
t(lambda: "no" % ())
t(lambda: "no" % [])
t(lambda: "no" % {})
t(lambda: "%(a)s %(b)05.1f" % {"a": 1, "b": 2.25})
t(lambda: "%(a)s" % {})
t(lambda: "%(a)s" % 5)
t(lambda: "%%")
t(lambda: "%% %d%%" % 5)
t(lambda: "%5d|%-5d|%05d|%+d|% d|%x|%X|%#x|%o|%#o" % (42, 42, 42, 42, 42, 255, 255, 255, 8, 8))
t(lambda: "%f %.2f %10.3f|%-10.1f|%e %.3E %g %G" % (1.5, 2.345, 3.14159, 2.25, 12345.678, 0.00012, 1e-5, 1e20))
t(lambda: "%c%c" % ("a", 98))
t(lambda: "%5s|%-5s|%.2s|%5.1s|" % ("abc", "abc", "abc", "abc"))
t(lambda: "%*d|%-*d|%.*f" % (5, 42, 5, 42, 2, 3.14159))
t(lambda: "%d" % 3.99)
t(lambda: "%d" % -3.99)
t(lambda: "%d" % "a")
t(lambda: "%d" % None)
t(lambda: "%x" % 3.5)
t(lambda: "%f" % "a")
t(lambda: "%c" % "ab")
t(lambda: "%c" % 1114112)
t(lambda: "%c" % 1.5)
t(lambda: "%q" % 1)
t(lambda: "%" % 1)
t(lambda: "%5" % 1)
t(lambda: "%(a" % {"a": 1})
t(lambda: "%a %r" % ("é", "é"))
t(lambda: "%i %u" % (5, 6))
t(lambda: "%d" % 10**30)
t(lambda: "%x" % -255)
t(lambda: "%#.3g %#x %08.3f % .3f" % (1.0, 255, -3.14159, 2.5))
t(lambda: "%s %s" % ("a", (1, 2)))
t(lambda: "%.3d|%+.5d|%8.3d" % (5, 5, 5))
t(lambda: "%f %e %g" % (float("inf"), float("nan"), float("-inf")))
t(lambda: "%d" % float("inf"))
t(lambda: "%d" % float("nan"))
t(lambda: "%d" % True)
t(lambda: "%s" % None)
t(lambda: "%(x)d %(x)s" % {"x": 1, "y": 2})
t(lambda: "%5%|" % ())
t(lambda: "%ld %hd" % (1, 2))
t(lambda: "%r" % {"a": [1, (2,)]})
# ---
# Numbers as text.
for v in [1e5, 123456.0, 1e-5, 0.0001, 1.0, 100.0, 1e100, 12345678901234567.0]:
    print(f"{v}", f"{v:g}", f"{v:.3g}", f"{v:e}", f"{v:f}"[:20], f"{v:.6}", "%s" % v, "{}".format(v), str(v))
for n in [999, 1000, 1234567, -1234, 10**15]:
    print(f"{n:,}", f"{n:_}", f"{n:>15,}", f"{n:<15,}|", f"{n:015,}", f"{n / 7:,.3f}", f"{n:,.2f}")
# ---
# __format__ of an own class.
class Temp:
    def __init__(self, c):
        self.c = c
    def __format__(self, spec):
        if spec == "F":
            return str(self.c * 9 / 5 + 32) + "F"
        return "Temp(" + spec + ")"
    def __str__(self):
        return "str!"
    def __repr__(self):
        return "repr!"
v = Temp(100)
print(f"{v} {v:F} {v!r} {v!s:>8} {v:x y}", "{:F} {}".format(v, v), format(v), format(v, "F"), "%s %r" % (v, v), str(v), [v])
class Plain:
    def __repr__(self):
        return "Plain()"
print(f"{Plain()} {Plain()!s:>10}")
t(lambda: f"{Plain():5}")
class Bad:
    def __format__(self, spec):
        return 5
t(lambda: f"{Bad()}")
class BadStr:
    def __str__(self):
        return 5
    def __repr__(self):
        return None
t(lambda: str(BadStr()))
t(lambda: repr(BadStr()))
t(lambda: f"{BadStr()}")
