package engine

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/engine/replay"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// Recover finds the runs whose process is gone and marks them as interrupted.
// With resume, it resumes those at the top. It returns how many runs were found.
func (e *Engine) Recover(ctx context.Context, resume bool) (int, error) {
	unfinished, err := e.unfinished(ctx)
	if err != nil {
		return 0, journalError("", err)
	}
	found := 0
	for _, rec := range unfinished {
		if rec.Holder == e.owner() || e.config.Alive(rec.Holder) || waitsForAny(rec) {
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

// tolerate logs that the record of a run is damaged, and drops that error: the
// run stays as it is, and does not stop the recovery of others.
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
	claimed, err := e.config.Journal.Claim(ctx, rec.ID, rec.Holder, e.owner())
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
	receipt := r.change(edited(func(rec *journal.Record) {
		if rec.Status == api.StatusRunning && rec.SleepsUntil.IsZero() && rec.Awaits == nil { // else it cannot be the cause
			rec.Deaths++
		}
		interruptRecord(rec)
	}), event{api.EventInterrupted, api.InterruptedData{Owner: rec.Holder}})
	return journalError(rec.ID, receipt.Wait(ctx))
}

// interruptRecord marks a run as interrupted and without owner, so that exactly one
// process can claim it.
func interruptRecord(rec *journal.Record) { rec.Status, rec.Holder = api.StatusInterrupted, "" }

// maxDeaths is how often in a row a process may die with a run before the run is
// not resumed automatically any more: it may be the cause.
const maxDeaths = 3

// deadly explains why a run is not resumed automatically.
func deadly(rec *journal.Record) *api.Error {
	return api.Errorf(api.Interrupted, "the process of run %s died %d times in a row, so it is not resumed automatically", rec.ID, rec.Deaths).
		WithHint("if the run was not the cause, try it again with: glovebox resume %s", rec.ID).WithDetails(api.Details{Run: rec.ID})
}

// resumeAll resumes every interrupted run at the top of its tree. It logs those
// that cannot be resumed, and leaves them as they are.
func (e *Engine) resumeAll(ctx context.Context) error {
	unfinished, err := e.unfinished(ctx)
	if err != nil {
		return journalError("", err)
	}
	for _, rec := range unfinished {
		if rec.Parent != "" || rec.Status != api.StatusInterrupted || e.liveRun(rec.ID) != nil || rec.Holder != e.owner() && e.config.Alive(rec.Holder) {
			continue
		}
		if err := e.resumeUnasked(ctx, rec.ID); err != nil {
			e.config.Logger.Warn("resuming an interrupted run", "run", rec.ID, "error", err)
		}
	}
	return ctx.Err()
}

// resumeUnasked resumes an interrupted run during recovery, unless it seems to
// kill its processes.
func (e *Engine) resumeUnasked(ctx context.Context, id string) error {
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return journalError(id, err)
	}
	if rec.Deaths >= maxDeaths {
		return deadly(rec)
	}
	_, err = e.resume(ctx, rec, api.ResumeOptions{}, streams{})
	return err
}

// Resume continues a run that was interrupted, failed or was cancelled.
func (e *Engine) Resume(ctx context.Context, id string, o api.ResumeOptions) (*api.Run, error) {
	rec, err := e.loadUnowned(ctx, id)
	if err != nil {
		return nil, err
	}
	return e.resume(ctx, rec, o, streams{})
}

// leavePatience is how long a resumption waits for the owner of the run to be
// gone: a process that serves another one ends a moment after that was killed.
const leavePatience = time.Second

// loadUnowned reads a run once its owner is gone, or after leavePatience.
func (e *Engine) loadUnowned(ctx context.Context, id string) (*journal.Record, error) {
	for deadline := time.Now().Add(leavePatience); ; {
		rec, err := e.config.Journal.Load(ctx, id)
		if err != nil {
			return nil, journalError(id, err)
		}
		elsewhere := !rec.Status.Ended() && rec.Holder != "" && rec.Holder != e.owner() && e.config.Alive(rec.Holder)
		if !elsewhere || time.Now().After(deadline) {
			return rec, nil
		}
		select {
		case <-ctx.Done():
			return nil, api.Errorf(api.Canceled, "the waiting was ended: %w", context.Cause(ctx))
		case <-time.After(watchPoll / 4):
		}
	}
}

// resume continues a run without a live process, at the top of its tree.
func (e *Engine) resume(ctx context.Context, rec *journal.Record, o api.ResumeOptions, s streams) (*api.Run, error) {
	if err := e.resumable(rec); err != nil {
		return nil, err
	}
	if err := e.checkResumable(ctx, rec, o); err != nil {
		return nil, err
	}
	if err := e.selected(rec); err != nil {
		return nil, err
	}
	return e.resumeBelow(ctx, rec, nil, o, s)
}

// resumeBelow continues a run that may be resumed, below its parent if that is
// live.
func (e *Engine) resumeBelow(ctx context.Context, rec *journal.Record, parent *run, o api.ResumeOptions, s streams) (*api.Run, error) {
	if _, err := e.public(ctx, rec); err != nil {
		return nil, err // its payloads cannot be read, so it stays as it is
	}
	r := e.newRun(*rec, parent)
	if err := e.admitBelow(r); err != nil {
		return nil, err
	}
	if err := r.take(ctx); err != nil {
		e.dismiss(r)
		return nil, err
	}
	r.streams, r.plan.retryUnknown = s, o.RetryUnknown
	r.to(resumed)
	data := r.startedData()
	data.Again = rec.Status.Ended()
	data.Resumed = !data.Again
	again, err := r.askAgain(ctx)
	if err != nil {
		e.dismiss(r)
		return nil, err
	}
	receipt := r.change(edited(func(rec *journal.Record) {
		rec.Status, rec.Error, rec.ExitCode = api.StatusQueued, nil, -1
		rec.Ended, rec.Resolved = time.Time{}, time.Time{}
		rec.Cached, rec.CachedRun, rec.Owed = false, "", false
	}), append([]event{{api.EventStarted, data}}, again...)...)
	if err := r.durable(ctx, receipt); err != nil {
		return nil, e.unconfirmed(ctx, r, err)
	}
	now := r.record()
	now.InputsPayload = rec.InputsPayload
	if err := e.dispatch(r); err != nil {
		return nil, err
	}
	return e.public(ctx, &now)
}

// errGivenUp is the cause when a submission failed, or its caller stopped waiting.
var errGivenUp = cancelCause{"the caller did not wait for its submission"}

// unconfirmed handles a run whose creation or resumption was not confirmed. If
// the journal failed, the run is dismissed. If only the caller stopped waiting,
// it becomes durable all the same and has to end: a run with a key by
// executing, since the caller may ask for it again; another by its
// cancellation.
func (e *Engine) unconfirmed(ctx context.Context, r *run, err error) error {
	if ctx.Err() == nil {
		e.dismiss(r)
		return err
	}
	r.streams = streams{}
	if r.rec.IdempotencyKey == "" && r.state.in(admitted) {
		r.cancel(errGivenUp)
	}
	return errors.Join(err, e.dispatch(r))
}

// resumable reports why a run cannot be resumed.
func (e *Engine) resumable(rec *journal.Record) error {
	conflict := func(format string, args ...any) *api.Error {
		return api.Errorf(api.Conflict, "run %s "+format, append([]any{rec.ID}, args...)...).WithDetails(api.Details{Run: rec.ID})
	}
	switch {
	case rec.Call != 0:
		return conflict("is a call of run %s, and continues with it", rec.Parent).WithHint("resume run %s", rec.Root)
	case rec.Status == api.StatusSucceeded:
		return conflict("has succeeded").WithHint("do it once more with: glovebox rerun %s", rec.ID)
	case e.liveRun(rec.ID) != nil, rec.Holder != "" && rec.Holder != e.owner() && e.config.Alive(rec.Holder):
		return underWay(rec.ID)
	}
	return nil
}

// take claims a run that was admitted and has no live process, and reads where it
// stands.
func (r *run) take(ctx context.Context) error {
	claimed, err := r.engine.config.Journal.Claim(ctx, r.id, r.rec.Holder, r.engine.owner())
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

// planOf reads from the journal where the run stands, into its plan.
func (r *run) planOf(ctx context.Context) error {
	open, h := false, replay.NewHistory()
	for after := int64(0); ; {
		page, err := r.engine.config.Journal.Events(ctx, r.id, after, eventPage)
		if err != nil {
			return journalError(r.id, err)
		}
		for _, ev := range page {
			after = ev.Seq
			switch ev.Kind {
			case api.EventAttemptStarted:
				open, h = true, replay.NewHistory()
				if err := r.attemptBegan(ev); err != nil {
					return err
				}
			case api.EventAttemptEnded:
				open = false
				if err := r.attemptFailed(ev); err != nil {
					return err
				}
			case api.EventEnded:
				open, r.plan.failures = false, nil
			}
			if err := h.Add(ev); err != nil {
				return r.unreadable(ev, err)
			}
		}
		if len(page) < eventPage {
			break
		}
	}
	r.plan.attempts = r.rec.Attempts
	switch {
	case !open:
	case r.kind.CallsTools():
		r.plan.replay = h
	default:
		r.plan.inDoubt = true
	}
	return nil
}

// unreadable is the error of an event whose data is none of its kind.
func (r *run) unreadable(ev api.Event, err error) error {
	return api.Errorf(api.StorageCorrupt, "event %d of run %s cannot be read: %w", ev.Seq, r.id, err)
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

// loadInputs reads the inputs of a run, as a person changed them if one did. Those of
// a signal that was sent are what was sent.
func (e *Engine) loadInputs(ctx context.Context, task *api.Task, rec *journal.Record) (value.Fields, error) {
	text, err := e.readPayload(ctx, approvedInputs(rec))
	if err != nil {
		return value.Fields{}, err
	}
	params := task.InputParams()
	if sent(rec) {
		params = task.OutputParams()
	}
	inputs, err := value.Decode("input", params, text)
	if err != nil {
		return inputs, api.AsError(err)
	}
	return inputs, nil
}
