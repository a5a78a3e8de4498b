package autoio_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/sandbox/autoio"
)

// interpreter is the runner, which waits for its job in the Python of the host.
type interpreter struct {
	cmd            *exec.Cmd
	job            *os.File
	stdout, stderr bytes.Buffer
	control        bytes.Buffer // whole once wait has returned, with the byte of readiness
	copying        sync.WaitGroup
}

// skipWhenShort leaves out the row of a table with -short, unless it is one of
// the few that stand for all. Each row starts Python, and there are hundreds.
func skipWhenShort(t *testing.T, row string, stand ...string) {
	t.Helper()
	if testing.Short() && !slices.Contains(stand, row) {
		t.Skip("starts Python once more: run without -short")
	}
}

// startInterpreter starts the runner with an empty directory for its own, and
// does not wait until it is ready.
func startInterpreter(t *testing.T, dir string, args ...string) *interpreter {
	t.Helper()
	return startProgram(t, autoio.Program(), dir, args...)
}

// startProgram does the same with a changed runner.
func startProgram(t *testing.T, program []byte, dir string, args ...string) *interpreter {
	t.Helper()
	return startProgramBeside(t, program, nil, dir, args...)
}

// startProgramBeside has what was compiled beside it, unless that is nil.
func startProgramBeside(t *testing.T, program, compiled []byte, dir string, args ...string) *interpreter {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("needs python3")
	}
	runner := filepath.Join(t.TempDir(), "importlib_bootstrap", "start.py")
	if err := os.Mkdir(filepath.Dir(runner), 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, runner, program)
	if compiled != nil {
		writeFile(t, filepath.Join(filepath.Dir(runner), "compiled"), compiled)
	}
	jobEnd, job := pipe(t)
	control, controlEnd := pipe(t)
	i := &interpreter{cmd: exec.CommandContext(t.Context(), python, append([]string{runner}, args...)...), job: job}
	i.cmd.Dir, i.cmd.Stdout, i.cmd.Stderr = dir, &i.stdout, &i.stderr
	i.cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	i.cmd.ExtraFiles = []*os.File{jobEnd, controlEnd}
	if err := i.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	jobEnd.Close()
	controlEnd.Close()
	i.copying.Go(func() { _, _ = io.Copy(&i.control, control) })
	return i
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// send gives it its job. One that has ended takes none.
func (i *interpreter) send(t *testing.T, job runnerJob, code string) {
	t.Helper()
	job.SourceBytes = len(code)
	head, err := json.Marshal(job)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = i.job.Write(append(append(head, '\n'), code...))
	i.job.Close()
}

// wait returns how it ended.
func (i *interpreter) wait(t *testing.T) (stdout, stderr string, exit int) {
	t.Helper()
	err := i.cmd.Wait()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	i.copying.Wait()
	return i.stdout.String(), i.stderr.String(), i.cmd.ProcessState.ExitCode()
}
