package py_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py"
)

func TestI01Reflection(t *testing.T) {
	for _, name := range []string{"__globals__", "__builtins__", "__reduce__", "__code__", "__closure__", "__self__", "__func__", "__defaults__"} {
		defend(t,
			refusal("().__class__."+name, ""),
			refusal("(lambda: 1)."+name, ""),
			refusal("getattr(lambda: 1, '"+name[:4]+"' + '"+name[4:]+"')", "has no attribute '"+name+"'"),
			refusal("list(map(getattr, [int], ['"+name+"']))", "has no attribute '"+name+"'"),
			refusal("import functools\nfunctools.partial(getattr, [].append)('"+name+"')", "has no attribute '"+name+"'"),
			refusal("import operator\noperator.attrgetter('"+name+"')(5)", "has no attribute '"+name+"'"),
			refusal("import operator\noperator.methodcaller('"+name+"')(5)", "has no attribute '"+name+"'"),
			shows("hasattr(lambda: 1, '"+name+"')", "false"),
			refusal("import math\ngetattr(math, '"+name+"')", "has no attribute '"+name+"'"),
			refusal("object.__getattribute__(5, '"+name+"')", ""),
		)
	}
	defend(t,
		refusal("eval('1')", "eval"), refusal("exec('1')", "exec"), refusal("open('/etc/passwd')", "open"), refusal("__import__('os')", "__import__"),
		refusal("vars()", "vars"), refusal("compile('1', '', 'eval')", "compile"),
		refusal("type(echo)()", "cannot create 'tool' instances"), refusal("type(lambda: 1)()", ""),
		refusal("from collections import namedtuple\nnamedtuple('P', \"x=__import__('os')\")", "valid identifiers"),
		refusal("from collections import namedtuple\nnamedtuple('P', '__code__ y')", ""),
		refusal("from functools import _glovebox", "cannot import name"), refusal("import _glovebox", "_glovebox"),
		shows("import functools\nmatch functools:\n    case object(_glovebox=x): print('leaked')\n    case _: print('none')", "none"),
		refusal("int.x = 1", "immutable type"), refusal("object.__setattr__(int, 'x', 1)", "immutable type"),
	)
}

// TestI01Harmless shows that what programs may see of objects and classes is a
// dead end: their own names and values, and nothing that they can change of
// what all programs share.
func TestI01Harmless(t *testing.T) {
	defend(t,
		shows("[c.__name__ for c in object.__subclasses__()]", "[]"), shows("[c.__name__ for c in type.__subclasses__(type)]", "[]"),
		shows("[c.__name__ for c in BaseException.__subclasses__()]", "[]"),
		shows("().__class__.__base__.__subclasses__()", "[]"), shows("().__class__.__mro__[1].__name__", "object"),
		refusal("int.__dict__['x'] = 1", "does not support item assignment"), refusal("int.__dict__.update(x=1)", "update"),
		refusal("int.__mro__ = ()", ""), refusal("int.__bases__ = ()", ""), refusal("int.__class__ = str", ""),
		refusal("x = 5\nx.__class__ = str", ""), refusal("class A: pass\nA().__class__ = int", "__class__ assignment"),
		refusal("class A: pass\nA.__bases__ = (int,)", "not writable"), refusal("class A(list): pass\nclass B: pass\nB().__class__ = A", "__class__ assignment"),
		refusal("class E(Exception): pass\nclass B: pass\nE().__class__ = B", "__class__ assignment"),
		refusal("class A: pass\na = A()\na.__dict__ = 5", "must be set to a dictionary"), refusal("globals()['print'] = 1", "does not support item assignment"),
		shows("sorted(n for n in globals() if not n.startswith('_'))", "["), refusal("globals()['__builtins__']", ""), refusal("globals()['_glovebox']", ""),
		shows("import functools\n'_glovebox' in dir(functools)", "false"), refusal("import functools\nvars(functools)", "__dict__"),
		refusal("import functools\nfunctools.__dict__", "__dict__"), refusal("import functools\nfunctools.wraps.__dict__['x'] = 1\nfunctools.wraps.__globals__", ""),
		refusal("print.__dict__", "__dict__"), refusal("echo.__dict__", "__dict__"), refusal("print.__module__.x", ""),
		shows("print.__class__.__name__", "builtin_function_or_method"), refusal("print.__class__()", "cannot create"),
		refusal("type(int.__dict__)(5)", "must be a mapping"), refusal("type(list[int])(1, 2)", "must be a class"), refusal("list[int].__origin__ = 5", ""),
		shows("class A:\n    def __init__(self): self.__dict__ = self.d = {}\na = A()\na.__dict__['d'] = a\na.d is a", "true"),
		shows("e = ValueError()\ne.__context__ = e\ne.__cause__ = e\nrepr(e)", "ValueError"),
		ends("d = {}\nclass A: pass\na = A()\na.__dict__ = d\nfor i in range(10**7): d[i] = a.__dict__", memory, timed),
		ends("x = int\nwhile True: x = x | list[x]", memory, timed, exception), ends("x = int\nwhile True: x = list[x]", memory, timed),
		ends("e = ValueError()\nwhile True:\n    e = ExceptionGroup('g', [e] * 10)", memory, timed),
		ends("e = ExceptionGroup('g', [ValueError()])\nfor i in range(10**6): e = ExceptionGroup('g', [e])\ne.split(KeyError)", memory, timed, depth),
	)
}

