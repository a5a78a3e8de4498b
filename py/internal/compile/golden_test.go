package compile

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/internal/code"
)

var update = flag.Bool("update", false, "write the code that comes out as the code that is expected")

// TestCode compares the code of typical functions with what it was when someone
// last read it.
func TestCode(t *testing.T) {
	files, err := filepath.Glob("testdata/code/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := compileSource(t, string(source))
		if err != nil {
			t.Fatal(file, err)
		}
		golden := strings.TrimSuffix(file, ".py") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(m.Text()), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), m.Text()); diff != "" {
			t.Errorf("%s:\n%s", file, diff)
		}
	}
}

// TestErrors checks the errors that the compiler finds, with CPython's words.
func TestErrors(t *testing.T) {
	tests := []struct{ source, want string }{
		{"def f():\n x = 1\n global x\n", "line 3, column 2: name 'x' is assigned to before global declaration"},
		{"def f():\n print(x)\n global x\n", "line 3, column 2: name 'x' is used prior to global declaration"},
		{"def f(x):\n global x\n", "line 2, column 2: name 'x' is parameter and global"},
		{"def f():\n nonlocal x\n", "line 2, column 2: no binding for nonlocal 'x' found"},
		{"def f():\n global x\n def g():\n  nonlocal x\n", "line 4, column 3: no binding for nonlocal 'x' found"},
		{"def g():\n x = 1\n def f():\n  global x\n  nonlocal x\n", "line 5, column 3: name 'x' is nonlocal and global"},
		{"[(x := 1) for x in y]", "line 1, column 3: assignment expression cannot rebind comprehension iteration variable 'x'"},
		{"class A:\n [(x := 1) for y in z]", "line 2, column 4: assignment expression within a comprehension cannot be used in a class body"},
		{"from a import *", "line 1, column 1: import * is not supported: name what you need"},
		{"x = 1j", "line 1, column 5: complex numbers are not supported"},
		{"def f():\n" + manyLocals(201), "line 1, column 1: too many local variables in one function (limit 200)"},
		{"def f():\n" + manyLocals(200), ""},
		{"def f():\n with " + strings.Repeat("a, ", 80) + "a:\n" + strings.Repeat("  if b: return\n", 20000), "line 1, column 1: the program is too long"},
	}
	for _, tt := range tests {
		_, err := compileSource(t, tt.source)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("%.60q: %q, want %q", tt.source, got, tt.want)
		}
	}
}

func manyLocals(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(" v" + strings.Repeat("x", i) + " = 1\n")
	}
	return b.String()
}

// TestNesting compiles what uses up registers.
func TestNesting(t *testing.T) {
	deep := func(open, middle, end string, n int) string {
		return strings.Repeat(open, n) + middle + strings.Repeat(end, n)
	}
	items := strings.Repeat("1, ", 300)
	sources := []string{
		deep("[", "1", "]", 90),
		deep("f(", "1", ")", 90),
		deep("["+items, "1", "]", 12),
		deep("f("+items, "1", ")", 12),
		deep("{1: ", "1", "}", 60),
		"x" + strings.Repeat(" + x", 4000),
		"f" + strings.Repeat("(x)", 4000),
		"x" + strings.Repeat(".a", 4000),
		"[" + strings.Repeat("x, ", 100000) + "]",
		"f'" + strings.Repeat("a{x}", 3000) + "'",
		strings.Repeat("try:\n pass\nfinally:\n pass\n", 1000),
		strings.Repeat("x = 'a' 'b'; y"+" = 1\n", 3000),
	}
	for _, source := range sources {
		m, err := compileSource(t, source)
		if err != nil {
			t.Errorf("%.40q: %v", source, err)
			continue
		}
		if err := checkModule(m); err != nil {
			t.Errorf("%.40q: %v", source, err)
		}
	}
}

// TestCheck makes sure that the verification of the other tests sees mistakes.
func TestCheck(t *testing.T) {
	source, err := os.ReadFile("testdata/code/loops.py")
	if err != nil {
		t.Fatal(err)
	}
	mistakes := map[string]func(k *code.Code){
		"a top too low":         func(k *code.Code) { k.Tops[2] = uint8(k.Locals) },
		"a jump into a word":    func(k *code.Code) { k.Instrs[6] = code.MakeJump(1) },
		"a temporary not set":   func(k *code.Code) { k.Instrs[1] = code.MakeWide(code.OpConst, 7, 0) },
		"a constant too far":    func(k *code.Code) { k.Instrs[1] = code.MakeWide(code.OpConst, 6, 999) },
		"a register too far":    func(k *code.Code) { k.Instrs[0] = code.MakeWide(code.OpSmall, 200, 0) },
		"a handler out of code": func(k *code.Code) { k.Handlers = []code.Handler{{Start: 0, End: 9999, Target: 0, Reg: 7}} },
	}
	for name, spoil := range mistakes {
		m, err := compileSource(t, string(source))
		if err != nil {
			t.Fatal(err)
		}
		spoil(m.Codes[1])
		if checkModule(m) == nil {
			t.Errorf("%s is not seen", name)
		}
	}
}

// FuzzCompile verifies the code of whatever parses.
func FuzzCompile(f *testing.F) {
	for _, pattern := range []string{"testdata/programs/*.py", "testdata/code/*.py"} {
		files, _ := filepath.Glob(pattern)
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			for _, program := range strings.Split(string(source), "\n# ---\n") {
				f.Add(program)
			}
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		m, err := compileSource(t, source)
		if err != nil {
			return
		}
		if err := checkModule(m); err != nil {
			t.Fatal(err)
		}
	})
}
