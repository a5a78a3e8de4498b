//go:build unix

package prune

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// makeRun makes the output directory of a run that ended age ago.
func makeRun(t *testing.T, dir, name string, age time.Duration) string {
	t.Helper()
	run := filepath.Join(dir, name)
	when := time.Now().Add(-age)
	for _, err := range []error{
		os.MkdirAll(filepath.Join(run, "tree"), 0o700),
		os.WriteFile(filepath.Join(run, "tree", "file"), make([]byte, 100), 0o600),
		os.Symlink("/etc/passwd", filepath.Join(run, "link")),
		os.Chtimes(run, when, when),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return run
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestSweep(t *testing.T) {
	dir := t.TempDir()
	whole, foreign := makeRun(t, dir, "run-1.outputs", 0), makeRun(t, dir, "mine"+partialRun, 0)
	partial, inputs := makeRun(t, dir, "run-2"+partialRun, 0), makeRun(t, dir, "run-3"+inputsRun, 0)
	if err := Sweep(dir); err != nil {
		t.Fatal(err)
	}
	if !exists(whole) || !exists(foreign) || exists(partial) || exists(inputs) || !exists("/etc/passwd") {
		t.Errorf("whole %v, foreign %v, partial %v, inputs %v", exists(whole), exists(foreign), exists(partial), exists(inputs))
	}
	if err := Sweep(filepath.Join(dir, "absent")); err != nil {
		t.Errorf("no runs at all: %v", err)
	}
}

func TestRemoveTree(t *testing.T) {
	dir := t.TempDir()
	run := makeRun(t, dir, "run-1", 0)
	blob := filepath.Join(dir, "blob")
	for _, err := range []error{os.WriteFile(blob, make([]byte, 1000), 0o600), os.Link(blob, filepath.Join(run, "linked"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	// The link counts with the length of its target, /etc/passwd.
	if freed, err := removeTree(run); err != nil || freed != 100+int64(len("/etc/passwd")) {
		t.Errorf("freed %d bytes, %v; what has another name frees nothing", freed, err)
	}
	if exists(run) || !exists(blob) || !exists("/etc/passwd") {
		t.Errorf("run %v, blob %v", exists(run), exists(blob))
	}
	if freed, err := removeTree(run); err != nil || freed != 0 {
		t.Errorf("again: %d bytes, %v", freed, err)
	}
}
