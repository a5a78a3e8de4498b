package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// history is what the journal holds of an attempt that was under way: the calls
// that were begun, and the answers in the order in which they came.
type history struct {
	started  map[uint64]api.CallStartedData
	runs     map[string]bool // that carry out the calls
	ended    []happened
	answered map[uint64]bool
	told     time.Time // until when the code slept last
}

// happened is the end of a call, or of a sleep: then the call is 0.
type happened struct {
	api.CallEndedData
	at time.Time
}

func newHistory() *history {
	return &history{started: map[uint64]api.CallStartedData{}, runs: map[string]bool{}, answered: map[uint64]bool{}}
}

// add takes an event of the attempt.
func (h *history) add(ev api.Event) error {
	switch ev.Kind {
	case api.EventCallStarted:
		var d api.CallStartedData
		if err := json.Unmarshal(ev.Data, &d); err != nil {
			return err
		}
		h.started[d.Call], h.runs[d.Run] = d, true
	case api.EventCallEnded:
		var d api.CallEndedData
		if err := json.Unmarshal(ev.Data, &d); err != nil {
			return err
		}
		h.ended, h.answered[d.Call] = append(h.ended, happened{d, ev.Time}), true
	case api.EventSleepStarted:
		var d api.SleepStartedData
		if err := json.Unmarshal(ev.Data, &d); err != nil {
			return err
		}
		h.told = d.Until
	case api.EventSleepEnded:
		h.ended = append(h.ended, happened{at: ev.Time})
	}
	return nil
}

// replayed gives an answer again, or nil if the code did not want it.
func (c *caller) replayed(ctx context.Context) (*api.Answer, error) {
	ended := c.history.ended[c.cursor]
	if ended.Call == 0 {
		c.cursor++
		c.given++
		c.slept++
		return &api.Answer{Time: ended.at}, nil
	}
	if !c.begun[ended.Call] {
		was := fmt.Sprintf("call %d", ended.Call)
		if known, ok := c.history.started[ended.Call]; ok {
			was += ", of " + known.Tool
		}
		return nil, mismatch("the journal goes on with the answer of "+was+", which the code has not made", was, "no such call")
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
	a.Time = ended.at
	return &a.Answer, a.fatal
}

// recorded is the answer of a call that has ended.
func (c *caller) recorded(ctx context.Context, call uint64, rec *journal.Record) (answer, error) {
	tool := c.tools[c.history.started[call].Tool]
	if tool == nil {
		return answer{}, mismatch(fmt.Sprintf("call %d was of %s, which is no tool of the code any more", call, rec.Task), rec.Task, "no such tool")
	}
	if rec.Status == api.StatusSucceeded {
		values, err := c.run.engine.earlierOutputs(ctx, tool.task, rec)
		return answer{Answer: api.Answer{ID: call, Run: rec.ID, Value: valueOf(tool.task, values)}}, err
	}
	child := run{id: rec.ID, task: tool.task}
	return child.failed(call, rec.Error), nil
}

// again meets a call that the journal holds already.
func (c *caller) again(ctx context.Context, known api.CallStartedData, o *order) error {
	if known.Tool != o.task.Name || known.TaskDigest != o.rec.TaskDigest || known.Inputs != o.rec.InputsDigest {
		return c.differs(ctx, known, o)
	}
	if c.history.answered[known.Call] {
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
	if err := c.admit(ctx, child); err != nil {
		return err
	}
	if err := child.take(ctx); err != nil {
		c.run.engine.dismiss(child)
		c.parallel.Release(1)
		return err
	}
	child.plan.retryUnknown = c.run.plan.retryUnknown
	child.site = &site{c, known.Call}
	c.launch(child)
	return nil
}

// endedAlone answers a call whose run was ended when nobody carried out the one
// that made it, which is how a cancellation can end it.
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
	c.run.submitted(c.run.engine.config.Journal.Submit(c.run.prepare(event{api.EventCallEnded, data})))
	a.Time = c.run.latest
	c.arrive(call, a)
	return nil
}

// differs explains which call the journal holds and which one the code makes.
func (c *caller) differs(ctx context.Context, known api.CallStartedData, o *order) error {
	was := known.Tool
	if rec, err := c.run.engine.config.Journal.Load(ctx, known.Run); err == nil {
		was += c.run.engine.shortInputs(ctx, rec)
	}
	is := o.task.Name + shorten(o.rec.InputsPayload.Inline)
	what := "makes another call"
	if known.Tool == o.task.Name && known.Inputs == o.rec.InputsDigest {
		what = "calls another version of the tool"
		was, is = was+" of task "+known.TaskDigest, is+" of task "+o.rec.TaskDigest
	}
	return mismatch(fmt.Sprintf("call %d: the code %s than the journal holds: %s instead of %s", known.Call, what, is, was), was, is)
}

func mismatch(message, was, is string) error {
	return api.Errorf(api.ReplayMismatch, "%s", message).WithDetails(api.Details{Expected: was, Got: is})
}

// unmade finds calls in the journal that the code ended without.
func (c *caller) unmade() error {
	var missing []uint64
	for call := range c.history.started {
		if !c.begun[call] {
			missing = append(missing, call)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	first := c.history.started[slices.Min(missing)]
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

func shorten(text json.RawMessage) string { return api.Shorten(string(text), maxShown) }
