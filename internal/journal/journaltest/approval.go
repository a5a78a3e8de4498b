package journaltest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// asking is a run that asks for approval.
func asking(id string, at int) journal.Change {
	c := NewRun(id, at, nil)
	c.Record.Holder = "process-1"
	c.Record.Approval = &api.Asked{Since: c.Record.Created}
	return more(c, api.EventApprovalAsked)
}

// more adds an event to a change.
func more(c journal.Change, kind api.EventKind) journal.Change {
	next := Next(c.Record, kind)
	next.Events = append(c.Events, next.Events...)
	return next
}

// approvals has the first decision count, the owner take it over once, and a run
// that ends wait no more.
func approvals(t *testing.T, j journal.Journal) {
	ctx := t.Context()
	state := func(id string, want api.ApprovalState, by string) {
		t.Helper()
		a, err := j.Approval(ctx, id)
		if err != nil || a.State != want || by == "" != (a.Decision == nil) || a.Decision != nil && a.Decision.By != by {
			t.Errorf("%s: got %+v, %v, want %s by %q", id, a, err, want, by)
		}
	}
	for i := range 5 {
		submit(t, j, asking(fmt.Sprint("run-", i), i))
	}
	submit(t, j, NewRun("run-free", 9, nil))
	if _, err := j.Decide(ctx, "run-free", journal.Decision{}); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("a decision about a run that does not ask: %v", err)
	}
	page, next, err := j.ListApprovals(ctx, api.ApprovalQuery{Limit: 3})
	if err != nil || len(page) != 3 || page[0].Run != "run-0" || next == "" {
		t.Fatalf("the first page: %+v, %q, %v", page, next, err)
	}
	rest, last, err := j.ListApprovals(ctx, api.ApprovalQuery{Limit: 3, Cursor: next})
	if err != nil || len(rest) != 2 || rest[0].Run != "run-3" || last != "" {
		t.Errorf("the second page: %+v, %q, %v", rest, last, err)
	}
	if _, _, err := j.ListApprovals(ctx, api.ApprovalQuery{Task: "other", Cursor: next}); !errors.Is(err, journal.ErrCursor) {
		t.Errorf("the cursor of another list: %v", err)
	}
	for _, by := range []string{"Ada", "Grace"} {
		a, err := j.Decide(ctx, "run-0", journal.Decision{Decision: api.Decision{Approved: true, By: by}, Blobs: []string{"aa"}})
		if err != nil || a.Decision == nil || a.Decision.By != "Ada" || len(a.Decision.Blobs) != 1 {
			t.Errorf("decided by %s: %+v, %v", by, a, err)
		}
	}
	state("run-0", api.ApprovalDecided, "Ada")
	for _, owner := range []string{"process-1", "process-2"} {
		found, err := j.Decisions(ctx, owner)
		if err != nil || len(found) == 1 != (owner == "process-1") {
			t.Errorf("decisions of %s: %+v, %v", owner, found, err)
		}
	}
	submit(t, j, Next(load(t, j, "run-0"), api.EventApprovalDecided))
	if found, err := j.Decisions(ctx, "process-1"); err != nil || len(found) > 0 {
		t.Errorf("decisions that were taken over: %+v, %v", found, err)
	}
	submit(t, j, Ended(load(t, j, "run-0"), api.StatusSucceeded, 1))
	submit(t, j, Ended(load(t, j, "run-1"), api.StatusCanceled, 1))
	state("run-0", api.ApprovalDecided, "Ada")
	state("run-1", api.ApprovalClosed, "")
	if a, err := j.Decide(ctx, "run-1", journal.Decision{}); err != nil || a.Decision != nil {
		t.Errorf("a decision after the end: %+v, %v", a, err)
	}
	if n, err := j.CountWaiting(ctx, "", 2); err != nil || n != 2 {
		t.Errorf("counted %d, %v", n, err)
	}
	again := load(t, j, "run-1")
	again.Status, again.Ended, again.Holder = api.StatusQueued, time.Time{}, "process-1"
	submit(t, j, Next(again, api.EventStarted, api.EventApprovalAsked))
	state("run-1", api.ApprovalWaiting, "")
	if found, _, err := j.ListApprovals(ctx, api.ApprovalQuery{State: api.ApprovalDecided, Root: "run-0"}); err != nil || len(found) != 1 {
		t.Errorf("decided: %+v, %v", found, err)
	}
}
