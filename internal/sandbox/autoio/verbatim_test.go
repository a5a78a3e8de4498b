package autoio_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/value"
)

// ending is all that a program says.
type ending struct{ Stdout, Stderr, End string }

// TestVerbatimIsPython runs scripts by Python itself and by the runner, and
// wants no difference.
func TestVerbatimIsPython(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs python3")
	}
	all, err := os.ReadFile("testdata/verbatim.txt")
	if err != nil {
		t.Fatal(err)
	}
	for chunk := range strings.SplitSeq(strings.TrimPrefix(string(all), "--- "), "\n--- ") {
		name, code, _ := strings.Cut(chunk, "\n")
		t.Run(name, func(t *testing.T) {
			skipWhenShort(t, name, "main module", "arguments", "exception")
			t.Parallel()
			if diff := cmp.Diff(runByPython(t, code), runByRunner(t, code)); diff != "" {
				t.Errorf("Python (-) and the runner (+) differ:\n%s", diff)
			}
		})
	}
}

// scriptArguments are what each script gets.
var scriptArguments = []string{"--name", "a b", "--", ""}

func runByPython(t *testing.T, code string) ending {
	t.Helper()
	dir, script := scriptIn(t, code)
	cmd := exec.CommandContext(t.Context(), "python3", append([]string{script}, scriptArguments...)...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = dir, scriptEnviron(), &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return endingOf(dir, stdout.String(), stderr.String(), cmd)
}

func runByRunner(t *testing.T, code string) ending {
	t.Helper()
	dir, script := scriptIn(t, code)
	i := startInterpreter(t, dir, "verbatim")
	argv := append([]string{script}, scriptArguments...)
	i.send(t, runnerJob{
		Verbatim: true, File: "etl.py", SourcePath: script, Environ: scriptEnviron(), Dir: dir, Argv: argv, OriginalArgv: argv,
		Inputs: []runnerInput{}, Outputs: []value.Param{},
	}, code)
	stdout, stderr, _ := i.wait(t)
	return endingOf(dir, stdout, stderr, i.cmd)
}

func scriptIn(t *testing.T, code string) (dir, script string) {
	t.Helper()
	dir = t.TempDir()
	script = filepath.Join(dir, "etl.py")
	writeFile(t, script, []byte(code))
	return dir, script
}

// scriptEnviron is what the interpreter of a test has to get with its job: it is
// started without the last.
func scriptEnviron() []string {
	return append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "GREETING=hello=")
}

func endingOf(dir, stdout, stderr string, cmd *exec.Cmd) ending {
	address := regexp.MustCompile(`0x[0-9a-f]+`)
	plain := func(s string) string { return address.ReplaceAllString(strings.ReplaceAll(s, dir, "/work"), "0x") }
	return ending{plain(stdout), plain(stderr), cmd.ProcessState.String()}
}
