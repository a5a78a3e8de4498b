package attack

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestAttackR02_OutOfMemoryIsSaidToBeThat(t *testing.T) {
	e := glovebox(t, "run", "--json", "--memory", "256Mi", "-c", "b = []\nwhile True: b.append(b'x' * (1 << 20) * 4)")
	e.fails(t, "out_of_memory", "")
	if e.status != 137 || e.result(t).Error.Details.Limit != 256<<20 {
		t.Errorf("the status is %d and the limit %d", e.status, e.result(t).Error.Details.Limit)
	}
}

func TestAttackR05_SparseOutput(t *testing.T) {
	code := `
for size in (1 << 60, 1 << 50, 1 << 43):
    try:
        open("/var/outputs/out", "wb").truncate(size); break
    except OSError: pass
`
	e := glovebox(t, "run", "--json", "--verbatim", "-o", "out:File", "-c", code)
	e.fails(t, "output_too_large", "")
	if e.memory > 512<<20 {
		t.Errorf("glovebox used %d bytes for a file with nothing in it", e.memory)
	}
}

// TestAttackR07_LogFlood prints 256 MiB without a newline. The memory of
// glovebox stays small, and the result says that bytes are missing.
func TestAttackR07_LogFlood(t *testing.T) {
	e := glovebox(t, "run", "--json", "-c", "import os\nfor _ in range(1 << 12): os.write(1, b'x' * 65536)").succeeds(t)
	r := e.result(t)
	if len(r.Stdout) > 64<<20 || !strings.Contains(r.Stdout, "dropped") {
		t.Errorf("the kept output has %d bytes and begins with %.100q", len(r.Stdout), r.Stdout)
	}
	if e.memory > 512<<20 {
		t.Errorf("glovebox used %d bytes", e.memory)
	}
}

func TestAttackR08_TimeOut(t *testing.T) {
	begin := time.Now()
	e := glovebox(t, "run", "--json", "--timeout", "2s", "-c", "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nos.fork()\nwhile True: pass")
	e.fails(t, "timeout", "")
	if e.status != 124 {
		t.Errorf("the status is %d, want 124", e.status)
	}
	if took := time.Since(begin); took > 30*time.Second {
		t.Errorf("a limit of two seconds took %v", took)
	}
}

// TestAttackR12_KillNine kills glovebox where it cannot clean up: nothing of
// the run lives on, and the next start removes what is left on disk. The home
// is its own, because a start sweeps when it finds itself alone.
func TestAttackR12_KillNine(t *testing.T) {
	own := t.TempDir()
	args := []string{"run", "--image", sleeperImage(t)}
	cmd := command(args...)
	cmd.Env = append(cmd.Env, "GLOVEBOX_HOME="+own)
	startSleeper(t, cmd)
	mine := cells(t, own)
	if len(mine) == 0 || len(running(t)) < 2 {
		t.Error("the run has no directory or no processes beside glovebox, so the test sees nothing")
	}
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	for deadline := time.Now().Add(time.Minute); len(running(t)) > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("after kill -9 these run on:\n%s", strings.Join(running(t), "\n"))
		}
	}
	next := command(append(args, "--timeout", "1s")...)
	next.Env = append(next.Env, "GLOVEBOX_HOME="+own)
	if out, err := next.CombinedOutput(); next.ProcessState.ExitCode() != 124 {
		t.Fatalf("the next run ended with %v: %s", err, out)
	}
	for _, dir := range mine {
		if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the next start left %s: %v", dir, err)
		}
	}
}

// TestAttackR12_HangUp: a terminal that goes away ends a run as SIGTERM does, and
// a server too; nothing is left.
func TestAttackR12_HangUp(t *testing.T) {
	own := t.TempDir()
	cmd := command("run", "--image", sleeperImage(t))
	cmd.Env = append(cmd.Env, "GLOVEBOX_HOME="+own)
	startSleeper(t, cmd)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	if cmd.Wait(); cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("the run ended with %v", cmd.ProcessState)
	}
	if left := append(cells(t, own), running(t)...); len(left) > 0 {
		t.Errorf("these are left: %v", left)
	}
	s := serve(t, own)
	if shown := s.ask("", "runs", "--json").succeeds(t).stdout; !strings.Contains(shown, `"status":"canceled"`) {
		t.Errorf("the run is listed as %s", shown)
	}
	s.end(syscall.SIGHUP)
	if code := s.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("the server ended with %d", code)
	}
	if _, err := os.Stat(filepath.Join(own, "server", "glovebox.sock")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its socket is left: %v", err)
	}
}

// startSleeper starts a run of the sleeper, and returns when it is up.
func startSleeper(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "up\n" {
		t.Fatalf("the run printed %q: %v", line, err)
	}
}

// cells lists the directories of the cells of a home.
func cells(t *testing.T, home string) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(home, "cells", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// running lists the processes that run this test's glovebox.
func running(t *testing.T) []string {
	t.Helper()
	want, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	executables, err := filepath.Glob("/proc/[0-9]*/exe")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range executables {
		if got, err := os.Stat(path); err == nil && os.SameFile(got, want) {
			found = append(found, path)
		}
	}
	return found
}
