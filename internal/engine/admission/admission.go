// Package admission decides when a run may start. Two bounds stand between a
// run and its work:
//
//   - A turn. A queue for each kind of task lets a bounded number of runs pass,
//     in the order in which they came. A run that waits for its turn has no
//     goroutine and need not be in memory, so that there may be very many.
//   - A slot, the right to run one attempt now. There are as many as the machine
//     bears. A run with a turn takes one for each attempt, and gives it back
//     while it sleeps or backs off.
//
// A run may start others and wait for them. If all of these needed slots of the
// pool, a tree of runs could hold every slot and wait for one more. So a run
// lends its own slot to the runs below it (see Ticket.sources), and runs that
// take little share the slot of the next run of their kind above them.
//
// A Ticket is what one run holds of all this. The files are best read in this
// order: queue.go (turns), slots.go, ticket.go (which run waits for what), and
// group.go (the runs that an attempt started and that end with it).
package admission

import "github.com/glovebox-dev/glovebox/api"

// Controller holds the queue and the slots of every kind of task.
type Controller struct {
	queues map[api.TaskKind]*queue
	slots  map[api.TaskKind]*Slots
	freed  chan struct{}
}

// New returns a controller with so many slots for each kind.
func New(slots map[api.TaskKind]int) *Controller {
	c := &Controller{queues: map[api.TaskKind]*queue{}, slots: map[api.TaskKind]*Slots{}, freed: make(chan struct{}, 1)}
	for kind, n := range slots {
		c.slots[kind] = NewSlots(n)
		c.queues[kind] = &queue{free: Turns(kind, n), spare: Turns(kind, n) - n, freed: c.freed}
	}
	return c
}

// Room is how many more runs of a kind could have both a turn and a slot; less than 1
// is none.
func (c *Controller) Room(kind api.TaskKind) int { return c.queues[kind].room() }

// Freed returns what gets something when there is room for a kind again.
func (c *Controller) Freed() <-chan struct{} { return c.freed }

// Poke has whoever listens to Freed look again.
func (c *Controller) Poke() { tell(c.freed) }

// Turns is how many runs of a kind have a turn at a time: one for each slot, and
// for sandboxes some more, which look in the cache or have their image built
// while others hold the slots.
func Turns(kind api.TaskKind, slots int) int {
	if kind == api.KindSandbox {
		return 4 * slots
	}
	return slots
}

// Drain empties the queues and interrupts the holders of the tickets in them.
// Turns that are passed on afterwards go to no run that waited before.
func (c *Controller) Drain() {
	for _, q := range c.queues {
		for _, t := range q.drain() {
			t.holder.Interrupt()
		}
	}
}

// Usage counts what is free of one kind, and who waits.
type Usage struct {
	FreeTurns, WaitForTurn int
	FreeSlots, WaitForSlot int
}

// Usage returns the usage of a kind.
func (c *Controller) Usage(kind api.TaskKind) (u Usage) {
	u.FreeTurns, u.WaitForTurn = c.queues[kind].usage()
	u.FreeSlots, u.WaitForSlot = c.slots[kind].usage()
	return u
}