func TestI02Format(t *testing.T) {
	for _, spec := range []string{"{0.__globals__}", "{0.__class__.__globals__}", "{0.__init__.__globals__}", "{0.__doc__.__code__}", "{0.__dict__[x]}"} {
		defend(t,
			refusal("'"+spec+"'.format(5)", "has no attribute"),
			refusal("s = '"+spec+"'\ns.format(print)", "has no attribute"),
			refusal("'"+strings.Replace(spec, "0", "a", 1)+"'.format_map({'a': 5})", "has no attribute"),
			refusal("import string\nstring.Formatter().format('"+spec+"', 5)", ""),
			refusal("'{:{"+spec[1:]+"}'.format(5, 1)", ""),
		)
	}
	defend(t,
		refusal("f'{print.__self__}'", ""),
		shows("'{0[__class__]}'.format({'__class__': 'a key'})", "a key"),
		shows("class A:\n    def __getitem__(self, k): return k\n'%(__class__)s' % A()", "__class__"),
	)
}

func TestI03Frames(t *testing.T) {
	for _, name := range []string{"__traceback__", "__traceback__.tb_frame.f_back", "tb_frame", "__context__.tb_frame"} {
		defend(t, refusal("try: 1/0\nexcept Exception as e: print(e."+name+".tb_frame)", ""))
	}
	for _, name := range []string{"gi_frame", "gi_code", "gi_yieldfrom", "cr_frame", "ag_frame", "f_globals", "tb_frame"} {
		defend(t, shows("def g(): yield 1\nx = g()\nnext(x)\ngetattr(x, '"+name+"', 'absent')", "absent"))
	}
	defend(t, refusal("import sys\nsys._getframe()", "sys"), refusal("fail()", "the tool failed"))
}

func TestI04Modules(t *testing.T) {
	for _, module := range []string{"builtins", "importlib", "subprocess", "socket", "ctypes", "dis", "code", "_re", "_math", "_glovebox", "pickle", "marshal"} {
		defend(t, refusal("import "+module, module), refusal("from "+module+" import x", module))
	}
	for _, chain := range []string{
		"random._os", "re._compiler", "collections._sys", "json._json", "datetime.sys", "functools._glovebox", "copy._glovebox", "math.__loader__", "re.__builtins__",
		// Of modules with a harmless part there is nothing else.
		"os.system", "os.popen", "os.execv", "os.fork", "os.open", "os.listdir", "os.remove", "os.getpid", "os.kill", "os.urandom", "os._exit", "os.posix",
		"sys.modules", "sys._getframe", "sys.settrace", "sys.meta_path", "sys.stdin", "sys.addaudithook", "types.new_frame",
		"inspect.currentframe", "inspect.stack", "inspect.getsource", "gc.get_objects", "gc.get_referrers", "pathlib.Path", "pathlib.os", "io.open", "io.FileIO",
		"threading.Thread", "logging.FileHandler", "codecs.open", "ast.compile", "traceback.sys", "urllib.request",
	} {
		module, name, _ := strings.Cut(chain, ".")
		defend(t,
			refusal("import "+module+"\n"+chain, ""),
			refusal("import "+module+"\ngetattr("+module+", '"+name+"')", "has no attribute"),
			refusal("from "+module+" import "+name, ""),
		)
	}
}

