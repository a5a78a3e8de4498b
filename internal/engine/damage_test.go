package engine

import (
	"context"
	"fmt"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
)

// damaged is a journal that cannot read one of the runs that have not ended.
type damaged struct {
	journal.Journal
	run string
}

func (d damaged) Unfinished(ctx context.Context) (found []*journal.Record, err error) {
	all, err := d.Journal.Unfinished(ctx)
	for _, rec := range all {
		if rec.ID != d.run {
			found = append(found, rec)
		} else if err == nil {
			err = fmt.Errorf("run %s: %w", rec.ID, journal.ErrDamaged)
		}
	}
	return found, err
}

// TestRecoverBesideDamage: a run that cannot be read keeps no other from being
// found.
func TestRecoverBesideDamage(t *testing.T) {
	h := newHost(t)
	for i, id := range []string{"run-1", "run-2", "run-3"} {
		c := journaltest.NewRun(id, i, nil)
		c.Record.Holder, c.Record.Status, c.Record.Kind = "gone", api.StatusRunning, api.KindFunction
		if err := h.journal.Submit(c).Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	e := h.engine("a", damaged{h.journal, "run-2"})
	defer e.Close()
	if n, err := e.Recover(t.Context(), true); n != 2 || err != nil {
		t.Errorf("Recover: got %d runs, %v, want 2", n, err)
	}
	for id, want := range map[string]api.Status{"run-1": api.StatusInterrupted, "run-2": api.StatusRunning, "run-3": api.StatusInterrupted} {
		rec, err := h.journal.Load(t.Context(), id)
		if err != nil || rec.Status != want {
			t.Errorf("%s: got %v, %v, want status %s", id, rec, err, want)
		}
	}
}
