package codegen

import (
	"fmt"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/box"
)

// spent is what a generation has spent of its budget.
type spent struct {
	budget    api.Budget
	questions int
	models    api.ModelUsage
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

// worked counts what an agent says that it took. It asked once at least, and had no
// more turns than it was given.
func (s *spent) worked(used box.Used, turns int, price api.ModelPrice) {
	s.questions += int(min(max(used.Turns, 1), int64(turns)))
	usage := used.Usage()
	if price != (api.ModelPrice{}) {
		usage = usage.Priced(price)
	}
	s.models = s.models.Add(usage)
}

func (s *spent) overTime() error { return endedf("the time of %s is over", s.budget.Time) }
