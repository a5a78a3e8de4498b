package engine

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Every phase is reached from the first one, and leads to the last one alone.
func TestTransitions(t *testing.T) {
	reached := []phase{admitted}
	for i := 0; i < len(reached); i++ {
		for _, next := range transitions[reached[i]] {
			if !slices.Contains(reached, next) {
				reached = append(reached, next)
			}
		}
	}
	if len(reached) != int(phases) {
		t.Errorf("reached are %v", reached)
	}
	for from, to := range transitions {
		if p := phase(from); (len(to) == 0) != (p == ended) || p < ending && !slices.Contains(to, ending) {
			t.Errorf("%s leads to %v", p, to)
		}
	}
}

// TestForbiddenTransition: a change that the table lacks is logged, and made
// all the same: the run has to come to its end.
func TestForbiddenTransition(t *testing.T) {
	var log strings.Builder
	e := newHost(t).engine("a", nil)
	defer e.Close()
	e.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
	r := e.newRun(journal.Record{}, nil)
	defer r.cancel(nil)
	r.to(started)
	r.to(attempting)
	if log.Len() > 0 {
		t.Errorf("logged of what is allowed: %s", log.String())
	}
	r.to(queued)
	if !r.state.in(queued) || !strings.Contains(log.String(), forbidden) || !strings.Contains(log.String(), "from=attempting to=queued") {
		t.Errorf("logged: %s", log.String())
	}
	defer func() {
		if recover() == nil {
			t.Error("the logger of the tests does not stop them")
		}
	}()
	e.config.Logger = strictLogger()
	r.to(asleep)
}
