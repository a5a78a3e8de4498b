package engine

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/tuning"
)

// loads counts the records that are read from a journal.
type loads struct {
	journal.Journal
	n int
}

func (l *loads) Load(ctx context.Context, id string) (*journal.Record, error) {
	l.n++
	return l.Journal.Load(ctx, id)
}

// TestWaitsForWhatHasJustEnded: a Wait that comes a moment too late is answered
// without the journal, unless the run can be resumed.
func TestWaitsForWhatHasJustEnded(t *testing.T) {
	for _, c := range []struct {
		name  string
		err   error
		after time.Duration
		read  bool
	}{
		{"at once", nil, 0, false},
		{"later", nil, 2 * recentFor, true},
		{"failed", errors.New("no"), 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHost(t)
			synctest.Test(t, func(t *testing.T) {
				h := h.anew()
				h.functions.code["f"] = func(context.Context, map[string]any) (any, error) { return int64(7), c.err }
				counting := &loads{Journal: h.journal}
				e := h.engine("a", counting)
				defer e.Close()
				task := function("f")
				run := submit(t, e, api.Submission{Task: &task})
				synctest.Wait()
				time.Sleep(c.after)
				counting.n = 0
				result, err := e.Wait(t.Context(), run.ID)
				if (err != nil) != (c.err != nil) || err == nil && valueFrom(t, result, err) != int64(7) {
					t.Errorf("got %+v, %v", result, err)
				}
				if read := counting.n > 0; read != c.read {
					t.Errorf("read from the journal: %v, want %v", read, c.read)
				}
			})
		})
	}
}

// Without its switch, a result that was just kept is read from the journal.
func TestRecentCanBeSwitchedOff(t *testing.T) {
	var c recent
	c.add(&api.Result{RunID: "a"})
	defer func() { _ = tuning.Set("") }()
	if err := tuning.Set("-recent"); err != nil || c.find("a") != nil {
		t.Errorf("it is found: %v", err)
	}
	if err := tuning.Set(""); err != nil || c.find("a") == nil {
		t.Errorf("it is not found: %v", err)
	}
}

func TestRecentIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c recent
		for i := range maxRecent + 1 {
			c.add(&api.Result{RunID: fmt.Sprint(i)})
		}
		if c.find("0") != nil || c.find("1") == nil || c.find(fmt.Sprint(maxRecent)) == nil || c.find("other") != nil {
			t.Error("it does not hold the newest alone")
		}
		time.Sleep(2 * recentFor)
		if c.find("1") != nil {
			t.Error("what is old is found")
		}
	})
}
