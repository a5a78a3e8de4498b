package engine

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// pool holds calls that succeeded earlier and need not be made again. Each
// serves once.
type pool struct {
	calls map[[2]string][]*journal.Record // by the digests of task and inputs, in the order of the calls
}

// take returns a call of this tool with these inputs, or nil.
func (p *pool) take(task, inputs string) *journal.Record {
	if p == nil {
		return nil
	}
	key := [2]string{task, inputs}
	same := p.calls[key]
	if len(same) == 0 {
		return nil
	}
	p.calls[key] = same[1:]
	return same[0]
}

// originOf is the run that did the work of a call.
func originOf(rec *journal.Record) string {
	if rec.CachedRun != "" {
		return rec.CachedRun
	}
	return rec.ID
}

// prepareReuse collects what earlier attempts of the run got, and the run that
// it repeats.
func (c *caller) prepareReuse() error {
	rec := c.run.record()
	if rec.Attempts <= 1 && rec.Reuse == nil {
		return nil
	}
	p := &pool{calls: map[[2]string][]*journal.Record{}}
	used := map[string]bool{} // origins that are spoken for
	own, err := c.run.engine.config.Journal.Calls(c.ctx, rec.ID)
	if err != nil {
		return journalError(rec.ID, err)
	}
	for _, call := range own {
		if c.history.runs[call.ID] {
			used[originOf(call)] = true
		}
	}
	p.add(own, used)
	if rec.Reuse != nil {
		earlier, err := c.run.engine.config.Journal.Calls(c.ctx, rec.Reuse.Run)
		if err != nil {
			return journalError(rec.Reuse.Run, err)
		}
		before := rec.Reuse.Before
		p.add(slices.DeleteFunc(earlier, func(call *journal.Record) bool { return before > 0 && call.Call >= before }), used)
	}
	c.reuse = p
	return nil
}

// add takes calls that succeeded, each origin once.
func (p *pool) add(calls []*journal.Record, used map[string]bool) {
	for _, call := range calls {
		origin := originOf(call)
		if call.Status != api.StatusSucceeded || used[origin] {
			continue
		}
		used[origin] = true
		key := [2]string{call.TaskDigest, call.InputsDigest}
		p.calls[key] = append(p.calls[key], call)
	}
}

// earlierOutputs returns the outputs of a run that succeeded.
func (e *Engine) earlierOutputs(ctx context.Context, task *api.Task, rec *journal.Record) (map[string]any, error) {
	text, err := e.readPayload(ctx, rec.OutputsPayload)
	if err != nil {
		return nil, err
	}
	values, err := api.DecodeFields("output", outputParams(task), text)
	if err != nil {
		return nil, mismatch("run "+rec.ID+" has outputs of another type: "+err.Error(), shorten(text), api.DescribeParams(task.Signature.Outputs))
	}
	return values, nil
}

// reuseCall answers a call by the run that answered the same call before.
func (c *caller) reuseCall(ctx context.Context, call api.Call, tool *granted, o *order, earlier *journal.Record) error {
	child := c.run.engine.newRun(o.rec, c.run)
	defer child.cancel(nil)
	child.task, child.site = o.task, &site{c, call.ID}
	values, err := c.run.engine.earlierOutputs(ctx, tool.task, earlier)
	if err != nil {
		return err
	}
	_, blobs, err := c.run.engine.takeFiles(ctx, values, false)
	if err != nil {
		return err
	}
	if payload := earlier.OutputsPayload; payload.Blob != "" {
		blobs = append(blobs, payload.Blob)
	}
	child.outputs = outputs{values: values, payload: earlier.OutputsPayload, blobs: append(blobs, o.blobs...)}
	return c.run.durable(ctx, c.repeat(child, o.rec.Run, tool, earlier))
}

// repeat writes a call and its end, all at once: a call that was only intended
// would be carried out if the process died.
func (c *caller) repeat(child *run, created api.Run, tool *granted, earlier *journal.Record) journal.Receipt {
	p := c.run
	p.mu.Lock()
	defer p.mu.Unlock()
	child.mu.Lock()
	defer child.mu.Unlock()
	child.rec.CachedRun, child.rec.Started = originOf(earlier), time.Now().UTC()
	result := &api.Result{ExitCode: earlier.ExitCode, Image: earlier.Image, Cached: true}
	below := child.endChange(result, nil, event{api.EventCreated, api.CreatedData{Run: created}})
	below.Tasks = map[string]json.RawMessage{tool.digest: tool.definition}
	ended := api.CallEndedData{Call: child.rec.Call, Run: child.id, Status: child.rec.Status}
	receipt := p.engine.config.Journal.Submit(p.prepare(c.callStarted(child, tool, true), event{api.EventCallEnded, ended}), below)
	child.submitted(receipt)
	p.submitted(receipt)
	a := child.answer(child.rec.Call, nil)
	a.Time = p.latest
	c.arrive(child.rec.Call, a)
	return receipt
}
