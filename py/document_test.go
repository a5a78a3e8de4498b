package py

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated files again instead of comparing them")

// TestFreshLanguageModules compares the modules that docs/LANGUAGE.md lists
// with those that a program can import.
func TestFreshLanguageModules(t *testing.T) {
	const path = "../docs/LANGUAGE.md"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), "<!-- modules: written by make generate -->\n")
	listed, after, ended := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !ended {
		t.Fatal("there is no place for the modules")
	}
	want := "`" + strings.Join(importable{}.Names(), "` `") + "`\n"
	if *update {
		mark := "<!-- modules: written by make generate -->\n"
		if err := os.WriteFile(path, []byte(before+mark+want+"<!-- end -->\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if listed != want {
		t.Errorf("%s is out of date; run make generate:\nit lists %sthere are %s", path, listed, want)
	}
}
