package syntax

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "ask CPython for testdata/cases.golden again")

// differences are the outcomes of programs that are not CPython's.
var differences = map[string]string{
	// Quotes inside f-strings are those of CPython 3.12.
	`f"{'a' 'b'}", f'{f"{f"""{1}"""}"}'`: "tree [1:expr 1:tuple[1:f[{s6162 - -}] " +
		"1:f[{f[{f[{0x1 - -}] - -}] - -}]]]",
	`print(f'{a['b']} {c d}')`: "error SyntaxError 1 f-string: invalid syntax. Perhaps you forgot a comma?",
	// Names are not normalised.
	"é = ñ2 = 变量 = _ª1 = 1": "tree [1:assign[1:é 1:ñ2 1:变量 1:_ª1]1:0x1]",
}

// outcome is what dump.py prints for a source.
func outcome(source string) string {
	f, err := Parse("<case>", source)
	if err != nil {
		e := err.(*Error)
		return fmt.Sprintf("error %s %d %s", e.Class, e.Pos.Line, e.Message)
	}
	return dumpFile(f)
}

// python runs dump.py and returns its lines. It skips the test where there is
// no CPython 3.11.
func python(t *testing.T, args ...string) []string {
	t.Helper()
	version, err := exec.Command("python3", "-c", "import sys; print(sys.version_info[:2])").Output()
	if err != nil || strings.TrimSpace(string(version)) != "(3, 11)" {
		t.Skip("python3 is not CPython 3.11")
	}
	out, err := exec.Command("python3", append([]string{"testdata/dump.py"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	s := bufio.NewScanner(bytes.NewReader(out))
	s.Buffer(nil, 1<<30)
	for s.Scan() {
		var line string
		if err := json.Unmarshal(s.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// TestStandardLibrary compares the trees of CPython's own library, all of it
// with GLOVEBOX_PYTHON_LIB=all.
func TestStandardLibrary(t *testing.T) {
	if testing.Short() {
		t.Skip("parses all of CPython's library twice: run without -short")
	}
	where, err := exec.Command("python3", "-c", "import os; print(os.path.dirname(os.__file__))").Output()
	if err != nil {
		t.Skip("there is no python3")
	}
	lib := strings.TrimSpace(string(where))
	patterns := []string{"*.py"}
	if os.Getenv("GLOVEBOX_PYTHON_LIB") == "all" {
		patterns = []string{"*.py", "*/*.py", "*/*/*.py", "*/*/*/*.py"}
	}
	var files []string
	for _, pattern := range patterns {
		found, _ := filepath.Glob(filepath.Join(lib, pattern))
		files = append(files, found...)
	}
	for len(files) > 0 {
		n := min(len(files), 100)
		compareFiles(t, files[:n])
		files = files[n:]
	}
}

// TestCases compares programs with what CPython makes of them. The programs
// are testdata/cases.txt, CPython's outcomes testdata/cases.golden; -update
// asks CPython again. What we mean to do in another way is in differences.
func TestCases(t *testing.T) {
	const programs, golden = "testdata/cases.txt", "testdata/cases.golden"
	if *update {
		lines := python(t, "--cases", programs)
		data, err := json.MarshalIndent(lines, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(programs)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	var wants []string
	if err := json.Unmarshal(data, &wants); err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(string(text), "# ---\n")
	if len(cases) != len(wants) {
		t.Fatalf("%d programs, %d outcomes", len(cases), len(wants))
	}
	for i, want := range wants {
		if ours, ok := differences[strings.TrimSuffix(cases[i], "\n")]; ok {
			if ours == want {
				t.Errorf("%q is no difference", cases[i])
			}
			want = ours
		}
		if got := outcome(cases[i]); got != want {
			t.Errorf("%q%s", cases[i], difference(got, want))
		}
	}
}

func compareFiles(t *testing.T, files []string) {
	t.Helper()
	for i, want := range python(t, files...) {
		if want == "skip" {
			continue
		}
		source, err := os.ReadFile(files[i])
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(string(source)); got != want {
			t.Errorf("%s: %s", files[i], difference(got, want))
		}
	}
}

// difference shows where two outcomes part.
func difference(got, want string) string {
	i := 0
	for i < len(got) && i < len(want) && got[i] == want[i] {
		i++
	}
	begin := max(0, i-60)
	return fmt.Sprintf("\n got ...%s\nwant ...%s", cut(got, begin), cut(want, begin))
}

func cut(s string, begin int) string {
	return s[min(begin, len(s)):min(begin+200, len(s))]
}
