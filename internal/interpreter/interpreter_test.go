package interpreter_test

import (
	"context"
	"errors"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/interpreter"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

// TestInterpreter evaluates with a function of this process, and holds that
// everything else is refused and not done.
func TestInterpreter(t *testing.T) {
	i := interpreter.New()
	defer i.Close()
	integer := []value.Param{{Name: "x", Type: value.Type{Kind: value.KindInt}}}
	here := api.Task{Name: "here", Kind: api.KindFunction, Function: &api.Function{ID: "here"}, Signature: api.Signature{Inputs: integer, Outputs: integer}}
	release, err := i.Functions().Register(here, func(_ context.Context, call worker.Invocation) (map[string]any, error) {
		return map[string]any{"x": call.Inputs["x"].(int64) + 1}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	cell := api.Task{Name: "cell", Code: "x = x", Signature: here.Signature}
	flow := func(code string) *api.Task {
		return &api.Task{Kind: api.KindOrchestrator, Code: code, Orchestrator: &api.Orchestrator{Tools: []api.Task{here, cell}},
			Signature: api.Signature{Outputs: integer}}
	}
	result, err := i.Evaluate(t.Context(), api.Evaluation{Task: flow("here(1)")})
	if err != nil || result.Outputs[0].Value != int64(2) {
		t.Errorf("got %+v, %v", result, err)
	}
	_, err = i.Evaluate(t.Context(), api.Evaluation{Task: flow("cell(1)")})
	if e := api.AsError(err); e.Code != api.CallFailed || e.Details.Call.Error.Code != api.IsolationUnavailable {
		t.Errorf("a tool with a cell: %v", err)
	}
	_, submitted := i.Submit(t.Context(), api.Submission{Task: flow("1")})
	_, named := i.Evaluate(t.Context(), api.Evaluation{Name: "n"})
	for _, err := range []error{submitted, named} {
		if !errors.Is(err, &api.Error{Code: api.IsolationUnavailable}) {
			t.Errorf("got %v", err)
		}
	}
	if problems, err := i.Check(t.Context(), flow("absent(1)")); err != nil || len(problems) == 0 {
		t.Errorf("checked: %v, %v", problems, err)
	}
	if text, err := i.Prompt(t.Context(), flow("1")); err != nil || text == "" {
		t.Errorf("prompt %q, %v", text, err)
	}
}
