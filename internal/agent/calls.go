package agent

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/value"
)

// calls are all calls of an attempt, which share the numbers of one Caller.
type calls struct {
	caller  api.Caller
	agent   *api.Agent
	spent   *spent
	last    uint64 // number of a call
	waiting map[uint64]func(context.Context, api.Answer) error
}

// underway is a call that was begun, or the question whether it may be.
type underway struct{ id uint64 }

// tool begins the call of a tool, after its approval if it needs one. done gets the
// answer, within a later wait.
func (c *calls) tool(ctx context.Context, name string, inputs map[string]any, done func(context.Context, api.Answer) error) (*underway, error) {
	if err := c.spent.call(); err != nil {
		return nil, err
	}
	u := &underway{}
	if !c.needsApproval(name) {
		return u, c.begin(ctx, u, name, inputs, done)
	}
	arguments := value.NewDict()
	for _, k := range slices.Sorted(maps.Keys(inputs)) {
		arguments.Set(k, inputs[k])
	}
	question := map[string]any{"tool": name, "arguments": arguments}
	return u, c.begin(ctx, u, c.agent.Approval.Name, question, func(ctx context.Context, a api.Answer) error {
		if approved, _ := a.Value.(bool); a.Err == nil && approved {
			return c.begin(ctx, u, name, inputs, done)
		}
		return done(ctx, refused(name, a))
	})
}

func (c *calls) needsApproval(name string) bool {
	a := c.agent
	return a.Approval != nil && (len(a.Approve) == 0 || slices.Contains(a.Approve, name))
}

// refused is the answer of a call that was not approved.
func refused(tool string, a api.Answer) api.Answer {
	message := "the call of " + tool + " was declined: it is not approved"
	if a.Err != nil {
		message += ": " + a.Err.Message
	}
	a.Value = nil
	a.Err = api.Errorf(api.PythonException, "%s", message).WithDetails(api.Details{Exception: &api.Exception{Type: "PermissionError", Message: message}})
	return a
}

func (c *calls) begin(ctx context.Context, u *underway, name string, inputs map[string]any, done func(context.Context, api.Answer) error) error {
	c.last++
	u.id = c.last
	c.waiting[u.id] = done
	return c.caller.Start(ctx, api.Call{ID: u.id, Tool: name, Inputs: inputs})
}

// cancel gives up a call.
func (c *calls) cancel(u *underway) {
	delete(c.waiting, u.id)
	c.caller.Cancel(u.id)
}

// wait waits for an answer and gives it to whoever began the call. A wake that is
// not zero is when it returns at the latest, with an answer without an ID.
func (c *calls) wait(ctx context.Context, wake time.Time) (api.Answer, error) {
	answer, err := c.caller.Next(ctx, wake)
	if err != nil || answer.ID == 0 {
		return answer, err
	}
	if answer.Err != nil && orchestrator.EndsAttempt(answer.Err) {
		return answer, answer.Err
	}
	done, ok := c.waiting[answer.ID]
	if !ok {
		return answer, api.Errorf(api.Internal, "call %d was answered, which is not under way", answer.ID)
	}
	delete(c.waiting, answer.ID)
	return answer, done(ctx, answer)
}

// ask asks a task of the model, and waits for nothing else.
func (c *calls) ask(ctx context.Context, task string, r api.ModelRequest) (answer api.ModelAnswer, err error) {
	inputs, err := question.Inputs(r)
	if err != nil {
		return answer, api.Errorf(api.Internal, "the question to the model: %w", err)
	}
	got := false
	err = c.begin(ctx, &underway{}, task, inputs, func(_ context.Context, a api.Answer) (err error) {
		got = true
		if a.Err != nil {
			return a.Err
		}
		answer, err = question.Answer(a.Value)
		return err
	})
	for err == nil && !got {
		_, err = c.wait(ctx, time.Time{})
	}
	return answer, err
}
