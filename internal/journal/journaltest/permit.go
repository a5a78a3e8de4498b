package journaltest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// limited is a run that belongs to somebody, and that limits bound.
func limited(id string, n int, holder string, limits ...journal.Limit) journal.Change {
	c := NewRun(id, n, nil)
	c.Record.Holder, c.Record.Limits = holder, limits
	return c
}

// permits: a run has a permit until it ends, has no holder or belongs to another one. It
// gets all permits that it asks for, or none.
func permits(t *testing.T, j journal.Journal) {
	two, one := journal.Limit{Name: "two", Most: 2}, journal.Limit{Name: "one", Most: 1}
	var records []journal.Record
	for i := range 5 {
		records = append(records, submit(t, j, limited(fmt.Sprintf("run-%d", i), i, "me", two, one)))
	}
	ask := func(i int, want []string, limits ...journal.Limit) {
		t.Helper()
		full, err := j.Permit(t.Context(), records[i].ID, records[i].Fence, limits)
		if err != nil || !slices.Equal(full, want) {
			t.Errorf("run %d: full are %q, %v, want %q", i, full, err, want)
		}
	}
	ask(0, nil, two, one)
	ask(0, nil, two, one) // which it has
	ask(1, []string{"one"}, two, one)
	ask(1, nil, two)
	ask(2, []string{"two"}, two)
	got, err := j.Permitted(t.Context(), "two")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "permitted", got, []journal.Permitted{{Run: "run-0", Holder: "me"}, {Run: "run-1", Holder: "me"}})

	submit(t, j, Ended(records[0], api.StatusSucceeded, 1))
	if _, err := j.Permit(t.Context(), "run-0", 1, []journal.Limit{two}); err != journal.ErrFenced {
		t.Errorf("a run that has ended: %v", err)
	}
	ask(2, nil, two, one)
	interrupted := records[1]
	interrupted.Status, interrupted.Holder = api.StatusInterrupted, ""
	submit(t, j, Next(interrupted, api.EventInterrupted))
	ask(3, nil, two)
	ask(4, []string{"two"}, two)

	if _, err := j.Claim(t.Context(), "run-3", "me", "other"); err != nil {
		t.Fatal(err)
	}
	ask(4, nil, two) // that of the dead holder counts for nothing
	if _, err := j.Permit(t.Context(), "run-3", 1, []journal.Limit{two}); err != journal.ErrFenced {
		t.Errorf("a run of another process: %v", err)
	}
	if full, err := j.Permit(t.Context(), "run-3", 2, []journal.Limit{two}); err != nil || len(full) == 0 {
		t.Errorf("its new holder: full are %q, %v", full, err)
	}
}

// permitsAtOnce: however many ask at once, no more have permits than may.
func permitsAtOnce(t *testing.T, j journal.Journal) {
	limit := journal.Limit{Name: "n", Most: 3}
	const runs = 40
	var records []journal.Record
	for i := range runs {
		records = append(records, submit(t, j, limited(fmt.Sprintf("run-%02d", i), i, "me", limit)))
	}
	var working, most, ended atomic.Int64
	var group sync.WaitGroup
	for n := range 4 {
		group.Go(func() {
			for waiting := slices.Collect(chunk(records, n, 4)); len(waiting) > 0; {
				r := waiting[0]
				full, err := j.Permit(t.Context(), r.ID, r.Fence, r.Limits)
				if err != nil {
					t.Error(err)
					return
				}
				if len(full) > 0 {
					continue
				}
				for now := working.Add(1); ; {
					if before := most.Load(); now <= before || most.CompareAndSwap(before, now) {
						break
					}
				}
				working.Add(-1)
				if err := j.Submit(Ended(r, api.StatusSucceeded, 1)).Wait(t.Context()); err != nil {
					t.Error(err)
				}
				ended.Add(1)
				waiting = waiting[1:]
			}
		})
	}
	group.Wait()
	if most.Load() > 3 || ended.Load() != runs {
		t.Errorf("%d worked at once, and %d ended", most.Load(), ended.Load())
	}
}

// chunk are the records of which the number leaves a rest.
func chunk(records []journal.Record, rest, of int) func(func(journal.Record) bool) {
	return func(yield func(journal.Record) bool) {
		for i := rest; i < len(records); i += of {
			if !yield(records[i]) {
				return
			}
		}
	}
}

// takePermitted: what a limit lets wait is passed over, however much of it waits.
func takePermitted(t *testing.T, j journal.Journal) {
	limit := journal.Limit{Name: "n", Most: 2}
	var changes []journal.Change
	for i := range 1100 { // more than one taking looks at
		changes = append(changes, limited(fmt.Sprintf("run-%04d", i), i, "", limit))
	}
	changes = append(changes, NewRun("run-free", 2000, nil))
	if err := j.Submit(changes...).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got [][]string
	take := func() {
		t.Helper()
		ids, err := j.Take(t.Context(), "me", roomFor(4))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ids)
	}
	take()
	take()
	submit(t, j, Ended(load(t, j, "run-0001"), api.StatusSucceeded, 1))
	take()
	same(t, "taken", got, [][]string{{"run-0000", "run-0001", "run-free"}, nil, {"run-0002"}})
}
