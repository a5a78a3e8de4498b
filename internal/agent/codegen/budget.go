package codegen

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
)

// spent is what a generation has spent of its budget.
type spent struct {
	budget    api.Budget
	questions int
	models    api.ModelUsage
	said      float64 // US dollars of models, as an agent says them, that no price is known for
}

// ended is why a generation ends without success. It is a result, and no error of
// the run: what there is so far is worth having.
type ended struct{ reason string }

func (e *ended) Error() string { return e.reason }

func endedf(format string, args ...any) error { return &ended{fmt.Sprintf(format, args...)} }

// mayAsk counts that many questions, or reports that they would go over the budget.
func (s *spent) mayAsk(n int) error {
	b := s.budget
	switch tokens := s.models.Input + s.models.Output; {
	case b.Calls > 0 && s.questions+n > b.Calls:
		return endedf("the budget of %d questions to the model is spent", b.Calls)
	case b.Tokens > 0 && tokens >= b.Tokens:
		return endedf("the budget of %d tokens is spent: there were %d", b.Tokens, tokens)
	case b.Cost > 0 && s.models.Cost >= b.Cost:
		return endedf("the budget of %g US dollars is spent: it cost %.6g", b.Cost, s.models.Cost)
	}
	s.questions += n
	return nil
}

// mayWork returns how many questions an agent may ask in one go, which asks up to
// turns on its own, or reports that it may ask none.
func (s *spent) mayWork(turns int) (int, error) {
	if err := s.mayAsk(1); err != nil {
		return 0, err
	}
	s.questions--
	if most := s.budget.Calls; most > 0 {
		turns = min(turns, most-s.questions)
	}
	return turns, nil
}

// left is what remains of the budget for the questions of an agent, where that is
// bounded. It is there if mayAsk says so.
func (s *spent) left() (b api.Budget) {
	if s.budget.Calls > 0 {
		b.Calls = s.budget.Calls - s.questions
	}
	if s.budget.Tokens > 0 {
		b.Tokens = s.budget.Tokens - s.models.Input - s.models.Output
	}
	if s.budget.Cost > 0 {
		b.Cost = s.budget.Cost - s.models.Cost
	}
	return b
}

// worked counts what was asked for an agent. Where the price is not known, it costs
// what the agent says.
func (s *spent) worked(asked api.ModelUsage, said float64, price api.ModelPrice) {
	s.questions += int(asked.Asked)
	asked.Asked = 0
	if price == (api.ModelPrice{}) {
		asked.Cost = said
		s.said += said
	}
	s.models = s.models.Add(asked)
}

func (s *spent) overTime() error { return endedf("the time of %s is over", s.budget.Time) }
