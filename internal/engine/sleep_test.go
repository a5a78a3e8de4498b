package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// sleeper is an orchestrator that says what it does.
func sleeper(code string, tools ...api.Task) *api.Task {
	return inTheWorld(orchestrate("import asyncio, time, random\n"+code, anything, tools...))
}

func submitSleeper(t *testing.T, e *Engine, task *api.Task, out *bytes.Buffer) string {
	t.Helper()
	s := api.Submission{Task: task}
	if out != nil {
		s.Stdout = out
	}
	r, err := e.Submit(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

// untilAsleep waits until the journal knows that a run sleeps, and that its
// attempt has gone to rest.
func untilAsleep(t *testing.T, h *host, e *Engine, id string) {
	t.Helper()
	for {
		if r := e.liveRun(id); r != nil && h.journal.(*memory).has(id, api.EventSleepStarted) && e.admission.Usage(api.KindOrchestrator).FreeSlots == DefaultSlots {
			if run, err := e.Run(t.Context(), id); err != nil || run.SleepsUntil.IsZero() {
				t.Errorf("it does not say that it sleeps: %v, %v", run, err)
			}
			return
		}
		if t.Context().Err() != nil {
			t.Fatal("it does not sleep")
		}
		time.Sleep(time.Millisecond)
	}
}

func (m *memory) has(id string, kind api.EventKind) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.events[id], func(ev api.Event) bool { return ev.Kind == kind })
}

// TestRestTakesNothing has many runs sleep: they hold no goroutine and no slot,
// and all of them resume.
func TestRestTakesNothing(t *testing.T) {
	synctest.Test(t, testRestTakesNothing)
}

func testRestTakesNothing(t *testing.T) {
	const runs = 200
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	e.longSleep = 10 * time.Millisecond
	before := runtime.NumGoroutine()
	ids := make([]string, runs)
	for i := range ids {
		ids[i] = submitSleeper(t, e, sleeper("print('a')\nt = time.time()\ntime.sleep(4)\nprint('b')\ntime.time() - t >= 4"), nil)
	}
	for _, id := range ids {
		untilAsleep(t, h, e, id)
	}
	if now := runtime.NumGoroutine(); now > before+runs/2 {
		t.Errorf("%d goroutines, %d before", now, before)
	}
	for _, id := range ids {
		result, err := e.Wait(t.Context(), id)
		if got := valueFrom(t, result, err); got != true || string(result.Stdout) != "a\nb\n" {
			t.Errorf("got %v, %q", got, result.Stdout)
		}
		if result.Attempts != 1 || result.Timings.Total < 4*time.Second || result.Timings.Queue > 3*time.Second {
			t.Errorf("attempts %d, timings %+v", result.Attempts, result.Timings)
		}
	}
	e.checkRest(t)
}

// TestRestShowsOnce has what was printed before a rest not printed again.
func TestRestShowsOnce(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	e.longSleep = 10 * time.Millisecond
	var out bytes.Buffer
	id := submitSleeper(t, e, sleeper("for i in range(3):\n    print(i, random.random())\n    time.sleep(0.1)\n'done'"), &out)
	result, err := e.Wait(t.Context(), id)
	if valueFrom(t, result, err) != "done" || out.String() != string(result.Stdout) || bytes.Count(out.Bytes(), []byte("\n")) != 3 {
		t.Errorf("shown %q, printed %q", out.String(), result.Stdout)
	}
}

