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

// Patience waits for space on a full disk, with what would be lost otherwise.
type Patience struct {
	limit atomic.Int64 // nanoseconds
	waits func()
}

// NewPatience returns one that waits for limit. Waits is called when that begins;
// nil is not.
func NewPatience(limit time.Duration, waits func()) *Patience {
	p := &Patience{waits: waits}
	p.Set(limit)
	return p
}

// Set says how long is waited from now on; it counts for those that wait
// already, too.
func (p *Patience) Set(limit time.Duration) { p.limit.Store(int64(limit)) }

// Do calls write until its error is not that the disk is full, for as long as
// there is patience and ctx lives. It returns the last error of write.
func (p *Patience) Do(ctx context.Context, write func() error) error {
	began := time.Now()
	err := write()
	if Full(err) && p.left(began) && p.waits != nil {
		p.waits()
	}
	for pause := minPause; Full(err) && p.left(began); pause = min(2*pause, maxPause) {
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
