package engine

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
)

func TestPlacesServeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPlaces(1)
		if !p.try() || p.try() {
			t.Fatal("one place is not one")
		}
		var order []int
		for i := range 3 {
			go func() {
				got, err := takeAny(t.Context(), []*places{p})
				if err != nil {
					t.Error(err)
				}
				order = append(order, i)
				got.release()
			}()
			synctest.Wait()
		}
		p.release()
		synctest.Wait()
		if len(order) != 3 || order[0] != 0 || order[1] != 1 || order[2] != 2 || p.free != 1 {
			t.Errorf("served %v, %d free", order, p.free)
		}
	})
}

// Who waits for two places takes the first that is free, and only that.
func TestPlacesFirstOfTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := newPlaces(0), newPlaces(0)
		var got *places
		go func() { got, _ = takeAny(t.Context(), []*places{a, b}) }()
		synctest.Wait()
		b.release()
		synctest.Wait()
		a.release()
		if got != b || a.free != 1 || b.free != 0 || a.waiting.Len() != 0 {
			t.Errorf("a has %d free and %d waiting, b %d free", a.free, a.waiting.Len(), b.free)
		}
	})
}

func TestPlacesGiveUp(t *testing.T) {
	cause := errors.New("enough")
	synctest.Test(t, func(t *testing.T) {
		p := newPlaces(0)
		ctx, cancel := context.WithCancelCause(t.Context())
		var err error
		go func() { _, err = takeAny(ctx, []*places{p}) }()
		synctest.Wait()
		cancel(cause)
		synctest.Wait()
		if p.release(); !errors.Is(err, cause) || p.free != 1 || p.waiting.Len() != 0 {
			t.Errorf("%d free, %d waiting: %v", p.free, p.waiting.Len(), err)
		}
	})
}

// However waiting, giving up and passing on meet, no place is lost or made.
func TestPlacesAddUp(t *testing.T) {
	a, b := newPlaces(2), newPlaces(1)
	var all sync.WaitGroup
	for i := range 2000 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			if i%3 == 0 {
				go cancel()
			}
			defer cancel()
			if p, err := takeAny(ctx, []*places{b, a}); err == nil {
				p.release()
			}
		})
	}
	all.Wait()
	if a.free != 2 || b.free != 1 || a.waiting.Len()+b.waiting.Len() != 0 {
		t.Errorf("%d and %d are free, %d and %d wait", a.free, b.free, a.waiting.Len(), b.waiting.Len())
	}
}
