package orchestrator

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// The interpreter keeps its own limits and notices the end of its context. The
// watch is for the day on which it does not: an attempt runs in a goroutine of
// its own, and when the interpreter has not come back long after it had to, the
// run ends without it. The goroutine ends when, and if, the interpreter returns.

// How long the interpreter may take to notice that it has to stop.
const (
	timeGrace   = 5 * time.Second // beyond twice the time limit of the code
	cancelGrace = 2 * time.Second // after the end of the context
)

// The states of a watch, beside the time at which the interpreter was entered.
const (
	outside = 0
	givenUp = -1
)

// watch knows since when an attempt is inside the interpreter.
type watch struct {
	began time.Time
	state atomic.Int64
}

// now is a time of the watch, above 0.
func (w *watch) now() int64 { return int64(time.Since(w.began)) + 1 }

func (w *watch) enter() { w.state.Store(w.now()) }

// leave ends the goroutine of an attempt that was given up meanwhile: nothing
// of the run is its business any more.
func (w *watch) leave(r *Runner) {
	if w.state.Swap(outside) == givenUp {
		r.stray.Add(-1)
		r.config.Logger.Warn("an interpreter that was given up has returned")
		runtime.Goexit()
	}
}

// inside runs a part of the attempt that is in the interpreter.
func (a *attempt) inside(f func() error) error {
	a.watch.enter()
	err := guarded(f)
	a.watch.leave(a.runner)
	return err
}

// outcome is how an attempt ended.
type outcome struct {
	result *api.Result
	err    error
	panic  any
}

// watched makes an attempt in a goroutine of its own, and gives it up when it
// hangs in the interpreter.
func (a *attempt) watched(ctx context.Context, runID string) (*api.Result, error) {
	done := make(chan outcome, 1)
	go func() {
		grow(0)
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o // stays unread if the attempt was given up
		}()
		o.result, o.err = a.complete(ctx, runID)
	}()
	limit := a.timeLimit()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	canceled := ctx.Done()
	for {
		select {
		case o := <-done:
			if o.panic != nil {
				panic(o.panic) // the engine reports it
			}
			return o.result, o.err
		case <-canceled:
			canceled, limit = nil, a.runner.cancelGrace
			timer.Reset(limit)
		case <-timer.C:
			if left := a.overdue(limit); left > 0 {
				timer.Reset(left)
				continue
			}
			return &api.Result{RunID: runID, ExitCode: -1}, a.abandoned(ctx)
		}
	}
}

// supervise does so for an attempt that is made in the goroutine of its caller,
// until stop is called.
func (a *attempt) supervise(ctx context.Context, hung func(error)) (stop func()) {
	var mu sync.Mutex
	var over bool
	var timer *time.Timer
	mu.Lock()
	defer mu.Unlock()
	limit := a.timeLimit()
	timer = time.AfterFunc(limit, func() {
		mu.Lock()
		defer mu.Unlock()
		if over {
			return
		}
		if left := a.overdue(limit); left > 0 {
			timer.Reset(left)
			return
		}
		over = true
		hung(a.abandoned(ctx))
	})
	uncancel := context.AfterFunc(ctx, func() {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			limit = a.runner.cancelGrace
			timer.Reset(limit)
		}
	})
	return func() {
		uncancel()
		mu.Lock()
		defer mu.Unlock()
		over = true
		timer.Stop()
	}
}

// timeLimit is how long the code may be in the interpreter without a pause.
func (a *attempt) timeLimit() time.Duration {
	limit := specOf(a.req.Task).Limits.Time
	if limit <= 0 {
		limit = py.DefaultTime
	}
	return 2*limit + a.runner.timeGrace
}

// overdue gives up an attempt that is inside the interpreter for longer than
// the limit. Otherwise it returns how long it may still be.
func (a *attempt) overdue(limit time.Duration) time.Duration {
	since := a.watch.state.Load()
	if since == outside {
		return limit
	}
	if left := limit - time.Duration(a.watch.now()-since); left > 0 {
		return left
	}
	if !a.watch.state.CompareAndSwap(since, givenUp) {
		return limit // it has just returned
	}
	return 0
}

// abandoned is the error of an attempt that was given up.
func (a *attempt) abandoned(ctx context.Context) error {
	a.runner.stray.Add(1)
	a.runner.config.Logger.Error("an interpreter does not stop, and was given up; please report the code", "task", a.req.Task.Name, "stray", a.runner.stray.Load())
	if ctx.Err() != nil {
		return canceled(ctx)
	}
	limit := specOf(a.req.Task).Limits.Time
	return api.Errorf(api.Timeout, "the code computed for longer than twice its time limit, and could not be stopped: it was given up").
		WithHint("this is a defect of the interpreter: please report the code; restart the server to free what the code still uses").
		WithDetails(api.Details{Field: "limits.time", Limit: int64(limit)})
}

// Stray counts the attempts that were given up and whose interpreter has not
// returned yet.
func (r *Runner) Stray() int64 { return r.stray.Load() }

// grow gives a goroutine the whole stack of the interpreter in one step.
// Growing to it in many steps would copy ever more of it.
//
//go:noinline
func grow(i int) byte {
	var room [12 << 10]byte
	return room[i]
}
