package journaltest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// RunSessions judges a journal of sessions. Each call of open returns an empty one.
func RunSessions(t *testing.T, open func(t *testing.T) journal.Sessions) {
	for name, test := range map[string]func(*testing.T, journal.Sessions){
		"RoundTrip": sessionRoundTrip, "Sequence": sessionSequence, "OneWins": sessionOneWins,
		"Lists": sessionLists, "Cursors": sessionCursors, "Live": sessionLive, "Keeps": sessionKeeps, "Prune": sessionPrune, "Snapshots": sessionSnapshots,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func newSession(n int) *journal.SessionRecord {
	return &journal.SessionRecord{Seq: 1, Holder: "process-1", Session: api.Session{
		ID: fmt.Sprintf("session%02d", n), State: api.SessionStarting, Created: epoch().Add(time.Duration(n) * time.Second),
		Spec: api.SessionSpec{Labels: map[string]string{"n": fmt.Sprint(n), "kind": "test"}, Idle: time.Minute},
	}}
}

func keepSession(t *testing.T, j journal.Sessions, r *journal.SessionRecord) {
	t.Helper()
	if err := j.ChangeSession(t.Context(), r, api.SessionEvent{Time: r.Created, Type: string(r.State)}); err != nil {
		t.Fatal(err)
	}
}

// moved is the session in its next state.
func moved(r *journal.SessionRecord, state api.SessionState) *journal.SessionRecord {
	next := *r
	next.Seq, next.State = r.Seq+1, state
	return &next
}

func sessionRoundTrip(t *testing.T, j journal.Sessions) {
	first := newSession(1)
	keepSession(t, j, first)
	second := moved(first, api.SessionPaused)
	second.Kept, second.Generation, second.Holder, second.Memory = "session01/2", 2, "", true
	second.Error = api.Errorf(api.StorageFull, "no space")
	keepSession(t, j, second)
	got, err := j.LoadSession(t.Context(), first.ID)
	if err != nil {
		t.Fatal(err)
	}
	if !errors.Is(got.Error, api.StorageFull) {
		t.Errorf("its error: %v", got.Error)
	}
	got.Error, second.Error = nil, nil
	same(t, "session", got, second)
	events, err := j.SessionEvents(t.Context(), first.ID, 0, 10)
	if err != nil || len(events) != 2 || events[1].Seq != 2 || events[1].State != api.SessionPaused || !events[0].Time.Equal(first.Created) {
		t.Errorf("events %+v, %v", events, err)
	}
	if events, err = j.SessionEvents(t.Context(), first.ID, 1, 10); err != nil || len(events) != 1 || events[0].Seq != 2 {
		t.Errorf("events after 1: %+v, %v", events, err)
	}
	if _, err := j.LoadSession(t.Context(), "other"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("another session: %v", err)
	}
}

func sessionSequence(t *testing.T, j journal.Sessions) {
	first := newSession(1)
	keepSession(t, j, first)
	for name, c := range map[string]struct {
		record *journal.SessionRecord
		want   error
	}{
		"the same again":      {first, journal.ErrExists},
		"one too far":         {moved(moved(first, api.SessionRunning), api.SessionPausing), journal.ErrSequence},
		"of no session there": {moved(newSession(2), api.SessionRunning), journal.ErrNotFound},
	} {
		if err := j.ChangeSession(t.Context(), c.record, api.SessionEvent{Type: "test"}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	got, err := j.LoadSession(t.Context(), first.ID)
	if err != nil || got.Seq != 1 || got.State != api.SessionStarting {
		t.Errorf("after changes that failed: %+v, %v", got, err)
	}
	if events, err := j.SessionEvents(t.Context(), first.ID, 0, 10); err != nil || len(events) != 1 {
		t.Errorf("events of changes that failed: %+v, %v", events, err)
	}
}

// sessionOneWins has many change one session at once.
func sessionOneWins(t *testing.T, j journal.Sessions) {
	first := newSession(1)
	keepSession(t, j, first)
	var won atomic.Int64
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			err := j.ChangeSession(t.Context(), moved(first, api.SessionRunning), api.SessionEvent{Type: "running"})
			if err == nil {
				won.Add(1)
			} else if !errors.Is(err, journal.ErrSequence) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if won.Load() != 1 {
		t.Errorf("%d of 16 changes of the same state were kept", won.Load())
	}
}

func sessionLists(t *testing.T, j journal.Sessions) {
	for n := range 20 {
		r := newSession(n)
		if n%2 == 1 {
			r.Parent = "session00"
		}
		keepSession(t, j, r)
		if n%5 == 0 {
			keepSession(t, j, moved(r, api.SessionRunning))
		}
	}
	for name, c := range map[string]struct {
		query api.SessionQuery
		want  int
		first string
	}{
		"all":       {api.SessionQuery{}, 20, "session19"},
		"oldest":    {api.SessionQuery{Oldest: true}, 20, "session00"},
		"state":     {api.SessionQuery{State: []api.SessionState{api.SessionRunning, api.SessionPaused}}, 4, "session15"},
		"label":     {api.SessionQuery{Labels: map[string]string{"n": "7", "kind": "test"}}, 1, "session07"},
		"no label":  {api.SessionQuery{Labels: map[string]string{"n": "7", "kind": "other"}}, 0, ""},
		"parent":    {api.SessionQuery{Parent: "session00"}, 10, "session19"},
		"since":     {api.SessionQuery{Since: epoch().Add(18 * time.Second)}, 2, "session19"},
		"only some": {api.SessionQuery{Limit: 3}, 3, "session19"},
	} {
		got, _, err := j.ListSessions(t.Context(), c.query)
		if err != nil || len(got) != c.want || c.want > 0 && got[0].ID != c.first {
			t.Errorf("%s: %d sessions, %v", name, len(got), err)
		}
	}
}

func sessionCursors(t *testing.T, j journal.Sessions) {
	for n := range 10 {
		keepSession(t, j, newSession(n))
	}
	query := api.SessionQuery{Limit: 4, Labels: map[string]string{"kind": "test"}}
	var seen []string
	for pages := 1; ; pages++ {
		got, next, err := j.ListSessions(t.Context(), query)
		if err != nil || pages > 3 {
			t.Fatalf("page %d: %v", pages, err)
		}
		for _, r := range got {
			seen = append(seen, r.ID)
		}
		if query.Cursor = next; next == "" {
			break
		}
	}
	if len(seen) != 10 || seen[9] != "session00" {
		t.Errorf("pages together: %q", seen)
	}
	_, cursor, err := j.ListSessions(t.Context(), api.SessionQuery{Limit: 4})
	if err != nil || cursor == "" {
		t.Fatalf("cursor %q, %v", cursor, err)
	}
	for _, bad := range []string{"x", cursor + "x", cursor} {
		query := api.SessionQuery{Limit: 4, Oldest: true, Cursor: bad}
		if _, _, err := j.ListSessions(t.Context(), query); !errors.Is(err, journal.ErrCursor) {
			t.Errorf("cursor %q of another list: %v", bad, err)
		}
	}
}

func sessionLive(t *testing.T, j journal.Sessions) {
	for n, state := range []api.SessionState{api.SessionRunning, api.SessionOver, api.SessionPaused, api.SessionLost} {
		r := newSession(n)
		keepSession(t, j, r)
		keepSession(t, j, moved(r, state))
	}
	got, err := j.LiveSessions(t.Context())
	if err != nil || len(got) != 2 || got[0].State != api.SessionRunning || got[1].State != api.SessionPaused || got[0].Holder != "process-1" {
		t.Errorf("live: %+v, %v", got, err)
	}
}

func sessionPrune(t *testing.T, j journal.Sessions) {
	for n := range 10 {
		r := newSession(n)
		keepSession(t, j, r)
		if n == 0 {
			continue
		}
		over := moved(r, api.SessionOver)
		over.Ended = r.Created.Add(time.Second)
		keepSession(t, j, over)
	}
	for _, want := range []int{3, 2, 0} { // six have ended by then
		n, err := j.PruneSessions(t.Context(), epoch().Add(7*time.Second), 3)
		if err != nil || n != want {
			t.Errorf("pruned %d, %v, want %d", n, err, want)
		}
	}
	left, _, err := j.ListSessions(t.Context(), api.SessionQuery{})
	if err != nil || len(left) != 5 || left[4].ID != "session00" {
		t.Errorf("%d are left, %v", len(left), err)
	}
	if events, err := j.SessionEvents(t.Context(), "session01", 0, 10); err != nil || len(events) != 0 {
		t.Errorf("events of a session that is pruned: %+v, %v", events, err)
	}
}

// sessionKeeps: a saved state is kept as long as a session or a snapshot has it.
func sessionKeeps(t *testing.T, j journal.Sessions) {
	want := func(kept string, want bool) {
		t.Helper()
		if got, err := j.Keeps(t.Context(), kept); err != nil || got != want {
			t.Errorf("%q is kept: %t, %v", kept, got, err)
		}
	}
	r := newSession(1)
	keepSession(t, j, r)
	want("", false)
	paused := moved(r, api.SessionPaused)
	paused.Kept = "x"
	keepSession(t, j, paused)
	want("x", true)
	if err := j.KeepSnapshot(t.Context(), &journal.SessionSnapshot{Kept: "x", Snapshot: api.Snapshot{ID: "a", Created: epoch()}}); err != nil {
		t.Fatal(err)
	}
	resumed := moved(paused, api.SessionRunning)
	resumed.Kept = ""
	keepSession(t, j, resumed)
	want("x", true)
	if err := j.RemoveSnapshot(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	want("x", false)
}

func sessionSnapshots(t *testing.T, j journal.Sessions) {
	keep := func(id, name, session string, n int) *journal.SessionSnapshot {
		s := &journal.SessionSnapshot{Kept: "kept/" + id, Generation: n, Snapshot: api.Snapshot{
			ID: id, Name: name, Session: session, Size: 7, Created: epoch().Add(time.Duration(n) * time.Second),
		}}
		if err := j.KeepSnapshot(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		return s
	}
	first := keep("a", "name", "s1", 1)
	got, err := j.SessionSnapshot(t.Context(), "name")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "snapshot", got, first)
	keep("b", "name", "s2", 2)
	if got, err = j.SessionSnapshot(t.Context(), "name"); err != nil || got.ID != "b" {
		t.Errorf("the name leads to %+v, %v", got, err)
	}
	if got, err = j.SessionSnapshot(t.Context(), "a"); err != nil || got.Name != "" {
		t.Errorf("the older one: %+v, %v", got, err)
	}
	if err := j.KeepSnapshot(t.Context(), first); !errors.Is(err, journal.ErrExists) {
		t.Errorf("the same id again: %v", err)
	}
	for session, want := range map[string]int{"": 2, "s1": 1, "s3": 0} {
		if all, err := j.SessionSnapshots(t.Context(), session); err != nil || len(all) != want {
			t.Errorf("snapshots of %q: %d, %v", session, len(all), err)
		}
	}
	if err := j.RemoveSnapshot(t.Context(), "b"); err != nil {
		t.Error(err)
	}
	for _, ref := range []string{"b", "name"} {
		if _, err := j.SessionSnapshot(t.Context(), ref); !errors.Is(err, journal.ErrNotFound) {
			t.Errorf("%s after it was removed: %v", ref, err)
		}
	}
	if err := j.RemoveSnapshot(t.Context(), "b"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("removed again: %v", err)
	}
}
