package engine

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/admission"
	"github.com/glovebox-dev/glovebox/internal/engine/replay"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// building is a Runner whose images are never ready.
type building struct{ runnerFunc }

func (building) Identity(ctx context.Context, _ *api.Task, progress func(api.Progress)) (string, error) {
	progress(api.Progress{Stage: "build"})
	<-ctx.Done()
	return "", ctx.Err()
}

// TestCancel (D07) cancels runs at each stage: all of the tree ends as
// canceled, once, and nothing is left of it. No run here ends by itself, so
// that a cancellation that does not arrive hangs.
func TestCancel(t *testing.T) {
	busy := function("busy")
	again := function("again")
	again.Retries = 100
	gathered := orchestrate("await gather(*[busy() for i in range(5)])", anything, busy)
	gathered.Orchestrator.Limits.Parallel = 1
	inner := orchestrate("busy()", integer, busy)
	inner.Name = "inner"
	middle := orchestrate("await gather(inner(), inner())", anything, *inner)
	middle.Name = "middle"
	built := plain("built", 0)
	built.Cache = api.CacheAuto
	host := newHost(t)
	for _, c := range []struct {
		name string
		task *api.Task
		runs int // in the tree
	}{
		{"in an attempt", &busy, 1},
		{"between attempts", &again, 1},
		{"while the image is built", built, 1},
		{"while the code waits for a call", orchestrate("busy()", integer, busy), 2},
		{"while a call waits for others", gathered, 2},
		{"two levels down", orchestrate("middle()", anything, *middle), 6},
		{"while the code catches everything", orchestrate("while True:\n    try:\n        busy()\n    except Exception:\n        pass", anything, busy), 2},
	} {
		for _, how := range []string{"here", "from another process", "when its process is gone"} {
			t.Run(c.name+" "+how, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { cancelOnce(t, host, c.task, c.runs, how) })
			})
		}
	}
}

func cancelOnce(t *testing.T, host *host, task *api.Task, runs int, how string) {
	h, e := cancelable(t, host)
	other := h.engine("b", nil)
	defer other.Close()
	run := submit(t, e, api.Submission{Task: task})
	synctest.Wait()
	by := other
	switch how {
	case "here":
		by = e
	case "when its process is gone":
		h.kill("a", e)
	}
	if err := by.Cancel(t.Context(), run.ID, "enough"); err != nil {
		t.Fatalf("cancel: %v", err)
	}
	_, err := by.Wait(t.Context(), run.ID)
	if api.AsError(err).Code != api.Canceled {
		t.Errorf("wait: %v", err)
	}
	h.checkCanceled(t, runs)
	e.checkRest(t)
	other.checkRest(t)
	if err := by.Cancel(t.Context(), run.ID, "again"); api.AsError(err).Code != api.Conflict {
		t.Errorf("cancel again: %v", err)
	}
	h.checkCanceled(t, runs)
}

// The end of a run reaches its calls before its code, or after it: how a call
// ends that was ended with the run is no answer, and the room that it leaves is
// not for another.
func TestCancelReachesCallsFirst(t *testing.T) {
	e := newHost(t).engine("a", nil)
	defer e.Close()
	r, child := e.newRun(journal.Record{}, nil), e.newRun(journal.Record{}, nil)
	c := &caller{
		run: r, parallel: admission.NewSlots(1), history: replay.NewHistory(), arrived: make(chan struct{}, 1),
		answers: []answer{{fatal: api.Errorf(api.CallFailed, "call 1 was cancelled")}},
	}
	why := cancelCause{"enough"}
	r.cancel(why)
	ctx := t.Context() // of the attempt, which does not know of it yet
	if _, err := c.Next(ctx, time.Time{}); err != why {
		t.Errorf("the next answer: %v", err)
	}
	if err := c.admit(ctx, child); err != why || e.liveRun(child.id) != nil || !c.parallel.TryAcquire() {
		t.Errorf("another call: %v", err)
	}
}

// cancelable has functions that end with their context only, and little room.
func cancelable(t *testing.T, h *host) (*host, *Engine) {
	h = h.anew()
	h.functions.code["busy"] = func(ctx context.Context, _ map[string]any) (any, error) { <-ctx.Done(); return nil, ctx.Err() }
	h.functions.code["again"] = func(context.Context, map[string]any) (any, error) {
		return nil, api.Errorf(api.FunctionFailed, "no")
	}
	c := h.config("a", h.journal)
	h.alive["a"] = true
	c.Kinds[api.KindSandbox] = building{stuck}
	c.Limits = map[api.TaskKind]int{api.KindSandbox: 1, api.KindOrchestrator: 1}
	e := New(c)
	t.Cleanup(e.Close)
	return h, e
}

