package admission

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func TestSlotsServeInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(1)
		if !s.TryAcquire() || s.TryAcquire() {
			t.Fatal("one slot is not one")
		}
		var order []int
		for i := range 3 {
			go func() {
				got, err := acquireAny(t.Context(), []*Slots{s}, time.Now())
				if err != nil {
					t.Error(err)
				}
				order = append(order, i)
				got.Release()
			}()
			synctest.Wait()
		}
		s.Release()
		synctest.Wait()
		if len(order) != 3 || order[0] != 0 || order[1] != 1 || order[2] != 2 || s.free != 1 {
			t.Errorf("served %v, %d free", order, s.free)
		}
	})
}

// A run that waits for two slots takes the first that is free, and only that.
func TestSlotsFirstOfTwo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := NewSlots(0), NewSlots(0)
		var got *Slots
		go func() { got, _ = acquireAny(t.Context(), []*Slots{a, b}, time.Now()) }()
		synctest.Wait()
		b.Release()
		synctest.Wait()
		a.Release()
		if got != b || a.free != 1 || b.free != 0 || a.waiting.Len() != 0 {
			t.Errorf("a has %d free and %d waiting, b %d free", a.free, a.waiting.Len(), b.free)
		}
	})
}

func TestSlotsGiveUp(t *testing.T) {
	cause := errors.New("enough")
	synctest.Test(t, func(t *testing.T) {
		s := NewSlots(0)
		ctx, cancel := context.WithCancelCause(t.Context())
		var err error
		go func() { _, err = acquireAny(ctx, []*Slots{s}, time.Now()) }()
		synctest.Wait()
		cancel(cause)
		synctest.Wait()
		if s.Release(); !errors.Is(err, cause) || s.free != 1 || s.waiting.Len() != 0 {
			t.Errorf("%d free, %d waiting: %v", s.free, s.waiting.Len(), err)
		}
	})
}

// However waiting, giving up and passing on meet, no slot is lost or made.
func TestSlotsAddUp(t *testing.T) {
	a, b := NewSlots(2), NewSlots(1)
	var all sync.WaitGroup
	for i := range 2000 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			if i%3 == 0 {
				go cancel()
			}
			defer cancel()
			if s, err := acquireAny(ctx, []*Slots{b, a}, time.Now()); err == nil {
				s.Release()
			}
		})
	}
	all.Wait()
	if a.free != 2 || b.free != 1 || a.waiting.Len()+b.waiting.Len() != 0 {
		t.Errorf("%d and %d are free, %d and %d wait", a.free, b.free, a.waiting.Len(), b.waiting.Len())
	}
}

// TestAgeing: a run of the lowest priority is overtaken by those of the highest, as long
// as they come within what the difference is worth, and by none after that.
func TestAgeing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New(map[api.TaskKind]int{api.KindFunction: 1})
		ticket := func(priority int) *holder {
			h := &holder{}
			h.ticket = c.Ticket(api.KindFunction, nil, h)
			h.ticket.Prioritize(priority)
			return h
		}
		first, low := ticket(0), ticket(api.LowestPriority)
		first.ticket.Enter(10)
		low.ticket.Enter(10)
		worth := (api.HighestPriority - api.LowestPriority) * api.PriorityWorth
		time.Sleep(worth - time.Second)
		overtakes := ticket(api.HighestPriority)
		overtakes.ticket.Enter(10)
		time.Sleep(2 * time.Second)
		late := ticket(api.HighestPriority)
		late.ticket.Enter(10)
		var order []bool
		for _, h := range []*holder{first, overtakes, low} {
			h.ticket.Release()
			order = append(order, overtakes.begun, low.begun, late.begun)
		}
		want := []bool{true, false, false, true, true, false, true, true, true}
		if !slices.Equal(order, want) {
			t.Errorf("begun: %v, want %v", order, want)
		}
	})
}
