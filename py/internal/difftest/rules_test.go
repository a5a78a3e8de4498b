package difftest

// kind is the type that an expression is meant to have.
type kind byte

// The kinds, as they stand in templates: <i> is an expression of kind i, and
// <i+n> one that may use the variable n.
const (
	intKind   kind = 'i'
	floatKind kind = 'f'
	strKind   kind = 's'
	boolKind  kind = 'b'
	intsKind  kind = 'L' // a list of ints
	strsKind  kind = 'W' // a list of strs
	dictKind  kind = 'D' // from str to int
	tupleKind kind = 'T'
	blockKind kind = 'B' // statements
	stmtKind  kind = 'S'
)

const kinds = "ifsbLWDT"

// variables are the names that a template may bring into scope.
var variables = map[byte]kind{'n': intKind, 'm': intKind, 'w': strKind, 'k': strKind, 'v': intKind, 'x': floatKind}

// globals are assigned at the beginning of every program.
var globals = map[kind][]string{
	intKind: {"a", "b", "c"}, floatKind: {"p", "q"}, strKind: {"s", "u"}, boolKind: {"yes"},
	intsKind: {"L", "M"}, strsKind: {"W"}, dictKind: {"D", "E"}, tupleKind: {"T"},
}

var literals = map[kind][]string{
	intKind:   {"(0)", "(1)", "(-1)", "(2)", "(3)", "(7)", "(-4)", "(10)", "(100)", "(255)", "(2**31)", "(2**63 - 1)", "(-2**63)", "(2**64)", "(10**20)", "(-3)", "True"},
	floatKind: {"0.0", "-0.0", "1.0", "0.5", "-2.5", "3.14159", "1e16", "1e-7", "123456.789", "1e300", "float('inf')", "float('nan')", "2.675", "-1e22"},
	strKind:   {"''", "'a'", "'Hello World'", "'  pad '", "'1,2,,3'", "'é日😀'", "'12'", "'-7.5'", "'ab\\ncd'", "'straße'", "\"it's\"", "'{}'", "'%s'", "'aXbX'", "'\\t\\x00\\x7f'"},
	boolKind:  {"True", "False", "None"},
	intsKind:  {"[]", "[1]", "[3, 1, 2]", "[0, -1, 5, 5, 2**70]", "list(range(6))", "[True, 0, 2]"},
	strsKind:  {"[]", "['a']", "['pear', 'Apple', 'fig', '']", "list('cab')", "['x', 'x', 'y']"},
	dictKind:  {"{}", "{'a': 1}", "{'x': 3, 'y': -1, 'a': 0}", "dict(zip('abc', range(3)))"},
	tupleKind: {"()", "(1,)", "(1, 'a', None)", "(2.5, [1], (3,))", "('x', True)"},
}

