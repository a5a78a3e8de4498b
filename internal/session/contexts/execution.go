package contexts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// execution is one piece of code that runs.
type execution struct {
	p        *process
	id       string // which no other has, and no code knew before
	count    int
	patience time.Duration
	notice   string // what the client has to know before
	left     bool   // the client does not listen any more
	late     string // why the code is interrupted

	limited      <-chan time.Time // its time is over
	again, never <-chan time.Time // when to interrupt it once more, and when to give up

	mu          sync.Mutex
	running     bool      // the driver has begun with it
	early       bool      // it was interrupted before
	interrupted time.Time // by the client
}

func (x *execution) limit(d time.Duration) {
	if d > 0 {
		x.limited = time.After(d)
		x.late = fmt.Sprintf("its time of %v is over", d)
	}
}

// begun yields the first events, and returns whether there may be more.
func (x *execution) begun(yield func(api.CodeEvent, error) bool) bool {
	if !yield(at(api.CodeEvent{Type: api.CodeStarted, Count: x.count}), nil) {
		return false
	}
	return x.notice == "" || yield(at(api.CodeEvent{Type: api.CodeStderr, Text: x.notice}), nil)
}

// follow yields what comes of the code until it ends or the client leaves, and
// returns whether it ended.
func (x *execution) follow(ctx context.Context, yield func(api.CodeEvent, error) bool) bool {
	for {
		select {
		case m := <-x.p.messages:
			if m.id != x.id || m.kind == ready {
				continue
			}
			if m.kind == begun {
				x.begin()
				continue
			}
			if m.kind == ended {
				x.end(nil, yield)
				return true
			}
			if !yield(x.explained(m.event), nil) {
				return false
			}
		case <-x.p.over:
			x.p.reported.Store(!x.left)
			x.end(x.p.cause(), yield)
			return true
		case <-ctx.Done():
			yield(api.CodeEvent{}, context.Cause(ctx))
			return false
		case <-x.limited:
			x.press()
		case <-x.again:
			x.mu.Lock()
			_ = x.signal()
			x.mu.Unlock()
		case <-x.never:
			x.p.end(gone(fmt.Sprintf("the code did not end within %v of its interrupt", x.patience)))
		}
	}
}

// explained says of an error why the code was interrupted.
func (x *execution) explained(e api.CodeEvent) api.CodeEvent {
	if e.Error != nil && x.again != nil && x.late != "" {
		e.Error.Value = x.late
	}
	return at(e)
}

func (x *execution) end(failure *api.CodeFailure, yield func(api.CodeEvent, error) bool) {
	if n := x.p.dropped.Load(); n > 0 && !yield(at(api.CodeEvent{Type: api.CodeStderr, Text: fmt.Sprintf("[… %d bytes dropped …]\n", n)}), nil) {
		return
	}
	if failure != nil && !yield(at(api.CodeEvent{Type: api.CodeError, Error: failure}), nil) {
		return
	}
	yield(at(api.CodeEvent{Type: api.CodeEnded}), nil)
}

// press interrupts code that has to end. A program that the code waits for in the
// C library takes the first interrupt alone, so there is a second one.
func (x *execution) press() {
	if x.again != nil {
		return
	}
	x.mu.Lock()
	_ = x.signal()
	x.mu.Unlock()
	x.again, x.never = time.After(x.patience/2), time.After(x.patience)
}

// interrupt interrupts code for its client, who decides whether it has to end.
func (x *execution) interrupt() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.interrupted.IsZero() {
		x.interrupted = time.Now()
	}
	if time.Since(x.interrupted) >= x.patience {
		x.p.end(gone("the code did not end when it was interrupted"))
		return nil
	}
	return x.signal()
}

// begin sends an interrupt that came before the driver was ready for it.
func (x *execution) begin() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.running = true
	if x.early {
		_ = x.signal()
	}
}

// signal interrupts the driver, if it has begun: before, it would not know what
// for. It is called with mu held.
func (x *execution) signal() error {
	x.early = !x.running
	if x.early {
		return nil
	}
	return x.p.Interrupt()
}

func at(e api.CodeEvent) api.CodeEvent {
	e.Time = time.Now()
	return e
}
