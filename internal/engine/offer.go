package engine

import (
	"cmp"
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// offers reports whether a new run is left to whichever process has room for it first:
// this one has none, or it is to have its turn among all that a limit bounds, and the run
// needs nothing that only this one has. A run that selects
// others and cannot be left to them is refused.
func (e *Engine) offers(r *run) (bool, error) {
	offered := e.shared.on.Load() && r.rec.Parent == "" && !r.asks() && r.streams.stdout == nil && r.streams.stderr == nil && r.streams.progress == nil &&
		(r.bounded() || !e.hasRoomFor(r)) && anywhere(r.task) && !e.crowded(r.ctx)
	if offered {
		return true, nil
	}
	return false, e.selected(&r.rec)
}

// anywhere reports whether any process on the journal can carry a task out. Functions
// are offered to one process, also to runs that a cell starts, and paths and programs of
// hosts are those of one machine.
func anywhere(task *api.Task) bool {
	if task.Kind == api.KindFunction || task.StartsRuns || hasPath(&task.Image) {
		return false
	}
	if m := task.MCP; m != nil && (m.Server.Host || hasPath(&m.Server.Image)) {
		return false
	}
	for _, below := range task.Callable() {
		if !anywhere(below) {
			return false
		}
	}
	return true
}

func hasPath(image *api.ImageSpec) bool {
	_, ref := api.ImagePath(image.Ref)
	_, base := api.ImagePath(image.Base)
	return ref || base
}

// countAgain is how long the number of runs that wait without a process is believed.
const countAgain = time.Second

// crowded reports whether so many runs wait without a process that a further one has to
// wait, or be refused, here. Where that cannot be found out, they are not.
func (e *Engine) crowded(ctx context.Context) bool {
	s := &e.shared
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.counted) > countAgain {
		held, err := e.config.Journal.HeldBy(ctx)
		if err != nil {
			return false
		}
		s.waiting, s.counted = held[""], time.Now()
	}
	s.waiting++
	return s.waiting > cmp.Or(e.config.MaxQueued, DefaultQueued)
}

// offered lets go of a new run that is left to others, and waits until it is written.
// If the caller stops waiting it is cancelled, unless it can be asked for by its key.
func (e *Engine) offered(ctx context.Context, r *run, receipt journal.Receipt) (*api.Run, error) {
	rec := r.record()
	signature := r.task.Signature
	e.dismiss(r) // before others, or this process, can take it
	err := receipt.Wait(ctx)
	if err != nil && ctx.Err() != nil && rec.IdempotencyKey == "" {
		e.work.Go(func() { e.withdrawOffered(rec.ID, receipt) })
	}
	if err != nil {
		return nil, err
	}
	rec.Run.Signature = &signature
	return &rec.Run, nil
}

// withdrawOffered cancels a run that no caller knows.
func (e *Engine) withdrawOffered(id string, receipt journal.Receipt) {
	err := receipt.Wait(e.ctx)
	if err == nil {
		err = e.Cancel(e.ctx, id, errGivenUp.reason)
	}
	if err != nil && e.ctx.Err() == nil {
		e.config.Logger.Warn("cancelling a run whose caller did not wait", "run", id, "error", err)
	}
}

// waitsForAny reports whether a run is one that was offered, and that no process has
// taken yet.
func waitsForAny(rec *journal.Record) bool { return rec.Holder == "" && rec.Status == api.StatusQueued }

// continueTaken carries out a run that this process has just taken.
func (e *Engine) continueTaken(ctx context.Context, id string) error {
	rec, err := e.config.Journal.Load(ctx, id)
	if err != nil {
		return journalError(id, err)
	}
	if rec.Holder != e.owner() { // cancelled, say
		return nil
	}
	if rec.Status != api.StatusQueued || !rec.Started.IsZero() || rec.Attempts > 0 {
		return e.resumeUnasked(ctx, id)
	}
	r := e.newRun(*rec, nil)
	if err := e.admitBelow(r); err != nil {
		return err
	}
	return e.dispatch(r)
}
