package engine

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// fellAsleep ends an attempt that waits for a time, or for people if that is zero.
// Only the time has to stay in memory; the attempt is replayed then.
type fellAsleep struct{ until time.Time }

func (fellAsleep) Error() string { return api.ErrAsleep.Error() }

// rest is how long it sleeps, if nobody wakes it.
func (f fellAsleep) rest() time.Duration {
	if f.until.IsZero() {
		return math.MaxInt64
	}
	return time.Until(f.until)
}

func (fellAsleep) Unwrap() error { return api.ErrAsleep }
func (r *run) limitless() bool   { return r.task.Timeout == 0 && r.flight == "" }

// maySleep reports whether an attempt that waits for a time alone may leave memory
// until then. It has to be at the top, without a time limit, and no other run may
// wait for its result.
func (c *caller) maySleep(wake time.Time) bool {
	if wake.IsZero() || c.run.parent != nil || !c.run.limitless() || time.Until(wake) <= c.run.engine.longSleep {
		return false
	}
	c.recordSleep(wake)
	return true
}

// fallAsleep puts a run to sleep whose attempt ended with fellAsleep, and reports
// whether it did. The run has no goroutine, no slot and no turn then.
func (r *run) fallAsleep(err error) bool {
	var why fellAsleep
	if !errors.As(err, &why) || r.ctx.Err() != nil {
		return false
	}
	r.ticket.ReleaseTurn()
	r.unload()
	r.plan = plan{retryUnknown: r.plan.retryUnknown, woken: true}
	n := &nap{run: r}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.alarm = time.AfterFunc(why.rest(), n.end)
	n.unwatch = context.AfterFunc(r.ctx, n.end)
	r.to(asleep)
	if r.bed.lie(n) {
		n.alarm.Reset(0)
	}
	if r.engine.isClosed() { // Drain may not have seen it asleep
		r.cancel(errClosing)
	}
	return true
}

// nap is the sleep of a run. It ends at its time, or when the run is cancelled.
type nap struct {
	run     *run
	mu      sync.Mutex
	over    bool
	alarm   *time.Timer
	unwatch func() bool
}

func (n *nap) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.over {
		return
	}
	n.over = true
	n.alarm.Stop()
	n.unwatch()
	n.run.wakeUp()
}

// wakeUp queues a run that slept, or ends it if it was cancelled.
func (r *run) wakeUp() {
	r.bed.rise()
	r.awaitsNoMore()
	if r.ctx.Err() != nil {
		r.engine.work.Go(func() { r.finish(nil, context.Cause(r.ctx)) })
		return
	}
	r.to(resumed)
	r.ticket.Enter(math.MaxInt) // it was not refused before, so it is not now
	if r.ctx.Err() != nil {
		r.withdraw()
	}
}

// readWoken reads from the journal where a run stands that slept, to replay it.
func (r *run) readWoken() error {
	if !r.plan.woken {
		return nil
	}
	if err := r.settled(r.ctx); err != nil {
		return err
	}
	return r.planOf(r.ctx)
}

// attemptBegan takes from the journal when an attempt began.
func (r *run) attemptBegan(ev api.Event) error {
	var d api.AttemptStartedData
	if err := json.Unmarshal(ev.Data, &d); err != nil {
		return r.unreadable(ev, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.attemptAt = ev.Time
	if d.Seed != nil {
		r.seed = d.Seed
	}
	return nil
}

// drawn is the randomness of a run, which is drawn once: a further attempt makes
// the same calls.
func (r *run) drawn() []byte {
	spec := r.task.Orchestrator
	if r.seed == nil && spec != nil && spec.Random == api.RealRandom {
		r.seed = make([]byte, 32)
		rand.Read(r.seed)
	}
	return r.seed
}
