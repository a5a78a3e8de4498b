package codegen

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
)

// calls are all calls of an attempt. They are made in batches, each of which is
// over before the next begins, so that their order says nothing.
type calls struct {
	caller   api.Caller
	spent    spent
	deadline time.Time // zero without one
	last     uint64    // number of a call
}

// call is one call of a batch: of the model, or of a task that was made for it.
type call struct {
	tool   string
	task   *api.Task
	inputs map[string]any
	answer api.Answer
}

// all makes the calls of a batch at the same time. A call that fails is no error,
// unless the run cannot continue after it.
func (c *calls) all(ctx context.Context, batch ...*call) error {
	waiting := map[uint64]*call{}
	for _, one := range batch {
		c.last++
		waiting[c.last] = one
		if err := c.caller.Start(ctx, api.Call{ID: c.last, Tool: one.tool, Task: one.task, Inputs: one.inputs}); err != nil {
			return err
		}
	}
	for len(waiting) > 0 {
		answer, err := c.caller.Next(ctx, c.deadline)
		switch {
		case err != nil:
			return err
		case answer.ID == 0:
			return c.overTime(waiting)
		case answer.Err != nil && orchestrator.EndsAttempt(answer.Err):
			return answer.Err
		case waiting[answer.ID] == nil:
			return api.Errorf(api.Internal, "call %d was answered, which is not under way", answer.ID)
		}
		waiting[answer.ID].answer = answer
		delete(waiting, answer.ID)
	}
	return nil
}

// overTime gives up the calls that are under way.
func (c *calls) overTime(waiting map[uint64]*call) error {
	for id := range waiting {
		c.caller.Cancel(id)
	}
	return c.spent.overTime()
}
