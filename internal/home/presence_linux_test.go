package home

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// counted counts its calls.
func counted(n *int) func() error {
	return func() error { *n++; return nil }
}

func TestEnterCleansWhenAlone(t *testing.T) {
	home := t.TempDir()
	cleaned := 0
	first, err := Enter(t.Context(), Dir(home), counted(&cleaned))
	if err != nil || cleaned != 1 {
		t.Fatalf("first: %v, cleaned %d times", err, cleaned)
	}
	second, err := Enter(t.Context(), Dir(home), counted(&cleaned))
	if err != nil || cleaned != 1 {
		t.Fatalf("second, beside a live process: %v, cleaned %d times", err, cleaned)
	}
	// A process that was killed leaves its file without the lock.
	if err := second.file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := first.Leave(); err != nil {
		t.Fatal(err)
	}
	third, err := Enter(t.Context(), Dir(home), counted(&cleaned))
	if err != nil || cleaned != 2 {
		t.Fatalf("after a killed process: %v, cleaned %d times", err, cleaned)
	}
	if err := third.Leave(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(home, "processes")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestEnterReportsWhatCleaningSays(t *testing.T) {
	broken := errors.New("broken")
	if _, err := Enter(t.Context(), Dir(t.TempDir()), func() error { return broken }); !errors.Is(err, broken) {
		t.Errorf("Enter = %v", err)
	}
}

func TestEnterWaitsForTheDoor(t *testing.T) {
	home := t.TempDir()
	door, err := lockWaiting(t.Context(), filepath.Join(home, "processes.lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer door.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n := 0
	if _, err := Enter(ctx, Dir(home), counted(&n)); !errors.Is(err, &api.Error{Code: api.Canceled}) || n > 0 {
		t.Errorf("Enter = %v, cleaned %d times", err, n)
	}
}

// TestOneServer shows that a second server of a home is refused, with the process
// of the first.
func TestOneServer(t *testing.T) {
	d := Dir(t.TempDir())
	first, err := d.LockServer()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.LockServer(); !errors.Is(err, &api.Error{Code: api.HomeBusy}) || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
		t.Errorf("a second server: %v, want home_busy with the process", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := d.LockServer()
	if err != nil {
		t.Fatalf("after the first: %v", err)
	}
	again.Close()
}

// TestSnapshotKey shows that the key is made once, and that none is kept for a
// home that is only read.
func TestSnapshotKey(t *testing.T) {
	d := Dir(t.TempDir())
	passing, err := d.SnapshotKey(false)
	if err != nil || d.HasSnapshotKey() {
		t.Fatalf("read only: %v, kept %v", err, d.HasSnapshotKey())
	}
	kept, err := d.SnapshotKey(true)
	if err != nil || bytes.Equal(kept, passing) || !d.HasSnapshotKey() {
		t.Fatalf("the first key: %v, kept %v", err, d.HasSnapshotKey())
	}
	if again, err := d.SnapshotKey(false); err != nil || !bytes.Equal(again, kept) {
		t.Errorf("the key again: %x, %v; want %x", again, err, kept)
	}
}
