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

// asleep ends an attempt of which nothing but the time at which it goes on needs
// to be kept in memory.
type asleep struct{ until time.Time }

func (asleep) Error() string   { return api.ErrAsleep.Error() }
func (asleep) Unwrap() error   { return api.ErrAsleep }
func (r *run) limitless() bool { return r.task.Timeout == 0 && r.flight == "" }

// dozes reports whether an attempt that waits for nothing but a time may end
// until then: a run at the top can, whose time is not limited and whose result
// nobody else waits for.
func (c *caller) dozes(wake time.Time) bool {
	if wake.IsZero() || c.run.parent != nil || !c.run.limitless() || time.Until(wake) <= c.run.engine.longSleep {
		return false
	}
	c.tellSleep(wake)
	return true
}

// rest has a run whose attempt sleeps wait without a goroutine and without a
// place, and reports whether it does. Others have its turn.
func (r *run) rest(err error) bool {
	var why asleep
	if !errors.As(err, &why) || r.ctx.Err() != nil {
		return false
	}
	if r.queued {
		r.queued = false
		r.queue.leave(r.engine.proceed)
	}
	r.unload()
	r.plan = plan{started: true, retryUnknown: r.plan.retryUnknown, slept: true}
	n := &nap{run: r}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.alarm = time.AfterFunc(time.Until(why.until), n.end)
	n.unwatch = context.AfterFunc(r.ctx, n.end)
	return true
}

// nap is the rest of a run. It ends when its time has come, or its run.
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
	n.run.rise()
}

// rise has a run that slept carried out again when it is its turn.
func (r *run) rise() {
	if r.ctx.Err() != nil {
		r.engine.work.Go(func() { r.finish(nil, context.Cause(r.ctx)) })
		return
	}
	r.queue.enter(r, math.MaxInt, r.engine.proceed) // it was let in before
	if r.ctx.Err() != nil {
		r.withdraw()
	}
}

// goOnAwake reads from the journal where a run stands that slept.
func (r *run) goOnAwake() error {
	if !r.plan.slept {
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
		return api.Errorf(api.StorageCorrupt, "event %d of run %s cannot be read: %w", ev.Seq, r.id, err)
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
