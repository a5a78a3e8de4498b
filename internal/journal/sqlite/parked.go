package sqlite

import (
	"slices"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// The pauses between two tries to write what waits for space.
const (
	minPark = 10 * time.Millisecond
	maxPark = time.Second
)

// parked are operations that wait for space on the disk, in order. They are few:
// those that end runs, which ran at the same time, and those that follow them.
// But for its patience it belongs to the goroutine that writes.
type parked struct {
	ops   []*tables.Operation
	since time.Time     // when the first of them was tried first
	wait  time.Duration // until the next try
	limit atomic.Int64  // nanoseconds
}

func newParked() *parked {
	p := &parked{wait: minPark}
	p.limit.Store(int64(defaultPatience))
	return p
}

func (p *parked) setPatience(d time.Duration) { p.limit.Store(int64(d)) }
func (p *parked) patience() time.Duration     { return time.Duration(p.limit.Load()) }

// patient reports whether there is any patience, and room.
func (p *parked) patient() bool { return p.patience() > 0 && len(p.ops) < tables.MaxWaiting }

// pause is how long to wait for further operations before the next try; 0 is
// without end.
func (p *parked) pause() time.Duration {
	if len(p.ops) == 0 {
		return 0
	}
	return p.wait
}

func (p *parked) add(op *tables.Operation) {
	if len(p.ops) == 0 {
		p.since, p.wait = time.Now(), minPark
	}
	p.ops = append(p.ops, op)
}

// follows reports whether op is about a run of which an earlier operation waits.
func (p *parked) follows(op *tables.Operation) bool {
	return slices.ContainsFunc(p.ops, func(earlier *tables.Operation) bool {
		return slices.ContainsFunc(earlier.Runs, func(run string) bool { return slices.Contains(op.Runs, run) })
	})
}

// divert parks those of a batch that follow what waits, and returns the others.
// While something waits nothing joins a transaction, for it would not be asked.
func (p *parked) divert(b *tables.Batch) *tables.Batch {
	if len(p.ops) == 0 {
		return b
	}
	rest := &tables.Batch{Closed: true}
	for _, op := range b.Ops {
		if p.follows(op) {
			p.add(op)
		} else {
			rest.Add(op)
		}
	}
	return rest
}

// first returns what waits longest, or nil, and whether it has waited long
// enough.
func (p *parked) first() (op *tables.Operation, overdue bool) {
	if len(p.ops) == 0 {
		return nil, false
	}
	return p.ops[0], time.Since(p.since) >= p.patience()
}

// later doubles the wait after a try that failed.
func (p *parked) later() { p.wait = min(2*p.wait, maxPark) }

// remove removes the first.
func (p *parked) remove() { p.ops = p.ops[1:] }
