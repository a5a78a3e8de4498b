package engine

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Recover finds the runs whose process is gone and marks them as interrupted.
// With resume, those at the top go on. It returns how many runs were found.
func (e *Engine) Recover(ctx context.Context, resume bool) (int, error) {
	unfinished, err := e.unfinished(ctx)
	if err != nil {
		return 0, journalError("", err)
	}
	found := 0
	for _, rec := range unfinished {
		if rec.Owner == e.config.Owner || e.config.Alive(rec.Owner) {
			continue
		}
		if rec.Status != api.StatusInterrupted {
			found++
			if err := e.tolerate(e.markInterrupted(ctx, rec)); err != nil {
				return found, err
			}
		}
	}
	if !resume {
		return found, nil
	}
	return found, e.resumeAll(ctx)
}

// unfinished returns the runs that have not ended.
func (e *Engine) unfinished(ctx context.Context) ([]*journal.Record, error) {
	found, err := e.config.Journal.Unfinished(ctx)
	return found, e.tolerate(err)
}

// tolerate tells of a run of which nobody knows any more how far it has come: it
// stays as it is, and others go on.
func (e *Engine) tolerate(err error) error {
	if !errors.Is(err, journal.ErrDamaged) {
		return err
	}
	e.config.Logger.Warn("recovering a run whose record is damaged", "error", err)
	return nil
}

// markInterrupted records that the process of a run is gone. A run that another
// process takes over at the same time is its business.
func (e *Engine) markInterrupted(ctx context.Context, rec *journal.Record) error {
	claimed, err := e.config.Journal.Claim(ctx, rec.ID, rec.Owner, e.config.Owner)
	if errors.Is(err, journal.ErrOwned) {
		return nil
	}
	if err != nil {
		return journalError(rec.ID, err)
	}
	if claimed.Status.Ended() { // it ended, and its process after it, since it was found unfinished
		return nil
	}
	r := e.newRun(*claimed, nil)
	defer r.cancel(nil)
	receipt := r.change(edited(interruptRecord), event{api.EventInterrupted, api.InterruptedData{Owner: rec.Owner}})
	return journalError(rec.ID, receipt.Wait(ctx))
}

// interruptRecord leaves a run to whoever claims it first. A run that rests has
// no owner: otherwise two could take it, one from the other.
func interruptRecord(rec *journal.Record) { rec.Status, rec.Owner = api.StatusInterrupted, "" }

// resumeAll goes on with every interrupted run at the top of its tree. One that
// cannot go on is left as it is, and told of.
func (e *Engine) resumeAll(ctx context.Context) error {
	unfinished, err := e.unfinished(ctx)
	if err != nil {
		return journalError("", err)
	}
	for _, rec := range unfinished {
		if rec.Parent != "" || rec.Status != api.StatusInterrupted || e.liveRun(rec.ID) != nil || rec.Owner != e.config.Owner && e.config.Alive(rec.Owner) {
			continue
		}
		if _, err := e.goOn(ctx, rec, api.ResumeOptions{}, streams{}); err != nil {
			e.config.Logger.Warn("resuming an interrupted run", "run", rec.ID, "error", err)
		}
	}
	return ctx.Err()
}

// Resume goes on with a run that was interrupted, failed or was canceled.
func (e *Engine) Resume(ctx context.Context, id string, o api.ResumeOptions) (*api.Run, error) {
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return nil, journalError(id, err)
	}
	return e.goOn(ctx, rec, o, streams{})
}

// goOn makes a run that nobody carries out go on.
func (e *Engine) goOn(ctx context.Context, rec *journal.Record, o api.ResumeOptions, s streams) (*api.Run, error) {
	if err := e.resumable(rec, o); err != nil {
		return nil, err
	}
	if err := e.checkCut(ctx, rec, o); err != nil {
		return nil, err
	}
	if _, err := e.public(ctx, rec); err != nil {
		return nil, err // what it would need is not there: it stays as it is
	}
	r := e.newRun(*rec, nil)
	if err := e.admit(r); err != nil {
		r.cancel(nil)
		return nil, err
	}
	if err := r.take(ctx); err != nil {
		e.dismiss(r)
		return nil, err
	}
	r.streams, r.plan.retryUnknown, r.plan.started = s, o.RetryUnknown, true
	data := r.startedData()
	data.Again = rec.Status.Ended()
	data.Resumed = !data.Again
	receipt := r.change(edited(func(rec *journal.Record) {
		rec.Status, rec.Error, rec.ExitCode = api.StatusQueued, nil, -1
		rec.Ended = time.Time{}
	}), event{api.EventStarted, data})
	if err := r.durable(ctx, receipt); err != nil {
		return nil, e.unconfirmed(ctx, r, err)
	}
	now := r.record()
	now.InputsPayload = rec.InputsPayload
	if err := e.letGo(r); err != nil {
		return nil, err
	}
	return e.public(ctx, &now)
}