// TestRestEnds cancels a run that sleeps, and closes the engine of another,
// which then resumes elsewhere.
func TestRestEnds(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	e.longSleep = 10 * time.Millisecond
	canceled := submitSleeper(t, e, sleeper("time.sleep(3600)"), nil)
	untilAsleep(t, h, e, canceled)
	if err := e.Cancel(t.Context(), canceled, "enough"); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Wait(t.Context(), canceled); api.AsError(err).Code != api.Canceled {
		t.Errorf("got %v", err)
	}
	id := submitSleeper(t, e, sleeper("t = time.time()\nx = random.random()\nprint(x)\ntime.sleep(1)\n(x == random.Random(0).random(), time.time() - t >= 1)"), nil)
	untilAsleep(t, h, e, id)
	h.kill("a", e)
	second := h.engine("b", nil)
	defer second.Close()
	if _, err := second.Recover(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	result, err := second.Wait(t.Context(), id)
	if got := valueFrom(t, result, err); !slices.Equal(got.(value.Tuple), value.Tuple{false, true}) {
		t.Errorf("got %v", got)
	}
}

// TestSleepsAreBounded ends code that would fill the journal.
func TestSleepsAreBounded(t *testing.T) {
	e := newHost(t).engine("a", nil)
	defer e.Close()
	task := sleeper("while True:\n    time.sleep(1e-6)")
	task.Orchestrator.Limits.Calls = 5
	if _, err := run1(t, e, task, nil); api.AsError(err).Code != api.LimitExceeded {
		t.Errorf("got %v", err)
	}
}

// TestSleepInTheJournal shows sleeps, but no sleep that was called off
// immediately.
func TestSleepInTheJournal(t *testing.T) {
	h := newHost(t)
	h.functions.code["add"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
	e := h.engine("a", nil)
	defer e.Close()
	add := function("add", "x", "y")
	id := submitSleeper(t, e, sleeper("async def main():\n    await asyncio.wait_for(add(1, 2), 60)\n    await asyncio.sleep(0.3)\nasyncio.run(main())", add), nil)
	if _, err := e.Wait(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	var kinds []api.EventKind
	var until time.Time
	for _, ev := range h.journal.(*memory).events[id] {
		kinds = append(kinds, ev.Kind)
		if ev.Kind == api.EventSleepEnded {
			var d api.SleepEndedData
			if err := errors.Join(json.Unmarshal(ev.Data, &d)); err != nil || ev.Time.Before(d.Until) {
				t.Errorf("%v at %v (%v)", d, ev.Time, err)
			}
			until = d.Until
		}
	}
	want := []api.EventKind{
		api.EventCreated, api.EventStarted, api.EventAttemptStarted, api.EventCallStarted, api.EventCallEnded,
		api.EventSleepStarted, api.EventSleepEnded, api.EventAttemptEnded, api.EventEnded,
	}
	if !slices.Equal(kinds, want) || until.IsZero() {
		t.Errorf("got %v", kinds)
	}
}

// TestVirtualClock sleeps for a year in no real time, from a fixed time on.
func TestVirtualClock(t *testing.T) {
	e := newHost(t).engine("a", nil)
	defer e.Close()
	task := sleeper("from datetime import datetime\nasyncio.run(asyncio.sleep(366 * 86400))\n(datetime.now().isoformat(), random.random())")
	task.Orchestrator.Clock, task.Orchestrator.Random = "fixed:2024-02-29T12:00:00+01:00", api.SeededRandom(42)
	result, err := run1(t, e, task, nil)
	if got := valueFrom(t, result, err); !slices.Equal(got.(value.Tuple), value.Tuple{"2025-03-01T11:00:00", 0.6394267984578837}) {
		t.Errorf("got %v", got)
	}
}

// TestLimitOfACall ends a slow call after its limit of real time; the run
// continues.
func TestLimitOfACall(t *testing.T) {
	h := newHost(t)
	ended := make(chan error, 1)
	h.functions.code["slow"] = func(ctx context.Context, _ map[string]any) (any, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	}
	e := h.engine("a", nil)
	defer e.Close()
	slow := function("slow", "x")
	slow.Signature.Async = true
	result, err := run1(t, e, sleeper("t = time.time()\nasync def main():\n    try:\n        return await asyncio.wait_for(slow(1), timeout=0.05)\n"+
		"    except TimeoutError:\n        return 'late'\n(asyncio.run(main()), 0.05 <= time.time() - t < 30)", slow), nil)
	if got := valueFrom(t, result, err); !slices.Equal(got.(value.Tuple), value.Tuple{"late", true}) {
		t.Errorf("got %v", got)
	}
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Error("the call goes on")
	}
	e.checkRest(t)
}
