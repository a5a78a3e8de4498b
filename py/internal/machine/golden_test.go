package machine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGolden compares expressions with what CPython 3.11 makes of them, which
// testdata/eval/golden.py has written down.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/eval/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no expressions:", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) { goldenFile(t, path) })
	}
}

func goldenFile(t *testing.T, path string) {
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile(strings.TrimSuffix(path, ".txt") + ".golden")
	if err != nil {
		t.Fatal(err)
	}
	head, body, ok := strings.Cut(string(source), "# ---\n")
	if !ok {
		t.Fatal("no line of three dashes")
	}
	expressions := strings.Split(strings.TrimSuffix(body, "\n"), "\n")
	wants := strings.Split(strings.TrimSuffix(string(golden), "\n"), "\n")
	if len(expressions) != len(wants) {
		t.Fatalf("%d expressions but %d results: run golden.py", len(expressions), len(wants))
	}
	for i, e := range expressions {
		if got := outcome(t, head+"\nrepr(("+e+"))"); got != wants[i] {
			t.Errorf("%s\n got %s\nwant %s", e, got, wants[i])
		}
	}
}

// outcome is the str that the program ends with, or the exception.
func outcome(t *testing.T, source string) string {
	m := eval(t, source)
	if m.Status() == Done {
		return m.Result().Str().s
	}
	var e *Exception
	if errors.As(m.Failure(), &e) {
		return strings.ReplaceAll(e.Class+": "+e.Message, "\n", `\n`)
	}
	return m.Failure().Error()
}
