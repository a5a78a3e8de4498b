package check

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// agent is a program of the size that models write.
const agent = `def score(row):
    points = 0
    for key in ["a", "b", "c"]:
        if key in row and row[key] > 10:
            points = points + row[key] * 2
    return points

rows = [{"a": i, "b": i * 3, "c": n - i} for i in range(10)]
best = []
for row in rows:
    total = score(row)
    if total > 20:
        best.append((total, row["a"]))
    elif total == 0:
        print(f"nothing in {row!r}")
ranked = sorted(best, key=lambda pair: -pair[0])
{"count": len(ranked), "top": ranked[:3], "sum": add(n, 5)}
`

func TestForbiddenAllocatesNothing(t *testing.T) {
	file, o := parse(t, agent), strict()
	if n := testing.AllocsPerRun(100, func() { Forbidden(file, o) }); n != 0 {
		t.Errorf("%v allocations for a program that is right", n)
	}
}

// Sources that are deep, long or of very many names: each must be checked in
// the time that a test has, and without an exhausted stack.
func TestHostilePrograms(t *testing.T) {
	params := make([]string, 3000)
	for i := range params {
		params[i] = fmt.Sprintf("p%d", i)
	}
	all := strings.Join(params, ", ")
	for name, source := range map[string]string{
		"unknown names":   names(20000, "u%d\n"),
		"assignments":     names(20000, "v%d = 1\n") + names(20000, "w%d\n"),
		"chain":           "x" + strings.Repeat(" + x", 4000),
		"attributes":      "n" + strings.Repeat(".a", 4000),
		"calls":           "n" + strings.Repeat("()", 4000),
		"elif":            "if n: n\n" + strings.Repeat("elif n: n\n", 4000),
		"parameters":      "def f(" + all + "): pass\n" + strings.Repeat("f("+all+")\n", 30),
		"keywords":        "add(" + names(3000, "k%d=1, ") + ")",
		"comprehensions":  strings.Repeat("[x for x in words]\n", 30000),
		"wrong calls":     strings.Repeat("add(1, 2, 3)\n", 30000),
		"nested displays": strings.Repeat("[", 150) + strings.Repeat("]", 150),
		"long name":       strings.Repeat("x", 1<<20),
		"long line":       strings.Repeat("n; ", 1<<18) + "n += 1",
	} {
		file, err := syntax.Parse("hostile.py", source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, o := range []Options{strict(), extended()} {
			for _, p := range Check(file, o).Problems {
				if len(p.Message)+len(p.Hint) > 2000 {
					t.Errorf("%s: a message of %d bytes", name, len(p.Message)+len(p.Hint))
				}
			}
		}
	}
}

func names(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func FuzzCheck(f *testing.F) {
	f.Add(agent)
	for _, pattern := range []string{"../../testdata/py/*.py", "../../testdata/py/strict/*.py"} {
		files, _ := filepath.Glob(pattern)
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for program := range strings.SplitSeq(string(data), "\n# ---\n") {
				f.Add(program)
			}
		}
	}
	for _, source := range []string{
		"x += (", "d[k] = v", "assert (x), y", "del d[1]", "{1,\n2}", "(a := 1)", "add(*a, **b)", "f'{x!r:{y}}'", "await fetch('a')",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		file, err := syntax.Parse("fuzz.py", source)
		if err != nil {
			return
		}
		for _, o := range []Options{strict(), extended()} {
			o.Output = typ("list[int]")
			report := Check(file, o)
			refused := Forbidden(file, o)
			if refuses(report) != (refused != nil) {
				t.Errorf("%q: Check and Forbidden do not agree", source)
			}
			for _, p := range report.Problems {
				if p.Line < 1 || p.Column < 1 || p.Message == "" || p.Code == "" || strings.ContainsAny(p.String(), "\n\r") {
					t.Errorf("%q: bad problem %+v", source, p)
				}
			}
		}
	})
}

func BenchmarkForbidden(b *testing.B) {
	file, o := parse(b, agent), strict()
	for b.Loop() {
		Forbidden(file, o)
	}
}

func BenchmarkCheck(b *testing.B) {
	file, o := parse(b, agent), strict()
	for b.Loop() {
		Check(file, o)
	}
}