func TestI05BigNumbers(t *testing.T) {
	long(t)
	defend(t,
		ends("10**10**10", memory, exception, timed), ends("1 << 10**10", memory, exception), ends("1 << 10**9", memory, exception),
		ends("x = 7\nwhile True: x = x * x", memory, timed, exception), ends("import math\nmath.factorial(10**7)", memory, timed, exception),
		ends("import math\nmath.factorial(10**18)", memory, timed, exception), ends("import math\nmath.comb(10**7, 5*10**6)", memory, timed, exception),
		ends("int('9' * 10**7)", exception), ends("str(10**100000)", exception), ends("pow(3, 10**6, 10**50000 + 1)", finished, timed),
		ends("divmod(10**400000, 10**200000 + 1)\nNone", finished, timed), ends("round(10**300000, -150000)\nNone", finished, timed),
		ends("float('1' * 10**7)", finished, exception), ends("int('f' * 10**7, 16)", finished, exception, memory),
		ends("from decimal import Decimal\nint(Decimal('1e99999999999'))", exception, memory, timed),
		ends("from decimal import Decimal, getcontext\ngetcontext().prec = 10**6\nDecimal(2).sqrt()", finished, timed, memory, exception),
		ends("from decimal import Decimal\nf'{Decimal(\"1e999999\"):f}'", finished, memory),
		ends("from fractions import Fraction\nFraction('1e1000000000')", memory, timed, exception),
	)
}

func TestI06BigResults(t *testing.T) {
	for _, x := range []string{
		"'a' * 10**10", "[0] * 10**10", "b'a' * 10**10", "(0,) * 10**10", "bytes(10**10)", "'a'.zfill(10**10)", "'a'.ljust(10**10)", "'a'.center(10**10)",
		"'\\t'.expandtabs(10**10)", "('a' * 10**6).replace('a', 'b' * 1000)", "('b' * 10**5).join(['x'] * 10**5)",
		"('a' * 10**6).translate({97: 'b' * 10**5})", "f'{1:{10**9}}'", "'{:{}}'.format(1, 10**9)", "'%1000000000d' % 1", "'%*d' % (10**9, 1)",
		"'%.1000000000f' % 1.5", "list(range(10**18))", "tuple(range(10**9))", "dict.fromkeys(range(10**9))", "(5).to_bytes(10**10, 'big')",
	} {
		defend(t, ends(x, memory, exception))
	}
}

func TestI07Doubling(t *testing.T) {
	long(t)
	defend(t,
		ends("s = 'a'\nwhile True: s += s", memory), ends("l = [1]\nwhile True: l.extend(l)", memory), ends("l = [1]\nwhile True: l += l", memory),
		ends("l = [1]\nwhile True: l[0:0] = l", memory), ends("d, i = {}, 0\nwhile True:\n    d[i] = d.copy()\n    i += 1", memory, timed),
		ends("sorted(range(10**18), key=lambda x: -x)", memory, timed), ends("sum(range(10**18))", finished, timed, exception),
		ends("import itertools\nlist(itertools.product(range(1000), repeat=10))", memory, timed),
		ends("import itertools\nlist(itertools.repeat(1))", memory, timed), ends("import itertools\nsum(itertools.count())", timed, memory),
		ends("x = [1.5] * 10**6\ny = [1.5] * 10**6\nwhile True: x == y", timed), ends("x = 'a' * 10**6\nwhile True: x[1:]", timed),
		ends("s, t = 'a' * 10**7, 'a' * 9999999 + 'b'\nsorted([s, t] * 10**5)", timed),
		ends("x = 'é' * 10**6\nwhile True: x.center(3)", timed), ends("x = 1 << 10**6\nwhile True: x == x + 0", timed),
	)
}

func TestI08Recursion(t *testing.T) {
	defend(t,
		ends("def f(): return f()\nf()", depth), ends("def f(): return g()\ndef g(): return f()\nf()", depth),
		ends("class A:\n    def __eq__(self, o): return self == o\nA() == A()", depth),
		ends("class A:\n    def __hash__(self): return hash(self)\n{A(): 1}", depth),
		ends("class A:\n    def __repr__(self): return repr(self)\nrepr(A())", depth),
		ends("def f(x): return sorted([1, 2], key=f)\nf(1)", depth),
		ends("class A: pass\nA.__call__ = A()\nA()()", exception),
		ends("def f():\n    try: (lambda a, /: a)(a=1)\n    except Exception: f()\nf()", depth),
		ends("def g(n):\n    for x in g(n - 1): yield x\nlist(g(1))", depth),
	)
	for _, use := range []string{"repr(x)", "x == y", "x < y", "import json; json.dumps(x)", "import copy; copy.deepcopy(x)", "x", "echo(x)", "f'{x}'"} {
		defend(t, ends("x, y = [], []\nfor i in range(100000): x, y = [x], [y]\n"+use, exception, depth))
	}
	defend(t,
		ends("x = ()\nfor i in range(100000): x = (x,)\nhash(x)", depth),
		shows("x = []\nx.append(x)\nprint(repr(x), x == x)", "[[...]] True"),
	)
}