func (h *host) checkCanceled(t *testing.T, runs int) {
	t.Helper()
	all := h.journal.(*memory).all(nil)
	if len(all) != runs {
		t.Errorf("%d runs, want %d", len(all), runs)
	}
	for _, rec := range all {
		if rec.Status != api.StatusCanceled {
			t.Errorf("run %s of %s is %s: %v", rec.ID, rec.Task, rec.Status, rec.Error)
		}
		checkEvents(t, h.journal, rec)
		if n := count(t, h.journal, rec.ID, api.EventEnded); n != 1 {
			t.Errorf("run %s of %s ended %d times", rec.ID, rec.Task, n)
		}
	}
	if left, err := os.ReadDir(h.dir + "/runs"); err == nil && len(left) > 0 {
		t.Errorf("%d directories are left", len(left))
	}
}

func count(t *testing.T, j journal.Journal, id string, kind api.EventKind) (n int) {
	t.Helper()
	events, err := j.Events(t.Context(), id, 0, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, ev := range events {
		if ev.Kind == kind {
			n++
		}
	}
	return n
}

// Those that wait for their turn or for a slot are cancelled where they wait,
// and those behind them are not held up.
func TestCancelWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := sandboxes(t, stuck, 1)
		var ids []string
		for range 8 { // one runs, three wait for its slot, four for their turn
			ids = append(ids, submit(t, e, api.Submission{Task: plain("main", 0)}).ID)
		}
		synctest.Wait()
		for i := len(ids) - 1; i >= 0; i-- {
			if err := e.Cancel(t.Context(), ids[i], ""); err != nil {
				t.Error(err)
			}
			_, err := e.Wait(t.Context(), ids[i])
			if failure := api.AsError(err); failure.Code != api.Canceled || i > 3 && failure.Outcome != api.NotStarted {
				t.Errorf("run %d: %+v", i, failure)
			}
		}
		e.checkRest(t)
		checkAll(t, e)
	})
}

// Code that computes is cancelled as well.
func TestCancelBusyCode(t *testing.T) {
	h, e := cancelable(t, newHost(t))
	called := make(chan struct{})
	h.functions.code["signal"] = func(context.Context, map[string]any) (any, error) { close(called); return int64(1), nil }
	task := orchestrate("signal()\nn = 0\nwhile True: n += 1", integer, function("signal"))
	task.Orchestrator.Limits.Time, task.Orchestrator.Limits.Steps = time.Hour, 1<<60
	run := submit(t, e, api.Submission{Task: task})
	<-called
	if err := e.Cancel(t.Context(), run.ID, ""); err != nil {
		t.Error(err)
	}
	if _, err := e.Wait(t.Context(), run.ID); api.AsError(err).Code != api.Canceled {
		t.Errorf("wait: %v", err)
	}
	e.checkRest(t)
}

// A request that comes when the run has ended is a conflict, and is no event of
// the run; however close the two are.
func TestCancelRacesEnd(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	tools := h.arithmetic()
	for range 200 {
		run := submit(t, e, api.Submission{Task: orchestrate("add(1, 2)", integer, tools[0])})
		err := e.Cancel(t.Context(), run.ID, "")
		result, waited := e.Wait(t.Context(), run.ID)
		switch {
		case err != nil && api.AsError(err).Code != api.Conflict, err != nil && waited != nil:
			t.Errorf("cancel: %v, wait: %v", err, waited)
		case waited == nil && result.Outputs[0].Value != int64(3), waited != nil && api.AsError(waited).Code != api.Canceled:
			t.Errorf("wait: %v, %v", result, waited)
		}
	}
	e.checkRest(t)
	checkAll(t, e)
}

