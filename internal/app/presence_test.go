package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
	first, err := enter(t.Context(), home, counted(&cleaned))
	if err != nil || cleaned != 1 {
		t.Fatalf("first: %v, cleaned %d times", err, cleaned)
	}
	second, err := enter(t.Context(), home, counted(&cleaned))
	if err != nil || cleaned != 1 {
		t.Fatalf("second, beside a live process: %v, cleaned %d times", err, cleaned)
	}
	// A process that was killed leaves its file without the lock.
	if err := second.file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := first.leave(); err != nil {
		t.Fatal(err)
	}
	third, err := enter(t.Context(), home, counted(&cleaned))
	if err != nil || cleaned != 2 {
		t.Fatalf("after a killed process: %v, cleaned %d times", err, cleaned)
	}
	if err := third.leave(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(filepath.Join(home, "processes")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestEnterReportsWhatCleaningSays(t *testing.T) {
	broken := errors.New("broken")
	if _, err := enter(t.Context(), t.TempDir(), func() error { return broken }); !errors.Is(err, broken) {
		t.Errorf("enter = %v", err)
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
	if _, err := enter(ctx, home, counted(&n)); !errors.Is(err, &api.Error{Code: api.Canceled}) || n > 0 {
		t.Errorf("enter = %v, cleaned %d times", err, n)
	}
}
