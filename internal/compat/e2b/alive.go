package e2b

import (
	"context"
	"iter"
	"time"
)

// item is what a sequence yields.
type item[T any] struct {
	v   T
	err error
}

// alive sends everything that a sequence yields, and beats where it yields nothing
// for some time. It returns when the sequence has ended, with its error or that of
// sending.
func alive[T any](ctx context.Context, every time.Duration, seq iter.Seq2[T, error], send func(T) error, beat func() error) error {
	ctx, cancel := context.WithCancel(ctx)
	items := make(chan item[T])
	go func() {
		defer close(items)
		for v, err := range seq {
			select {
			case items <- item[T]{v, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	defer func() {
		cancel()
		for range items { // until the sequence has ended
		}
	}()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case it, ok := <-items:
			if !ok || it.err != nil {
				return it.err
			}
			tick.Reset(every)
			if err := send(it.v); err != nil {
				return err
			}
		case <-tick.C:
			if err := beat(); err != nil {
				return err
			}
		}
	}
}
