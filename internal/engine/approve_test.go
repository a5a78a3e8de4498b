package engine

import (
	"context"
	"encoding/json"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// approved makes the tool of a task that asks for approval.
func approved(tool api.Task, a api.Approval) api.Task {
	tool.Approval = &a
	return tool
}

// payable is a host with a tool pay(amount) that asks for approval, and one that
// does not.
func payable(t *testing.T) (*host, api.Task, api.Task) {
	h := newHost(t)
	h.functions.code["pay"] = func(_ context.Context, in map[string]any) (any, error) { return in["amount"].(int64) * 10, nil }
	h.functions.code["free"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
	return h, approved(function("pay", "amount"), api.Approval{}), function("free", "x")
}

// untilWaiting waits until so many runs wait for a decision, and returns them.
func untilWaiting(t *testing.T, e *Engine, n int) []api.PendingApproval {
	t.Helper()
	for {
		page, err := e.Approvals(t.Context(), api.ApprovalQuery{Limit: maxPage})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Approvals) >= n && e.holds.Load() >= int64(n) {
			return page.Approvals
		}
		if t.Context().Err() != nil {
			t.Fatal("nothing waits")
		}
		time.Sleep(time.Millisecond)
	}
}

func start(t *testing.T, e *Engine, task *api.Task, inputs map[string]any) string {
	t.Helper()
	run, err := e.Submit(t.Context(), api.Submission{Task: task, Inputs: inputs})
	if err != nil {
		t.Fatal(err)
	}
	return run.ID
}

func decide(t *testing.T, e *Engine, id string, d api.Decision) {
	t.Helper()
	if _, err := e.Decide(t.Context(), id, d); err != nil {
		t.Fatal(err)
	}
}

// decideAll decides about what code waits for alone, as the journal says, until leave
// is called.
func decideAll(t *testing.T, e *Engine) (leave func()) {
	return deciding(t, func(ctx context.Context) {
		runs, err := e.Runs(ctx, api.RunQuery{Limit: maxPage})
		for _, run := range runs.Runs {
			if err != nil || run.Awaits == nil || run.Status != api.StatusRunning {
				continue
			}
			if asked, err := e.Approval(ctx, run.Awaits.Calls[0].Run); err == nil {
				judge(ctx, e, asked)
			}
		}
	})
}

// decideEarly decides about whatever asks.
func decideEarly(t *testing.T, e *Engine) (leave func()) {
	return deciding(t, func(ctx context.Context) {
		page, _ := e.Approvals(ctx, api.ApprovalQuery{Limit: maxPage})
		for _, asked := range page.Approvals {
			judge(ctx, e, &asked)
		}
	})
}

func deciding(t *testing.T, look func(context.Context)) (leave func()) {
	ctx, cancel := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		for ctx.Err() == nil {
			time.Sleep(100 * time.Microsecond)
			look(ctx)
		}
	}()
	return func() { cancel(); <-left }
}

// judge refuses 100, and changes the argument 7. It sends a signal the hundredfold of
// its argument.
func judge(ctx context.Context, e *Engine, asked *api.PendingApproval) {
	if !asked.Waiting() {
		return
	}
	if asked.Kind == api.KindSignal {
		var in struct{ X int }
		if json.Unmarshal(asked.Arguments, &in) == nil {
			e.Signal(ctx, asked.Run, asked.Task, api.Signal{Value: json.RawMessage(strconv.Itoa(in.X * 100))})
		}
		return
	}
	d := api.Decision{Approved: string(asked.Arguments) != `{"x":100}`, By: "Ada"}
	if string(asked.Arguments) == `{"x":7}` {
		d.Arguments = json.RawMessage(`{"x": 8}`)
	}
	e.Decide(ctx, asked.Run, d)
}

// day is how long a test lets a day of its bubble be. The engine looks about
// itself four times a second, so that a whole one costs half a second of processor.
func day() time.Duration {
	if testing.Short() {
		return time.Hour
	}
	return 24 * time.Hour
}

