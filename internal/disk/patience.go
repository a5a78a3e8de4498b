package disk

import (
	"context"
	"sync/atomic"
	"time"
)

// The pauses between two tries to write what waits for space.
const (
	minPause = 10 * time.Millisecond
	maxPause = time.Second
)

// Patience waits for an error to pass, such as a full disk, with what would be lost
// otherwise.
type Patience struct {
	limit  atomic.Int64 // nanoseconds
	passes func(error) bool
	waits  func()
}

// NewPatience returns one that waits for space, for limit. Waits is called when that
// begins; nil is not.
func NewPatience(limit time.Duration, waits func()) *Patience {
	return NewPatienceFor(Full, limit, waits)
}

// NewPatienceFor returns one that waits while an error is one that passes.
func NewPatienceFor(passes func(error) bool, limit time.Duration, waits func()) *Patience {
	p := &Patience{passes: passes, waits: waits}
	p.Set(limit)
	return p
}

// Set says how long is waited from now on; it counts for those that wait
// already, too.
func (p *Patience) Set(limit time.Duration) { p.limit.Store(int64(limit)) }

// Do calls write until its error is none that passes, for as long as there is
// patience and ctx lives. It returns the last error of write.
func (p *Patience) Do(ctx context.Context, write func() error) error {
	began := time.Now()
	err := write()
	if p.passes(err) && p.left(began) && p.waits != nil {
		p.waits()
	}
	for pause := minPause; p.passes(err) && p.left(began); pause = min(2*pause, maxPause) {
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		err = write()
	}
	return err
}

func (p *Patience) left(began time.Time) bool {
	return time.Since(began) < time.Duration(p.limit.Load())
}
