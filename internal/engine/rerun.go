package engine

import (
	"context"
	"fmt"
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
	if err := e.checkRerun(ctx, earlier, o); err != nil {
		return nil, err
	}
	task, inputs, err := e.repeat(ctx, earlier, o)
	if err != nil {
		return nil, err
	}
	next, err := e.accept(ctx, api.Submission{Task: task, Inputs: inputs, Cache: o.Cache, Labels: earlier.Labels, NodeSelector: earlier.NodeSelector, Priority: &earlier.Priority})
	if err != nil {
		return nil, err
	}
	next.rec.RerunOf, next.rec.Owner, next.rec.Fresh = id, earlier.Owner, o.Fresh
	if o.Task == nil && o.Code == "" {
		next.rec.Version = earlier.Version
	}
	if !o.Fresh && next.rec.Kind.CallsTools() {
		next.rec.Reuse = &journal.Reuse{Run: id, Before: o.From}
	}
	run, err := e.create(ctx, next)
	if err != nil {
		return nil, journalError(next.rec.ID, err)
	}
	return run, nil
}

// checkRerun refuses what contradicts itself, and what would be ignored.
func (e *Engine) checkRerun(ctx context.Context, earlier *journal.Record, o api.RerunOptions) error {
	switch {
	case o.Fresh && o.From > 0:
		return wrongRerun("from", "fresh reuses no call at all, and from is %d", o.From).WithHint("give one of them")
	case o.Fresh && o.Cache == api.CacheAuto:
		return wrongRerun("cache", "fresh reuses nothing, and cache auto may be answered by an earlier run").
			WithHint("give one of them; with cache override the new result is kept")
	case o.Task != nil && o.Code != "":
		return wrongRerun("code", "both a task and code are given").
			WithHint("code replaces that of the earlier task; a task has its own")
	case o.Task != nil && o.SkipCheck:
		return wrongRerun("skip_check", "both a task and skip_check are given").WithHint("set skip_check in the task")
	case o.SkipCheck && !earlier.Kind.CallsTools():
		return wrongRerun("skip_check", "only orchestrators are checked, and run %s is of kind %s", earlier.ID, earlier.Kind).
			WithHint("leave it out")
	case o.From > 0:
		return e.checkFrom(ctx, earlier, o.From)
	}
	return nil
}

// checkFrom refuses a call that the earlier run did not make.
func (e *Engine) checkFrom(ctx context.Context, earlier *journal.Record, from uint64) error {
	if !earlier.Kind.CallsTools() {
		return wrongRerun("from", "run %s is of kind %s, whose calls have no numbers", earlier.ID, earlier.Kind).
			WithHint("leave it out")
	}
	calls, err := e.config.Journal.Calls(ctx, earlier.ID)
	if err != nil {
		return journalError(earlier.ID, err)
	}
	last := uint64(0)
	for _, call := range calls {
		last = max(last, call.Call)
	}
	if from <= last {
		return nil
	}
	hint := fmt.Sprintf("give a number from 1 to %d, or leave it out to reuse all calls that match", last)
	if last == 0 {
		hint = "leave it out: the run made no calls"
	}
	return wrongRerun("from", "from is %d, and the calls of run %s end at %d", from, earlier.ID, last).WithHint("%s", hint)
}

func wrongRerun(field, format string, args ...any) *api.Error {
	return api.Errorf(api.InvalidTask, format, args...).WithDetails(api.Details{Field: field})
}

// repeat returns the task and the inputs of the new run.
func (e *Engine) repeat(ctx context.Context, earlier *journal.Record, o api.RerunOptions) (*api.Task, map[string]any, error) {
	before, err := e.loadTask(ctx, earlier.TaskDigest)
	if err != nil {
		return nil, nil, err
	}
	known, err := e.loadInputs(ctx, before, earlier)
	if err != nil {
		return nil, nil, err
	}
	inputs := known.Map()
	task := before
	if o.Code != "" {
		changed := *before
		changed.Code, changed.File = o.Code, ""
		task = &changed
	}
	if o.SkipCheck && task.Orchestrator != nil && o.Task == nil {
		changed, spec := *task, *task.Orchestrator
		spec.SkipCheck = true
		changed.Orchestrator = &spec
		task = &changed
	}
	if o.Task != nil {
		task = o.Task
		declared := map[string]bool{}
		for _, p := range task.Signature.Inputs {
			declared[p.Name] = true
		}
		maps.DeleteFunc(inputs, func(name string, _ any) bool { return !declared[name] })
	}
	maps.Copy(inputs, o.Inputs)
	return task, inputs, nil
}
