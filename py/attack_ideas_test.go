package py_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/py"
)

const laughs = "x = [0]\nfor i in range(40): x = [x, x]\n"

const deepList = "x = []\nfor i in range(200000): x = [x]\n"

// ideas are ways to break an interpreter that have worked on others, beyond
// what the tests of I01 to I18 do.
var ideas = []struct {
	name    string
	attacks []attack
}{
	{"01 endless loop", []attack{ends("while True: pass", timed)}},
	{"02 builtins over a huge range", []attack{
		ends("min(range(10**18))", finished, timed, memory), ends("sorted(range(10**18))", memory, timed), ends("all(range(1, 10**18))", timed), ends("tuple(range(10**18))", memory)}},
	{"03 expensive sort key", []attack{ends("sorted(range(10**6), key=lambda x: sum(range(10**4)))", timed, memory)}},
	{"04 reverse-sorted input", []attack{ends("for i in range(3): sorted(range(10**5, 0, -1))", finished)}},
	{"05 outliving the time limit", []attack{ends("def f():\n    try:\n        while True: pass\n    finally:\n        f()\nf()", timed, depth)}},
	{"06 refused calls only", []attack{ends("while True:\n    try: echo(echo)\n    except BaseException: pass", timed), ends("while True:\n    try: fail()\n    except ValueError: pass", calls)}},
	{"07 powers", []attack{ends("10**10**9", memory, exception, timed), ends("1 << 10**10", memory, exception)}},
	{"08 int and str", []attack{ends("str(1 << 10**7)", exception), ends("int('9' * 10**6)", exception)}},
	{"09 hash flooding", []attack{ends("d = {}\nfor i in range(200000): d[i * 0.5] = d[i << 16] = 1", finished, memory)}},
	{"10 keys inserted by a lookup", []attack{ends("class A:\n    def __hash__(self): return 1\n    def __eq__(self, o):\n        d[len(d) * 1000 + 7] = 1\n        return False\nd = {}\nfor i in range(50): d[A()] = 1", finished, timed)}},
	{"11 nested pairs", []attack{ends(laughs+"repr(x)", memory, timed), ends(laughs+"y = x\n"+laughs+"x == y", timed)}},
	{"12 near-match search", []attack{ends("x = 'a' * 2 * 10**6\nfor i in range(9): x.find('a' * 10**6 + 'b')", finished, timed), ends("(('a' * 1000 + 'b') * 1000).rfind('a' * 500 + 'b' + 'a' * 999 + 'c')", finished)}},
	{"13 regex blow-up", []attack{ends("import re\nre.match('(a+)+$', 'a' * 50 + 'b')\nNone", finished, timed, exception)}},
	{"14 endless iterators", []attack{ends("import itertools\nlist(itertools.cycle([1]))", memory, timed), ends("import itertools\nmax(itertools.count())", timed, memory)}},
	{"15 repetition", []attack{ends("'x' * 10**10", memory), ends("(1,) * 10**10", memory), ends("b'x' * 10**10", memory), ends("[1] * 10**10", memory)}},
	{"16 doubling", []attack{ends("l = [1]\nwhile True: l.extend(l)", memory), ends("b = b'a'\nwhile True: b += b", memory)}},
	{"17 widths", []attack{ends("'\\t'.expandtabs(10**10)", memory, exception), ends("('\\t' * 1000).expandtabs(10**6)", memory)}},
	{"18 format width", []attack{ends("f'{1.5:.{10**9}f}'", memory, exception), ends("'{:>{}}'.format(1, 10**9)", memory, exception)}},
	{"19 amplification", []attack{ends("('a' * 10**6).replace('', 'b' * 1000)", memory), ends("len(('a' * 10**6).split('a'))", finished, memory), ends("import re\nre.sub('a', 'b' * 10**4, 'a' * 10**5)", memory)}},
	{"20 billion laughs", []attack{ends("import json\n"+laughs+"json.dumps(x)", memory, timed), ends(laughs+"x", memory, exception, timed), ends(laughs+"','.join([str(x)])", memory, timed)}},
	{"21 exception with a long message", []attack{ends("raise ValueError('a' * 30 * 10**6)", exception, memory)}},
	{"22 print flood", []attack{ends("while True: print('a')", output)}},
	{"23 cyclic garbage", []attack{ends("for i in range(200000):\n    a = [0] * 10\n    a[0] = a", finished, timed)}},
	{"24 catching MemoryError", []attack{ends("while True:\n    try: x = 'a' * 10**10\n    except MemoryError: pass", memory)}},
	{"25 allocate, then raise", []attack{ends("for i in range(1000):\n    try:\n        x = [0] * 10**5\n        raise ValueError(x)\n    except ValueError: pass", finished, timed)}},
	{"26 recursion", []attack{ends("def f(): g()\ndef g(): f()\nf()", depth)}},
	{"27 recursion through callbacks", []attack{
		ends("def f(x): return max([1, 2], key=f)\nf(1)", depth), ends("def f(x): return list(map(f, [1]))\nf(1)", depth), ends("class A:\n    def __init__(self): A()\nA()", depth),
		ends("import functools\ndef f(): return functools.partial(f)()\nf()", depth)}},
	{"28 recursion in the handler", []attack{ends("def f():\n    try: f()\n    except RecursionError: f()\nf()", timed)}},
	{"29 deep list", []attack{
		ends(deepList+"repr(x)", exception), ends(deepList+"y = x\n"+deepList+"x == y", exception), ends(deepList+"import json\njson.dumps(x)", exception), ends(deepList+"x", exception), ends(deepList+"x = 1", finished)}},
	{"30 list in itself", []attack{shows("x = []\nx.append(x)\nx == x", "true"), ends("x = []\nx.append(x)\nx", exception), ends("x, y = [], []\nx.append(y)\ny.append(x)\nx == y", exception)}},
	{"31 chain of closures", []attack{ends("f = lambda: 1\nfor i in range(100000): f = (lambda g: lambda: g())(f)\nf()", depth)}},
	{"32 nested iterators", []attack{ends("x = iter([1])\nfor i in range(100000): x = zip(x)\nlist(x)", depth, exception, finished)}},
	{"36 sizes of source", []attack{
		ends("[0 "+strings.Repeat("for x in [1] ", 300)+"]", refused, finished, timed), ends("print("+strings.Repeat("1,", 70_000)+")", refused, finished), ends("x = "+strings.Repeat("9", 1_000_000), refused),
		ends(strings.Repeat("x = 'some text'\n", 300_000), refused, finished, timed, memory)}},
	{"37 odd source", []attack{ends("a\x00", refused), ends("x = '\\ud800'\nlen(x)", finished), ends("if 1:\nx", refused), ends("\xff", refused)}},
	{"39 the world outside", []attack{refusal("import os\nos.listdir('/')", "listdir"), refusal("import pathlib\npathlib.Path('/etc/passwd')", "Path"), refusal("open('../x')", "open"), refusal("import socket", "socket")}},
	{"40 append while iterating", []attack{ends("l = [0]\nfor x in l: l.append(x)", timed, memory), ends("d = {0: 0}\nfor x in d: d[x + 1] = 0", exception)}},
	{"42 arguments and results", []attack{ends(deepList+"echo(x)", exception), ends("echo('a' * 10**7) == 'a' * 10**7", finished, memory), ends("x = echo([1])\nx.append(x)\necho(x)", exception)}},
}

