package engine

import (
	"context"
	"slices"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestKeyOfACallInDoubt kills the process within a call and has it done again:
// what is called can tell that it is the same call, however deep it is, and
// calls that succeeded before are not made again.
func TestKeyOfACallInDoubt(t *testing.T) {
	const code = "step(1)\npay(7)\npay(7)"
	inner := *orchestrate(code, integer, function("step", "x"), function("pay", "x"))
	inner.Name = "inner"
	for name, task := range map[string]*api.Task{
		"a call of the run":      orchestrate(code, integer, function("step", "x"), function("pay", "x")),
		"a call of a call of it": orchestrate("inner()", integer, inner),
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t)
			paying := make(chan struct{})
			h.functions.code["step"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
			h.functions.code["pay"] = func(ctx context.Context, in map[string]any) (any, error) {
				close(paying)
				<-ctx.Done()
				return nil, context.Cause(ctx)
			}
			first := h.engine("a", nil)
			run, err := first.Submit(t.Context(), api.Submission{Task: task})
			if err != nil {
				t.Fatal(err)
			}
			<-paying
			h.kill("a", first)

			h.functions.code["pay"] = func(_ context.Context, in map[string]any) (any, error) { return in["x"], nil }
			e := h.engine("b", nil)
			defer e.Close()
			if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Wait(t.Context(), run.ID); api.AsError(err).Code != api.OutcomeUnknown {
				t.Fatalf("resumed without a word: %v", err)
			}
			if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{RetryUnknown: true}); err != nil {
				t.Fatal(err)
			}
			if _, err := e.Wait(t.Context(), run.ID); err != nil {
				t.Fatal(err)
			}
			keys := h.functions.keys["pay"]
			if len(keys) != 3 || keys[0] == "" || keys[0] != keys[1] || keys[1] == keys[2] {
				t.Errorf("pay was given the keys %q, expected the same for its first call and the retry, and another for its second", keys)
			}
			if n := len(h.functions.keys["step"]); n != 1 {
				t.Errorf("step was carried out %d times", n)
			}
		})
	}
}

// TestKeysOfFurtherTries fails a call again and again: it keeps its key, and
// another call of the same tool with the same inputs does not get it.
func TestKeysOfFurtherTries(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	calls := 0
	h.functions.code["pay"] = func(context.Context, map[string]any) (any, error) {
		if calls++; calls < 5 && calls != 1 {
			return nil, api.Errorf(api.FunctionFailed, "not now")
		}
		return int64(0), nil
	}
	run, err := e.Submit(t.Context(), api.Submission{Task: orchestrate("pay(1)\npay(1)", integer, function("pay", "x"))})
	if err != nil {
		t.Fatal(err)
	}
	for _, err = e.Wait(t.Context(), run.ID); err != nil; _, err = e.Wait(t.Context(), run.ID) {
		if _, err := e.Resume(t.Context(), run.ID, api.ResumeOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	keys := h.functions.keys["pay"]
	if len(keys) != 5 || keys[0] == keys[1] || len(slices.Compact(keys[1:])) != 1 {
		t.Errorf("the keys are %q, expected one for the first call and another for all tries of the second", keys)
	}
}
