//go:build linux

package glovebox_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox"
	"github.com/glovebox-dev/glovebox/embed"
)

// soakVariable says how many runs TestSoak makes; the default is few.
const (
	soakVariable = "GLOVEBOX_TEST_SOAK"
	soakDefault  = 60
	soakAtOnce   = 4
)

// Growth that a soak may show: a process is not quiet to the last goroutine,
// and a heap is not as small as it can be.
const (
	moreGoroutines  = 10
	moreDescriptors = 5
	moreMemory      = 48 << 20 // bytes
)

// TestSoak makes many runs, warm and cold, several at the same time, and then
// looks for what they left behind: memory, descriptors, goroutines, processes,
// cgroups, mounts and directories.
func TestSoak(t *testing.T) {
	s := newSoak(t)
	n := soakRuns(t)
	s.runs(t, max(n/10, 2*soakAtOnce)) // what is made once and kept is there before we look
	before := s.quiet(t)
	t.Logf("before: %v", before)
	began := time.Now()
	s.runs(t, n)
	took := time.Since(began)
	after := s.quiet(t)
	t.Logf("after:  %v", after)
	t.Logf("%d runs in %v, %.1f a second, %d of %d warm", n, took.Round(time.Second), float64(n)/took.Seconds(), s.warmRuns, s.allRuns)
	after.compare(t, before)
	if s.warmRuns == 0 || s.warmRuns == s.allRuns {
		t.Errorf("%d of %d runs were warm, want some and not all", s.warmRuns, s.allRuns)
	}
}

func soakRuns(t *testing.T) int {
	text := os.Getenv(soakVariable)
	if text == "" {
		return soakDefault
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want the number of runs", soakVariable, text)
	}
	return n
}

// soak is a Glovebox with warm cells and one without, and what their runs did.
type soak struct {
	gloves []*glovebox.Glovebox
	home   string

	mu                sync.Mutex
	allRuns, warmRuns int
	cells             map[string]bool // the names of all cells that were seen
}

// newSoak keeps a fixed number of cells ready, so that what they hold is the
// same before and after.
func newSoak(t *testing.T) *soak {
	const ready = 2
	s := &soak{home: os.Getenv("GLOVEBOX_HOME"), cells: map[string]bool{}}
	for _, o := range []embed.Options{{WarmCells: ready}, {WarmCells: -1}} {
		s.gloves = append(s.gloves, openWith(t, o))
	}
	if err := s.gloves[0].KeepWarm(t.Context(), soaked, ready); err != nil {
		t.Fatal(err)
	}
	return s
}

// soaked does a little of everything: values, a process that outlives the code,
// files that are no outputs.
var soaked = glovebox.Sandbox{
	Name: "soaked", Inputs: []string{"x: int"}, Outputs: []string{"result: int"}, Cache: "disable",
	Code: `
import subprocess
subprocess.Popen(["sleep", "1000"])
open("left", "w").write("left")
print(x)
result = x * 2
`,
}

func (s *soak) runs(t *testing.T, n int) {
	t.Helper()
	var wg sync.WaitGroup
	next := make(chan int)
	for range soakAtOnce {
		wg.Go(func() {
			for i := range next {
				if err := s.one(t.Context(), i); err != nil {
					t.Errorf("run %d: %v", i, err)
				}
			}
		})
	}
	for i := range n {
		if t.Failed() {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

func (s *soak) one(ctx context.Context, i int) error {
	result, err := s.gloves[i%len(s.gloves)].Run(ctx, soaked, glovebox.Values{"x": i})
	if err != nil {
		return err
	}
	doubled, err := glovebox.Get[int](result, "result")
	if err == nil && doubled != 2*i {
		err = fmt.Errorf("the result is %d, want %d", doubled, 2*i)
	}
	names := s.names()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.allRuns++
	if result.Usage.Warm {
		s.warmRuns++
	}
	for _, name := range names {
		s.cells[name] = true
	}
	return err
}

// names are those of the cells that there are now.
func (s *soak) names() (all []string) {
	entries, _ := os.ReadDir(filepath.Join(s.home, "cells")) // none before the first cell
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// held is what a process and its cells hold.
type held struct {
	resident                                                         int64 // bytes of this process
	goroutines, descriptors, cells, idle, processes, cgroups, mounts int
}

func (h held) String() string {
	return fmt.Sprintf("%d MiB resident, %d goroutines, %d descriptors, %d cells of which %d ready, %d processes, %d cgroups of gone cells, %d mounts",
		h.resident>>20, h.goroutines, h.descriptors, h.cells, h.idle, h.processes, h.cgroups, h.mounts)
}

// settling is how long the work that follows runs may take.
const settling = 30 * time.Second

// quiet waits until the pool is full and used cells are gone, and looks then.
func (s *soak) quiet(t *testing.T) held {
	t.Helper()
	var h held
	for deadline := time.Now().Add(settling); ; <-time.After(50 * time.Millisecond) {
		pools, err := s.gloves[0].Service().WarmPools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		h = s.look(t)
		full := true
		for _, p := range pools {
			h.idle += p.Idle
			full = full && p.Idle == p.Wanted && p.Starting == 0
		}
		if full && h.cells == h.idle {
			return h
		}
		if time.Now().After(deadline) {
			t.Errorf("used cells are not gone, or the pool is not full, after %v: %v; %+v", settling, h, pools)
			return h
		}
	}
}

func (s *soak) look(t *testing.T) held {
	t.Helper()
	debug.FreeOSMemory()
	return held{
		resident: residentMemory(t), goroutines: runtime.NumGoroutine(), descriptors: len(listed(t, "/proc/self/fd")),
		cells: len(s.names()), processes: children(t), cgroups: s.cgroups(), mounts: strings.Count(read(t, "/proc/self/mountinfo"), "\n"),
	}
}

// compare fails the test for what is more than before.
func (h held) compare(t *testing.T, before held) {
	t.Helper()
	for _, c := range []struct {
		what            string
		now, was, allow int64
	}{
		{"bytes of resident memory", h.resident, before.resident, moreMemory},
		{"goroutines", int64(h.goroutines), int64(before.goroutines), moreGoroutines},
		{"descriptors", int64(h.descriptors), int64(before.descriptors), moreDescriptors},
		{"cells that are not ready", int64(h.cells - h.idle), 0, 0},
		{"processes", int64(h.processes), int64(before.processes), 0},
		{"cgroups of cells that are gone", int64(h.cgroups), 0, 0},
		{"mounts", int64(h.mounts), int64(before.mounts), 0},
	} {
		if c.now > c.was+c.allow {
			t.Errorf("%s: %d, before %d", c.what, c.now, c.was)
		}
	}
}

func residentMemory(t *testing.T) int64 {
	t.Helper()
	fields := strings.Fields(read(t, "/proc/self/statm"))
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// children counts the processes below this one.
func children(t *testing.T) (n int) {
	t.Helper()
	for _, task := range listed(t, "/proc/self/task") {
		data, err := os.ReadFile("/proc/self/task/" + task + "/children")
		if err == nil { // else the thread has ended meanwhile
			n += len(strings.Fields(string(data)))
		}
	}
	return n
}

// cgroups counts those of our cells that are gone. Other processes have cells
// too, and there may be several cgroups for one.
func (s *soak) cgroups() int {
	gone := map[string]bool{}
	_ = filepath.WalkDir("/sys/fs/cgroup", func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() && s.cells[e.Name()] { // else it went away, or is not ours to see
			gone[e.Name()] = true
		}
		return nil
	})
	for _, name := range s.names() {
		delete(gone, name)
	}
	return len(gone)
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func listed(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}