// TestApprovalOverDays waits for days, in which processes come and go.
func TestApprovalOverDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, pay, free := payable(t)
		e := h.engine("a", nil)
		id := start(t, e, orchestrate("free(1) + pay(2)", anything, pay, free), nil)
		asked := untilWaiting(t, e, 1)[0]
		for i := range 4 {
			time.Sleep(day())
			h.kill(string(rune('a'+i)), e)
			e = h.engine(string(rune('b'+i)), nil)
			if _, err := e.Recover(t.Context(), true); err != nil {
				t.Fatal(err)
			}
		}
		defer func() { e.Close() }()
		decide(t, e, asked.Run, api.Decision{Approved: true})
		if result, err := e.Wait(t.Context(), id); valueFrom(t, result, err) != int64(21) || h.functions.count("free") != 1 {
			t.Errorf("got %v", result)
		}
	})
}

// TestApprovalOfACall has people decide about calls: the code gets the value of an
// approved one, that of changed arguments, and a PermissionError of a refused one.
func TestApprovalOfACall(t *testing.T) {
	for name, tt := range map[string]struct {
		d    api.Decision
		want any
	}{
		"approved": {api.Decision{Approved: true, By: "Ada"}, int64(42)},
		"changed":  {api.Decision{Approved: true, Arguments: json.RawMessage(`{"amount": 1}`)}, int64(12)},
		"refused":  {api.Decision{By: "Ada", Identity: "token", Reason: "too much"}, "pay was refused by Ada (token): too much"},
	} {
		t.Run(name, func(t *testing.T) {
			h, pay, free := payable(t)
			e := h.engine("a", nil)
			defer e.Close()
			id := start(t, e, orchestrate("a = free(1)\nb = 0\ntry:\n    b = pay(4) + free(a)\nexcept PermissionError as e:\n    b = str(e)\nb if isinstance(b, str) else b + 1", anything, pay, free), nil)
			asked := untilWaiting(t, e, 1)[0]
			if asked.Task != "pay" || asked.Line != 4 || asked.Parent != id || asked.Asks != "main" || string(asked.Arguments) != `{"amount":4}` {
				t.Errorf("asked %+v, %s", asked, asked.Arguments)
			}
			decide(t, e, asked.Run, tt.d)
			result, err := e.Wait(t.Context(), id)
			if got := valueFrom(t, result, err); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			run, err := e.Run(t.Context(), asked.Run)
			if err == nil && run.Line != 4 {
				t.Errorf("the call is of line %d, want 4", run.Line)
			}
			if err != nil || run.Approval.Decision == nil || run.Approval.Decision.By != tt.d.By || run.Approval.Decision.From != api.FromAPI {
				t.Errorf("kept %+v, %v", run.Approval, err)
			}
			_, err = e.Decide(t.Context(), asked.Run, api.Decision{Approved: !tt.d.Approved})
			if api.AsError(err).Code != api.Conflict || !strings.Contains(err.Error(), tt.d.Verdict()+" already, by ") {
				t.Errorf("a second decision: %v", err)
			}
			e.checkRest(t)
			checkAllOf(t, h)
		})
	}
}

