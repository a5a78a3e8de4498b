package journaltest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// order submits without waiting: everything must come in the order of Submit.
func order(t *testing.T, j journal.Journal) {
	c := NewRun("run-a", 0, nil)
	receipts := []journal.Receipt{j.Submit(c)}
	for range 300 {
		c = Next(c.Record, api.EventProgress)
		receipts = append(receipts, j.Submit(c))
	}
	for i, r := range receipts {
		if err := r.Wait(t.Context()); err != nil {
			t.Fatalf("submission %d: %v", i, err)
		}
	}
	same(t, "record", load(t, j, "run-a"), c.Record)
}

// atOnce has many runs submit at once. A refused submission must not harm its
// neighbours, and the later ones of its run are refused too.
func atOnce(t *testing.T, j journal.Journal) {
	var group sync.WaitGroup
	for i := range 32 {
		group.Go(func() {
			if err := grow(j, fmt.Sprintf("run-%02d", i), i, i%4 == 3); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for i := range 32 {
		want := int64(21)
		if i%4 == 3 {
			want = 11
		}
		same(t, "number of the last event", load(t, j, fmt.Sprintf("run-%02d", i)).Seq, want)
	}
}

// grow makes a run of 21 events; if it stumbles, the eleventh is lost.
func grow(j journal.Journal, id string, n int, stumbles bool) error {
	c := NewRun(id, n, nil)
	receipts := []journal.Receipt{j.Submit(c)}
	for i := range 20 {
		c = Next(c.Record, api.EventProgress)
		sent := c
		if stumbles && i == 10 {
			sent.Record.Fence = 2
		}
		receipts = append(receipts, j.Submit(sent))
	}
	for i, r := range receipts {
		var want error
		switch {
		case stumbles && i == 11:
			want = journal.ErrFenced
		case stumbles && i > 11:
			want = journal.ErrSequence
		}
		if err := r.Wait(context.Background()); !errors.Is(err, want) {
			return fmt.Errorf("submission %d of %s: got error %v, want %v", i, id, err, want)
		}
	}
	return nil
}

// closed drains what was submitted, and refuses what comes after.
func closed(t *testing.T, j journal.Journal) {
	c := NewRun("run-a", 0, nil)
	receipts := []journal.Receipt{j.Submit(c)}
	for range 50 {
		c = Next(c.Record, api.EventProgress)
		receipts = append(receipts, j.Submit(c))
	}
	if err := j.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	for i, r := range receipts {
		if err := r.Wait(t.Context()); err != nil {
			t.Fatalf("submission %d before Close: %v", i, err)
		}
	}
	refuse(t, j, &api.Error{Code: api.Internal}, Next(c.Record, api.EventProgress))
	if _, err := j.Load(t.Context(), "run-a"); err == nil {
		t.Error("a closed journal still answers")
	}
	if _, err := j.Claim(t.Context(), "run-a", "", "process"); err == nil {
		t.Error("a closed journal still lets claim")
	}
	if err := j.Close(); err != nil {
		t.Errorf("close again: %v", err)
	}
}

// abandoned gives up at once: nothing may happen behind the back of the caller
// that the journal does not tell.
func abandoned(t *testing.T, j journal.Journal) {
	a := submit(t, j, NewRun("run-a", 0, nil))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, claim := j.Claim(ctx, "run-a", "", "process")
	_, load := j.Load(ctx, "run-a")
	_, _, list := j.List(ctx, api.RunQuery{})
	_, prune := j.Prune(ctx, journal.Pruning{Before: epoch().AddDate(1, 0, 0), Limit: 10})
	for what, err := range map[string]error{
		"claim": claim, "load": load, "list": list, "prune": prune, "cancel": j.RequestCancel(ctx, "run-a", ""),
		"snapshot": j.SaveSnapshot(ctx, journal.Snapshot{Run: "run-a", Fence: 1}),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got error %v, want %v", what, err, context.Canceled)
		}
	}
	receipt := j.Submit(Next(a, api.EventStarted))
	if err := receipt.Wait(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("waiting without patience: %v", err)
	}
	if err := receipt.Wait(t.Context()); err != nil {
		t.Errorf("waiting again: %v", err)
	}
}