var templates = map[kind][]string{
	intKind: {
		"(<i> + <i>)", "(<i> - <i>)", "(<i> * <i> % 10**30)", "(<i> // <i>)", "(<i> % <i>)", "(-<i>)", "(~<i>)", "(<i> & <i>)", "(<i> | <i>)", "(<i> ^ <i>)",
		"(<i> >> (<i> % 70))", "(<i> % 2**64 << (<i> % 70))", "(<i> ** 2 % 10**30)", "(<i> ** 3 % -10**30)", "pow(<i>, 5, 1000007)", "abs(<i>)", "len(<s>)", "len(<L>)", "len(<W>)", "len(<D>)",
		"sum(<L>)", "max(<L>)", "min(<L>)", "max(<i>, <i>)", "int(<f>)", "int(<s>)", "<L>[<i>]", "<D>[<s>]", "<D>.get(<s>, <i>)", "<s>.find(<s>)", "<s>.count(<s>)", "<L>.count(<i>)", "<L>.index(<i>)",
		"round(<i>, -1)", "divmod(<i>, <i>)[<i> % 2]", "(<i> if <b> else <i>)", "ord(<s>[:1])", "sum(<i+n> for n in <L>)", "len([n for n in <L> if <b+n>])", "int(<b> is True)", "hash(<i> + 0)", "hash(<f>) * (<f> == <f>)",
		"(lambda n: <i+n>)(<i>)", "func(<i>, <i>)", "Acc(<i>).add(<i>).total", "(<i>).bit_length()", "max(<D>.values(), default=<i>)", "next((n for n in <L> if <b+n>), <i>)", "sum(D.values())", "<s>.rfind(<s>, <i>)",
		"len(str(<i>))", "round(<f>)", "int(str(<i>), 36)", "math.gcd(<i>, <i>)", "math.isqrt(abs(<i>))", "math.floor(<f>)", "len({*<L>, *<L>})", "min((n for n in <L>), key=lambda n: <i+n>)",
	},
	floatKind: {
		"(<f> + <f>)", "(<f> - <f>)", "(<f> * <f>)", "(<f> / <f>)", "(<f> // <f>)", "(<f> % <f>)", "(<i> / <i>)", "(-<f>)", "(<f> ** 2)", "abs(<f>)", "float(<i>)", "float(<s>)", "round(<f>, 2)", "round(<f>, <i> % 5)", "(<f> + <i>)", "(<i> * <f>)",
		"(<f> if <b> else <f>)", "max(<f>, <f>)", "sum([<f>, <f>])", "sum(<f+n> for n in <L>)", "min(<f>, <i>)", "abs(<f>) ** 0.5", "math.sqrt(abs(<f>))", "math.fmod(<f>, <f>)", "(lambda x: <f+x>)(<f>)", "float(round(<f>))", "math.copysign(<f>, <i>)", "sum(<L>) / len(<L>)",
	},
	strKind: {
		"(<s> + <s>)", "(<s> * (<i> % 4))", "<s>.upper()", "<s>.lower()", "<s>.strip()", "<s>.title()", "<s>.capitalize()", "<s>.swapcase()", "<s>.replace(<s>, <s>)", "<s>.replace(<s>, <s>, <i> % 3)", "<s>[<i>]", "<s>[<i>:<i>]", "<s>[::-1]", "<s>[<i>:<i>:2]", "<s>[:<i>]",
		"str(<i>)", "str(<f>)", "str(<L>)", "str(<D>)", "repr(<s>)", "repr(<T>)", "str(<b>)", "<s>.join(<W>)", "','.join(str(n) for n in <L>)", "''.join(sorted(<s>))", "<s>.center(<i> % 20, '*')", "<s>.ljust(<i> % 15)", "<s>.rjust(<i> % 15, '.')", "<s>.zfill(<i> % 12)",
		"(lambda x: f'{x}')(<i>)", "(lambda x, y: f'{x:>8}|{y:.2f}')(<i>, <f>)", "(lambda x: f'{x:,}')(<i>)", "(lambda x: f'{x:#x}')(<i>)", "(lambda x: f'{x:.3e}')(<f>)", "(lambda x: f'{x:g}')(<f>)", "(lambda x: f'{x:10.3f}')(<f>)", "(lambda x: f'{x:^12}')(<s>)", "(lambda x: f'{x!r:<10}')(<s>)", "(lambda x, y: f'{x} {y}')(<L>, <D>)", "(lambda x: f'{x:08b}')(<i>)", "(lambda x: f'{x:.1%}')(<f>)", "(lambda x: f'{x:+,.1f}')(<f>)",
		"('%d' % <i>)", "('%5d|%-6s|' % (<i>, <s>))", "('%.2f' % <f>)", "('%r' % <s>)", "('%x' % <i>)", "('%e' % <f>)", "('%s' % (<T>,))", "'{} {!r}'.format(<i>, <s>)", "'{0:>{1}}'.format(<s>, <i> % 9)", "'{:.{}f}'.format(<f>, <i> % 6)", "'{a[0]}'.format(a=<L>)",
		"(<s> if <b> else <s>)", "max(<W>)", "min(<W>, key=len)", "<W>[<i>]", "<s>.partition(<s>)[<i> % 3]", "<s>.split(',')[0]", "hex(<i>)", "bin(<i>)", "oct(<i>)", "chr(abs(<i>) % 1000 + 32)", "type(<T>).__name__", "func2(<s>)", "ascii(<s>)", "<s>.removeprefix(<s>)", "<s>.rstrip(<s>)", "<s>.lstrip(<s>)", "<s>.expandtabs(4)", "format(<i>, <s>[:5])", "format(<f>, '10.4')", "(<s> or <s>)", "(<s> and <s>)", "repr(Acc(<i>))", "json.dumps(<L>)", "json.dumps(<D>)", "json.dumps(<s>)", "json.dumps(<T>)",
		"<s>.casefold()", "''.join(reversed(<s>))", "''.join(w.upper() for w in <s> if <b+w>)", "(lambda w: <s+w>)(<s>)", "re.sub('[aeiou]', '_', <s>)", "' '.join(re.findall(r'\\w+', <s>))", "<s>.translate({97: 'A', 98: None})", "str(<s>.encode())",
	},
	boolKind: {
		"(<i> < <i>)", "(<i> == <i>)", "(<i> >= <f>)", "(<f> < <f>)", "(<f> == <i>)", "(<s> == <s>)", "(<s> < <s>)", "(<s> in <s>)", "(<i> in <L>)", "(<s> in <D>)", "(<s> in <W>)", "(not <b>)", "(<b> and <b>)", "(<b> or <b>)", "(<L> == <L>)", "(<L> < <L>)", "(<T> == <T>)", "(<D> == <D>)", "(<i> < <i> < <i>)", "(<i> <= <f> != <i>)",
		"bool(<i>)", "bool(<s>)", "bool(<L>)", "bool(<f>)", "<s>.isdigit()", "<s>.isalpha()", "<s>.startswith(<s>)", "<s>.endswith(('a', <s>))", "<s>.isupper()", "<s>.isspace()", "any(<b+n> for n in <L>)", "all(<b+w> for w in <W>)", "isinstance(<i>, int)", "isinstance(<T>, (list, tuple))", "(<T> < <T>)", "(<b> is None)", "<s>.isalnum()", "<s>.isidentifier()", "(<i> != <s>)", "({*<L>} <= {*<L>})", "(Acc(<i>) == Acc(<i>))", "(Acc(<i>) < Acc(<i>))", "<f>.is_integer()",
	},
	intsKind: {
		"(<L> + <L>)", "(<L> * (<i> % 3))", "<L>[<i>:<i>]", "<L>[::-1]", "<L>[<i>:<i>:<i>]", "sorted(<L>)", "sorted(<L>, reverse=True)", "sorted(<L>, key=lambda n: <i+n>)", "[<i+n> for n in <L>[:6]]", "[<i+n> for n in <L> if <b+n>]", "[<i+nm> for n in <L>[:4] for m in range(3)]", "list(range(<i> % 8))", "list(range(<i> % 5, <i> % 20, 3))", "list(map(lambda n: <i+n>, <L>))", "list(filter(lambda n: <b+n>, <L>))", "list(reversed(<L>))",
		"[<i>, <i>]", "[*<L>, <i>]", "list(<D>.values())", "sorted(set(<L>))", "sorted({*<L>} | {*<L>})", "sorted({*<L>} & {*<L>})", "sorted({*<L>} - {*<L>})", "[n + m for n, m in zip(<L>, <L>)]", "[n * m for n, m in enumerate(<L>)]", "[len(w) for w in <W>]", "(<L> if <b> else <L>)", "[ord(w) for w in <s>]", "list(<s>.encode())", "list(gen(<i> % 6))", "list(itertools.accumulate(<L>))", "list(itertools.islice(<L>, <i> % 4))", "[v for k, v in sorted(<D>.items())]", "json.loads(json.dumps(<L>))", "[int(w) for w in <W> if w.isdigit()]", "(lambda *z: list(z))(*<L>)", "heapq.nsmallest(<i> % 4, <L>)",
	},
	strsKind: {
		"(<W> + <W>)", "<W>[<i>:<i>]", "sorted(<W>)", "sorted(<W>, key=len)", "sorted(<W>, key=str.lower, reverse=True)", "[<s+w> for w in <W>]", "[<s+w> for w in <W> if <b+w>]", "<s>.split()", "<s>.split(',')", "<s>.split(<s>)", "<s>.splitlines()", "<s>.rsplit(None, 1)", "list(<s>)", "list(<D>)", "sorted(<D>)", "[str(n) for n in <L>]", "[k * (v % 3) for k, v in <D>.items()]", "list(map(str.upper, <W>))", "list(dict.fromkeys(<W>))", "[<s>, <s>]", "[f'{n}:{w}' for n, w in enumerate(<W>)]", "re.split(r'[,\\s]', <s>)", "re.findall('[a-z]+', <s>)", "list(map(repr, <T>))", "[w for w in <s>]", "list(<s>.partition(<s>))",
	},
	dictKind: {
		"{**<D>, <s>: <i>}", "(<D> | <D>)", "{k: <i+kv> for k, v in <D>.items()}", "{w: len(w) for w in <W>}", "{w: <s>.count(w) for w in <W>}", "dict(zip(<W>, <L>))", "{k: v for k, v in <D>.items() if <b+kv>}", "dict(sorted(<D>.items()))", "dict(sorted(<D>.items(), key=lambda n: n[1]))", "{str(n): <i+n> for n in <L>}", "dict.fromkeys(<W>, <i>)", "{<s>: <i>}", "dict(<D>)", "dict(collections.Counter(<s>))", "json.loads(json.dumps(<D>))", "(lambda **z: z)(**<D>)",
	},
	tupleKind: {
		"(<i>, <s>)", "(<f>, <b>, <L>)", "(<T> + <T>)", "tuple(<L>)", "tuple(<W>)", "<T>[::-1]", "<T>[<i>:]", "(<i>, *<L>)", "divmod(<i>, <i>)", "divmod(<f>, <f>)", "<s>.partition(<s>)", "tuple(sorted(<L>))", "tuple((n, <i+n>) for n in <L>)", "tuple(<D>.items())", "(<T>, <T>)", "tuple(zip(<L>, <W>))", "tuple(enumerate(<W>, <i>))", "tuple(map(type, (<i>, <f>, <s>)))", "(<i>).as_integer_ratio()", "((<T>)[0:1])", "tuple(<s>)", "(lambda n, *m: (n, m))(*<L>)", "(lambda n=<i>, *, k=<s>: (n, k))(<i>)",
	},
}

