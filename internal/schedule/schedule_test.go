package schedule_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
	"github.com/glovebox-dev/glovebox/internal/schedule"
	"github.com/glovebox-dev/glovebox/value"
)

// world is a service with a clock and an engine of the test's.
type world struct {
	*testing.T
	*schedule.Service
	config schedule.Config
	now    time.Time
	runs   []api.Submission
	status map[string]api.Status // by run
	keys   map[string]string     // runs by key
	refuse error                 // of the next runs

	signature api.Signature
}

func newWorld(t *testing.T) *world {
	db, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	w := &world{T: t, now: time.Date(2026, 5, 1, 11, 59, 30, 0, time.UTC), status: map[string]api.Status{}, keys: map[string]string{}}
	w.signature = api.Signature{Inputs: []value.Param{{Name: "n", Type: value.Type{Kind: value.KindInt}}}}
	w.config = schedule.Config{
		Store: db.Schedules(), Now: func() time.Time { return w.now }, Submit: w.submit,
		Task: func(_ context.Context, ref string) (*api.TaskVersion, error) {
			if ref != "task" {
				return nil, api.Errorf(api.NotFound, "there is no task %s", ref)
			}
			return &api.TaskVersion{Name: "task", Version: 3, Signature: w.signature}, nil
		},
		Cancel: func(_ context.Context, run, _ string) error { w.status[run] = api.StatusCanceled; return nil },
		Status: func(_ context.Context, run string) (api.Status, error) {
			if w.status[run] == "" {
				return "", api.Errorf(api.NotFound, "no run %s", run)
			}
			return w.status[run], nil
		},
		ByKey: func(_ context.Context, key string) (string, error) { return w.keys[key], nil },
	}
	w.Service = schedule.New(w.config)
	return w
}

func (w *world) submit(_ context.Context, s api.Submission) (*api.Run, error) {
	if w.refuse != nil {
		return nil, w.refuse
	}
	if w.keys[s.IdempotencyKey] != "" {
		w.Fatalf("the key %q is used twice", s.IdempotencyKey)
	}
	w.runs = append(w.runs, s)
	id := fmt.Sprintf("run-%d", len(w.runs))
	w.status[id], w.keys[s.IdempotencyKey] = api.StatusRunning, id
	return &api.Run{ID: id}, nil
}

// deploy puts one schedule of the task, every hour unless spec says more.
func (w *world) deploy(spec api.ScheduleSpec) error {
	w.Helper()
	if spec.Cron == "" {
		spec.Cron = "@hourly"
	}
	if spec.Inputs == nil {
		spec.Inputs = json.RawMessage(`{"n": 7}`)
	}
	spec.Name, spec.Task = "hourly", "task"
	commit, err := w.PrepareDeployment(w.Context(), &api.Deployment{Environment: "env", Schedules: []api.ScheduleSpec{spec}})
	if err != nil {
		return err
	}
	return commit(w.Context())
}

// at moves the clock, and has a server work once.
func (w *world) at(text string) {
	w.Helper()
	now, err := time.Parse(time.RFC3339, text)
	if err == nil {
		w.now = now
		err = w.Once(w.Context())
	}
	if err != nil {
		w.Fatal(err)
	}
}