func TestI09Parser(t *testing.T) {
	const many = 100_000
	for _, source := range []string{
		strings.Repeat("(", many), strings.Repeat("(", many) + "1" + strings.Repeat(")", many), strings.Repeat("[", many), strings.Repeat("-", many) + "1",
		strings.Repeat("not ", many) + "1", strings.Repeat("lambda: ", many) + "1", strings.Repeat("1 if 1 else ", many) + "1", strings.Repeat("f'{", many),
		"a\x00b", "\xff\xfe", "if 1:\n\tx=1\n        y=2", "x = '\\ud800", strings.Repeat("x = 1\n", 1) + "\ufeff1",
		"1" + strings.Repeat("0", 1_000_000), "f(" + strings.Repeat("1,", 70_000) + ")", strings.Repeat("{", many),
	} {
		got := runAttack(t, source, py.Extended)
		if got.end != refused && got.end != exception {
			t.Errorf("%s: ended by %s: %s", brief(source), got.end, brief(got.text))
		}
	}
	for _, source := range []string{ // these may be programs, if not for long
		"x = 1" + strings.Repeat(" + 1", many), "x = 1\nx" + strings.Repeat(".a", many), "x = 1\nx" + strings.Repeat("[0]", many), "x = 1\nx" + strings.Repeat("()", many),
		"1" + strings.Repeat(" < 1", many), "if 0: pass\n" + strings.Repeat("elif 0: pass\n", many), strings.Repeat("x = 1\n", many),
	} {
		runAttack(t, source, py.Extended)
		runAttack(t, source, py.Strict)
	}
	var locals strings.Builder
	locals.WriteString("def f():\n")
	for i := range many {
		locals.WriteString(" v" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + " = 1\n")
	}
	runAttack(t, locals.String(), py.Extended)
}

func TestI10Regex(t *testing.T) {
	for _, use := range []string{
		"re.match('(a+)+$', 'a' * 30 + 'b')", "re.match('(a|a)*b', 'a' * 40)", `re.match(r'(a*)*\1b', 'a' * 40)`, "re.search('(.*)(.*)(.*)(.*)x', 'a' * 5000)",
		"re.compile('((a{1000}){1000}){1000}')", "re.sub('a', 'b' * 10**5, 'a' * 10**5)", "re.findall('', 'a' * 10**7)", "re.split('', 'a' * 10**6)",
		"re.compile('(' * 10**5)", "re.compile('a|' * 10**6)", "re.match('(?=(a+))*b', 'a' * 10000)",
	} {
		defend(t, ends("import re\nr = "+use+"\nNone", finished, exception, memory, timed))
	}
}

func TestI11Collisions(t *testing.T) {
	long(t)
	for _, key := range []string{"i << 16", "i * 0.5", "i << 32", "-i", "str(i)", "(i, 0)", "float(i << 40)"} {
		defend(t, ends("d = {}\nfor i in range(100000): d["+key+"] = i\nlen(d)", finished, memory))
	}
	defend(t,
		ends("d = {}\nfor i in range(100000): d[i * (2**61 - 1)] = i\nlen(d)", finished, timed), // of one hash in CPython too
		ends("class A:\n    def __hash__(self): return 1\nd = {}\nwhile True: d[A()] = 1", timed),
		shows("print(list({3, 1, 2}), {'b': 1, 'a': 2})", "{'b': 1, 'a': 2}"),
	)
}

