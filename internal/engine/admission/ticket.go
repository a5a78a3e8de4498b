package admission

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Holder is the run that a ticket belongs to.
type Holder interface {
	// Begin starts the run, whose turn it is. It must not block.
	Begin()
	// Interrupt ends the run while it waits for its turn.
	Interrupt()
}

// Ticket is what one run holds: its turn, its slot, and what it lends to the
// runs below it. Its methods are for the goroutine that executes the run,
// except Withdraw.
type Ticket struct {
	holder     Holder
	kind       api.TaskKind
	parent     *Ticket
	controller *Controller

	owner    string
	priority int
	queue    *queue // nil if the run needs no turn
	turn     bool
	slot     *Slots // that one slot is held of, or nil

	// The queue guards these.
	due     time.Time
	since   uint64 // its number among those that waited
	place   int    // in the line, counted from 1; 0 if it does not wait there
	blocked bool   // it gets no turn, whatever is free

	loan, cellLoan *Slots // one slot each for the runs below, see sources
	below          *queue // for the runs that a cell starts; nil if the run is none
}

// Own says whose the run is. It comes before all else.
func (t *Ticket) Own(owner string) { t.owner = owner }

// Prioritize gives the run a priority among those that wait for their turn or a slot, and
// those below it the same. It comes before all else.
func (t *Ticket) Prioritize(priority int) { t.priority = priority }

// Block keeps the run from its turn until Unblock. It comes before all else.
func (t *Ticket) Block() { t.blocked = true }

// Unblock lets the run have a turn, for which it may wait already.
func (t *Ticket) Unblock() {
	if t.queue == nil {
		t.blocked = false
		return
	}
	t.queue.unblock(t)
}

// Blocked reports whether a run that does not wait in a queue was blocked and is so still.
func (t *Ticket) Blocked() bool { return t.blocked }

// Ticket returns the ticket of a run, below that of the run that started it.
func (c *Controller) Ticket(kind api.TaskKind, parent *Ticket, holder Holder) *Ticket {
	t := &Ticket{holder: holder, kind: kind, parent: parent, controller: c, loan: NewSlots(1), cellLoan: NewSlots(1)}
	t.queue = t.queueOf()
	if parent != nil {
		t.priority = parent.priority
	}
	if kind == api.KindSandbox {
		t.below = &queue{free: api.DefaultParallel}
	}
	return t
}

// queueOf returns the queue in which the run waits for its turn. Runs that a
// cell starts wait in a queue of that cell, so that they can neither overtake
// other runs nor fill the memory. Below other kinds a run needs no turn: its
// parent waits for it.
func (t *Ticket) queueOf() *queue {
	switch {
	case t.parent == nil:
		return t.controller.queues[t.kind]
	case t.parent.kind == api.KindSandbox:
		return t.parent.below
	}
	return nil
}

// begin gives the ticket its turn. The queue calls it.
func (t *Ticket) begin() {
	t.turn = true
	t.holder.Begin()
}

// TryTurn takes a turn if one is free, without calling Begin, and reports
// whether the run may start.
func (t *Ticket) TryTurn() bool {
	if t.queue == nil {
		return !t.blocked
	}
	t.turn = t.queue.try(t)
	return t.turn
}

// HasTurn reports whether the run has its turn, or needs none.
func (t *Ticket) HasTurn() bool { return t.turn || t.queue == nil }

// Enter has Begin called when it is the run's turn, which may be now. It reports
// false if most runs wait in the queue already.
func (t *Ticket) Enter(most int) bool {
	t.due = t.dueNow()
	return t.queue.enter(t, most)
}

// dueNow is when a ticket is due that begins to wait.
func (t *Ticket) dueNow() time.Time { return api.Due(time.Now(), t.priority) }

// Withdraw takes the run out of its queue, and reports whether it waited there.
// Then Begin is not called any more.
func (t *Ticket) Withdraw() bool { return t.queue != nil && t.queue.withdraw(t) }

// IfWaiting calls f if the run waits for its turn.
func (t *Ticket) IfWaiting(f func()) { t.queue.ifWaiting(t, f) }

// ReleaseTurn lets the next run of the queue have the turn.
func (t *Ticket) ReleaseTurn() {
	if t.turn {
		t.turn = false
		t.queue.leave(t)
	}
}

// AcquireSlot waits for a slot, unless the run has one or shares one.
func (t *Ticket) AcquireSlot(ctx context.Context) (err error) {
	if t.slot != nil || t.shares() {
		return nil
	}
	t.slot, err = acquireAny(ctx, t.sources(), t.dueNow())
	return err
}

// TrySlot takes a slot if that needs no waiting, and reports whether the run may
// make an attempt.
func (t *Ticket) TrySlot() bool {
	if t.shares() {
		return true
	}
	t.slot = tryAny(t.sources())
	return t.slot != nil
}

// ReleaseSlot gives the slot back, if the run has one.
func (t *Ticket) ReleaseSlot() {
	if t.slot != nil {
		t.slot.Release()
	}
	t.slot = nil
}

// Release gives back all that the run holds.
func (t *Ticket) Release() {
	t.ReleaseSlot()
	t.ReleaseTurn()
}

// sources returns the pools whose slot will do for an attempt of the run: those
// of its kind, and the one slot that a run above it lends while it waits.
//
// A cell holds much memory, so it runs in the slot of the next cell above it,
// one below each at a time. Further ones need slots of their own, so that a
// program that starts a thousand runs does not have a thousand cells. Kinds
// that take little borrow from their parent, of whichever kind that is: below a
// cell or a function they must not wait for slots whose holders wait for cells.
func (t *Ticket) sources() []*Slots {
	own := t.controller.slots[t.kind]
	for above := t.parent; above != nil; above = above.parent {
		switch {
		case t.kind == api.KindSandbox && above.kind == api.KindSandbox:
			return []*Slots{above.cellLoan, own}
		case t.kind != api.KindSandbox && !above.kind.CallsTools():
			return []*Slots{t.parent.loan, own}
		}
	}
	return []*Slots{own}
}

// shares reports whether the run uses the slot of a run of its kind above it,
// which waits for it. Sandboxes take too much for that.
func (t *Ticket) shares() bool {
	if t.kind == api.KindSandbox {
		return false
	}
	for above := t.parent; above != nil; above = above.parent {
		if above.kind == t.kind {
			return true
		}
	}
	return false
}
