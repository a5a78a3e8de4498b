package realtest

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cell"
)

// coldDriver starts cells that cannot be thawed when a test wants it.
type coldDriver struct {
	cell.Driver
	cold *atomic.Bool
}

var errCold = errors.New("it cannot be thawed")

func (d coldDriver) Start(ctx context.Context, spec cell.Spec) (cell.Instance, error) {
	in, err := d.Driver.Start(ctx, spec)
	return coldInstance{in, d.cold}, err
}

type coldInstance struct {
	cell.Instance
	cold *atomic.Bool
}

func (in coldInstance) Thaw(ctx context.Context) error {
	if in.cold.Load() {
		return errors.Join(in.Instance.Thaw(ctx), errCold)
	}
	return in.Instance.Thaw(ctx)
}

// TestNothingIsKeptOfACellThatStaysCold: a state that was written before its cell
// could not be thawed is removed at once.
func TestNothingIsKeptOfACellThatStaysCold(t *testing.T) {
	var cold atomic.Bool
	h := newHomeWith(t, func(d cell.Driver) cell.Driver { return coldDriver{d, &cold} })
	s := h.open()
	x := s.create(api.SessionSpec{})
	cold.Store(true)
	if _, err := s.NewSnapshot(t.Context(), x.ID, api.SnapshotOptions{Name: "cold"}); !errors.Is(err, errCold) {
		t.Errorf("a snapshot of a cell that cannot be thawed gives %v", err)
	}
	if entries, err := os.ReadDir(h.dir); err != nil || len(entries) != 0 {
		t.Errorf("saved states: %v, %v", entries, err)
	}
	cold.Store(false)
	if _, err := s.NewSnapshot(t.Context(), x.ID, api.SnapshotOptions{}); err != nil {
		t.Error(err)
	}
}
