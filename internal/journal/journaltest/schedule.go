package journaltest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// RunSchedules judges a store of schedules. Each call of open returns an empty one.
func RunSchedules(t *testing.T, open func(t *testing.T) journal.Schedules) {
	for name, test := range map[string]func(*testing.T, journal.Schedules){
		"RoundTrip": scheduleRoundTrip, "Sequence": scheduleSequence, "Due": dueSchedules, "Starts": scheduleStarts, "Remove": removeSchedules, "Kept": keptStarts,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

func newSchedule(name string, next time.Time) journal.ScheduleRecord {
	return journal.ScheduleRecord{Seq: 1, DeclaredPaused: true, Schedule: api.Schedule{
		ScheduleSpec: api.ScheduleSpec{Name: name, Task: "task", Cron: "@daily", Zone: "Asia/Tokyo", Inputs: []byte(`{"x":"y"}`)},
		Environment:  "env", Created: epoch(), Changed: epoch(), Next: next,
	}}
}

func newStart(schedule string, n int, state api.StartState) journal.StartRecord {
	planned := epoch().Add(time.Duration(n) * time.Hour)
	return journal.StartRecord{Schedule: schedule, Open: state == api.StartPlanned || state == api.StartStarted, ScheduledStart: api.ScheduledStart{
		ID: fmt.Sprintf("%05d", n), Planned: planned, State: state, Changed: planned,
	}}
}

func put(t *testing.T, s journal.Schedules, records ...journal.ScheduleRecord) {
	t.Helper()
	if err := s.PutSchedules(t.Context(), records, nil); err != nil {
		t.Fatal(err)
	}
}

func plan(t *testing.T, s journal.Schedules, r *journal.ScheduleRecord, starts ...journal.StartRecord) {
	t.Helper()
	r.Seq++
	if err := s.PlanStarts(t.Context(), *r, starts...); err != nil {
		t.Fatal(err)
	}
}

func scheduleRoundTrip(t *testing.T, s journal.Schedules) {
	b, a := newSchedule("b", epoch()), newSchedule("a", time.Time{})
	put(t, s, b, a)
	got, err := s.Schedule(t.Context(), "b")
	if diff := cmp.Diff(&b, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	all, err := s.Schedules(t.Context())
	if diff := cmp.Diff([]journal.ScheduleRecord{a, b}, all); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	if _, err := s.Schedule(t.Context(), "c"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("a schedule that is not there: %v", err)
	}
}

// scheduleSequence: of two who change the same, one is refused, with all that it
// does.
func scheduleSequence(t *testing.T, s journal.Schedules) {
	a := newSchedule("a", epoch())
	put(t, s, a)
	if err := s.PutSchedules(t.Context(), []journal.ScheduleRecord{newSchedule("b", epoch()), a}, nil); !errors.Is(err, journal.ErrSequence) {
		t.Errorf("the same again: %v", err)
	}
	first, second := a, a
	plan(t, s, &first, newStart("a", 1, api.StartPlanned))
	second.Seq++
	if err := s.PlanStarts(t.Context(), second, newStart("a", 2, api.StartPlanned)); !errors.Is(err, journal.ErrSequence) {
		t.Errorf("the second: %v", err)
	}
	open, err := s.OpenStarts(t.Context())
	all, err2 := s.Schedules(t.Context())
	if err != nil || err2 != nil || len(open) != 1 || len(all) != 1 {
		t.Errorf("%v, %v, %v, %v", open, err, all, err2)
	}
}

func dueSchedules(t *testing.T, s journal.Schedules) {
	put(t, s, newSchedule("late", epoch().Add(time.Nanosecond)), newSchedule("now", epoch()), newSchedule("before", epoch().Add(-time.Hour)), newSchedule("never", time.Time{}))
	due, err := s.DueSchedules(t.Context(), epoch())
	if err != nil || len(due) != 2 || due[0].Name != "before" || due[1].Name != "now" {
		t.Errorf("got %+v, %v", due, err)
	}
}

func scheduleStarts(t *testing.T, s journal.Schedules) {
	a, b := newSchedule("a", epoch()), newSchedule("b", epoch())
	put(t, s, a, b)
	one, two, missed := newStart("a", 1, api.StartPlanned), newStart("a", 2, api.StartPlanned), newStart("a", 0, api.StartMissed)
	plan(t, s, &a, missed, one, two)
	plan(t, s, &b, newStart("b", 1, api.StartPlanned))
	one.State, one.Run = api.StartStarted, "run-1"
	if err := s.ChangeStart(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	plan(t, s, &a, newStart("a", 1, api.StartPlanned)) // it is there already
	starts, err := s.Starts(t.Context(), "a", 10)
	if diff := cmp.Diff([]journal.StartRecord{two, one, missed}, starts); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	open, err := s.OpenStarts(t.Context())
	if err != nil || len(open) != 3 || open[0].ID != one.ID || open[2].ID != two.ID {
		t.Errorf("open are %+v, %v", open, err)
	}
	one.Open = false
	if err := s.ChangeStart(t.Context(), one); err != nil {
		t.Fatal(err)
	}
	if open, err = s.OpenStarts(t.Context()); err != nil || len(open) != 2 {
		t.Errorf("open are %+v, %v", open, err)
	}
	if err := s.ChangeStart(t.Context(), newStart("a", 9, api.StartFailed)); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("a start that is not there: %v", err)
	}
}

func removeSchedules(t *testing.T, s journal.Schedules) {
	a, b := newSchedule("a", epoch()), newSchedule("b", epoch())
	put(t, s, a, b)
	plan(t, s, &a, newStart("a", 1, api.StartPlanned))
	if err := s.PutSchedules(t.Context(), nil, []string{"a", "none"}); err != nil {
		t.Fatal(err)
	}
	starts, err := s.Starts(t.Context(), "a", 10)
	all, err2 := s.Schedules(t.Context())
	if err != nil || err2 != nil || len(starts) != 0 || len(all) != 1 || all[0].Name != "b" {
		t.Errorf("%v, %v, %v, %v", starts, err, all, err2)
	}
	put(t, s, newSchedule("a", epoch())) // it begins anew
}

// keptStarts: old starts go, but none that is open.
func keptStarts(t *testing.T, s journal.Schedules) {
	a := newSchedule("a", epoch())
	put(t, s, a)
	plan(t, s, &a, newStart("a", 0, api.StartPlanned), newStart("a", 1, api.StartMissed))
	for n := 2; n < journal.KeptStarts+5; n += 3 {
		plan(t, s, &a, newStart("a", n, api.StartSkipped), newStart("a", n+1, api.StartSkipped), newStart("a", n+2, api.StartSkipped))
	}
	starts, err := s.Starts(t.Context(), "a", 1000)
	if err != nil || len(starts) != journal.KeptStarts+1 {
		t.Fatalf("%d starts are kept, %v, want %d", len(starts), err, journal.KeptStarts+1)
	}
	if last := starts[len(starts)-1]; last.State != api.StartPlanned {
		t.Errorf("the planned one is gone, the last is %+v", last)
	}
}
