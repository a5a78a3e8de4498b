package attack

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// smallHome makes a home on a file system of its own, with the images of all
// tests.
func smallHome(t *testing.T, size string) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("needs root, to mount a small file system")
	}
	dir, err := os.MkdirTemp("", "small-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "mode=0700,size="+size); err != nil {
		t.Skipf("needs to mount a small file system: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_FORCE|2) }) // 2 is MNT_DETACH
	if err := os.Symlink(filepath.Join(home, "images"), filepath.Join(dir, "images")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// in runs a command with another home.
func in(t *testing.T, home string, args ...string) ended {
	t.Helper()
	cmd := command(args...)
	cmd.Env = append(cmd.Env, "GLOVEBOX_HOME="+home)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return ended{stdout.String(), stderr.String(), cmd.ProcessState.ExitCode(), maxRSS(cmd.ProcessState)}
}

// filler writes to the disk of its cell until nothing more fits.
const filler = `
import time
f = open("big", "wb", 0)
try:
    while True: f.write(b"x" * 65536)
except OSError as e: print(e.errno)
`

// TestAttackR15_AloneOnTheDisk writes all that it may: the next write fails
// with an error of its own system call, the program continues, and its result
// is kept.
func TestAttackR15_AloneOnTheDisk(t *testing.T) {
	home := smallHome(t, "200m")
	e := in(t, home, "run", "--json", "-o", "x:int", "-c", filler+"x = 42").succeeds(t)
	if r := e.result(t); r.Outputs["x"] != 42.0 || !strings.Contains(r.Stdout, "28") {
		t.Errorf("got %v, and %q was printed", r.Outputs, r.Stdout)
	}
}

// TestAttackR15_TwoFillTheDisk: of two cells that together take more than there
// is, one is ended with an error that says so; a neighbour that works meanwhile
// keeps its result, and so does the server.
func TestAttackR15_TwoFillTheDisk(t *testing.T) {
	s := serve(t, smallHome(t, "200m"))
	for _, seconds := range []int{6, 24, 96} { // a slow host takes longer
		if s.fillBeside(seconds) > 0 {
			s.ask("", "run", "-o", "x:int", "-c", "x = 1").succeeds(t)
			return
		}
	}
	t.Error("both cells have what they wanted")
}

// fillBeside fills the disk by two cells beside a neighbour that works for so many
// seconds, and returns how many of the two were ended in that time. They begin
// together, half way: the disk must not be full before both are there.
func (s *server) fillBeside(seconds int) (ended int) {
	t := s.t
	t.Helper()
	victim := strings.TrimSpace(s.ask("", "run", "--detach", "-o", "x:int", "-c", fmt.Sprintf("import sys, time\nprint('up', flush=True)\ntime.sleep(%d)\nx = 42", seconds)).succeeds(t).stdout)
	s.waitFor(victim, "up\n")
	var fillers []string
	together := fmt.Sprintf("import time\ntime.sleep(max(0, %d - time.time()))\n", time.Now().Unix()+int64(seconds/2))
	for range 2 {
		fillers = append(fillers, strings.TrimSpace(s.ask("", "run", "--detach", "-c", together+filler+"time.sleep(600)").succeeds(t).stdout))
	}
	if got := s.ask("", "logs", "-f", victim).succeeds(t); got.stdout != "up\n" {
		t.Errorf("the neighbour printed %q", got.stdout)
	}
	if shown := s.ask("", "show", "--json", victim).succeeds(t).stdout; !strings.Contains(shown, `"x":42`) {
		t.Errorf("the neighbour ended with %s", shown)
	}
	for _, id := range fillers {
		shown := s.ask("", "show", "--json", id).succeeds(t).stdout
		if strings.Contains(shown, `"status":"running"`) {
			s.ask("", "cancel", id)
			s.ask("", "logs", "-f", id) // until it has ended
		} else if strings.Contains(shown, "the disk is nearly full") {
			continue // it came too late to begin
		} else if ended++; !strings.Contains(shown, `"storage_full"`) || !strings.Contains(shown, "the disk of the host was nearly full") {
			t.Errorf("a cell that filled the disk ended with %s", shown)
		}
	}
	return ended
}
