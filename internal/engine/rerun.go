package engine

import (
	"context"
	"maps"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Rerun makes a new run of an earlier one, which need not have ended well.
func (e *Engine) Rerun(ctx context.Context, id string, o api.RerunOptions) (*api.Run, error) {
	earlier, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	if o.Fresh && o.From > 0 {
		return nil, api.Errorf(api.InvalidTask, "fresh reuses no call at all, and from is %d", o.From).
			WithHint("give one of them").WithDetails(api.Details{Field: "from"})
	}
	if o.Task != nil && o.Code != "" {
		return nil, api.Errorf(api.InvalidTask, "both a task and code are given").
			WithHint("code replaces that of the earlier task; a task has its own").WithDetails(api.Details{Field: "code"})
	}
	task, inputs, err := e.repeat(ctx, earlier, o)
	if err != nil {
		return nil, err
	}
	next, err := e.order(ctx, api.Submission{Task: task, Inputs: inputs})
	if err != nil {
		return nil, err
	}
	next.rec.RerunOf = id
	if o.Task == nil && o.Code == "" {
		next.rec.Version = earlier.Version
	}
	if !o.Fresh && next.rec.Kind == api.KindOrchestrator {
		next.rec.Reuse = &journal.Reuse{Run: id, Before: o.From}
	}
	run, err := e.create(ctx, next)
	if err != nil {
		return nil, journalError(next.rec.ID, err)
	}
	return run, nil
}

// repeat returns the task and the inputs of the new run.
func (e *Engine) repeat(ctx context.Context, earlier *journal.Record, o api.RerunOptions) (*api.Task, map[string]any, error) {
	before, err := e.loadTask(ctx, earlier.TaskDigest)
	if err != nil {
		return nil, nil, err
	}
	inputs, err := e.loadInputs(ctx, before, earlier)
	if err != nil {
		return nil, nil, err
	}
	task := before
	if o.Code != "" {
		changed := *before
		changed.Code, changed.File = o.Code, ""
		task = &changed
	}
	if o.Task != nil {
		task = o.Task
		known := map[string]bool{}
		for _, p := range task.Signature.Inputs {
			known[p.Name] = true
		}
		maps.DeleteFunc(inputs, func(name string, _ any) bool { return !known[name] })
	}
	maps.Copy(inputs, o.Inputs)
	return task, inputs, nil
}
