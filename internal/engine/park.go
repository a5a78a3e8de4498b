package engine

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// bed is where a run lies that waits for people alone, or for a time: how it is
// woken, and the calls that wait for a decision meanwhile. They stay live, and
// the attempt finds them here when it is replayed.
type bed struct {
	mu     sync.Mutex
	nap    *nap // nil unless it is asleep
	roused bool // before it was asleep
	parked map[string]*run
}

// has reports whether a call waits here.
func (b *bed) has(child *run) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.parked[child.id] == child
}

// take hands a call over to the attempt that made it, or returns nil.
func (b *bed) take(id string) *run {
	b.mu.Lock()
	defer b.mu.Unlock()
	child := b.parked[id]
	delete(b.parked, id)
	return child
}

// lie says that the run is asleep. It reports whether the run was roused before.
func (b *bed) lie(n *nap) (roused bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nap, roused, b.roused = n, b.roused, false
	return roused
}

// rise says that the run is not asleep any more.
func (b *bed) rise() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.nap, b.roused = nil, false
}

// rouse wakes the run, since something became of one of its calls.
func (r *run) rouse() {
	r.bed.mu.Lock()
	n := r.bed.nap
	r.bed.roused = n == nil
	r.bed.mu.Unlock()
	if n != nil {
		n.end()
	}
}

// park leaves the calls that wait for people to the bed of the run, if nothing else
// is under way.
func (c *caller) park() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.answers) > 0 || len(c.open) != c.held {
		return false
	}
	b := &c.run.bed
	b.mu.Lock()
	defer b.mu.Unlock()
	b.roused, b.parked = false, make(map[string]*run, len(c.open))
	for _, child := range c.open {
		h := child.hold.Load()
		if over, _ := h.fate(); over {
			b.roused = true
		}
		h.caller.Store(nil)
		child.callSite = nil
		b.parked[child.id] = child
	}
	clear(c.open)
	c.held, c.over = 0, true
	return true
}

// unpark takes a call back that waited while the attempt was parked, and reports
// whether it did. A call that has ended meanwhile is in the journal.
func (c *caller) unpark(id string, call uint64, sub *submission) bool {
	c.mu.Lock()
	b := &c.run.bed
	b.mu.Lock()
	child := b.parked[id]
	delete(b.parked, id)
	var known *journal.Decision
	if child != nil {
		h := child.hold.Load()
		var over bool
		if over, known = h.fate(); !over || known != nil {
			child.callSite, child.task, child.inputs = &callSite{c, call}, sub.task, sub.inputs
			h.caller.Store(c)
			c.open[call] = child
			c.held++
			b.mu.Unlock()
			c.mu.Unlock()
			if known != nil {
				h.proceed()
			}
			return true
		}
	}
	b.mu.Unlock()
	c.mu.Unlock()
	if child != nil {
		<-child.done
	}
	return false
}

// endParked ends the calls that still wait when their run ends, or is interrupted.
func (r *run) endParked(cause error) {
	r.bed.mu.Lock()
	parked := r.bed.parked
	r.bed.parked = nil
	r.bed.mu.Unlock()
	if len(parked) > 0 && r.settled(context.WithoutCancel(r.ctx)) != nil {
		cause = errClosing // the run cannot end either, and whoever resumes it needs what people say
	}
	for _, child := range parked {
		child.cancel(cause)
		endHeld(child)
	}
}

// endHeld ends a call that waits for a person and was cancelled.
func endHeld(child *run) {
	h := child.hold.Load()
	h.take(nil)
	if h.goes() {
		child.finish(nil, context.Cause(child.ctx))
		return
	}
	<-child.done
}

// hold has a call wait for a decision.
func (c *caller) hold(child *run) {
	c.mu.Lock()
	c.open[child.callSite.call] = child
	c.held++
	c.mu.Unlock()
	child.await(c)
}

// carry does in a goroutine what becomes of a call that waited for a decision. It
// reports false if the attempt is over.
func (c *caller) carry(h *hold, do func()) bool {
	c.mu.Lock()
	if c.over {
		c.mu.Unlock()
		return false
	}
	if !h.goes() {
		c.mu.Unlock()
		return true
	}
	c.held--
	c.working.Add(1)
	c.mu.Unlock()
	c.run.awaitsNoMore()
	c.run.engine.work.Go(func() {
		defer c.working.Done()
		do()
	})
	return true
}

// awaitsNoMore says that the code does not wait for people alone any more.
func (r *run) awaitsNoMore() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rec.Awaits != nil {
		r.rec.Awaits = nil
		r.submit()
	}
}

// maxAwaited bounds the calls that the record of a run names.
const maxAwaited = 10

// recordAwaits has the journal know for which decisions the code waits, while it
// waits for nothing else.
func (c *caller) recordAwaits() {
	c.mu.Lock()
	a := api.Awaited{Total: c.held}
	for _, child := range c.open {
		a.Calls = append(a.Calls, awaited(child))
	}
	c.mu.Unlock()
	slices.SortFunc(a.Calls, func(x, y api.AwaitedCall) int { return int(x.Call) - int(y.Call) })
	a.Calls = a.Calls[:min(len(a.Calls), maxAwaited)]
	p := c.run
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rec.Awaits != nil && p.rec.Awaits.Total == a.Total && slices.Equal(p.rec.Awaits.Calls, a.Calls) {
		return
	}
	p.rec.Awaits = &a
	p.submit(event{api.EventApprovalAwaited, api.ApprovalAwaitedData{Attempt: p.rec.Attempts, Awaits: a}})
}

func awaited(child *run) api.AwaitedCall {
	rec := child.record()
	a := api.AwaitedCall{Call: rec.Call, Run: rec.ID, Tool: rec.Task}
	if rec.Approval != nil {
		a.Line = rec.Approval.Line
	}
	return a
}

// mayPark reports whether an attempt that waits for people alone may leave memory,
// and until when at the latest.
func (c *caller) mayPark(wake time.Time) bool {
	if c.run.parent != nil || !c.run.limitless() {
		return false
	}
	if !wake.IsZero() && time.Until(wake) <= c.run.engine.longSleep {
		return false
	}
	if !c.park() {
		return false
	}
	if !wake.IsZero() {
		c.recordSleep(wake)
	}
	return true
}
