//go:build linux

package glovebox_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/api"
)

// TestAttachedServers: servers for single processes work on one home with one
// that is not attached. One of them ends when the process that holds its
// standard input is killed: its run is interrupted, nobody else's is touched,
// and a new one leaves it as it is.
func TestAttachedServers(t *testing.T) {
	if testing.Short() {
		t.Skip("starts four servers: run without -short")
	}
	h := attachedHome{buildProgram(t), shortDir(t)}
	plain := h.serve(t, nil, "--listen", "unix:"+filepath.Join(h.dir, "plain"))
	stdin, held := pipe(t)
	first, holder := h.attach(t, "first", stdin), holdOpen(t, held)
	kept, keep := pipe(t)
	second := h.attach(t, "second", kept)

	atPlain, atFirst, atSecond := startEndless(t, plain), startEndless(t, first), startEndless(t, second)
	if err := holder.Kill(); err != nil {
		t.Fatal(err)
	}
	first.checkEnd(t)

	alsoKept, alsoKeep := pipe(t)
	third := h.attach(t, "third", alsoKept)
	gb := dial(t, "unix://"+plain.address, "")
	checkStatus(t, gb, atPlain, api.StatusRunning)
	checkStatus(t, gb, atFirst, api.StatusInterrupted)
	checkStatus(t, gb, atSecond, api.StatusRunning)

	if err := errors.Join(keep.Close(), alsoKeep.Close()); err != nil {
		t.Fatal(err)
	}
	second.checkEnd(t)
	third.checkEnd(t)
	checkStatus(t, gb, atSecond, api.StatusInterrupted)
	if err := gb.Attach(atPlain).Cancel(t.Context(), "the test is over"); err != nil {
		t.Fatal(err)
	}
	plain.signal(t, syscall.SIGTERM)
	plain.checkEnd(t)
}

// TestAttachedServerEndsBySignals: while its standard input is open still.
func TestAttachedServerEndsBySignals(t *testing.T) {
	h := attachedHome{buildProgram(t), shortDir(t)}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		stdin, _ := pipe(t)
		s := h.attach(t, "socket", stdin)
		s.signal(t, signal)
		s.checkEnd(t)
	}
}

// attachedHome is where servers work, and the directory of the program.
type attachedHome struct{ bin, dir string }

// serverProcess is a server in a process of its own.
type serverProcess struct {
	address string
	cmd     *exec.Cmd
	wait    func() error
}

func (h attachedHome) serve(t *testing.T, stdin *os.File, args ...string) serverProcess {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), filepath.Join(h.bin, "glovebox"), append([]string{"serve"}, args...)...)
	cmd.Env = append(os.Environ(), "GLOVEBOX_HOME="+filepath.Join(h.dir, "home"))
	if stdin != nil {
		cmd.Stdin = stdin
	}
	address, wait, err := startServer(cmd)
	if err != nil {
		t.Fatalf("glovebox serve %s: %v", strings.Join(args, " "), err)
	}
	return serverProcess{address, cmd, wait}
}

func (h attachedHome) attach(t *testing.T, socket string, stdin *os.File) serverProcess {
	t.Helper()
	return h.serve(t, stdin, "--attached", "--listen", "unix:"+filepath.Join(h.dir, socket, "s"))
}

func (s serverProcess) signal(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// checkEnd waits for the end of a server, which has to be a good one.
func (s serverProcess) checkEnd(t *testing.T) {
	t.Helper()
	if err := s.wait(); err != nil {
		t.Fatalf("the end of the server at %s: %v", s.address, err)
	}
	if _, err := os.Lstat(s.address); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket %s is there still: %v", s.address, err)
	}
	attached := filepath.Base(s.address) == "s"
	if _, err := os.Stat(filepath.Dir(s.address)); attached != errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the directory of the socket %s is there: %v", s.address, err)
	}
}

// startEndless starts a run that does not end by itself within the test, and
// returns its id when it runs.
func startEndless(t *testing.T, s serverProcess) (id string) {
	t.Helper()
	run, err := dial(t, "unix://"+s.address, "").Start(t.Context(), glovebox.Orchestrator{
		Name: "endless", Source: "while True:\n    pass\n1", Output: "int",
		Limits: glovebox.OrchestratorLimits{Time: time.Hour, Steps: 1 << 60},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for event, err := range run.Events(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if event.Kind == api.EventAttemptStarted {
			return run.ID()
		}
	}
	t.Fatal("the run did not begin")
	return ""
}

func checkStatus(t *testing.T, gb *glovebox.Glovebox, id string, want api.Status) {
	t.Helper()
	if got, err := gb.Attach(id).Status(t.Context()); got != want || err != nil {
		t.Errorf("run %s is %s, %v; want %s", id, got, err, want)
	}
}

// pipe returns both ends of one. Those that are open still are closed when the
// test has ended.
func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, file := range []*os.File{r, w} {
			if err := file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
				t.Error(err)
			}
		}
	})
	return r, w
}

// holdOpen hands w to a process that does nothing but hold it.
func holdOpen(t *testing.T, w *os.File) *os.Process {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sleep", "infinity")
	cmd.Stdout = w
	if err := errors.Join(cmd.Start(), w.Close()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // it was killed
	return cmd.Process
}
