package difftest

import (
	"flag"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what CPython does into the expectations")

// dirs are the folders of programs.
var dirs = []string{"../../../testdata/py", "../../../testdata/py/strict", "../../../testdata/py/tools", "../../../testdata/py/differences"}

// TestGoldens keeps the expectations what CPython says, where there is one.
// TestPrograms holds the machine to the expectations.
func TestGoldens(t *testing.T) {
	needPython(t)
	if testing.Short() {
		t.Skip("has CPython run every program: run without -short")
	}
	for _, path := range corpus(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			want := askAll(t, path)
			if *update {
				if err := WriteGolden(path, want); err != nil {
					t.Fatal(err)
				}
			}
			got, err := ReadGolden(path)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s is not what CPython says; go test ./py/internal/difftest -update (-CPython +golden):\n%s", goldenPath(path), diff)
			}
		})
	}
}

func needPython(t *testing.T) {
	t.Helper()
	out, err := exec.Command("python3", "-c", "import sys; print(*sys.version_info[:2])").Output()
	if err != nil || string(out) != "3 11\n" {
		t.Skip("needs python3 of version 3.11")
	}
}

func corpus(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, dir := range dirs {
		found, err := Files(dir)
		if err != nil || len(found) == 0 {
			t.Fatalf("no programs in %s: %v", dir, err)
		}
		paths = append(paths, found...)
	}
	return paths
}

func askAll(t *testing.T, path string) []Outcome {
	t.Helper()
	programs, err := ReadPrograms(path)
	if err != nil {
		t.Fatal(err)
	}
	sources := make([]string, len(programs))
	for i, p := range programs {
		sources[i] = p.Source
	}
	outcomes, err := AskCPython(sources)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range outcomes {
		if o.Error == "Expired" {
			t.Errorf("%s:%d takes too long", path, programs[i].Line)
		}
	}
	return outcomes
}
