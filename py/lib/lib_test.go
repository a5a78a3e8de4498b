package lib_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/py/lib"
)

func TestNamesAndSourcesAgree(t *testing.T) {
	names := lib.Names()
	if !slices.Contains(names, "collections.abc") || !slices.Contains(names, "itertools") {
		t.Errorf("Names() = %q; collections.abc and itertools are missing", names)
	}
	for _, name := range names {
		if source, ok := lib.Source(name); !ok || !strings.HasPrefix(source, `"""`) {
			t.Errorf("Source(%q) = %.20q, %t; want a module with a docstring", name, source, ok)
		}
	}
}

func TestSourceKnowsNothingElse(t *testing.T) {
	for _, name := range []string{"", "subprocess", "collections_abc", "../lib", "testdata/enums", "itertools.py", "/etc/passwd"} {
		if source, ok := lib.Source(name); ok || source != "" {
			t.Errorf("Source(%q) = %.20q, %t; want nothing", name, source, ok)
		}
	}
}

// TestOnCPython runs every case on CPython twice, with CPython's modules and
// with these, and compares what they print.
func TestOnCPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3 as the oracle")
	}
	version, err := exec.Command(python, "--version").Output()
	if err != nil || !strings.HasPrefix(string(version), "Python 3.11.") {
		t.Skipf("needs Python 3.11 as the oracle, has %s", version)
	}
	cases, err := filepath.Glob("testdata/*.py")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range cases {
		name := strings.TrimSuffix(filepath.Base(file), ".py")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if output, err := exec.Command(python, "testdata/tools/run.py", "check", name).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, output)
			}
		})
	}
}