func TestI12Mutation(t *testing.T) {
	defend(t,
		attack{"d = {1: 1}\nfor k in d: d[k + 1] = 1", []outcome{exception}, "changed size during iteration"},
		attack{"s = {1}\nfor k in s: s.add(k + 1)", []outcome{exception}, "changed size during iteration"},
		attack{"l = [3, 1, 2]\nl.sort(key=lambda x: l.append(x) or x)", []outcome{exception}, "modified during sort"},
		ends("l = [1]\nfor x in l: l.append(x)", timed, memory),
		ends("class A:\n    def __eq__(self, o): l.clear(); return False\nl = [1, A(), 3]\n(9 in l, l.count(9))", finished),
		ends("class A:\n    def __index__(self): l.clear(); return 5\nl = list(range(9))\nl[A():] = [1]\nl.insert(A(), 1)\nl[::A()]", finished, exception),
		ends("class A:\n    def __hash__(self): return 1\n    def __eq__(self, o): d.clear(); return False\nd = {}\nfor i in range(9): d[A()] = 1", finished),
		ends("l = [1, 2, 3]\n[l.pop() for x in l]", finished), ends("l = [1, 2]\nfor x in l:\n    echo(l)\n    l.clear()", finished),
		attack{"def g(): next(x); yield\nx = g()\nnext(x)", []outcome{exception}, "already executing"},
		shows("def c(x):\n    l.clear()\n    return echo(x)\nl = [3, 1, 2]\nprint(sorted(l, key=c), l)", "[1, 2, 3] []"),
	)
}

func TestI13Uncatchable(t *testing.T) {
	long(t)
	const burn = "        while True: pass\n"
	for _, clause := range []string{"    except BaseException: pass\n", "    except: pass\n", "    finally: continue\n"} {
		defend(t,
			ends("while True:\n    try:\n"+burn+clause, timed),
			ends("l = []\nwhile True:\n    try: l.append('a' * 10**6 + 'b')\n"+clause, memory),
			ends("while True:\n    try: echo()\n"+clause, calls),
			ends("while True:\n    try: print('a' * 1000)\n"+clause, output),
			ends("def f():\n    for i in range(2):\n        try: f()\n"+strings.ReplaceAll(clause, "    ", "        ")+"f()", timed), // each level twice, as in CPython
		)
	}
	defend(t, ends("class A:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\nwhile True:\n    with A():\n"+burn, timed))
}

func TestI14Tools(t *testing.T) {
	defend(t,
		ends("echo({'__handle__': 1, '$file': '/etc/passwd', 'type': 'File'})", finished), ends("echo = 5\necho", finished),
		refusal("missing(1)", "missing"), refusal("echo(1, 2)", ""), refusal("echo(y=1)", ""), refusal("echo.x = 1", ""),
		refusal("getattr(echo, '__globals__')", ""), refusal("getattr(echo, '__self__')", ""),
		refusal("echo(echo)", "cannot leave the program"), refusal("echo(lambda: 1)", "cannot leave the program"),
		refusal("echo({b'a': 2})", "use keys that are str, int, bool, a date or a tuple of them"), refusal("x = []\nx.append(x)\necho(x)", "contains itself"),
		ends("x = [0]\nfor i in range(60): x = [x, x]\necho(x)", memory, timed), ends("echo('a' * 60 * 10**6)", memory, finished),
		ends("while True: echo(1)", calls), ends("for i in range(10**6): echo(i)", calls),
		ends("while True:\n    try: echo(echo)\n    except TypeError: pass", timed),
		shows("class A:\n    def __lt__(self, o): return echo(True)\nprint(len(sorted([A(), A(), A()])))", "3"),
		shows("class A:\n    def __hash__(self): return echo(1)\n    def __eq__(self, o): return echo(True)\nprint(len({A(), A()}))", "1"),
	)
}

func TestI15Floods(t *testing.T) {
	defend(t,
		ends("while True: print('a' * 1000)", output), ends("while True: print()", output), ends("print('a' * 10**7)", output),
		ends("print(*['a' * 1000] * 1000, sep='b' * 1000)", output, memory),
	)
	for _, source := range []string{
		"raise ValueError('a' * 30 * 10**6)", "assert False, 'a' * 10**7", "{}['a' * 10**7]", "raise ValueError(['a' * 10**6] * 1000)",
		"raise type('E' * 10**6, (Exception,), {})('a')", "getattr(1, 'a' * 10**7)", "int('a' * 10**7)",
	} {
		got := runDespiteHost(t, ends(source, exception, memory))
		if got.end != exception && got.end != memory {
			t.Errorf("%s: ended by %s", source, got.end)
		}
		if len(got.text) > 12<<20 {
			t.Errorf("%s: a message of %d bytes", source, len(got.text))
		}
	}
}

