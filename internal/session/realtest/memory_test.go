package realtest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// counter counts in memory, and answers what it has counted.
const counter = `
import os, signal, time
n = 0
path = '/tmp/count'
while True:
    n += 1
    with open(path + '.new', 'w') as f: f.write(str(n))
    os.rename(path + '.new', path)
    time.sleep(0.01)
`

// start starts a process that outlives the call, and returns its number.
func (s sessions) start(id string, argv ...string) int {
	s.t.Helper()
	for e, err := range s.StartProcess(s.t.Context(), id, api.ProcessSpec{Argv: argv, Stdin: true}) {
		if err != nil {
			s.t.Fatal(err)
		}
		return e.PID
	}
	s.t.Fatal("a process without a beginning")
	return 0
}

// count is how far a counter has counted.
func (s sessions) count(id string) (n int) {
	s.t.Helper()
	if _, err := fmt.Sscan(s.sh(id, "until test -s /tmp/count; do sleep 0.01; done; cat /tmp/count"), &n); err != nil {
		s.t.Fatal(err)
	}
	return n
}

// TestMemorySurvivesAPause: processes continue where they were, also with another
// server.
func TestMemorySurvivesAPause(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{})
	s.start(x.ID, "python3", "-c", counter)
	echo := s.start(x.ID, "cat")
	boot := s.sh(x.ID, "cat /proc/sys/kernel/random/boot_id; hostname")
	for range 3 {
		before := s.count(x.ID)
		paused, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{})
		if err != nil || !paused.Memory || paused.Saved == 0 {
			t.Fatalf("%+v, %v", paused, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = h.open()
		after := s.count(x.ID)
		if after < before {
			t.Errorf("it had counted to %d, and goes on from %d", before, after)
		}
		s.sh(x.ID, fmt.Sprintf("until test $(cat /tmp/count) -gt %d; do sleep 0.05; done", after))
	}
	if got := s.sh(x.ID, "cat /proc/sys/kernel/random/boot_id; hostname"); got != boot {
		t.Errorf("it was started anew: %q, was %q", got, boot)
	}
	if err := s.WriteInput(t.Context(), x.ID, api.ProcessRef{PID: echo}, []byte("still here")); err != nil {
		t.Error(err)
	}
	if err := s.CloseInput(t.Context(), x.ID, api.ProcessRef{PID: echo}); err != nil {
		t.Error(err)
	}
	var out string
	for e, err := range s.FollowProcess(t.Context(), x.ID, api.ProcessRef{PID: echo}, 0) {
		if err != nil {
			t.Fatal(err)
		}
		out += string(e.Data)
	}
	if out != "still here" {
		t.Errorf("the process with an input says %q", out)
	}
}

// TestMemoryForks: children continue where the session is, apart from each other
// and with identities of their own, and whoever follows the session notices nothing.
func TestMemoryForks(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{})
	s.start(x.ID, "python3", "-c", counter)
	before := s.count(x.ID)
	type followed struct {
		out string
		err error
	}
	done := make(chan followed, 1)
	go func() {
		out, _, err := s.run(x.ID, api.ProcessSpec{Argv: []string{"/bin/sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do echo $i; sleep 0.1; done"}})
		done <- followed{out, err}
	}()
	forks, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{Count: 2})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{s.sh(x.ID, "hostname; cat /etc/machine-id 2>/dev/null || true"): true}
	for i, f := range forks {
		if f.Error != nil {
			t.Fatal(f.Error)
		}
		if got := s.count(f.Session.ID); got < before {
			t.Errorf("fork %d counts from %d, the session was at %d", i, got, before)
		}
		who := s.sh(f.Session.ID, "hostname; cat /etc/machine-id 2>/dev/null || true")
		if seen[who] {
			t.Errorf("fork %d is not new: %q", i, who)
		}
		seen[who] = true
		s.sh(f.Session.ID, "pkill python3 || true; echo own > /work/file")
	}
	if got := s.sh(x.ID, "ls /work; a=$(cat /tmp/count); until test $(cat /tmp/count) -gt $a; do sleep 0.05; done; echo on"); got != "on" {
		t.Errorf("the session after its forks: %q", got)
	}
	if got := <-done; got.err != nil || got.out != "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n" {
		t.Errorf("who followed the session got %q, %v", got.out, got.err)
	}
	if entries, err := os.ReadDir(h.dir); err != nil || len(entries) != 0 {
		t.Errorf("states that nobody has: %v, %v", entries, err)
	}
}

// TestMemorySnapshot: a snapshot with memory can be continued often.
func TestMemorySnapshot(t *testing.T) {
	s := newHome(t).open()
	x := s.create(api.SessionSpec{})
	s.start(x.ID, "python3", "-c", counter)
	before := s.count(x.ID)
	snapshot, err := s.NewSnapshot(t.Context(), x.ID, api.SnapshotOptions{Memory: true})
	if err != nil || !snapshot.Memory {
		t.Fatalf("%+v, %v", snapshot, err)
	}
	if err := s.KillSession(t.Context(), x.ID); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		y := s.create(api.SessionSpec{Snapshot: snapshot.ID})
		if got := s.count(y.ID); got < before {
			t.Errorf("it counts from %d, the session was at %d", got, before)
		}
	}
}

// TestDamagedMemory: nothing of a saved memory is decoded that is not what was saved.
func TestDamagedMemory(t *testing.T) {
	h := newHome(t)
	s := h.open()
	x := s.create(api.SessionSpec{})
	if _, err := s.PauseSession(t.Context(), x.ID, api.PauseOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kernel", "index", "pages", "about"} {
		paths, err := filepath.Glob(filepath.Join(h.dir, "*", name))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%q, %v", paths, err)
		}
		was, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		changed := bytes.Clone(was)
		changed[len(changed)/2] ^= 1
		for _, content := range [][]byte{changed, was} {
			if err := os.WriteFile(paths[0], content, 0o600); err != nil {
				t.Fatal(err)
			}
			if bytes.Equal(content, was) {
				continue
			}
			if _, err := s.ResumeSession(t.Context(), x.ID); !errors.Is(err, api.StorageCorrupt) {
				t.Errorf("%s is damaged: %v", name, err)
			}
		}
	}
	s.sh(x.ID, "true")
}