func TestIdeas(t *testing.T) {
	long(t)
	for _, idea := range ideas {
		t.Run(idea.name, func(t *testing.T) { defend(t, idea.attacks...) })
	}
}

// TestIdea33DeepSource and its neighbours are about the compiler, idea 43 with
// them: it must come to an end soon, however deep or long the source is.
func TestIdea33DeepSource(t *testing.T) {
	const n = 100_000
	for _, source := range []string{
		strings.Repeat("[", n) + strings.Repeat("]", n), strings.Repeat("~", n) + "1", "lambda: " + strings.Repeat("lambda: ", n) + "1",
		strings.Repeat("1 if 1 else ", n) + "1", "x" + strings.Repeat("[x", n) + strings.Repeat("]", n), strings.Repeat("f(", n) + strings.Repeat(")", n),
	} {
		if got := runAttack(t, source, py.Extended); got.end != refused {
			t.Errorf("%s: ended by %s", brief(source), got.end)
		}
	}
}

func TestIdea34FlatSource(t *testing.T) {
	for _, link := range []string{" + 1", ".a", "[0]", "()", " < 1", " and 1", " if 1 else 1", ", 1"} {
		runAttack(t, "x = 1\nx"+strings.Repeat(link, 200_000), py.Extended)
	}
}

func TestIdea35NestedFinally(t *testing.T) {
	for _, head := range []string{"def f():", "if 1:", "try:", "while 1:", "class A:", "with x:"} {
		var b strings.Builder
		for i := range 90 {
			fmt.Fprintf(&b, "%s%s\n", strings.Repeat(" ", i), head)
		}
		fmt.Fprintf(&b, "%spass\n", strings.Repeat(" ", 90))
		if head == "try:" {
			for i := 89; i >= 0; i-- {
				fmt.Fprintf(&b, "%sfinally: x = 1\n", strings.Repeat(" ", i))
			}
		}
		before := heap()
		got := runAttack(t, b.String(), py.Extended)
		if used := heap() - before; used > 32<<20 {
			t.Errorf("%s: %d bytes for a source of %d", head, used, b.Len())
		}
		runtime.KeepAlive(got)
	}
}

func TestIdea41ResumeTwice(t *testing.T) {
	program, err := py.Compile("echo(1)", py.Options{Tools: attackTools()})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	state, err := program.Start(ctx, nil, py.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	id := state.Calls()[0].ID
	for _, wrong := range [][]py.Result{{py.Return(id+1, 1)}, {py.Return(id, 1), py.Return(id, 2)}} {
		if err := state.Resume(ctx, wrong...); err == nil || state.Status() != py.Waiting {
			t.Errorf("took wrong results: %v", err)
		}
	}
	if err := state.Resume(ctx, py.Return(id, int64(1))); err != nil {
		t.Fatal(err)
	}
	if err := state.Resume(ctx, py.Return(id, int64(1))); err == nil {
		t.Error("resumed twice")
	}
}

// TestIdea44ManyInstances runs instances concurrently: they share a program and
// nothing else.
func TestIdea44ManyInstances(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand instances; not with -short")
	}
	program, err := py.Compile("import json, re, collections\nd = collections.Counter()\nfor i in range(50): d[echo(i) % 7] += 1\njson.dumps(dict(d))",
		py.Options{Dialect: py.Extended, Tools: attackTools()})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	results := make([]string, 1000)
	for i := range results {
		all.Go(func() { results[i] = finish(program) })
	}
	all.Wait()
	for i, r := range results {
		if r != results[0] || !strings.Contains(r, `"0": 8`) {
			t.Fatalf("instance %d: %s, the first: %s", i, r, results[0])
		}
	}
}

func finish(program *py.Program) string {
	ctx := context.Background()
	state, err := program.Start(ctx, nil, py.RunOptions{})
	for err == nil && state.Status() == py.Waiting {
		err = state.Resume(ctx, answerAll(state.Calls())...)
	}
	if err != nil {
		return err.Error()
	}
	v, err := state.Result()
	return fmt.Sprint(v, err)
}