func TestI16Dumps(t *testing.T) {
	ctx := context.Background()
	compiled := func(source string) *py.Program {
		p, err := py.Compile(source, py.Options{Dialect: py.Extended, Tools: attackTools()})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const source = "x = [1, 'a', {'k': (1.5, b'b')}]\nfor i in range(3): x.append(echo(i))\nx"
	program, key := compiled(source), []byte("a key of thirty-two bytes, or so")
	state, err := program.Start(ctx, nil, py.RunOptions{Limits: attackLimits, Key: key})
	if err != nil {
		t.Fatal(err)
	}
	snapshot, err := state.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compiled(source+" ").Load(snapshot, py.RunOptions{Key: key}); err == nil {
		t.Log("a space more is the same program") // its code may be the same
	}
	if _, err := compiled("echo(1)").Load(snapshot, py.RunOptions{Key: key}); !errors.Is(err, py.ErrSnapshotProgram) {
		t.Errorf("loaded by another program: %v", err)
	}
	if _, err := program.Load(snapshot, py.RunOptions{Key: []byte("another key of thirty-two bytes!")}); !errors.Is(err, py.ErrSnapshotKey) {
		t.Errorf("loaded with another key: %v", err)
	}
	for i := range snapshot {
		if _, err := program.Load(snapshot[:i], py.RunOptions{Key: key}); err == nil {
			t.Fatalf("loaded the first %d bytes", i)
		}
		forged := append([]byte(nil), snapshot...)
		forged[i] ^= 0x41
		if _, err := program.Load(forged, py.RunOptions{Key: key}); err == nil {
			t.Fatalf("loaded with byte %d changed", i)
		}
	}
}

func TestI17Leaks(t *testing.T) {
	defend(t,
		refusal("import time\ntime.time()", "no clock"), refusal("import datetime\ndatetime.datetime.now()", "no clock"),
		refusal("import random\nrandom.random()", "no source of randomness"), refusal("import uuid\nuuid.uuid4()", "no source of randomness"),
		shows("id(int) == id(int) and id([]) > 0 and id(5) != id(6)", "true"),
	)
	const source = "import random\nr = random.Random(5)\nclass A: pass\n" +
		"print(hash('a'), hash((1, 'b')), {'x', 'y', 'z'}, A(), object(), print, lambda: 1, r.random(), hash(A()), frozenset(range(50)))"
	first := runAttack(t, source, py.Extended)
	for range 5 {
		if again := runAttack(t, source, py.Extended); again.text != first.text {
			t.Fatalf("one run shows\n%s\nanother\n%s", first.text, again.text)
		}
	}
	if strings.Contains(first.text, "0x") {
		t.Errorf("an address: %s", first.text)
	}
}

// TestI18HostLives runs what would kill a process that recurses or allocates
// without looking, and then an honest program.
func TestI18HostLives(t *testing.T) {
	long(t)
	defend(t,
		ends("x = []\nfor i in range(10**6): x = [x]\nNone", finished, memory),
		ends("f = lambda x: x\nfor i in range(100000): f = (lambda g: lambda x: g(x))(f)\nf(1)", depth),
		ends("x = iter([1])\nfor i in range(100000): x = map(str, x)\nnext(x)", depth),
		ends("import itertools\nx = iter([1])\nfor i in range(100000): x = itertools.chain(x, [1])\nlist(x)", depth),
		ends("import functools\nf = lambda x: x\nfor i in range(100000): f = functools.partial(f)\nf(1)", finished, depth),
		ends("e = ValueError()\nfor i in range(100000):\n    try: raise ValueError from e\n    except Exception as x: e = x\nraise e", exception),
		ends("import json\njson.loads('[' * 10**6)", exception), ends("class A: pass\nfor i in range(100000): A = type('A', (A,), {})", memory, timed, exception),
		ends("s = 'a'\nwhile True: s += s", memory), ends("class A:\n    __match_args__ = (1,)\nmatch A():\n    case A(x): pass", exception),
		shows("print('alive')", "alive"),
	)
	done := make(chan attacked, 8)
	for range cap(done) { // concurrently, and each with its own limits
		go func() { done <- runAttack(t, "l = []\nwhile True: l.append([])", py.Extended) }()
	}
	for range cap(done) {
		select {
		case got := <-done:
			if got.end != memory && got.end != timed {
				t.Errorf("ended by %s", got.end)
			}
		case <-time.After(5 * time.Minute):
			t.Fatal("instances wait for each other")
		}
	}
}
