// Package budget keeps what a process decodes for others within one budget. The
// text of values is hostile: a few bytes can stand for a value of many. So text
// that is long waits on disk, what it will take is estimated while it comes, and
// it is decoded when that much of the budget is free.
package budget

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Memory is how many bytes what is decoded may take together. It is safe for
// concurrent use; nil bounds nothing.
type Memory struct {
	size int64
	free *semaphore.Weighted // first come, first served
}

// New returns a budget of so many bytes.
func New(bytes int64) *Memory { return &Memory{bytes, semaphore.NewWeighted(bytes)} }

// Size returns the bytes of the whole budget.
func (m *Memory) Size() int64 {
	if m == nil {
		return math.MaxInt64
	}
	return m.size
}

// ErrBusy says that the holder of a part of the budget needs more of it than is
// free. The holder does not wait: two of them would wait for each other.
var ErrBusy = errors.New("other values take the memory that there is for them")

// TooLargeError says that something does not fit into the whole budget.
type TooLargeError struct{ Need, Budget int64 } // bytes

// Error implements error.
func (e *TooLargeError) Error() string {
	return fmt.Sprintf("decoding takes about %d bytes of memory, more than the %d that there are for values", e.Need, e.Budget)
}

// Share is the part of a budget that one piece of work holds.
type Share struct {
	budget *Memory

	mu   sync.Mutex
	held int64
}

type shareKey struct{}

// Share returns a context whose work takes what it needs together, beginning
// with nothing. Somebody has to release the share.
func (m *Memory) Share(ctx context.Context) (context.Context, *Share) {
	s := &Share{budget: m}
	return context.WithValue(ctx, shareKey{}, s), s
}

// ShareOf returns the share of a context, or nil.
func ShareOf(ctx context.Context) *Share {
	s, _ := ctx.Value(shareKey{}).(*Share)
	return s
}

// Take takes so many bytes more for the work of a context, which it holds until
// the share is released; without a share nothing is counted. Work that holds
// nothing waits for its turn, as long as ctx lets it; work that holds some gets
// more at once or ErrBusy.
func Take(ctx context.Context, bytes int64) error {
	s := ShareOf(ctx)
	if s == nil || s.budget == nil || bytes <= 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if need := s.held + bytes; need > s.budget.size {
		return &TooLargeError{need, s.budget.size}
	}
	if s.held > 0 {
		if !s.budget.free.TryAcquire(bytes) {
			return ErrBusy
		}
	} else if err := s.budget.free.Acquire(ctx, bytes); err != nil {
		return context.Cause(ctx)
	}
	s.held += bytes
	return nil
}

// Paid returns a context in which nothing more is counted: its maker has taken
// all that the work needs.
func Paid(ctx context.Context) context.Context {
	return context.WithValue(ctx, shareKey{}, (*Share)(nil))
}

// Held returns how many bytes the share holds.
func (s *Share) Held() int64 {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

// Release lets go of all that the share holds. It may take again.
func (s *Share) Release() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held > 0 {
		s.budget.free.Release(s.held)
		s.held = 0
	}
}
