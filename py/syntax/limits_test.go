package syntax

import (
	"runtime"
	"strings"
	"testing"
)

// TestDepth feeds constructs inside each other, far beyond every limit: the
// parser refuses them by itself.
func TestDepth(t *testing.T) {
	const n = 200_000
	for _, c := range []struct{ name, prefix, suffix string }{
		{"parentheses", "(", ")"},
		{"lists", "[", "]"},
		{"sets", "{", "}"},
		{"dicts", "{1:", "}"},
		{"calls", "f(", ")"},
		{"subscripts", "x[", "]"},
		{"slices", "x[1:", "]"},
		{"minus", "-", ""},
		{"not", "not ", ""},
		{"invert", "~", ""},
		{"lambda", "lambda:", ""},
		{"default", "lambda x=", ":1"},
		{"conditional", "1 if 1 else ", ""},
		{"condition", "(1 if ", " else 1)"},
		{"power", "2**", ""},
		{"await", "await (", ")"},
		{"yield", "(yield ", ")"},
		{"star", "[*", "]"},
		{"comprehension", "[1 for x in ", "]"},
		{"f-string", `f"{`, `}"`},
		{"f-string format", `f"{x:{`, `}}"`},
		{"walrus", "(a:=", ")"},
		{"ors", "(1 or ", ")"},
		{"comparison", "(1<", ")"},
		{"keyword", "f(a=", ")"},
		{"kwargs", "f(**", ")"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, middle := range []string{"1", ""} {
				source := "x = " + strings.Repeat(c.prefix, n) + middle + strings.Repeat(c.suffix, n)
				if _, err := Parse("deep", source); err == nil {
					t.Fatal("it parses")
				}
			}
			shallow := strings.Repeat(c.prefix, 40) + "1" + strings.Repeat(c.suffix, 40)
			if _, err := Parse("shallow", "def f():\n  "+shallow); err != nil && c.name != "await" {
				t.Fatalf("40 levels: %v", err)
			}
		})
	}
}

// TestStatementDepth does the same with statements and patterns.
func TestStatementDepth(t *testing.T) {
	const n = 20_000
	indented := func(line string) string {
		var b strings.Builder
		for i := range 300 {
			b.WriteString(strings.Repeat(" ", i) + line + "\n")
		}
		return b.String()
	}
	for name, source := range map[string]string{
		"if":       indented("if x:"),
		"def":      indented("def f():"),
		"try":      indented("try:"),
		"with":     indented("with x:"),
		"match":    indented("match x:\n case 1:"),
		"elif":     "if x: pass\n" + strings.Repeat("elif x: pass\n", n),
		"groups":   "match x:\n case " + strings.Repeat("(", n) + "a" + strings.Repeat(")", n) + ": pass",
		"lists":    "match x:\n case " + strings.Repeat("[", n) + "a" + strings.Repeat("]", n) + ": pass",
		"mappings": "match x:\n case " + strings.Repeat("{1:", n) + "a" + strings.Repeat("}", n) + ": pass",
		"classes":  "match x:\n case " + strings.Repeat("A(", n) + ")" + strings.Repeat(")", n) + ": pass",
		"with (":   "with " + strings.Repeat("(", n) + "a" + strings.Repeat(")", n) + ": pass",
		"except":   strings.Repeat("try:\n pass\nexcept", n),
		"targets":  "for " + strings.Repeat("(", n) + "a" + strings.Repeat(",)", n) + " in x: pass",
		"stars":    "[" + strings.Repeat("*", n) + "a] = x",
		"sum":      "x = 1" + strings.Repeat("+1", n),
		"dots":     "x = a" + strings.Repeat(".a", n),
		"calls":    "x = f" + strings.Repeat("()", n),
		"items":    "x = a" + strings.Repeat("[0]", n),
		"dotted":   "match x:\n case a" + strings.Repeat(".a", n) + ": pass",
		"nested chains": "x = " + strings.Repeat("(", 150) + "1" +
			strings.Repeat(strings.Repeat("+1", 100)+")", 150),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse("deep", source); err == nil {
				t.Fatal("it parses")
			}
		})
	}
}

