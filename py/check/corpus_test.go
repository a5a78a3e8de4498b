package check

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// anyModule bundles every module and knows no members.
type anyModule struct{}

func (anyModule) Names() []string                 { return nil }
func (anyModule) Members(string) ([]string, bool) { return nil, true }

// outcome is a line of a golden file: what CPython said of a program.
type outcome struct {
	Error string `json:"error"`
}

// Programs that CPython runs to the end have no problem, and the checker must
// not find one. Those that end with an exception may have any; and what is
// refused fails where the programs are run.
func TestProgramsThatRunHaveNoProblems(t *testing.T) {
	for dir, o := range map[string]Options{
		"../../testdata/py":        {Dialect: Extended, Modules: anyModule{}, Grants: Grants{true, true}},
		"../../testdata/py/strict": {Dialect: Strict},
		"../../bench/py/programs":  {Dialect: Extended, Modules: anyModule{}},
	} {
		files, err := filepath.Glob(dir + "/*.py")
		if err != nil || len(files) == 0 {
			t.Errorf("no programs in %s: %v", dir, err)
		}
		for _, file := range files {
			checkPrograms(t, file, o)
		}
	}
}

func checkPrograms(t *testing.T, path string, o Options) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	failed := failures(t, strings.TrimSuffix(path, ".py")+".golden")
	programs, prelude := strings.Split(string(data), "\n# ---\n"), ""
	if strings.HasPrefix(programs[0], "# prelude") {
		programs, prelude = programs[1:], programs[0]+"\n"
	}
	for i, source := range programs {
		file, err := syntax.Parse(path, prelude+source)
		if err != nil || i < len(failed) && failed[i] {
			continue
		}
		for _, p := range Check(file, o).Problems {
			if line := file.Line(p.Line); p.Level == Finding && !deliberate(line) && !slices.Contains([]Code{Unreachable, NeverCalled}, p.Code) {
				t.Errorf("%s, program %d: %s\n\t%s", path, i+1, p, line)
			}
		}
	}
}

// deliberate reports whether a line makes a mistake to see what Python says.
func deliberate(line string) bool {
	return strings.Contains(line, "t(lambda") || strings.Contains(line, "try:") || strings.Contains(line, "f() + 1")
}

// failures tells which programs of a file ended with an exception.
func failures(t *testing.T, golden string) []bool {
	t.Helper()
	data, err := os.ReadFile(golden)
	if err != nil {
		return nil
	}
	var failed []bool
	for line := range strings.Lines(string(data)) {
		var o outcome
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatalf("%s: %v", golden, err)
		}
		failed = append(failed, o.Error != "")
	}
	return failed
}
