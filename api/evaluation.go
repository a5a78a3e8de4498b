package api

import (
	"context"
	"io"

	"github.com/glovebox-dev/glovebox/value"
)

// Evaluations execute orchestrators and sandboxes without making runs of them.
type Evaluations interface {
	// Evaluate executes the code of an orchestrator, or a sandbox, once, and
	// keeps nothing of it. A sandbox waits for a cell in the line of the runs. A
	// call of a tool is a run of its own, but for a function of this process that
	// has neither retries nor a cache: that is just called. Ending ctx ends the
	// code and what it called, and Evaluate returns when that is done.
	//
	// The result says what was called, also beside an error. It may be nil if the
	// code did not start. See NeedsRun for what cannot be evaluated.
	Evaluate(ctx context.Context, e Evaluation) (*Result, error)
}

// Evaluation asks for one evaluation. Exactly one of Task and Name is set.
type Evaluation struct {
	Task *Task
	Name string // of a deployed task: NAME, or NAME@VERSION
	// Inputs by name, and Checked instead of them, as in a Submission.
	Inputs  map[string]any
	Checked value.Fields
	// Clock and Random overrule those of the task, unless they are empty.
	Clock  Clock
	Random Random
	// Stdout receives what an orchestrator prints whenever it waits and at its end,
	// and what a sandbox prints at once. Nil discards.
	Stdout io.Writer
	Stderr io.Writer // the same, of a sandbox alone
	// Progress hears what is done for a sandbox before its code starts, in this
	// process. Nil ignores it.
	Progress func(Progress)
	// Called hears of each call when its run begins, from any goroutine; of calls
	// that a server makes, at the end. Nil ignores them.
	Called func(MadeCall)
}

// MadeCall is a call that an evaluation made.
type MadeCall struct {
	ID    uint64 `json:"id"`              // from 1, in the order of the calls
	Tool  string `json:"tool"`            // the name of the tool
	Run   string `json:"run,omitempty"`   // the run that the call became; empty for a function that was just called
	Error *Error `json:"error,omitempty"` // why it failed
}

// MaxMadeCalls is how many calls the result of an evaluation lists.
const MaxMadeCalls = 1000

// Submission returns the submission of a run that does the same.
func (e *Evaluation) Submission() Submission {
	return Submission{Task: e.Task, Name: e.Name, Inputs: e.Inputs, Checked: e.Checked, Clock: e.Clock, Random: e.Random, Stdout: e.Stdout, Stderr: e.Stderr, Progress: e.Progress}
}

// Show gives a result that came as a whole to whoever wants its parts.
func (e *Evaluation) Show(r *Result) {
	if e.Stdout != nil {
		_, _ = e.Stdout.Write(r.Stdout) // the result has it too
	}
	if e.Stderr != nil {
		_, _ = e.Stderr.Write(r.Stderr)
	}
	for _, call := range r.Calls {
		if e.Called != nil && call.Run != "" {
			e.Called(call)
		}
	}
}

// NeedsRun returns invalid_task for a task that cannot be evaluated without
// making a run of it: what it asks for has to be kept.
func (t *Task) NeedsRun() error {
	switch {
	case t.KindOf() == KindFunction, t.KindOf() == KindModel, t.KindOf() == KindAgent, t.KindOf() == KindCodegen, t.KindOf() == KindSignal:
		return needsRun("kind", "a task of kind "+string(t.KindOf()))
	case t.StartsRuns:
		return needsRun("starts_runs", "a task that starts runs")
	case t.Asks != nil:
		return needsRun("asks", "a task whose code asks a model")
	case t.Retries > 0:
		return needsRun("retries", "a task with retries")
	case t.Cache != "" && t.Cache != CacheDisable:
		return needsRun("cache", "a task whose result is cached")
	case len(t.Notify) > 0:
		return needsRun("notify", "a task that notifies")
	case t.Signature.files():
		return needsRun("signature", "a task with files")
	case t.Orchestrator == nil:
		return nil
	}
	for i := range t.Orchestrator.Tools {
		if tool := &t.Orchestrator.Tools[i]; tool.Signature.files() {
			return needsRun("orchestrator.tools", "a task with files, which the tool "+tool.Name+" has,")
		}
	}
	return nil
}

func needsRun(field, what string) *Error {
	return Errorf(InvalidTask, "%s cannot be evaluated without a run", what).
		WithHint("make a run of it").WithDetails(Details{Field: field, Expected: "what needs no run"})
}

// files reports whether there are files in the values of s.
func (s Signature) files() bool {
	for _, p := range append(s.Inputs[:len(s.Inputs):len(s.Inputs)], s.Outputs...) {
		if p.Type.Files() {
			return true
		}
	}
	return false
}
