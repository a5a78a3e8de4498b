package server

import (
	"context"
	"sync"
)

// activity counts the handlers that run, those whose connections belong to
// workers included, and work that they leave behind.
type activity struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n comes to 0; nil without a waiter
}

func (a *activity) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n++
}

func (a *activity) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.n--; a.n == 0 && a.idle != nil {
		close(a.idle)
		a.idle = nil
	}
}

// wait waits until no handler runs.
func (a *activity) wait(ctx context.Context) error {
	a.mu.Lock()
	if a.n == 0 {
		a.mu.Unlock()
		return nil
	}
	if a.idle == nil {
		a.idle = make(chan struct{})
	}
	idle := a.idle
	a.mu.Unlock()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
