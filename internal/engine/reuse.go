package engine

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/internal/engine/replay"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// records reads earlier runs for package replay.
type records struct{ *Engine }

func (r records) Load(ctx context.Context, id string) (*journal.Record, error) {
	rec, err := r.config.Journal.Load(ctx, id)
	return rec, journalError(id, err)
}

func (r records) CallsOf(ctx context.Context, rec *journal.Record) ([]*journal.Record, error) {
	return r.callsOf(ctx, rec)
}

// earlierOutputs returns the outputs of a run that succeeded.
func (e *Engine) earlierOutputs(ctx context.Context, task *api.Task, rec *journal.Record) (values value.Fields, err error) {
	text, err := e.readPayload(ctx, rec.OutputsPayload)
	if err != nil {
		return values, err
	}
	if err := takeMemory(ctx, budget.Cost(text)); err != nil {
		return values, err
	}
	if values, err = value.Decode("output", task.OutputParams(), text); err != nil {
		return values, mismatch("run "+rec.ID+" has outputs of another type: "+api.AsError(err).Error(), shorten(text), value.DescribeParams(task.Signature.Outputs))
	}
	return values, nil
}

// reuseCall answers a call by the run that answered the same call before.
func (c *caller) reuseCall(ctx context.Context, call api.Call, tool *granted, sub *submission, earlier *journal.Record) error {
	child := c.run.engine.newRun(sub.rec, c.run)
	defer child.cancel(nil)
	child.task, child.callSite = sub.task, &callSite{c, call.ID}
	if err := child.answerBy(ctx, earlier, sub.blobs); err != nil {
		return err
	}
	return c.run.durable(ctx, c.repeat(child, sub.rec.Run, tool, earlier))
}

// answerBy gives a run the outputs of an earlier one, if it has some. Blobs are
// those of its inputs.
func (r *run) answerBy(ctx context.Context, earlier *journal.Record, blobs []string) error {
	if earlier.Report != nil {
		r.mu.Lock()
		r.rec.Report = earlier.Report
		r.mu.Unlock()
		blobs = append(slices.Clip(blobs), earlier.Report.SHA256)
	}
	if earlier.Owed {
		r.outputs = outputs{blobs: blobs}
		return nil
	}
	values, err := r.engine.earlierOutputs(ctx, r.task, earlier)
	if err != nil {
		return err
	}
	_, kept, err := r.engine.takeFiles(ctx, values)
	if err != nil {
		return err
	}
	if payload := earlier.OutputsPayload; payload.Blob != "" {
		kept = append(kept, payload.Blob)
	}
	r.outputs = outputs{values: values, payload: earlier.OutputsPayload, blobs: append(kept, blobs...)}
	return nil
}

// answeredChange is all that happens to a run that an earlier one answers. The
// caller holds r.mu.
func (r *run) answeredChange(created api.Run, task *granted, earlier *journal.Record) journal.Change {
	r.rec.CachedRun, r.rec.Started, r.rec.Resolved = replay.Origin(earlier), time.Now().UTC(), earlier.Resolved
	if earlier.Owed {
		r.rec.Key = replay.Key(earlier) // so that it is paid once
	}
	r.rec.Approval, created.Approval = earlier.Approval, earlier.Approval
	result := &api.Result{ExitCode: earlier.ExitCode, Image: earlier.Image, Cached: true}
	c := r.endChange(result, earlier.Error, event{api.EventCreated, api.CreatedData{Run: created}})
	c.Blobs = r.outputs.blobs
	c.Tasks = map[string]json.RawMessage{task.digest: task.definition}
	return c
}

// repeat submits a call, its run and their ends as one. If only the intent were
// durable when the process died, the call would be executed again.
func (c *caller) repeat(child *run, created api.Run, tool *granted, earlier *journal.Record) journal.Receipt {
	p := c.run
	p.mu.Lock()
	defer p.mu.Unlock()
	child.mu.Lock()
	defer child.mu.Unlock()
	below := child.answeredChange(created, tool, earlier)
	ended := api.CallEndedData{Call: child.rec.Call, Run: child.id, Status: child.rec.Status}
	if earlier.Error != nil {
		ended.Code = earlier.Error.Code
	}
	receipt := p.engine.config.Journal.Submit(p.prepare(c.callStarted(child, tool, true), event{api.EventCallEnded, ended}), below)
	child.submitted(receipt)
	p.submitted(receipt)
	a := child.answer(child.rec.Call, earlier.Error)
	a.Time = p.latest
	c.deliver(child.rec.Call, a)
	return receipt
}