// TestLongAndFlat parses what is long without being deep, in a small multiple
// of its size.
func TestLongAndFlat(t *testing.T) {
	const n = 50_000
	for name, source := range map[string]string{
		"assignments": strings.Repeat("abc = 1\n", n),
		"list":        "x = [" + strings.Repeat("a.b + 1, ", n) + "]",
		"dict":        "x = {" + strings.Repeat("'a': f(1), ", n) + "}",
		"keywords":    "f(" + strings.Repeat("**x, ", n) + ")",
		"ors":         "x = 1" + strings.Repeat(" or a.b", n),
		"comparison":  "x = 1" + strings.Repeat(" < 1", n),
		"strings":     "x = (" + strings.Repeat("'abc' ", n) + ")",
		"f-strings":   "x = (" + strings.Repeat("f'a{b}' ", n) + ")",
		"format":      "x = f'" + strings.Repeat("{a}", n) + "'",
		"blank lines": strings.Repeat("\n \n", n),
		"hex":         "x = 0x" + strings.Repeat("f", 10*n),
		"octal":       "x = 0o" + strings.Repeat("7", 10*n),
		"float":       "x = 1." + strings.Repeat("1", 10*n),
		"captures":    "match x:\n case [" + names(n) + "]: pass",
		"parameters":  "def f(" + names(n) + "): pass",
		"clauses":     "[1 " + strings.Repeat("for x in y ", n) + "]",
		"walruses":    "[" + strings.Repeat("[x:=1 for y in z],", n) + "]",
		"cases":       "match x:\n" + strings.Repeat(" case 1: pass\n", n),
		"matches":     strings.Repeat("match(x)\n", n),
		"asyncs":      strings.Repeat("async def f(): pass\n", maxBodies),
		"imports":     "import " + strings.TrimSuffix(strings.Repeat("a.b,", n), ","),
		"semicolons":  strings.Repeat("x;", n),
		"withs":       strings.Repeat("with (a, b): pass\n", n),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := Parse("flat", source); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > uint64(len(source))*100 {
				t.Errorf("%d bytes of source take %d", len(source), used)
			}
		})
	}
}

func names(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte('a')
		for ; i > 0; i /= 10 {
			b.WriteByte(byte('0' + i%10))
		}
		b.WriteByte(',')
	}
	return b.String()
}

// TestBrokenAndLong makes the search for an error work on long sources.
func TestBrokenAndLong(t *testing.T) {
	const n = 30_000
	for name, source := range map[string]string{
		"commas":      "f(" + strings.Repeat("a b ", n),
		"prints":      strings.Repeat("print a\n", n),
		"groups":      strings.Repeat("(a b)\n", n),
		"lines":       strings.Repeat("a b\n", n),
		"assignments": strings.Repeat("f() = ", n),
		"brackets":    strings.Repeat("x = (\n", n),
		"dicts":       "{" + strings.Repeat("a: b c,", n),
		"withs":       strings.Repeat("with (a as b, c as 1): pass\n", n),
		"matches":     strings.Repeat("match a b\n", n),
		"f-strings":   strings.Repeat("f'{a b}' ", n),
		"quotes":      strings.Repeat("'", n+1),
		"fields":      "f'" + strings.Repeat("{", n+1) + "'",
		"lambdas":     strings.Repeat("lambda (", n),
		"zero bytes":  "a\x00b",
		"surrogate":   "a = '\xed\xa0\x80'",
		"conditions":  "x = " + strings.Repeat("a if b ", n),
		"bang":        "f'" + strings.Repeat("{a!", n) + "'",
		"unfinished":  "f'" + strings.Repeat("{a}", n) + "{",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse("broken", source); err == nil {
				t.Fatal("it parses")
			}
		})
	}
}