// TestApprovalOfARun has a task ask before it starts, and once more if it is
// resumed after a refusal.
func TestApprovalOfARun(t *testing.T) {
	h, pay, _ := payable(t)
	e := h.engine("a", nil)
	defer e.Close()
	id := start(t, e, &pay, map[string]any{"amount": 4})
	untilWaiting(t, e, 1)
	decide(t, e, id, api.Decision{Reason: "no"})
	if _, err := e.Wait(t.Context(), id); api.AsError(err).Code != api.ApprovalRefused || api.AsError(err).Outcome != api.NotStarted {
		t.Errorf("got %v", err)
	}
	if _, err := e.Resume(t.Context(), id, api.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	untilWaiting(t, e, 1)
	decide(t, e, id, api.Decision{Approved: true})
	if result, err := e.Wait(t.Context(), id); valueFrom(t, result, err) != int64(40) || h.functions.count("pay") != 1 {
		t.Errorf("got %v, executed %d times", result, h.functions.count("pay"))
	}
	e.checkRest(t)
}

// TestDecisionsThatCannotBe says what is wrong with each, and decides nothing.
func TestDecisionsThatCannotBe(t *testing.T) {
	h, pay, free := payable(t)
	e := h.engine("a", nil)
	defer e.Close()
	id, other := start(t, e, &pay, map[string]any{"amount": 4}), start(t, e, &free, map[string]any{"x": 4})
	untilWaiting(t, e, 1)
	for name, tt := range map[string]struct {
		run  string
		d    api.Decision
		code api.Code
		says string
	}{
		"type":      {id, api.Decision{Approved: true, Arguments: json.RawMessage(`{"amount": "x"}`)}, api.InvalidInput, "amount"},
		"unknown":   {id, api.Decision{Approved: true, Arguments: json.RawMessage(`{"sum": 1}`)}, api.InvalidInput, "sum"},
		"no object": {id, api.Decision{Approved: true, Arguments: json.RawMessage(`[1]`)}, api.RequestInvalid, "arguments"},
		"both":      {id, api.Decision{Arguments: json.RawMessage(`{"amount": 1}`)}, api.RequestInvalid, "refusal"},
		"long":      {id, api.Decision{Reason: strings.Repeat("x", 9000)}, api.RequestInvalid, "reason"},
		"name":      {id, api.Decision{By: "a\nb"}, api.RequestInvalid, "by"},
		"from":      {id, api.Decision{From: "elsewhere"}, api.RequestInvalid, "from"},
		"deadline":  {id, api.Decision{From: api.FromDeadline}, api.RequestInvalid, "from"},
		"not asked": {other, api.Decision{Approved: true}, api.NotFound, "asks for no approval"},
		"no run":    {"run-none", api.Decision{Approved: true}, api.NotFound, "run-none"},
	} {
		if _, err := e.Decide(t.Context(), tt.run, tt.d); api.AsError(err).Code != tt.code || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(untilWaiting(t, e, 1)) != 1 || h.functions.count("pay") != 0 {
		t.Error("something was decided")
	}
	decide(t, e, id, api.Decision{Approved: true, Key: "k"})
	decide(t, e, id, api.Decision{Approved: true, Key: "k"})
	if _, err := e.Decide(t.Context(), id, api.Decision{Key: "k"}); api.AsError(err).Code != api.Conflict {
		t.Errorf("another decision with the key: %v", err)
	}
}

// TestWaitingForPeopleTakesNothing has many runs wait, over the end of the process
// that asked.
func TestWaitingForPeopleTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		runs := 1000
		if testing.Short() {
			runs = 200
		}
		h, pay, free := payable(t)
		e := h.engine("a", nil)
		before := runtime.NumGoroutine()
		ids := make([]string, runs)
		for i := range ids {
			ids[i] = start(t, e, orchestrate("await gather(free(1), pay(2), pay(3))", anything, pay, free), nil)
		}
		asked := untilWaiting(t, e, runs)
		time.Sleep(time.Minute)
		if now := runtime.NumGoroutine(); now > before+runs/100 {
			t.Errorf("%d goroutines, %d before", now, before)
		}
		if free := e.admission.Usage(api.KindOrchestrator).FreeSlots; free != DefaultSlots {
			t.Errorf("%d slots are free", free)
		}
		run, err := e.Run(t.Context(), ids[0])
		if err != nil || run.Awaits == nil || run.Awaits.Total != 2 || run.Awaits.String() != "approval of pay in line 1 and 1 more" {
			t.Errorf("awaits %+v, %v", run.Awaits, err)
		}
		for i := range 3 { // deaths while people think are no deaths of the run's
			h.kill(string(rune('a'+i)), e)
			e = h.engine(string(rune('b'+i)), nil)
			if _, err := e.Recover(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		defer func() { e.Close() }()
		for len(asked) > 0 {
			for _, a := range asked {
				decide(t, e, a.Run, api.Decision{Approved: true})
			}
			time.Sleep(time.Minute)
			page, err := e.Approvals(t.Context(), api.ApprovalQuery{Limit: maxPage})
			if err != nil {
				t.Fatal(err)
			}
			asked = page.Approvals
		}
		for _, id := range ids {
			result, err := e.Wait(t.Context(), id)
			if diff := cmp.Diff([]any{int64(1), int64(20), int64(30)}, valueFrom(t, result, err)); diff != "" {
				t.Fatal(diff)
			}
		}
		if h.functions.count("pay") != 2*runs || h.functions.count("free") != runs {
			t.Errorf("executed %d, %d times", h.functions.count("pay"), h.functions.count("free"))
		}
		e.checkRest(t)
	})
}

// TestDeadline refuses a run by itself, after a second notice; also one whose
// process was gone at the time.
func TestDeadline(t *testing.T) {
	for _, killed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h, pay, _ := payable(t)
			pay.Approval = &api.Approval{Notice: day() / 24, Deadline: day()}
			e := h.engine("a", nil)
			id := start(t, e, orchestrate("try:\n    r = pay(4)\nexcept PermissionError as e:\n    r = str(e)\nr", anything, pay), nil)
			asked := untilWaiting(t, e, 1)[0]
			time.Sleep(day() / 12)
			if !h.journal.(*memory).has(asked.Run, api.EventApprovalNoticed) {
				t.Error("there was no second notice")
			}
			if killed {
				h.kill("a", e)
				e = h.engine("b", nil)
				time.Sleep(2 * day())
				if _, err := e.Recover(t.Context(), true); err != nil {
					t.Fatal(err)
				}
			}
			defer e.Close()
			result, err := e.Wait(t.Context(), id)
			if got := valueFrom(t, result, err); got != "pay was refused by its deadline: the deadline has passed" {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestCancelWhileItWaits ends the run, or the call alone, and closes the question.
func TestCancelWhileItWaits(t *testing.T) {
	for _, what := range []string{"run", "call", "top"} {
		h, pay, free := payable(t)
		e := h.engine("a", nil)
		task := orchestrate("await gather(free(1), pay(2), pay(3))", anything, pay, free)
		if what == "top" {
			task.Approval = &api.Approval{}
		}
		id := start(t, e, task, nil)
		n := 2
		if what == "top" {
			n = 1
		}
		target := untilWaiting(t, e, n)[0].Run
		if what == "run" {
			target = id
		}
		if err := e.Cancel(t.Context(), target, "enough"); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Wait(t.Context(), id); err == nil {
			t.Errorf("%s: the run succeeded", what)
		}
		e.checkRest(t)
		checkAllOf(t, h)
		page, err := e.Approvals(t.Context(), api.ApprovalQuery{})
		if err != nil || len(page.Approvals) > 0 || page.Waiting != 0 {
			t.Errorf("%s: %+v still wait, %v", what, page, err)
		}
		if _, err := e.Decide(t.Context(), target, api.Decision{Approved: true}); what != "run" && api.AsError(err).Code != api.Conflict {
			t.Errorf("%s: a decision after it: %v", what, err)
		}
		e.Close()
	}
}

// TestGivenUpWhileItWaits has code that waits for a decision for a time only, and
// leaves memory meanwhile.
func TestGivenUpWhileItWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, pay, free := payable(t)
		pay.Signature.Async = true
		e := h.engine("a", nil)
		defer e.Close()
		id := start(t, e, sleeper("async def main():\n    try:\n        return await asyncio.wait_for(pay(1), timeout=3600)\n    except TimeoutError:\n        return free(7)\nasyncio.run(main())", pay, free), nil)
		untilWaiting(t, e, 1)
		result, err := e.Wait(t.Context(), id)
		if got := valueFrom(t, result, err); got != int64(7) {
			t.Errorf("got %v", got)
		}
		e.checkRest(t)
		checkAllOf(t, h)
	})
}