// errGivenUp is why runs end whose submission nobody waited for, or that failed.
var errGivenUp = cancelCause{"the caller did not wait for its submission"}

// unconfirmed deals with a run of which the journal did not say that it is
// durable. If only the caller gave up waiting, it becomes durable all the same,
// and then has to end in some way: whoever has the key may ask again.
func (e *Engine) unconfirmed(ctx context.Context, r *run, err error) error {
	if ctx.Err() == nil {
		e.dismiss(r)
		return err
	}
	r.streams = streams{}
	if r.rec.IdempotencyKey == "" && !r.plan.started {
		r.cancel(errGivenUp)
	}
	return errors.Join(err, e.letGo(r))
}

// resumable reports why a run cannot go on.
func (e *Engine) resumable(rec *journal.Record, o api.ResumeOptions) error {
	conflict := func(format string, args ...any) *api.Error {
		return api.Errorf(api.Conflict, "run %s "+format, append([]any{rec.ID}, args...)...).WithDetails(api.Details{Run: rec.ID})
	}
	switch {
	case rec.Call != 0:
		return conflict("is a call of run %s, and goes on with it", rec.Parent).WithHint("resume run %s", rec.Root)
	case rec.Status == api.StatusSucceeded:
		return conflict("has succeeded").WithHint("do it once more with: glovebox rerun %s", rec.ID)
	case e.liveRun(rec.ID) != nil, rec.Owner != "" && rec.Owner != e.config.Owner && e.config.Alive(rec.Owner):
		return underWay(rec.ID)
	case rec.Error != nil && rec.Error.Code == api.OutcomeUnknown && !o.RetryUnknown:
		err := *rec.Error
		return conflict("ended because nobody knows whether something was done: %s", err.Message).
			WithHint("find out whether it was done; to do it again, resume with --retry-unknown, or retry_unknown=True in Python")
	}
	return nil
}

// take makes this process the owner of a run that was admitted and that nobody
// carries out.
func (r *run) take(ctx context.Context) error {
	claimed, err := r.engine.config.Journal.Claim(ctx, r.id, r.rec.Owner, r.engine.config.Owner)
	if err != nil {
		return journalError(r.id, err)
	}
	if claimed.Seq != r.rec.Seq && claimed.Status.Ended() {
		return underWay(r.id) // it was, until now
	}
	r.mu.Lock()
	r.rec = *claimed
	r.mu.Unlock()
	return r.planOf(ctx)
}

func underWay(id string) *api.Error {
	return api.Errorf(api.Conflict, "run %s is under way", id).
		WithHint("follow it with: glovebox show %s", id).WithDetails(api.Details{Run: id})
}

// planOf reads from the journal where the run stands.
func (r *run) planOf(ctx context.Context) error {
	open, h := false, newHistory()
	for after := int64(0); ; {
		page, err := r.engine.config.Journal.Events(ctx, r.id, after, eventPage)
		if err != nil {
			return journalError(r.id, err)
		}
		for _, ev := range page {
			after = ev.Seq
			switch ev.Kind {
			case api.EventAttemptStarted:
				open, h = true, newHistory()
				if err := r.attemptBegan(ev); err != nil {
					return err
				}
			case api.EventAttemptEnded, api.EventEnded:
				open = false
			}
			if err := h.add(ev); err != nil {
				return api.Errorf(api.StorageCorrupt, "event %d of run %s cannot be read: %w", ev.Seq, r.id, err)
			}
		}
		if len(page) < eventPage {
			break
		}
	}
	r.plan.attempts = r.rec.Attempts
	switch {
	case !open:
	case r.kind == api.KindOrchestrator:
		r.plan.replay = h
	default:
		r.plan.inDoubt = true
	}
	return nil
}

// loadTask reads a definition from the journal.
func (e *Engine) loadTask(ctx context.Context, digest string) (*api.Task, error) {
	text, err := e.config.Journal.Task(ctx, digest)
	if err != nil {
		return nil, api.Errorf(api.StorageCorrupt, "the definition of task %s: %w", digest, err)
	}
	task := new(api.Task)
	if err := json.Unmarshal(text, task); err != nil {
		return nil, api.Errorf(api.StorageCorrupt, "the definition of task %s: %w", digest, err)
	}
	return task, nil
}

// loadInputs reads the inputs of a run.
func (e *Engine) loadInputs(ctx context.Context, task *api.Task, rec *journal.Record) (map[string]any, error) {
	text, err := e.readPayload(ctx, rec.InputsPayload)
	if err != nil {
		return nil, err
	}
	return api.DecodeFields("input", inputParams(task), text)
}
