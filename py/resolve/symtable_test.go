package resolve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// cpythonScope is what CPython says of one scope.
type cpythonScope struct {
	Name    string            `json:"name"`
	Line    int               `json:"line"`
	Symbols map[string]string `json:"symbols"` // the meaning by the name
}

type cpythonAnswer struct {
	Scopes []cpythonScope `json:"scopes"`
	Error  string         `json:"error"`
}

// TestAgainstSymtable compares every scope of many programs with the table of
// CPython's compiler: which names it has, and whether each is local, free or
// global there; and for programs that break a rule of scopes, the message.
func TestAgainstSymtable(t *testing.T) {
	hard := hardCases(t)
	sources := hard
	for _, pattern := range []string{"../lib/*.py", "../internal/compile/testdata/programs/*.py", "../../testdata/py/*.py", "../../testdata/py/strict/*.py", "../../testdata/py/tools/*.py"} {
		sources = append(sources, programs(t, pattern)...)
	}
	scopes, refused := 0, 0
	for i, want := range askCPython(t, sources) {
		file, err := syntax.Parse("x.py", sources[i])
		if err != nil {
			continue // what both refuse, or what 3.12 allows, is for the tests of the parser
		}
		var info Info
		err = info.File(file, Options{})
		switch {
		case err != nil && err.(*syntax.Error).Message == want.Error:
			refused++
		case err != nil:
			t.Errorf("%v, CPython says %q of\n%s", err, want.Error, excerpt(sources[i]))
		case want.Error == "":
			scopes += len(want.Scopes)
			for _, difference := range compare(file, &info, want.Scopes) {
				t.Errorf("%s in\n%s", difference, excerpt(sources[i]))
			}
		case i < len(hard):
			t.Errorf("nothing is refused, CPython says %q of\n%s", want.Error, sources[i])
		}
	}
	t.Logf("%d programs, %d scopes, %d refused alike", len(sources), scopes, refused)
}

func hardCases(t *testing.T) []string {
	text, err := os.ReadFile("testdata/scopes.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "---\n")
}

// programs reads the programs of files, of which one may have several.
func programs(t *testing.T, pattern string) (sources []string) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s: no programs: %v", pattern, err)
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, strings.Split(string(text), "\n# ---\n")...)
	}
	return sources
}

func askCPython(t *testing.T, sources []string) (answers []cpythonAnswer) {
	version, err := exec.Command("python3", "-c", "import sys; print(*sys.version_info[:2])").Output()
	if err != nil || string(version) != "3 11\n" {
		t.Skip("needs python3 of version 3.11")
	}
	request, err := json.Marshal(sources)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "-W", "ignore", "testdata/symbols.py")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(request), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(sources) {
		t.Fatalf("%d answers to %d sources: %v", len(answers), len(sources), err)
	}
	return answers
}

// compare tells where the scopes of a program differ from CPython's. Scopes are
// paired by name and line, in the order of the source.
func compare(file *syntax.File, info *Info, theirs []cpythonScope) (differences []string) {
	ours := map[string][]*Scope{"top 0": {info.Module}}
	names := make(map[*Scope]string, len(info.Scopes))
	for node, scope := range info.of {
		names[scope] = nodeName(file, node)
	}
	for _, scope := range info.Scopes {
		ours[names[scope]] = append(ours[names[scope]], scope)
	}
	for _, their := range theirs {
		key := fmt.Sprintf("%s %d", their.Name, their.Line)
		if len(ours[key]) == 0 {
			differences = append(differences, "there is no scope "+key)
			continue
		}
		differences = append(differences, compareScope(key, ours[key][0], their.Symbols)...)
		ours[key] = ours[key][1:]
	}
	return differences
}

func nodeName(file *syntax.File, node any) string {
	name, at := "", syntax.Pos(0)
	switch n := node.(type) {
	case *syntax.Def:
		name, at = n.Name, n.NameAt
	case *syntax.Class:
		name, at = n.Name, n.NameAt
	case *syntax.Lambda:
		name, at = "lambda", n.Start
	case *syntax.Comprehension:
		name, at = [...]string{"listcomp", "setcomp", "dictcomp", "genexpr"}[n.Kind], n.Start
	}
	return fmt.Sprintf("%s %d", name, file.Position(at).Line)
}

func compareScope(key string, s *Scope, theirs map[string]string) (differences []string) {
	for name, want := range theirs {
		if name == IteratorParam || name == "__class__" && (want == "global" || s.Kind == ClassScope) {
			continue // we have one for generator expressions only, and for super in classes only
		}
		if sym := s.find(name); sym != nil && sym.IsOwn() && !sym.Written() {
			continue // CPython's table does not know what a class body binds unasked
		}
		if got := meaning(s, name); got != want {
			differences = append(differences, fmt.Sprintf("%s: %s is %s, for CPython %s", key, name, got, want))
		}
	}
	for _, sym := range s.Symbols() {
		if _, ok := theirs[sym.Name]; !ok && sym.Has(written|AsGlobal|AsNonlocal) {
			differences = append(differences, fmt.Sprintf("%s: CPython has no %s", key, sym.Name))
		}
	}
	return differences
}

func meaning(s *Scope, name string) string {
	sym := s.Lookup(name)
	switch {
	case sym == nil || s.Kind == ModuleScope || sym.Kind == Global || sym.Kind == Builtin:
		return "global"
	case sym == s.find(name) && sym.IsOwn():
		return "local"
	}
	return "free"
}

func excerpt(source string) string { return source[:min(len(source), 400)] }
