package engine

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// replayed gives the next recorded answer, or nil if the code gave that call up.
func (c *caller) replayed(ctx context.Context) (*api.Answer, error) {
	ended := c.history.Answers()[c.cursor]
	if ended.Call == 0 {
		c.cursor++
		c.given++
		c.slept++
		return &api.Answer{Time: ended.At}, nil
	}
	if !c.begun[ended.Call] {
		was := fmt.Sprintf("call %d", ended.Call)
		if known, ok := c.history.Call(ended.Call); ok {
			was += ", of " + known.Tool
		}
		return nil, mismatch("the journal continues with the answer of "+was+", which the code has not made", was, "no such call")
	}
	c.cursor++
	if !c.wanted(ended.Call) {
		return nil, nil
	}
	rec, err := c.run.engine.config.Journal.Load(ctx, ended.Run)
	if err != nil {
		return nil, journalError(ended.Run, err)
	}
	a, err := c.recorded(ctx, ended.Call, rec)
	if err != nil {
		return nil, err
	}
	a.Time = ended.At
	return &a.Answer, a.fatal
}

// recorded is the answer of a call that has ended.
func (c *caller) recorded(ctx context.Context, call uint64, rec *journal.Record) (answer, error) {
	made, _ := c.history.Call(call)
	tool := c.taskOf(call, made.Tool)
	if tool == nil {
		return answer{}, mismatch(fmt.Sprintf("call %d was of %s, which is no tool of the code any more", call, rec.Task), rec.Task, "no such tool")
	}
	if rec.Status == api.StatusSucceeded {
		values, err := c.run.engine.earlierOutputs(ctx, tool.task, rec)
		return answer{Answer: api.Answer{ID: call, Run: rec.ID, Value: valueOf(tool.task, values), Models: rec.Usage.Models}}, err
	}
	return failed(call, tool.task, rec, rec.Error), nil
}

// again handles a call that the journal holds already: it answers it, ends it,
// or continues it in this process.
func (c *caller) again(ctx context.Context, known api.CallStartedData, sub *submission) error {
	if known.Tool != sub.task.Name || known.TaskDigest != sub.rec.TaskDigest || known.Inputs != sub.rec.InputsDigest {
		return c.mismatchOf(ctx, known, sub)
	}
	if c.history.HasAnswer(known.Call) {
		return nil
	}
	if c.unpark(known.Run, known.Call, sub) {
		return nil
	}
	rec, err := c.run.engine.config.Journal.Load(ctx, known.Run)
	if err != nil {
		return journalError(known.Run, err)
	}
	if rec.Status.Ended() {
		return c.endedAlone(ctx, known.Call, rec)
	}
	child := c.run.engine.newRun(*rec, c.run)
	if child.asks() {
		return c.askedBefore(ctx, child, known.Call, sub)
	}
	if err := c.admit(ctx, child); err != nil {
		return err
	}
	if err := child.take(ctx); err != nil {
		c.run.engine.dismiss(child)
		c.parallel.Release()
		return err
	}
	child.plan.retryUnknown = c.run.plan.retryUnknown
	child.callSite = &callSite{c, known.Call}
	c.dispatchTaken(child)
	return nil
}

// askedBefore has a call wait on about which a dead process asked.
func (c *caller) askedBefore(ctx context.Context, child *run, call uint64, sub *submission) error {
	if err := c.run.engine.admit(child); err != nil {
		child.cancel(nil)
		return err
	}
	if err := child.take(ctx); err != nil {
		c.run.engine.dismiss(child)
		return err
	}
	child.task, child.inputs, child.plan.retryUnknown = sub.task, sub.inputs, c.run.plan.retryUnknown
	child.callSite = &callSite{c, call}
	child.to(resumed)
	child.change(edited(func(rec *journal.Record) { rec.Status = api.StatusQueued }), event{api.EventStarted, child.startedData()})
	c.hold(child)
	return nil
}

// endedAlone answers a call whose run ended while no process executed its
// parent, such as by a cancellation.
func (c *caller) endedAlone(ctx context.Context, call uint64, rec *journal.Record) error {
	a, err := c.recorded(ctx, call, rec)
	if err != nil {
		return err
	}
	data := api.CallEndedData{Call: call, Run: rec.ID, Status: rec.Status}
	if rec.Error != nil {
		data.Code = rec.Error.Code
	}
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	c.run.charge(rec.Usage.Models)
	c.run.submit(event{api.EventCallEnded, data})
	a.Time = c.run.latest
	c.deliver(call, a)
	return nil
}

// mismatchOf explains which call the journal holds and which one the code makes.
func (c *caller) mismatchOf(ctx context.Context, known api.CallStartedData, sub *submission) error {
	was := known.Tool
	if rec, err := c.run.engine.config.Journal.Load(ctx, known.Run); err == nil {
		was += c.run.engine.shortInputs(ctx, rec)
	}
	is := sub.task.Name + shorten(sub.rec.InputsPayload.Inline)
	what := "makes another call"
	if known.Tool == sub.task.Name && known.Inputs == sub.rec.InputsDigest {
		what = "calls another version of the tool"
		was, is = was+" of task "+known.TaskDigest, is+" of task "+sub.rec.TaskDigest
	}
	return mismatch(fmt.Sprintf("call %d: the code %s than the journal holds: %s instead of %s", known.Call, what, is, was), was, is)
}

func mismatch(message, was, is string) error {
	return api.Errorf(api.ReplayMismatch, "%s", message).WithDetails(api.Details{Expected: was, Got: is})
}

// missingCalls reports the calls of the journal that the code has ended without
// making.
func (c *caller) missingCalls() error {
	var missing []uint64
	for _, call := range c.history.Calls() {
		if !c.begun[call] {
			missing = append(missing, call)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	first, _ := c.history.Call(missing[0])
	return mismatch(fmt.Sprintf("the journal holds %d calls that the code does not make any more; the first is call %d, of %s",
		len(missing), first.Call, first.Tool), first.Tool, "the end of the code")
}

// maxShown bounds what is shown of inputs in a message.
const maxShown = 200 // bytes

func (e *Engine) shortInputs(ctx context.Context, rec *journal.Record) string {
	text, err := e.readPayload(ctx, rec.InputsPayload)
	if err != nil {
		return ""
	}
	return shorten(text)
}

func shorten(text json.RawMessage) string { return value.Shorten(string(text), maxShown) }
