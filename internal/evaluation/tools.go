package evaluation

import (
	"context"
	"crypto/rand"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Functions are those that this process offers.
type Functions interface {
	// Here reports whether the function of a task is one of them.
	Here(task *api.Task) bool
	// Run calls it.
	Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error)
}

// Direct calls functions of this process that ask for nothing else, and leaves
// other calls to Else.
type Direct struct {
	Functions Functions
	Else      Tools
}

// Call implements Tools.
func (d Direct) Call(ctx context.Context, tool *api.Task, inputs value.Fields, made func(string)) (map[string]any, error) {
	if !asksForNothing(tool) || !d.Functions.Here(tool) {
		return d.Else.Call(ctx, tool, inputs, made)
	}
	result, err := d.Functions.Run(ctx, "", &api.Request{Task: tool, Inputs: inputs, IdempotencyKey: rand.Text()})
	return outputsOf(result), err
}

// asksForNothing reports whether a task is a function that needs no run: it is
// called once, and what it gives is not kept.
func asksForNothing(t *api.Task) bool {
	return t.KindOf() == api.KindFunction && t.Approval == nil && t.Retries == 0 && (t.Cache == "" || t.Cache == api.CacheDisable)
}

// Runs makes a run of each call.
type Runs struct {
	Service interface {
		Submit(ctx context.Context, s api.Submission) (*api.Run, error)
		Wait(ctx context.Context, id string) (*api.Result, error)
		Cancel(ctx context.Context, id, reason string) error
	}
}

// patience is how long the run of a call that was given up may take to end.
const patience = time.Minute

// Call implements Tools.
func (r Runs) Call(ctx context.Context, tool *api.Task, inputs value.Fields, made func(string)) (map[string]any, error) {
	run, err := r.Service.Submit(ctx, api.Submission{Task: tool, Checked: inputs})
	if err != nil {
		return nil, err
	}
	made(run.ID)
	result, err := r.Service.Wait(ctx, run.ID)
	if err != nil && ctx.Err() != nil {
		r.giveUp(context.WithoutCancel(ctx), run.ID)
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	outputs := outputsOf(result)
	return outputs, withoutFiles(tool, outputs)
}

// giveUp ends a run whose answer is not needed any more, and waits until it has ended.
func (r Runs) giveUp(ctx context.Context, id string) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if r.Service.Cancel(ctx, id, "the evaluation that called it does not wait for it") == nil { // else it has ended
		_, _ = r.Service.Wait(ctx, id) // how it ended is kept with it
	}
}

// withoutFiles refuses files, which a type such as Any admits: they are kept
// with runs, and the code would hold them without one.
func withoutFiles(tool *api.Task, outputs map[string]any) error {
	for name, v := range outputs {
		for range value.Files(v) {
			return api.Errorf(api.BadOutput, "output %s of %s holds a file, which an evaluation without a run cannot use", name, tool.Name).
				WithHint("make a run of it").WithDetails(api.Details{Field: name, Expected: "a value without files", Got: "a file"})
		}
	}
	return nil
}

func outputsOf(r *api.Result) map[string]any {
	if r == nil {
		return nil
	}
	outputs := make(map[string]any, len(r.Outputs))
	for _, o := range r.Outputs {
		outputs[o.Name] = o.Value
	}
	return outputs
}
