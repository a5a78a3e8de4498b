package attack

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// server is a glovebox serve with a home of its own.
type server struct {
	t    *testing.T
	home string
	cmd  *exec.Cmd
	log  bytes.Buffer
	read chan struct{} // closed when the log is whole
}

// serve starts a server and returns when it answers.
func serve(t *testing.T, home string, flags ...string) *server {
	t.Helper()
	s := &server{t: t, home: home, cmd: command(append([]string{"serve"}, flags...)...), read: make(chan struct{})}
	s.cmd.Env = append(s.cmd.Env, "GLOVEBOX_HOME="+home)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.end(syscall.SIGKILL) })
	lines := bufio.NewReader(stderr)
	if line, err := lines.ReadString('\n'); !strings.Contains(line, "listening on ") {
		t.Fatalf("serve printed %q: %v", line, err)
	}
	go func() {
		defer close(s.read)
		_, _ = io.Copy(&s.log, lines) // the end of the process ends it
	}()
	return s
}

// end sends the signal, unless the server has ended, and returns what it logged.
func (s *server) end(signal syscall.Signal) string {
	_ = s.cmd.Process.Signal(signal) // it may have ended
	<-s.read
	_ = s.cmd.Wait() // by the signal
	return s.log.String()
}

// command returns a client of the server.
func (s *server) command(args ...string) *exec.Cmd {
	cmd := command(args...)
	cmd.Env = append(cmd.Env, "GLOVEBOX_HOME="+filepath.Join(s.home, "client"), "GLOVEBOX_URL=unix://"+filepath.Join(s.home, "server", "glovebox.sock"))
	return cmd
}

func (s *server) ask(stdin string, args ...string) ended {
	s.t.Helper()
	cmd := s.command(args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		s.t.Fatal(err)
	}
	return ended{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), 0}
}

// TestAttackR12_KillNineOfAServer kills a server with runs under way: no cell
// lives on. The outcome of its runs is unknown, because they had network
// access, so the next server ends them without executing them again.
func TestAttackR12_KillNineOfAServer(t *testing.T) {
	home := t.TempDir()
	s := serve(t, home)
	var runs []string
	for range 2 {
		id := strings.TrimSpace(s.ask("", "run", "--detach", "--network", "public", "--image", sleeperImage(t)).succeeds(t).stdout)
		s.waitFor(id, "up\n")
		runs = append(runs, id)
	}
	if len(running(t)) < 3 {
		t.Error("there are no processes beside the server, so the test sees nothing")
	}
	s.end(syscall.SIGKILL)
	for deadline := time.Now().Add(time.Minute); len(running(t)) > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("after kill -9 these run on:\n%s", strings.Join(running(t), "\n"))
		}
	}
	s = serve(t, home)
	for _, id := range runs {
		if e := s.ask("", "logs", "-f", id).succeeds(t); strings.Count(e.stdout, "up\n") != 1 {
			t.Errorf("run %s printed %q", id, e.stdout)
		}
		if shown := s.ask("", "show", "--json", id).succeeds(t).stdout; !strings.Contains(shown, `"outcome_unknown"`) {
			t.Errorf("run %s: %s", id, shown)
		}
	}
	if left, err := os.ReadDir(filepath.Join(home, "cells")); len(left) > 0 || err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("cells are left: %v, %v", left, err)
	}
}

// waitFor follows what a run prints until it has printed a line.
func (s *server) waitFor(run, want string) {
	s.t.Helper()
	follow := s.command("logs", "-f", run)
	out, err := follow.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := follow.Start(); err != nil {
		s.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = follow.Process.Kill()
	_ = follow.Wait() // by that signal
	if line != want {
		s.t.Fatalf("run %s printed %q: %v", run, line, err)
	}
}

// TestAttackS01_NowhereOnAServer is TestAttackS01_NowhereInClear where the
// secret goes over a server, which keeps a journal and a log of its own.
func TestAttackS01_NowhereOnAServer(t *testing.T) {
	home, canary := t.TempDir(), "canary-"+rand.Text()
	began := time.Now().Add(-time.Second)
	s := serve(t, home)
	s.ask(canary, "secret", "set", "key").succeeds(t)
	outputs := []ended{
		s.ask("", "secret", "ls"),
		s.ask("", "run", "--image", sleeperImage(t), "--secret", "key=KEY", "--timeout", "1s", "--json"),
		s.ask("", "runs", "--json"),
	}
	if outputs[1].status != 124 {
		t.Errorf("the run ended with the status %d: %s", outputs[1].status, outputs[1].stderr)
	}
	for i, e := range outputs {
		if strings.Contains(e.stdout+e.stderr, canary) {
			t.Errorf("output %d has the secret: %s%s", i, e.stdout, e.stderr)
		}
	}
	if log := s.end(syscall.SIGTERM); strings.Contains(log, canary) || !strings.Contains(log, "/v1/secrets") {
		t.Errorf("the log of the server: %s", log)
	}
	scanTree(t, home, began, []byte(canary))
}

// TestAttackA03_ListensToTheWorld: a server that others reach is refused without
// a token, and without TLS.
func TestAttackA03_ListensToTheWorld(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte(rand.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := errors.Join(os.Mkdir(open, 0o700), os.Chmod(open, 0o777)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GLOVEBOX_HOME", t.TempDir())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // one that listens does not end
	defer cancel()
	for _, args := range [][]string{
		{"--listen", "127.0.0.1:0"},
		{"--listen", "0.0.0.0:0"},
		{"--listen", "0.0.0.0:0", "--token-file", token},
		{"--listen", ":0", "--token-file", token},
		{"--listen", "[::]:0", "--token-file", token},
		{"--listen", "unix:" + filepath.Join(open, "glovebox.sock")},
	} {
		cmd := exec.CommandContext(ctx, program, append([]string{"serve"}, args...)...)
		if out, err := cmd.CombinedOutput(); cmd.ProcessState.ExitCode() != 2 || !strings.HasPrefix(string(out), "glovebox: --listen: ") {
			t.Errorf("%q: %v: %s", args, err, out)
		}
	}
}

// TestAttackD06_DatabaseTakenAway removes the database under a server: it says
// so, instead of confirming what is lost.
func TestAttackD06_DatabaseTakenAway(t *testing.T) {
	home := t.TempDir()
	s := serve(t, home)
	s.ask("", "orchestrate", "-c", "1").succeeds(t)
	path := filepath.Join(home, "glovebox.db")
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	s.ask("", "orchestrate", "--json", "-c", "2").fails(t, "storage_corrupt", "removed or replaced")
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	s.ask("", "orchestrate", "-c", "3").succeeds(t)
}