// TestDecisionOfAnotherProcess is taken over by the one that the run waits in.
func TestDecisionOfAnotherProcess(t *testing.T) {
	h, pay, _ := payable(t)
	e, other := h.engine("a", nil), h.engine("b", nil)
	defer e.Close()
	defer other.Close()
	id := start(t, e, orchestrate("pay(2)", anything, pay), nil)
	asked := untilWaiting(t, e, 1)[0]
	decide(t, other, asked.Run, api.Decision{Approved: true})
	if result, err := e.Wait(t.Context(), id); valueFrom(t, result, err) != int64(20) {
		t.Errorf("got %v", result)
	}
}

// TestWaitingBelowOthers has calls wait whose attempt cannot leave memory: below
// another orchestrator, and with a time limit.
func TestWaitingBelowOthers(t *testing.T) {
	h, pay, free := payable(t)
	e := h.engine("a", nil)
	defer e.Close()
	inner := *orchestrate("pay(2) + free(1)", integer, pay, free)
	inner.Name = "inner"
	inner.Signature.Outputs = []value.Param{{Name: "result", Type: integer}}
	task := orchestrate("inner() + pay(3)", anything, inner, pay)
	task.Timeout = time.Hour
	id := start(t, e, task, nil)
	for range 2 {
		decide(t, e, untilWaiting(t, e, 1)[0].Run, api.Decision{Approved: true})
	}
	if result, err := e.Wait(t.Context(), id); valueFrom(t, result, err) != int64(51) {
		t.Errorf("got %v", result)
	}
	e.checkRest(t)
}
