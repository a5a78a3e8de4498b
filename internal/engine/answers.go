package engine

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// answer is what the code of the orchestrator gets.
func (r *run) answer(call uint64, failure *api.Error) answer {
	if failure != nil {
		return failed(call, r.task, &r.rec, failure)
	}
	return answer{Answer: api.Answer{ID: call, Run: r.id, Value: valueOf(r.task, r.outputs.values), Models: r.rec.Usage.Models}}
}

// valueOf makes one value of the outputs of a tool, a tuple in their order of
// several.
func valueOf(task *api.Task, values value.Fields) any {
	params := task.Signature.Outputs
	switch len(params) {
	case 0:
		return nil
	case 1:
		v, _ := values.Value(params[0].Name)
		return v
	}
	several := make(value.Tuple, len(params))
	for i, p := range params {
		several[i], _ = values.Value(p.Name)
	}
	return several
}

// failed makes the answer of a call that failed. Most failures are raised in the
// code. After a cancellation or an unknown outcome the code cannot continue, so
// these end the attempt.
func failed(call uint64, task *api.Task, rec *journal.Record, failure *api.Error) answer {
	at := &api.FailedCall{ID: call, Tool: task.Name, Run: rec.ID, Error: failure}
	switch {
	case failure.Code == api.Canceled:
		err := api.Errorf(api.CallFailed, "call %d, of %s, was cancelled: %s", call, task.Name, failure.Message)
		return answer{Answer: api.Answer{ID: call, Run: rec.ID}, fatal: err.WithDetails(api.Details{Call: at})}
	case failure.Outcome == api.Unknown && !task.Idempotent && !harmless(task):
		err := api.Errorf(api.OutcomeUnknown, "it is unknown whether call %d, of %s, was done: %s", call, task.Name, failure.Message)
		return answer{Answer: api.Answer{ID: call, Run: rec.ID}, fatal: err.WithHint("%s", doubtHint(rec)).WithDetails(api.Details{Call: at, Run: rec.ID})}
	}
	return answer{Answer: api.Answer{ID: call, Run: rec.ID, Err: failure, Models: rec.Usage.Models}}
}

func (c *caller) deliver(call uint64, a answer) {
	c.mu.Lock()
	delete(c.open, call)
	if !c.over {
		c.answers = append(c.answers, a)
	}
	c.mu.Unlock()
	select {
	case c.arrived <- struct{}{}:
	default:
	}
}

// Next gives the answers that the journal has, in its order, then those that
// arrive.
func (c *caller) Next(ctx context.Context, wake time.Time) (api.Answer, error) {
	if c.earlier > 0 {
		if err := c.resumed(); err != nil {
			return api.Answer{}, err
		}
	}
	for c.cursor < len(c.history.Answers()) {
		a, err := c.replayed(ctx)
		if err != nil {
			return api.Answer{}, err
		}
		if a != nil {
			return *a, nil
		}
	}
	sleep := c.sleep(wake)
	defer sleep.stop()
	for {
		a, waiting, held := c.pick()
		// Calls also end because their attempt is to end: such an end is no
		// answer.
		if err := c.stopped(ctx); err != nil {
			return api.Answer{}, err
		}
		if a != nil {
			if !c.wanted(a.ID) {
				continue
			}
			return a.Answer, a.fatal
		}
		if waiting == 0 && held > 0 {
			c.recordAwaits()
		}
		if waiting == 0 && (held > 0 && c.mayPark(wake) || held == 0 && c.maySleep(wake)) {
			return api.Answer{}, fellAsleep{wake}
		}
		if waiting == 0 && held == 0 && wake.IsZero() {
			return api.Answer{}, api.Errorf(api.Internal, "the code waits for a call, but none is under way")
		}
		select {
		case <-ctx.Done():
			return api.Answer{}, context.Cause(ctx)
		case <-c.arrived:
		case <-sleep.due:
			if err := sleep.expire(); err != nil {
				return api.Answer{}, err
			}
		}
	}
}

// pick takes the next answer, if there is one, and counts the calls under way, and
// those that wait for people.
func (c *caller) pick() (a *answer, waiting, held int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.answers) > 0 {
		a = &c.answers[0]
		c.answers = c.answers[1:]
	}
	return a, len(c.open) - c.held, c.held
}

// stopped returns why the attempt is to end, or nil. The end of its run comes to
// its calls and to its own context in any order.
func (c *caller) stopped(ctx context.Context) error {
	if c.run.ctx.Err() != nil {
		return context.Cause(c.run.ctx)
	}
	return context.Cause(ctx)
}
