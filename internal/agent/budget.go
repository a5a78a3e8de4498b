package agent

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// spent is what an attempt has spent of its budget.
type spent struct {
	budget api.Budget
	calls  int
	models api.ModelUsage
}

// mayAsk reports that another question would go over the budget.
func (s *spent) mayAsk() error {
	b := s.budget
	if tokens := s.models.Input + s.models.Output; b.Tokens > 0 && tokens >= b.Tokens {
		return overBudget("tokens", fmt.Sprintf("%d tokens", b.Tokens)).WithDetails(api.Details{Field: "agent.budget.tokens", Limit: b.Tokens, Peak: tokens})
	}
	if b.Cost > 0 && s.models.Cost >= b.Cost {
		return overBudget("cost", fmt.Sprintf("%g US dollars", b.Cost)).WithDetails(api.Details{Field: "agent.budget.cost_usd", Got: fmt.Sprint(s.models.Cost)})
	}
	return nil
}

// call counts a call of a tool.
func (s *spent) call() error {
	s.calls++
	if most := s.budget.Calls; most > 0 && s.calls > most {
		return overBudget("calls", fmt.Sprintf("%d calls of tools", most)).WithDetails(api.Details{Field: "agent.budget.calls", Limit: int64(most)})
	}
	return nil
}

func overBudget(what, most string) *api.Error {
	return api.Errorf(api.LimitExceeded, "the agent has spent its budget of %s", most).
		WithHint("raise the budget of %s of the agent, or ask for less", what)
}

var errTime = errors.New("the time of the agent is over")

// within bounds an attempt by the time of its budget, which counts from the first
// one on.
func (s *spent) within(ctx context.Context, began time.Time) (context.Context, context.CancelFunc) {
	if s.budget.Time == 0 {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(ctx, began.Add(s.budget.Time), errTime)
}

// explain says that the time was over where that ended an attempt.
func (s *spent) explain(ctx context.Context, err error) error {
	if err == nil || !errors.Is(context.Cause(ctx), errTime) {
		return err
	}
	return overBudget("time", s.budget.Time.String()).WithDetails(api.Details{Field: "agent.budget.time_ns", Limit: int64(s.budget.Time)})
}
