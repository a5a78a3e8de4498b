package journaltest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// newDelivery is one that was made n hours after a fixed moment, and is due then.
func newDelivery(run string, n int, host string) journal.DeliveryRecord {
	at := epoch().Add(time.Duration(n) * time.Hour)
	return journal.DeliveryRecord{
		Delivery: api.Delivery{
			ID: fmt.Sprintf("msg-%s-%d", run, n), Run: run, Task: "task", Event: api.NotifyFailed, URL: "https://" + host + "/x", Secret: "s",
			State: api.DeliveryWaiting, Created: at, Next: at,
		},
		Notice: api.RunNotice{Run: run, Status: api.StatusFailed, Error: &api.NoticeError{Code: api.Timeout, Message: "m"}}, GivenUp: 3, Changed: at, Host: host, Seq: 1,
	}
}

// RunDeliveries judges a store of deliveries and the journal that they come from,
// which are empty.
func RunDeliveries(t *testing.T, j journal.Journal, s journal.Deliveries) {
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ids := func(list []journal.DeliveryRecord) (ids []string) {
		for _, d := range list {
			ids = append(ids, d.ID)
		}
		return ids
	}
	due := func(now int, except []string, want ...string) {
		t.Helper()
		list, err := s.DueDeliveries(t.Context(), epoch().Add(time.Duration(now)*time.Hour), except, 3)
		if got := ids(list); err != nil || !slices.Equal(got, want) {
			t.Errorf("due after %d hours: %q, %v, want %q", now, got, err, want)
		}
	}
	for i, host := range []string{"a:443", "b:443"} {
		run := NewRun(fmt.Sprintf("run-%d", i), 0, nil)
		must(j.Submit(run).Wait(t.Context()))
		ended := Ended(run.Record, api.StatusFailed, 1)
		ended.Deliveries = []journal.DeliveryRecord{newDelivery(run.Record.ID, 1+i, host), newDelivery(run.Record.ID, 3+i, host)}
		must(j.Submit(ended).Wait(t.Context()))
	}
	refused := NewRun("run-0", 0, nil) // there already
	refused.Deliveries = []journal.DeliveryRecord{newDelivery("run-0", 9, "a:443")}
	if err := j.Submit(refused).Wait(t.Context()); !errors.Is(err, journal.ErrExists) {
		t.Fatalf("a change that cannot be: %v", err)
	}

	// A clock that shows less than when something was changed was set back.
	due(0, nil, "msg-run-0-1", "msg-run-1-2", "msg-run-0-3")
	due(4, nil, "msg-run-0-1", "msg-run-1-2", "msg-run-0-3")
	due(4, []string{"a:443"}, "msg-run-1-2", "msg-run-1-4")

	d, err := s.Delivery(t.Context(), "msg-run-0-1")
	must(err)
	if diff := cmp.Diff(newDelivery("run-0", 1, "a:443"), *d); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	d.Seq, d.State, d.Next = 2, api.DeliveryDelivered, time.Time{}
	must(s.ChangeDelivery(t.Context(), *d))
	if err := s.ChangeDelivery(t.Context(), *d); !errors.Is(err, journal.ErrSequence) {
		t.Errorf("somebody else was faster: %v", err)
	}
	if _, err := s.Delivery(t.Context(), "msg-run-0-9"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("a delivery that is not there: %v", err)
	}
	due(4, nil, "msg-run-1-2", "msg-run-0-3", "msg-run-1-4")

	for _, test := range []struct {
		query api.DeliveryQuery
		want  []string
	}{
		{api.DeliveryQuery{}, []string{"msg-run-1-4", "msg-run-0-3", "msg-run-1-2", "msg-run-0-1"}},
		{api.DeliveryQuery{Run: "run-0"}, []string{"msg-run-0-3", "msg-run-0-1"}},
		{api.DeliveryQuery{State: api.DeliveryWaiting}, []string{"msg-run-1-4", "msg-run-0-3", "msg-run-1-2"}},
		{api.DeliveryQuery{State: api.DeliveryDelivered, Run: "run-1"}, nil},
	} {
		q := test.query
		q.Limit = 2
		var got []string
		for pages := 0; pages == 0 || q.Cursor != ""; pages++ {
			list, next, err := s.ListDeliveries(t.Context(), q)
			must(err)
			got, q.Cursor = append(got, ids(list)...), next
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%+v: got %q, want %q", test.query, got, test.want)
		}
	}
	if _, _, err := s.ListDeliveries(t.Context(), api.DeliveryQuery{Cursor: "x"}); !errors.Is(err, journal.ErrCursor) {
		t.Errorf("a cursor that is none: %v", err)
	}

	// A delivery that waits outlives its run.
	_, err = j.Prune(t.Context(), journal.Pruning{Before: epoch().Add(100 * time.Hour), Limit: 10})
	must(err)
	list, _, err := s.ListDeliveries(t.Context(), api.DeliveryQuery{})
	if got := ids(list); err != nil || !slices.Equal(got, []string{"msg-run-1-4", "msg-run-0-3", "msg-run-1-2"}) {
		t.Errorf("after pruning: %q, %v", got, err)
	}
}