// want compares the starts, the oldest first, as HH:MM state.
func (w *world) want(starts ...string) *api.Schedule {
	w.Helper()
	s, err := w.Service.Schedule(w.Context(), "hourly")
	if err != nil {
		w.Fatal(err)
	}
	got := []string{}
	for _, start := range slices.Backward(s.LastStarts) {
		got = append(got, start.Planned.Format("15:04 ")+string(start.State))
	}
	if !slices.Equal(got, starts) {
		w.Errorf("got %q, want %q", got, starts)
	}
	return s
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// TestStarts: a time is started once, with what the schedule says.
func TestStarts(t *testing.T) {
	w := newWorld(t)
	w.must(w.deploy(api.ScheduleSpec{}))
	w.at("2026-05-01T11:59:59Z")
	w.want()
	w.at("2026-05-01T12:00:00Z")
	w.at("2026-05-01T12:00:01Z")
	s := w.want("12:00 started")
	run := w.runs[0]
	if run.Name != "task@3" || string(run.Checked.JSON()) != `{"n":7}` || run.Trigger.Schedule != "hourly" || !run.Trigger.Time.Equal(s.LastStarts[0].Planned) || run.Trigger.Manual {
		t.Errorf("started %+v", run)
	}
	if s.LastStarts[0].Run != "run-1" || s.LastStarts[0].Status != api.StatusRunning || s.Next.Format("15:04") != "13:00" || len(s.NextTimes) != 5 {
		t.Errorf("shown as %+v", s)
	}
}

// TestFilesOfDefaults: a file that a task brings along is an input of each start,
// and none may be given: such as the code of a deployed function.
func TestFilesOfDefaults(t *testing.T) {
	w := newWorld(t)
	code := `{"path":"code","sha256":"` + strings.Repeat("0", 64) + `"}`
	w.signature.Inputs = append(w.signature.Inputs, value.Param{Name: "code", Type: value.Type{Kind: value.KindFile}, Default: json.RawMessage(code)})
	w.must(w.deploy(api.ScheduleSpec{}))
	w.at("2026-05-01T12:00:00Z")
	w.want("12:00 started")
	if !w.runs[0].Checked.HoldsFiles("code") {
		t.Errorf("started with %s", w.runs[0].Checked.JSON())
	}
	err := w.deploy(api.ScheduleSpec{Inputs: json.RawMessage(`{"n":1,"code":` + code + `}`)})
	if err == nil || api.AsError(err).Details.Field != "inputs" {
		t.Errorf("a file that is given: %v", err)
	}
}

// TestTimeInput: each start gets the time that it stands for, also a late one.
func TestTimeInput(t *testing.T) {
	w := newWorld(t)
	w.signature.Inputs = append(w.signature.Inputs,
		value.Param{Name: "at", Type: value.Type{Kind: value.KindDateTime}}, value.Param{Name: "day", Type: value.Type{Kind: value.KindStr}, Default: json.RawMessage(`"never"`)})
	w.must(w.deploy(api.ScheduleSpec{TimeInput: "at", Overlap: api.OverlapAllow}))
	w.at("2026-05-01T12:00:30Z")
	w.must(w.deploy(api.ScheduleSpec{TimeInput: "day", Inputs: json.RawMessage(`{"n":7,"at":"2026-01-01T00:00:00"}`), Overlap: api.OverlapAllow}))
	w.at("2026-05-01T13:00:00Z")
	w.want("12:00 started", "13:00 started")
	for i, want := range []string{
		`{"n":7,"at":"2026-05-01T12:00:00+00:00","day":"never"}`,
		`{"n":7,"at":"2026-01-01T00:00:00","day":"2026-05-01T13:00:00+00:00"}`,
	} {
		if got := string(w.runs[i].Checked.JSON()); got != want {
			t.Errorf("the inputs are %s, want %s", got, want)
		}
	}
}

// TestCatchUp: what is started of the times of a pause of four hours.
func TestCatchUp(t *testing.T) {
	for _, test := range []struct {
		spec api.ScheduleSpec
		back string
		want []string
	}{
		{api.ScheduleSpec{}, "2026-05-01T15:30:00Z", []string{"12:00 missed"}},
		{api.ScheduleSpec{}, "2026-05-01T15:00:59Z", []string{"12:00 missed", "15:00 started"}},
		{api.ScheduleSpec{CatchUp: api.CatchUpLast}, "2026-05-01T15:30:00Z", []string{"12:00 missed", "15:00 started"}},
		{api.ScheduleSpec{CatchUp: api.CatchUpLast}, "2026-05-01T12:30:00Z", []string{"12:00 started"}},
		{api.ScheduleSpec{CatchUp: api.CatchUpAll, Overlap: api.OverlapAllow}, "2026-05-01T15:30:00Z", []string{"12:00 started", "13:00 started", "14:00 started", "15:00 started"}},
		{api.ScheduleSpec{CatchUp: api.CatchUpAll, Overlap: api.OverlapAllow, MaxCatchUp: 2}, "2026-05-01T15:30:00Z", []string{"12:00 missed", "14:00 started", "15:00 started"}},
		{api.ScheduleSpec{CatchUp: api.CatchUpAll, Overlap: api.OverlapAllow, MaxCatchUp: 1, End: time.Date(2026, 5, 1, 13, 0, 0, 0, time.UTC)}, "2026-05-01T15:30:00Z", []string{"12:00 missed", "13:00 started"}},
	} {
		w := newWorld(t)
		w.must(w.deploy(test.spec))
		w.at(test.back)
		w.at(test.back)
		if s := w.want(test.want...); s.End.IsZero() && s.Next.Before(w.now) {
			t.Errorf("the next time is %s", s.Next)
		}
	}
}

// TestOverlap: what happens at a time while the earlier run is under way.
func TestOverlap(t *testing.T) {
	for policy, want := range map[api.Overlap][]string{
		"":                {"12:00 started", "13:00 skipped", "14:00 started"},
		api.OverlapAllow:  {"12:00 started", "13:00 started", "14:00 started"},
		api.OverlapCancel: {"12:00 started", "13:00 started", "14:00 started"},
	} {
		w := newWorld(t)
		w.must(w.deploy(api.ScheduleSpec{Overlap: policy}))
		w.at("2026-05-01T12:00:00Z")
		w.at("2026-05-01T13:00:00Z")
		first := w.status["run-1"]
		if canceled := first == api.StatusCanceled; canceled != (policy == api.OverlapCancel) {
			t.Errorf("%q: the first run is %s", policy, first)
		}
		w.status["run-1"] = api.StatusSucceeded
		w.at("2026-05-01T14:00:00Z")
		w.want(want...)
	}
}

// TestCrashBetweenPlanAndStart: a process that dies after it planned a time, or
// after it made the run, loses no run and makes no second one.
func TestCrashBetweenPlanAndStart(t *testing.T) {
	w := newWorld(t)
	w.must(w.deploy(api.ScheduleSpec{}))
	died := errors.New("the process died")
	crash := w.config
	crash.ByKey = func(context.Context, string) (string, error) { return "", died }
	w.now = w.now.Add(time.Minute)
	if err := schedule.New(crash).Once(t.Context()); !errors.Is(err, died) {
		t.Fatalf("got %v", err)
	}
	w.want("12:00 planned")
	crash.ByKey = w.config.ByKey
	crash.Submit = func(ctx context.Context, s api.Submission) (*api.Run, error) {
		_, err := w.submit(ctx, s)
		return nil, errors.Join(err, api.Errorf(api.Internal, "%w", died))
	}
	if err := schedule.New(crash).Once(t.Context()); !errors.Is(err, died) {
		t.Fatalf("got %v", err)
	}
	w.want("12:00 planned")
	w.at("2026-05-01T12:00:40Z")
	if s := w.want("12:00 started"); s.LastStarts[0].Run != "run-1" || len(w.runs) != 1 {
		t.Errorf("%d runs, shown as %+v", len(w.runs), s.LastStarts)
	}
}

// TestTwoProcesses plan and start the same times.
func TestTwoProcesses(t *testing.T) {
	w := newWorld(t)
	w.must(w.deploy(api.ScheduleSpec{Overlap: api.OverlapAllow}))
	other := schedule.New(w.config)
	for hour := 12; hour < 15; hour++ {
		w.now = time.Date(2026, 5, 1, hour, 0, 1, 0, time.UTC)
		w.must(w.Once(t.Context()))
		w.must(other.Once(t.Context()))
	}
	w.want("12:00 started", "13:00 started", "14:00 started")
}

// TestPause: paused times are gone, also over deployments of the same definition.
func TestPause(t *testing.T) {
	w := newWorld(t)
	w.must(w.deploy(api.ScheduleSpec{}))
	s, err := w.PauseSchedule(t.Context(), "hourly")
	if err != nil || !s.Paused || !s.Next.IsZero() {
		t.Fatalf("paused: %+v, %v", s, err)
	}
	w.at("2026-05-01T12:00:00Z")
	w.must(w.deploy(api.ScheduleSpec{}))
	w.must(w.deploy(api.ScheduleSpec{Inputs: json.RawMessage(`{"n":8}`)}))
	w.at("2026-05-01T13:00:00Z")
	if s := w.want(); !s.Paused {
		t.Error("a deployment resumed it")
	}
	if s, err = w.ResumeSchedule(t.Context(), "hourly"); err != nil || s.Paused || s.Next.Format("15:04") != "14:00" {
		t.Fatalf("resumed: %+v, %v", s, err)
	}
	w.at("2026-05-01T14:00:00Z")
	w.want("14:00 started")
	w.must(w.deploy(api.ScheduleSpec{Paused: true}))
	w.at("2026-05-01T15:00:00Z")
	if s := w.want("14:00 started"); !s.Paused {
		t.Error("the definition did not pause it")
	}
}

// TestRunNow: by hand it starts also what is paused and under way, once for a key.
func TestRunNow(t *testing.T) {
	w := newWorld(t)
	w.must(w.deploy(api.ScheduleSpec{Paused: true}))
	start, err := w.RunSchedule(t.Context(), "hourly", "k")
	if err != nil || start.State != api.StartPlanned || !start.Manual {
		t.Fatalf("without a server: %+v, %v", start, err)
	}
	w.must(w.Once(t.Context()))
	again, err := w.RunSchedule(t.Context(), "hourly", "k")
	if err != nil || again.Run != "run-1" || !w.runs[0].Trigger.Manual {
		t.Fatalf("again: %+v, %v", again, err)
	}
	if _, err := w.RunSchedule(t.Context(), "hourly", ""); err != nil {
		t.Fatal(err)
	}
	w.must(w.Once(t.Context()))
	if len(w.runs) != 2 {
		t.Errorf("%d runs, want 2", len(w.runs))
	}
}

// TestRefusals: a start that is refused has the reason, or waits.
func TestRefusals(t *testing.T) {
	w := newWorld(t)
	w.must(w.deploy(api.ScheduleSpec{}))
	w.refuse = api.Errorf(api.Overloaded, "too much")
	w.now = w.now.Add(time.Minute)
	if err := w.Once(t.Context()); err == nil {
		t.Error("no error for the log")
	}
	w.want("12:00 planned")
	w.refuse = nil
	w.at("2026-05-01T12:10:00Z")
	w.want("12:00 started")
	w.status["run-1"] = api.StatusSucceeded
	w.refuse = api.Errorf(api.CheckFailed, "it would fail")
	w.at("2026-05-01T13:00:00Z")
	if s := w.want("12:00 started", "13:00 failed"); !strings.Contains(s.LastStarts[0].Reason, "it would fail") {
		t.Errorf("failed because of %q", s.LastStarts[0].Reason)
	}
}

// TestDeployments: they change, keep and remove schedules of their environment.
func TestDeployments(t *testing.T) {
	w := newWorld(t)
	w.must(w.deploy(api.ScheduleSpec{}))
	w.now = w.now.Add(time.Minute) // a time is due, and the same definition leaves it so
	w.must(w.deploy(api.ScheduleSpec{}))
	w.must(w.Once(t.Context()))
	w.want("12:00 started")
	w.must(w.deploy(api.ScheduleSpec{Cron: "15 * * * *"}))
	if s := w.want("12:00 started"); s.Next.Format("15:04") != "12:15" {
		t.Errorf("next is %s", s.Next)
	}
	commit, err := w.PrepareDeployment(t.Context(), &api.Deployment{Environment: "other"})
	w.must(err)
	w.must(commit(t.Context()))
	w.want("12:00 started")
	commit, err = w.PrepareDeployment(t.Context(), &api.Deployment{Environment: "env"})
	w.must(err)
	w.must(commit(t.Context()))
	if _, err := w.Service.Schedule(t.Context(), "hourly"); api.AsError(err).Code != api.NotFound {
		t.Errorf("after a deployment without it: %v", err)
	}
}

func TestRefusedDefinitions(t *testing.T) {
	w := newWorld(t)
	for field, spec := range map[string]api.ScheduleSpec{
		"catch_up":     {CatchUp: "some"},
		"overlap":      {CatchUp: api.CatchUpAll},
		"max_catch_up": {MaxCatchUp: 5},
		"cron":         {Cron: "0 0 30 2 *"},
		"n":            {Inputs: json.RawMessage(`{"n": "seven"}`)},
	} {
		if err := w.deploy(spec); err == nil || api.AsError(err).Details.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	for name, want := range map[string]string{"n": "declared int", "at": "an input of the task"} {
		err := w.deploy(api.ScheduleSpec{TimeInput: name, Inputs: json.RawMessage(`{}`)})
		if err == nil || api.AsError(err).Details.Field != "time_input" || !strings.Contains(err.Error(), want) {
			t.Errorf("the time as %s: %v, want %q", name, err, want)
		}
	}
	for name, inputs := range map[string]string{"missing": `{}`, "unknown": `{"n": 1, "m": 2}`, "no object": `[1]`} {
		if err := w.deploy(api.ScheduleSpec{Inputs: json.RawMessage(inputs)}); err == nil {
			t.Errorf("%s input is accepted", name)
		}
	}
}
