package app

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

func TestSweepRuns(t *testing.T) {
	dir := t.TempDir()
	whole := makeRun(t, dir, "run-1", 0)
	partial := makeRun(t, dir, "run-2"+partialRun, 0)
	foreign := makeRun(t, dir, "mine"+partialRun, 0)
	if err := sweepRuns(dir); err != nil {
		t.Fatal(err)
	}
	if !exists(whole) || exists(partial) || !exists(foreign) || !exists("/etc/passwd") {
		t.Errorf("whole %v, partial %v, foreign %v", exists(whole), exists(partial), exists(foreign))
	}
	if err := sweepRuns(filepath.Join(dir, "absent")); err != nil {
		t.Errorf("no runs at all: %v", err)
	}
}

func TestPruneRun(t *testing.T) {
	dir := t.TempDir()
	before := time.Now().Add(-time.Hour)
	old, fresh := makeRun(t, dir, "run-1", 2*time.Hour), makeRun(t, dir, "run-2", time.Minute)
	growing := makeRun(t, dir, "run-3"+partialRun, 2*time.Hour)
	var p Pruned
	for _, run := range []string{old, fresh, growing} {
		if err := p.pruneRun(t.Context(), run, before); err != nil {
			t.Fatal(err)
		}
	}
	if exists(old) || !exists(fresh) || !exists(growing) {
		t.Errorf("old %v, fresh %v, growing %v", exists(old), exists(fresh), exists(growing))
	}
	if p.Runs != 1 || p.RunBytes < 100 {
		t.Errorf("pruned = %+v", p)
	}
}