// statements name the places where they assign by the globals.
var statements = []string{
	"a = <i> % 10**25", "b = <i> % -10**25", "c = <i> % 2**64", "p = <f>", "q = <f>", "s = <s>[:40]", "u = <s>[-30:]", "yes = <b>", "L = <L>[:8]", "M = <L>[:5]", "W = <W>[:8]", "D = <D>", "E = <D>", "T = <T>[:6]",
	"a += <i> % 10**9", "b -= <i> % 999", "c ^= <i> % 2**70", "a //= <i>", "b %= <i>", "p += <f>", "q *= <f>", "p -= <i>", "s += <s>[:9]", "L += <L>[:3]", "D |= <D>", "T += <T>[:3]", "W += <s>[:5]",
	"L.append(<i>)", "L.extend(<L>[:3])", "L.insert(<i>, <i>)", "L.sort()", "L.reverse()", "L.sort(key=lambda n: <i+n>)", "W.append(<s>)", "D[<s>] = <i>", "D.update(<D>)", "D.setdefault(<s>, <i>)", "show(lambda: L.pop())", "show(lambda: D.pop(<s>))", "show(lambda: L.remove(<i>))", "L[<i>:<i>] = <L>[:3]", "del L[<i>:<i>]", "M = L", "E = D",
	"a, b = b, a", "a, *L = <i>, *<L>[:4]", "(p, q), s = (<f>, <f>), <s>", "a = b = <i>",
	"show(lambda: <i>)", "show(lambda: <f>)", "show(lambda: <s>)", "show(lambda: <b>)", "show(lambda: <L>)", "show(lambda: <W>)", "show(lambda: <D>)", "show(lambda: <T>)",
	"show(lambda: <i>)", "show(lambda: <f>)", "show(lambda: <s>)", "show(lambda: <b>)", "show(lambda: <L>)", "show(lambda: <W>)", "show(lambda: <D>)", "show(lambda: <T>)",
	"print(<i>, <s>, sep=<s>)", "print(f'{a} {p} {s!r} {L} {D} {T}')",
	"if <b>:\n    <B>\nelse:\n    <B>", "if <b>:\n    <B>\nelif <b>:\n    <B>", "for n in list(<L>)[:4]:\n    <B+n>", "for w in <s>[:3]:\n    <B+w>", "for k, v in sorted(<D>.items())[:3]:\n    <B+kv>", "for n in range(<i> % 4):\n    if <b+n>:\n        break\n    <B+n>\nelse:\n    <B>", "for n in list(<L>)[:4]:\n    if <b+n>: continue\n    <B+n>",
	"z = <i> % 6\nwhile z > 0:\n    z -= 2\n    <B>", "try:\n    <B>\nexcept Exception as e:\n    print(type(e).__name__, e)\nelse:\n    <B>\nfinally:\n    <B>", "try:\n    show(lambda: <i>)\n    a = <i>\nexcept (ValueError, KeyError, IndexError) as e:\n    print(repr(e))\nexcept ArithmeticError as e:\n    print('arithmetic', e)\nexcept TypeError:\n    print('type')",
	"def func(n, m=<i>):\n    <B+nm>\n    return <i+nm>", "def func2(w):\n    if <b+w>:\n        return <s+w>\n    return <s+w>", "def gen(n):\n    for m in range(n):\n        yield <i+nm>",
	"match <T>:\n    case (n, m): print('two', n, m)\n    case (n, *m): print('more', n, m)\n    case _: print('none')", "match <i>:\n    case 0 | 1: print('small')\n    case z if z > 100: print('big', z)\n    case z: print(z)", "match <D>:\n    case {'a': n}: print('a', n)\n    case {'x': 0, **k}: print(k)\n    case {}: print('dict')",
	"def outer(n):\n    m = <i+n>\n    def inner(k):\n        nonlocal m\n        m += 1\n        return k * (m % 5)\n    return inner(<s>), m\nshow(lambda: outer(<i>))",
	"class Acc2(Acc):\n    def add(self, n):\n        super().add(<i+n>)\n        return self\n    def __len__(self): return abs(self.total) % 10\nshow(lambda: (len(Acc2(<i>).add(<i>)), Acc2(<i>) + Acc(<i>)))",
	"assert <b>, <s>",
}

// setting is what every program has before its own statements.
const setting = `import math, json, re, itertools, heapq, collections
def show(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
class Acc:
    def __init__(self, total): self.total = total
    def add(self, n):
        self.total += n
        return self
    def __add__(self, other): return Acc(self.total + other.total)
    def __eq__(self, other): return self.total == other.total
    def __lt__(self, other): return self.total < other.total
    def __repr__(self): return f"Acc({self.total!r})"
def func(n, m=2): return n - m
def func2(w): return w + w
def gen(n):
    while n > 0:
        yield n
        n -= 1
`
