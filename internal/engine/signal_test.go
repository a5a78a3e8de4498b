package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// signalOf is a signal that carries an int.
func signalOf(name string, inputs ...string) api.Task {
	return api.Task{Name: name, Kind: api.KindSignal, Signature: api.Signature{Inputs: ints(inputs...), Outputs: ints("result")}}
}

func send(t *testing.T, e *Engine, id, name, text string) (*api.PendingApproval, error) {
	t.Helper()
	return e.Signal(t.Context(), id, name, api.Signal{Value: json.RawMessage(text), By: "Ada"})
}

// TestSignals sends values to two calls that wait for one signal: the first gets the
// first.
func TestSignals(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	id := start(t, e, orchestrate("a, b = await gather(paid(), paid())\n[a, b]", anything, signalOf("paid")), nil)
	untilWaiting(t, e, 2)
	for _, text := range []string{"7", "8"} {
		if a, err := send(t, e, id, "paid", text); err != nil || a.Decision.By != "Ada" || a.Kind != api.KindSignal {
			t.Fatal(a, err)
		}
	}
	result, err := e.Wait(t.Context(), id)
	if got := fmt.Sprint(valueFrom(t, result, err)); got != "[7 8]" {
		t.Errorf("got %s", got)
	}
	e.checkRest(t)
	checkAllOf(t, h)
}

// TestSignalsThatCannotBe says what is wrong with each, and sends nothing.
func TestSignalsThatCannotBe(t *testing.T) {
	h, pay, free := payable(t)
	e := h.engine("a", nil)
	defer e.Close()
	bare := signalOf("bare")
	bare.Signature.Outputs = nil
	id := start(t, e, orchestrate("await gather(paid(), pay(1), bare())", anything, signalOf("paid"), pay, bare), nil)
	other := start(t, e, &free, map[string]any{"x": 4})
	if _, err := e.Wait(t.Context(), other); err != nil {
		t.Fatal(err)
	}
	asked := untilWaiting(t, e, 3)
	for name, tt := range map[string]struct {
		run, signal string
		s           api.Signal
		code        api.Code
		says        string
	}{
		"type":     {id, "paid", api.Signal{Value: json.RawMessage(`"x"`)}, api.InvalidInput, "int"},
		"nothing":  {id, "paid", api.Signal{}, api.InvalidInput, "int"},
		"no JSON":  {id, "paid", api.Signal{Value: json.RawMessage(`{`)}, api.InvalidInput, "value"},
		"too much": {id, "bare", api.Signal{Value: json.RawMessage(`1`)}, api.InvalidInput, "carries no value"},
		"approval": {id, "pay", api.Signal{Value: json.RawMessage(`1`)}, api.Conflict, "does not wait for the signal"},
		"unknown":  {id, "pald", api.Signal{Value: json.RawMessage(`1`)}, api.Conflict, `"pald"`},
		"ended":    {other, "paid", api.Signal{Value: json.RawMessage(`1`), Wait: time.Minute}, api.Conflict, "succeeded"},
		"no run":   {"run-none", "paid", api.Signal{Value: json.RawMessage(`1`)}, api.NotFound, "run-none"},
		"wait":     {id, "paid", api.Signal{Wait: 2 * time.Minute}, api.RequestInvalid, "wait"},
		"by":       {id, "paid", api.Signal{By: "a\nb"}, api.RequestInvalid, "by"},
	} {
		if _, err := e.Signal(t.Context(), tt.run, tt.signal, tt.s); err == nil || api.AsError(err).Code != tt.code || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, a := range asked { // by hand, as an approval: a signal needs its values
		if _, err := e.Decide(t.Context(), a.Run, api.Decision{Approved: true}); a.Task == "paid" && api.AsError(err).Code != api.RequestInvalid {
			t.Errorf("approved without a value: %v", err)
		}
	}
	if _, err := send(t, e, id, "paid", "7"); err != nil {
		t.Error(err)
	}
	if _, err := e.Wait(t.Context(), id); err != nil {
		t.Error(err)
	}
}

// TestSignalIsRepeated sends a signal twice under one key: the second wait gets nothing
// of it.
func TestSignalIsRepeated(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	id := start(t, e, orchestrate("[paid(), paid()]", anything, signalOf("paid")), nil)
	untilWaiting(t, e, 1)
	s := api.Signal{Value: json.RawMessage("7"), Key: "k"}
	first, err := e.Signal(t.Context(), id, "paid", s)
	if err != nil {
		t.Fatal(err)
	}
	second := untilOther(t, e, first.Run)
	if again, err := e.Signal(t.Context(), id, "paid", s); err != nil || again.Run != first.Run {
		t.Errorf("again: %+v, %v", again, err)
	}
	if a, err := e.Approval(t.Context(), second); err != nil || !a.Waiting() {
		t.Errorf("the second wait: %+v, %v", a, err)
	}
	if err := e.Cancel(t.Context(), id, ""); err != nil {
		t.Error(err)
	}
}

// untilOther waits until something else waits than a run.
func untilOther(t *testing.T, e *Engine, id string) string {
	t.Helper()
	for {
		if asked := untilWaiting(t, e, 1)[0]; asked.Run != id {
			return asked.Run
		}
		time.Sleep(time.Millisecond)
	}
}

// TestSignalWaitsForItsRun sends a signal before the code has come to wait for it, and
// TestSignalOverDays over restarts.
func TestSignalWaitsForItsRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		e := h.engine("a", nil)
		defer e.Close()
		id := start(t, e, orchestrate("import time\ntime.sleep(100)\npaid()", anything, signalOf("paid")), nil)
		if _, err := e.Signal(t.Context(), id, "paid", api.Signal{Value: json.RawMessage("7"), Wait: time.Minute}); api.AsError(err).Code != api.Conflict {
			t.Errorf("a minute: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := e.Signal(ctx, id, "paid", api.Signal{Value: json.RawMessage("7"), Wait: time.Minute}); api.AsError(err).Code != api.Canceled {
			t.Errorf("cancelled: %v", err)
		}
		if _, err := e.Signal(t.Context(), id, "paid", api.Signal{Value: json.RawMessage("7"), Wait: time.Minute}); err != nil {
			t.Fatal(err)
		}
		if result, err := e.Wait(t.Context(), id); valueFrom(t, result, err) != int64(7) {
			t.Errorf("got %v", result)
		}
	})
}

// TestSignalOverDays waits while processes come and go, and ends in a TimeoutError at
// its deadline.
func TestSignalOverDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		e := h.engine("a", nil)
		late := signalOf("late")
		late.Approval = &api.Approval{Deadline: 3 * day()}
		code := "x = paid()\ntry:\n    x = late()\nexcept TimeoutError as e:\n    x = [x, str(e)]\nx"
		id := start(t, e, orchestrate(code, anything, signalOf("paid"), late), nil)
		untilWaiting(t, e, 1)
		time.Sleep(day())
		h.kill("a", e)
		e = h.engine("b", nil)
		defer func() { e.Close() }()
		if _, err := send(t, e, id, "paid", "7"); err != nil { // while no process carries the run out
			t.Fatal(err)
		}
		if _, err := e.Recover(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		result, err := e.Wait(t.Context(), id)
		if got := fmt.Sprint(valueFrom(t, result, err)); got != "[7 nobody sent the signal late before its deadline]" {
			t.Errorf("got %s", got)
		}
	})
}
