package autoio_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/sandbox/autoio"
)

// compiledHere returns the runner as the Python of the host compiles it.
func compiledHere(t *testing.T) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "compile.py")
	writeFile(t, file, autoio.CompileProgram("/nowhere"))
	out, err := exec.Command("python3", "-I", "-S", file).Output()
	if err != nil {
		t.Skipf("needs python3: %v", err)
	}
	return out
}

// The runner takes what this very Python has compiled, and nothing else.
func TestRunnerTakesCompiled(t *testing.T) {
	code := compiledHere(t)
	broken := "raise SystemExit('the text was compiled')"
	program := bytes.Replace(autoio.Program(), []byte(`"wait": "`), []byte(`"wait": "`+broken+`\n`), 1)
	for name, c := range map[string]struct {
		compiled []byte
		taken    bool
	}{
		"its own":         {code, true},
		"none":            {nil, false},
		"cut":             {code[:len(code)/2], false},
		"no code":         {[]byte("x = 1\n"), false},
		"another version": {bytes.Replace(code, []byte("3."), []byte("2."), 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			skipWhenShort(t, name, "its own", "none")
			i := startProgramBeside(t, program, c.compiled, t.TempDir(), "wait")
			i.send(t, runnerJob{Verbatim: true}, "")
			_, stderr, exit := i.wait(t)
			if taken := !strings.Contains(stderr, "the text was compiled"); taken != c.taken {
				t.Errorf("taken %t, want %t: status %d\n%s", taken, c.taken, exit, stderr)
			}
			if ready := strings.HasPrefix(i.control.String(), "\n"); ready != c.taken {
				t.Errorf("ready %t: %s", ready, stderr)
			}
		})
	}
}
