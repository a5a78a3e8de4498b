package glovebox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox"
)

// TestDocumentation finds methods that docs/API.md does not list.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[*glovebox.Glovebox](), reflect.TypeFor[*glovebox.Run]()} {
		for m := range typ.Methods() {
			if !strings.Contains(string(page), "`"+m.Name+"(") {
				t.Errorf("docs/API.md lacks %s of %s", m.Name, typ)
			}
		}
	}
}

// TestReadme compiles the Go program of README.md, and keeps the page short.
func TestReadme(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(page), "\n"); lines > 150 {
		t.Errorf("README.md has %d lines, and may have 150: more belongs into docs", lines)
	}
	_, program, _ := strings.Cut(string(page), "```go\n")
	program, _, ok := strings.Cut(program, "```\n")
	if !ok {
		t.Fatal("README.md has no Go program")
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "vet", file).CombinedOutput(); err != nil {
		t.Errorf("the program of README.md: %v\n%s", err, out)
	}
}
