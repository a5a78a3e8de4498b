package engine

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// answer is what the code of the orchestrator gets.
func (r *run) answer(call uint64, failure *api.Error) answer {
	if failure != nil {
		return r.failed(call, failure)
	}
	return answer{Answer: api.Answer{ID: call, Run: r.id, Value: valueOf(r.task, r.outputs.values)}}
}

// valueOf makes one value of the outputs of a tool, a tuple in their order of
// several.
func valueOf(task *api.Task, values map[string]any) any {
	params := task.Signature.Outputs
	switch len(params) {
	case 0:
		return nil
	case 1:
		return values[params[0].Name]
	}
	several := make(api.Tuple, len(params))
	for i, p := range params {
		several[i] = values[p.Name]
	}
	return several
}

// failed tells failures that the code may handle from those after which nobody
// knows where it stands.
func (r *run) failed(call uint64, failure *api.Error) answer {
	at := &api.FailedCall{ID: call, Tool: r.task.Name, Run: r.id, Error: failure}
	switch {
	case failure.Code == api.Canceled:
		err := api.Errorf(api.CallFailed, "call %d, of %s, was cancelled: %s", call, r.task.Name, failure.Message)
		return answer{Answer: api.Answer{ID: call, Run: r.id}, fatal: err.WithDetails(api.Details{Call: at})}
	case failure.Outcome == api.Unknown && !r.task.Idempotent:
		err := api.Errorf(api.OutcomeUnknown, "nobody knows whether call %d, of %s, was carried out: %s", call, r.task.Name, failure.Message)
		return answer{Answer: api.Answer{ID: call, Run: r.id}, fatal: err.WithDetails(api.Details{Call: at, Run: r.id})}
	}
	return answer{Answer: api.Answer{ID: call, Run: r.id, Err: failure}}
}

func (c *caller) arrive(call uint64, a answer) {
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
	for c.cursor < len(c.history.ended) {
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
		a, waiting := c.pick()
		// Of an attempt that is to end, the calls end too: that is no answer.
		if err := c.stopped(ctx); err != nil {
			return api.Answer{}, err
		}
		if a != nil {
			if !c.wanted(a.ID) {
				continue
			}
			return a.Answer, a.fatal
		}
		if waiting == 0 && c.dozes(wake) {
			return api.Answer{}, asleep{wake}
		}
		if waiting == 0 && wake.IsZero() {
			return api.Answer{}, api.Errorf(api.Internal, "the code waits for a call, but none is under way")
		}
		select {
		case <-ctx.Done():
			return api.Answer{}, context.Cause(ctx)
		case <-c.arrived:
		case <-sleep.due:
			if err := sleep.over(); err != nil {
				return api.Answer{}, err
			}
		}
	}
}

// pick takes the next answer, if there is one, and counts the calls under way.
func (c *caller) pick() (a *answer, waiting int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.answers) > 0 {
		a = &c.answers[0]
		c.answers = c.answers[1:]
	}
	return a, len(c.open)
}

// stopped returns why the attempt is to end, or nil. The end of its run comes to
// its calls and to its own context in any order.
func (c *caller) stopped(ctx context.Context) error {
	if c.run.ctx.Err() != nil {
		return context.Cause(c.run.ctx)
	}
	return context.Cause(ctx)
}
