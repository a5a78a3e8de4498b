package engine

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/replay"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// recall collects what earlier attempts of a program started. The caller of an
// orchestrator does that itself.
func (r *run) recall(ctx context.Context) error {
	if r.kind.CallsTools() {
		return nil
	}
	rec := r.record()
	earlier, err := replay.OfProgram(ctx, records{r.engine}, &rec)
	if err != nil {
		return err
	}
	r.submissions.Begin(earlier)
	return r.recount(ctx, &rec)
}

// recount adds up what the runs below asked of models: a process that died did not
// write the sum, and they are not asked again.
func (r *run) recount(ctx context.Context, rec *journal.Record) error {
	if rec.Attempts <= 1 {
		return nil
	}
	below, err := r.engine.callsOf(ctx, rec)
	if err != nil || len(below) == 0 {
		return err
	}
	var used api.ModelUsage
	for _, run := range below {
		used = used.Add(run.Usage.Models)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rec.Usage.Models = used
	return nil
}

// again answers a submission of a program that runs again by a run that an earlier
// attempt started for the same, and resumes that if it has not ended. It returns
// nil if there is none.
func (r *run) again(ctx context.Context, sub *submission) (*api.Run, error) {
	if id := r.submissions.Answered(sub.rec.IdempotencyKey); id != "" {
		return r.engine.Run(ctx, id)
	}
	earlier := r.submissions.Take(&sub.rec)
	if earlier == nil {
		return nil, nil
	}
	run, err := r.reuseEarlier(ctx, sub, earlier)
	switch {
	case err != nil:
		r.submissions.PutBack(earlier)
	case run != nil:
		r.submissions.Note(sub.rec.IdempotencyKey, run.ID)
	}
	return run, err
}

func (r *run) reuseEarlier(ctx context.Context, sub *submission, earlier *journal.Record) (*api.Run, error) {
	e := r.engine
	rec, err := e.config.Journal.Load(ctx, earlier.ID)
	if err != nil {
		return nil, journalError(earlier.ID, err)
	}
	own, done := rec.Parent == r.id, rec.Status == api.StatusSucceeded
	if !done && !rec.Owed && rec.Status != api.StatusCanceled {
		if err := r.refuseDoubt(ctx, rec); err != nil {
			return nil, err
		}
	}
	switch {
	case own && done:
		return e.public(ctx, rec)
	case rec.Owed:
		return e.createAnswered(ctx, sub, rec)
	case own:
		return e.resumeBelow(ctx, rec, r, api.ResumeOptions{RetryUnknown: r.plan.retryUnknown}, sub.streams)
	case done:
		return e.createAnswered(ctx, sub, rec)
	}
	sub.rec.Key, sub.rec.Reuse = replay.Key(rec), &journal.Reuse{Run: rec.ID}
	return nil, nil
}

// refuseDoubt refuses to repeat a run whose outcome is unknown and that could do
// harm.
func (r *run) refuseDoubt(ctx context.Context, rec *journal.Record) error {
	if r.plan.retryUnknown {
		return nil
	}
	doubt, err := r.engine.doubtAt(ctx, rec)
	if err != nil || doubt == nil {
		return err
	}
	return r.leaveInDoubt(doubt)
}

// createAnswered makes a run that a run of an earlier try answers.
func (e *Engine) createAnswered(ctx context.Context, sub *submission, earlier *journal.Record) (*api.Run, error) {
	child := e.newRun(sub.rec, sub.parent)
	defer child.cancel(nil)
	child.task = sub.task
	if err := child.answerBy(ctx, earlier, sub.blobs); err != nil {
		return nil, err
	}
	child.mu.Lock()
	receipt := e.config.Journal.Submit(child.answeredChange(sub.rec.Run, &sub.granted, earlier))
	child.mu.Unlock()
	if err := receipt.Wait(ctx); err != nil {
		return nil, err
	}
	return e.Run(ctx, child.id)
}
