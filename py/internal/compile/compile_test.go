package compile

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

func compileSource(t testing.TB, source string) (*code.Module, error) {
	t.Helper()
	return compileWith(source, Options{Name: "x.py", Builtin: isTestBuiltin, Result: true})
}

func compileWith(source string, o Options) (*code.Module, error) {
	f, err := syntax.Parse("x.py", source)
	if err != nil {
		return nil, err
	}
	return Compile(f, o)
}

func isTestBuiltin(name string) bool {
	switch name {
	case "range", "len", "print", "super", "type", "list", "str", "int", "sum", "enumerate", "ValueError":
		return true
	}
	return false
}

// TestStandardLibrary compiles all of CPython's library and verifies the code.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles all of CPython's library: run without -short")
	}
	root := standardLibrary()
	if root == "" {
		t.Skip("CPython's library is not here")
	}
	files, refused := 0, map[string]int{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".py") || strings.Contains(path, "site-packages") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		o := Options{Name: path, Builtin: isTestBuiltin, Result: true, Private: files%2 == 0}
		m, err := compileWith(string(source), o)
		if err != nil {
			_, message, _ := strings.Cut(err.Error(), ": ")
			refused[message]++
			return nil
		}
		if err := checkModule(m); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		files++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, refused: %v", files, refused)
	if files < 300 {
		t.Errorf("only %d files were compiled", files)
	}
}

func standardLibrary() string {
	out, err := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
