package machine

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

// libraryHost is the world that the stand-ins of py/lib/testdata/tools give to
// CPython when it prints the expectations.
var libraryHost = Host{
	Clock: func() time.Time { return time.UnixMicro(1_700_000_000_123_456) },
	Entropy: func(b []byte) error {
		for i := range b {
			b[i] = byte(i * 37)
		}
		return nil
	},
}

// TestLibrary runs the programs of py/lib/testdata, whose output is that of
// CPython's modules.
func TestLibrary(t *testing.T) {
	files, err := filepath.Glob("../../lib/testdata/*.py")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".py"), func(t *testing.T) {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(name, ".py") + ".out")
			if err != nil {
				t.Fatal(err)
			}
			m := runProgram(t, string(source))
			if m.Status() != Done {
				t.Errorf("%v", describeFailure(m))
			}
			reportDifference(t, string(m.out.buf), string(want))
		})
	}
}

func runProgram(t *testing.T, source string) *Machine {
	file, err := syntax.Parse("<code>", source)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := compile.Compile(file, compile.Options{Name: "<code>", Builtin: builtins.Is})
	if err != nil {
		t.Fatal(err)
	}
	limits := testLimits
	limits.Output = 8 << 20
	m := New(Link(mod, nil, nil), limits, libraryHost)
	m.Start(context.Background())
	return m
}

func describeFailure(m *Machine) string {
	e, ok := m.Failure().(*Exception)
	if !ok {
		return m.Failure().Error()
	}
	s := e.Error()
	for _, l := range e.Lines {
		s += "\n  " + l.Function + ": " + l.Text
	}
	return s
}

// reportDifference shows the first lines that differ.
func reportDifference(t *testing.T, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	shown := 0
	for i := range max(len(g), len(w)) {
		a, b := "<end>", "<end>"
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Errorf("line %d:\n got %s\nwant %s", i+1, a, b)
			if shown++; shown == 6 {
				return
			}
		}
	}
}
