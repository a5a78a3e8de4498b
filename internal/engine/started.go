package engine

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// maxStarted bounds the runs that one cell started and that wait.
const maxStarted = 10_000

// started are the runs that an attempt of a run started: not the calls of an
// orchestrator, which have a caller, but what its program asked for by itself.
type started struct {
	mu   sync.Mutex
	open bool // an attempt is under way; only sandboxes have to say so
	runs map[*run]struct{}
}

// begin lets the attempt start runs.
func (s *started) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = true
}

// end lets it start no more, and returns those that go on.
func (s *started) end() []*run {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = false
	return slices.Collect(maps.Keys(s.runs))
}

func (s *started) add(child *run) {
	if s.runs == nil {
		s.runs = map[*run]struct{}{}
	}
	s.runs[child] = struct{}{}
}

func (s *started) remove(child *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.runs, child)
}

// adopt puts a run below the one that started it, for as long as its attempt
// lasts.
func (r *run) adopt(child *run) error {
	s := &r.started
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.kind == api.KindSandbox && !s.open {
		return api.Errorf(api.Conflict, "run %s, which is to be the parent, has no attempt under way", r.id).
			WithDetails(api.Details{Field: "parent", Run: r.id})
	}
	s.add(child)
	return nil
}

// endStarted ends what an attempt started, and waits for it: nothing of an
// attempt that failed goes on beside the next one.
func (r *run) endStarted() {
	going := r.started.end()
	cause := context.Cause(r.ctx)
	if cause == nil {
		cause = cancelCause{"the attempt that started it has ended"}
	}
	for _, child := range going {
		child.cancel(cause)
		child.withdraw()
	}
	for _, child := range going {
		<-child.done
	}
}

// endForgotten ends what an attempt started whose process died: the attempt does
// not go on, so nobody waits for it.
func (r *run) endForgotten() {
	if r.kind == api.KindOrchestrator || r.plan.attempts == 0 {
		return
	}
	if err := r.cancelCalls(r.ctx, "the attempt that started it has ended"); err != nil {
		r.engine.config.Logger.Warn("ending what a run started", "run", r.id, "error", err)
	}
}

// below returns the runs that the journal has below a run, of a program those
// that have not ended.
func (r *run) below(ctx context.Context) (found []*journal.Record, err error) {
	j := r.engine.config.Journal
	if r.kind == api.KindOrchestrator {
		return j.Calls(ctx, r.id)
	}
	q := api.RunQuery{Parent: r.id, Status: []api.Status{api.StatusQueued, api.StatusRunning, api.StatusInterrupted}, Limit: maxPage}
	for {
		page, next, err := j.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, listed := range page {
			rec, err := j.Load(ctx, listed.ID)
			if err != nil {
				return nil, err
			}
			found = append(found, rec)
		}
		if next == "" {
			return found, nil
		}
		q.Cursor = next
	}
}

// ParentOf returns the run that a run is below, or "".
func (e *Engine) ParentOf(ctx context.Context, id string) (string, error) {
	if r := e.liveRun(id); r != nil {
		return r.record().Parent, nil
	}
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return "", journalError(id, err)
	}
	return rec.Parent, nil
}