// TestSubmitGivenUp: the caller of Submit may give up at any moment. The run
// ends all the same, and a later submission with its key finds it.
func TestSubmitGivenUp(t *testing.T) {
	for _, key := range []string{"", "k"} {
		synctest.Test(t, func(t *testing.T) {
			h := newHost(t)
			slow := &slowJournal{Journal: h.journal, gate: make(chan struct{})}
			e := h.engine("a", slow)
			defer e.Close()
			tools := h.arithmetic()
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			task := orchestrate("add(1, 2)", integer, tools[0])
			if _, err := e.Submit(ctx, api.Submission{Task: task, IdempotencyKey: key}); api.AsError(err).Code != api.Canceled {
				t.Errorf("submit: %v", err)
			}
			close(slow.gate)
			e.checkRest(t)
			checkAllOf(t, h)
			rec := h.journal.(*memory).all(nil)[0]
			if want := map[string]api.Status{"": api.StatusCanceled, "k": api.StatusSucceeded}[key]; rec.Status != want {
				t.Errorf("with key %q the run is %s: %v", key, rec.Status, rec.Error)
			}
		})
	}
}

// slowJournal is durable only when its gate is open.
type slowJournal struct {
	journal.Journal
	gate chan struct{}
}

func (s *slowJournal) Submit(changes ...journal.Change) journal.Receipt {
	return gated{s.Journal.Submit(changes...), s.gate}
}

type gated struct {
	journal.Receipt
	gate chan struct{}
}

func (g gated) Wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-g.gate:
		return g.Receipt.Wait(ctx)
	}
}

func checkAllOf(t *testing.T, h *host) {
	t.Helper()
	for _, rec := range h.journal.(*memory).all(nil) {
		checkEvents(t, h.journal, rec)
	}
}

// An orchestrator may end while its calls are being written.
func TestTimeoutWhileACallIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		tools := h.arithmetic()
		slow := &slowJournal{Journal: h.journal, gate: make(chan struct{})}
		close(slow.gate)
		e := h.engine("a", slow)
		defer e.Close()
		h.functions.code["add"] = func(context.Context, map[string]any) (any, error) {
			slow.gate = make(chan struct{})
			time.AfterFunc(2*time.Second, func() { close(slow.gate) })
			return int64(1), nil
		}
		task := orchestrate("multiply(add(1, 2), 3)", integer, tools[:2]...)
		task.Timeout = time.Second
		if _, err := run1(t, e, task, nil); api.AsError(err).Code != api.Timeout {
			t.Errorf("got %v", err)
		}
		e.checkRest(t)
		checkAllOf(t, h)
		if n := h.functions.count("multiply"); n != 0 {
			t.Errorf("a call that was not durable was carried out %d times", n)
		}
	})
}

// A call that a cancellation cut off is in doubt: it is made again only if that
// does no harm, or if somebody says so.
func TestResumeAfterCancellation(t *testing.T) {
	for _, idempotent := range []bool{false, true} {
		h := newHost(t)
		e := h.engine("a", nil)
		defer e.Close()
		entered := make(chan struct{}, 2)
		var again atomic.Bool
		h.functions.code["pay"] = func(ctx context.Context, in map[string]any) (any, error) {
			entered <- struct{}{}
			if again.Load() {
				return in["x"], nil
			}
			<-ctx.Done()
			return nil, context.Cause(ctx)
		}
		h.functions.code["add"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
		pay, add := function("pay", "x"), function("add", "x")
		pay.Idempotent = idempotent
		run := submit(t, e, api.Submission{Task: orchestrate("add(1) + pay(2)", integer, pay, add)})
		<-entered
		if err := e.Cancel(t.Context(), run.ID, "enough"); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Wait(t.Context(), run.ID); !errors.Is(err, &api.Error{Code: api.Canceled}) {
			t.Fatalf("the run ended with %v", err)
		}
		again.Store(true)
		_, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{})
		if !idempotent {
			if !errors.Is(err, &api.Error{Code: api.Conflict}) || !strings.Contains(err.Error(), "pay") {
				t.Fatalf("resume without a word: %v", err)
			}
			_, err = e.Resume(t.Context(), run.ID, api.ResumeOptions{RetryUnknown: true})
		}
		if err != nil {
			t.Fatal(err)
		}
		result, err := e.Wait(t.Context(), run.ID)
		if got := valueFrom(t, result, err); got != int64(3) || h.functions.count("add") != 1 || h.functions.count("pay") != 1 {
			t.Errorf("idempotent %v: %v after %d and %d calls", idempotent, got, h.functions.count("add"), h.functions.count("pay"))
		}
	}
}
