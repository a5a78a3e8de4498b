package py_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py"
)

// TestCompilingIsBounded compiles the largest sources of the shapes that take
// most. Each takes no more than programs may by default, a few times over for
// what the collector has not freed yet.
func TestCompilingIsBounded(t *testing.T) {
	for _, line := range []string{"a = 1\n", "a,", "with a: b\n", "class A: 0\n", "lambda: 0\n", "def f(): 0\n"} {
		source := strings.Repeat(line, 9_000)
		if !strings.Contains(line, ": 0") {
			source = strings.Repeat(line, 1<<20/len(line)-1)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := py.Compile(source, py.Options{Dialect: py.Extended}); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4*py.DefaultMemory {
			t.Errorf("%q: %d bytes", line, used)
		}
	}
}

func TestLargeSourcesAreRefused(t *testing.T) {
	for source, want := range map[string]string{
		strings.Repeat("class A:0\n", 20_000):  "too many functions and classes: a source has at most 10000",
		strings.Repeat("lambda:0\n", 20_000):   "too many functions and classes: a source has at most 10000",
		strings.Repeat("def f():0\n", 100_000): "too many functions and classes: a source has at most 10000",
		strings.Repeat("a = 1\n", 200_000):     "source is larger than 1 MiB: pass data as an input",
	} {
		_, err := py.Compile(source, py.Options{Dialect: py.Extended})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", source[:10], err, want)
		}
		problems, err := py.Check(source, py.Options{Dialect: py.Extended})
		if err != nil || len(problems) != 1 || problems[0].Message != want {
			t.Errorf("check of %q: %v, %v", source[:10], problems, err)
		}
	}
}
