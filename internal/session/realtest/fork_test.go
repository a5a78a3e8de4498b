package realtest

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// brokenDriver starts no cell that begins with files. It reads a little of them first.
type brokenDriver struct{ cell.Driver }

var errBroken = errors.New("the disk is broken")

func (d brokenDriver) Start(ctx context.Context, spec cell.Spec) (cell.Instance, error) {
	if spec.Layer == nil {
		return d.Driver.Start(ctx, spec)
	}
	archive, err := spec.Layer()
	if err != nil {
		return nil, err
	}
	_, err = io.ReadFull(archive, make([]byte, 700))
	return nil, errors.Join(errBroken, err, archive.Close())
}

// TestForksThatFail: a session continues whose forks do not start.
func TestForksThatFail(t *testing.T) {
	s := newHomeWith(t, func(d cell.Driver) cell.Driver { return brokenDriver{d} }).open()
	x := s.create(api.SessionSpec{})
	s.sh(x.ID, "head -c 5000000 /dev/urandom > file; sha256sum file > sum")
	for _, count := range []int{1, 2} {
		forks, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{Count: count, FilesOnly: true})
		if err != nil || len(forks) != count {
			t.Fatalf("%d forks: %+v, %v", count, forks, err)
		}
		for _, f := range forks {
			if f.Session != nil || !errors.Is(f.Error, errBroken) {
				t.Errorf("one of %d forks: %+v", count, f)
			}
		}
		if got := s.sh(x.ID, "sha256sum -c sum"); got != "file: OK" {
			t.Errorf("after %d forks the session says %q", count, got)
		}
	}
}

// TestForksOfACellThatStaysCold: they fail, though all files were copied.
func TestForksOfACellThatStaysCold(t *testing.T) {
	var cold atomic.Bool
	s := newHomeWith(t, func(d cell.Driver) cell.Driver { return coldDriver{d, &cold} }).open()
	x := s.create(api.SessionSpec{})
	cold.Store(true)
	for _, count := range []int{1, 2} {
		forks, err := s.ForkSession(t.Context(), x.ID, api.ForkOptions{Count: count, FilesOnly: true})
		if !errors.Is(err, errCold) || len(forks) != 0 {
			t.Errorf("%d forks: %+v, %v", count, forks, err)
		}
	}
	running, err := s.Sessions(t.Context(), api.SessionQuery{State: []api.SessionState{api.SessionRunning}})
	if err != nil || len(running.Sessions) != 1 || running.Sessions[0].ID != x.ID {
		t.Errorf("sessions that run: %+v, %v", running, err)
	}
}
