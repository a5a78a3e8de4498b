package realtest

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell/celltest"
	"github.com/glovebox-dev/glovebox/internal/cell/gvisor"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/sandbox"
	"github.com/glovebox-dev/glovebox/internal/session"
)

// cycler is the variable by which this program is a process that pauses and resumes
// a session for ever: its value is a directory and the path of an image.
const cycler = "GLOVEBOX_TEST_SESSION_CYCLER"

// cycle says on its standard output what it is certain of: the number that the
// session has in its file, once that is paused.
func cycle(dir, rootFS string) error {
	ctx := context.Background()
	driver, err := gvisor.New(gvisor.Config{Program: "/proc/self/exe", Dir: filepath.Join(dir, "cells")})
	if err != nil {
		return err
	}
	db, err := sqlite.Open(ctx, filepath.Join(dir, "db"), sqlite.Options{})
	if err != nil {
		return err
	}
	s := session.New(session.Config{
		Cells: newRunner(driver, rootFS, filepath.Join(dir, "runs")), Journal: db.Sessions(), Dir: filepath.Join(dir, "sessions"),
		Key: testKey, Egress: egress, Owner: "the one that is killed", Alive: func(string) bool { return false },
	})
	x, err := s.NewSession(ctx, api.SessionSpec{})
	if err != nil {
		return err
	}
	fmt.Println(x.ID)
	for i := 1; ; i++ {
		for _, err := range s.StartProcess(ctx, x.ID, api.ProcessSpec{Argv: []string{"/bin/sh", "-c", fmt.Sprintf("echo %d > file", i)}}) {
			if err != nil {
				return err
			}
		}
		if _, err := s.PauseSession(ctx, x.ID, api.PauseOptions{FilesOnly: i%2 == 0}); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

func newRunner(driver *gvisor.Driver, rootFS, dir string) *sandbox.Runner {
	return sandbox.New(sandbox.Config{
		Driver: driver, Images: realImages{rootFS}, Dir: dir,
		Secrets:      func(string) ([]byte, error) { return nil, nil },
		Certificates: func(bool) ([]byte, error) { return nil, nil },
		Egress: func(p api.Network, a func(api.Connection), _ sandbox.Ways) (sandbox.Handler, error) {
			return egress(p, a, sandbox.Ways{})
		},
	})
}

// TestKilledAtAnyStep: whenever the process of a session is killed, the session is
// lost, or paused with what it had when it was paused last.
func TestKilledAtAnyStep(t *testing.T) {
	h := newHome(t)
	states := map[api.SessionState]int{}
	for range 8 {
		dir := t.TempDir()
		id, known := killCycler(t, dir, time.Duration(300+rand.IntN(900))*time.Millisecond)
		if id == "" {
			continue // it was killed before it had a session
		}
		states[h.judge(dir, id, known)]++
	}
	t.Logf("states: %v", states)
}

// killCycler runs a cycler for some time, and returns what it was certain of.
func killCycler(t *testing.T, dir string, after time.Duration) (id string, known int) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), cycler+"="+dir+":"+celltest.RootFS(t))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if lines.Scan() {
		id = lines.Text()
	}
	time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	for lines.Scan() {
		if _, err := fmt.Sscan(lines.Text(), &known); err != nil {
			t.Fatalf("the cycler said %q", lines.Text())
		}
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("the cycler ended by itself")
	}
	return id, known
}

// judge opens the home of a process that was killed, and returns what became of its
// session.
func (h *home) judge(dir, id string, known int) api.SessionState {
	t := h.t
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(dir, "db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	service := session.New(session.Config{
		Cells: h.runner, Journal: db.Sessions(), Dir: filepath.Join(dir, "sessions"), Key: testKey, Egress: egress,
		Owner: "the next", Alive: func(string) bool { return false },
	})
	defer service.Close()
	if err := service.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := service.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := sessions{service, t}
	state := s.latest(id)
	switch state {
	case api.SessionLost:
	case api.SessionPaused:
		var got int
		if _, err := fmt.Sscan(s.sh(id, "cat file"), &got); err != nil || got != known && got != known+1 {
			t.Errorf("it was paused with %d, and has %d, %v", known, got, err)
		}
	default:
		t.Errorf("after its process was killed it is %s", state)
	}
	if err := service.KillSession(t.Context(), id); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(filepath.Join(dir, "sessions")); err == nil && len(entries) != 0 {
		t.Errorf("saved states that nobody has: %v", entries)
	}
	return state
}

// playCycler plays the part of a cycler if this process was started as one.
func playCycler() {
	dir, rootFS, ok := strings.Cut(os.Getenv(cycler), ":")
	if !ok {
		return
	}
	fmt.Fprintln(os.Stderr, "the cycler:", cycle(dir, rootFS))
	os.Exit(0)
}
