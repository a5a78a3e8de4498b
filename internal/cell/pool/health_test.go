package pool

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestDeadOnesAreReplaced(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.parting = time.Second // which nobody waits for
		b.keep("a", 3)
		b.pass(time.Minute)
		b.waiting("a")[1].die()
		synctest.Wait()
		if s := b.stat("a"); s.Idle != 2 || s.Died != 1 || s.Starting != 1 {
			b.Errorf("it is not noticed at once: %+v", s)
		}
		b.pass(100 * time.Millisecond)
		b.wantIdle("a", 3)
	})
}

func TestDeadOnesAreNotHandedOut(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.keep("a", 2)
		b.pass(time.Minute)
		dead := b.waiting("a")[0]
		dead.die() // and before anybody looks:
		if item, warm := b.take("a"); item == dead || !warm {
			b.Errorf("got item %d, warm %t", item.n, warm)
		}
		if s := b.stat("a"); s.Died != 1 {
			b.Errorf("got %+v", s)
		}
	})
}

// Items that end at once must not be started without pause.
func TestDyingYoungBacksOff(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		begin := b.starter("a")
		start := func(ctx context.Context) (*fake, error) {
			i, err := begin(ctx)
			if err == nil {
				time.AfterFunc(time.Millisecond, i.die)
			}
			return i, err
		}
		b.pool.Keep(b.Context(), class("a"), start, 1)
		b.pass(5 * time.Minute)
		if n := b.starts("a"); n < 5 || n > 12 {
			b.Errorf("%d starts in five minutes of items that die at once", n)
		}
	})
}

func TestDeadOnArrival(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		begin := b.starter("a")
		start := func(ctx context.Context) (*fake, error) {
			i, err := begin(ctx)
			if err == nil {
				i.die()
			}
			return i, err
		}
		if err := b.pool.Keep(b.Context(), class("a"), start, 1); !errors.Is(err, errDied) {
			b.Errorf("got %v", err)
		}
		if s := b.stat("a"); s.Died != 1 || s.Idle != 0 || !errors.Is(s.Err, errDied) {
			b.Errorf("got %+v", s)
		}
	})
}

func TestAgedOnesAreReplaced(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.keep("a", 8)
		b.pass(time.Second)
		b.wantIdle("a", 8)
		first := b.waiting("a")
		b.pass(7 * time.Minute)
		for _, i := range first {
			if i.discarded > 0 {
				b.Error("an item is replaced before three quarters of its time")
			}
		}
		fewest := 8
		for range 200 {
			b.pass(time.Second)
			fewest = min(fewest, b.stat("a").Idle)
		}
		if fewest < 5 {
			b.Errorf("only %d of 8 were left: they are replaced together", fewest)
		}
		b.pass(time.Second)
		b.wantIdle("a", 8)
		for _, i := range first {
			if i.discarded != 1 {
				b.Errorf("item %d is older than it may get", i.n)
			}
		}
	})
}

func TestFailingStartsBackOff(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.fail["a"] = errBroken })
		b.pool.Keep(b.Context(), class("a"), b.starter("a"), 1)
		b.pass(time.Hour)
		if n := b.starts("a"); n < 15 || n > 25 {
			b.Errorf("%d starts in an hour of failures", n)
		}
		b.set(func() { b.fail["a"] = nil })
		begin := time.Now()
		b.keep("a", 1) // who asks again need not wait
		if took := time.Since(begin); took > time.Second {
			b.Errorf("it took %s", took)
		}
	})
}

// A failing key in demand is not started ahead for each take, and takers learn
// what is the matter each time.
func TestFailingKeyInDemand(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.fail["a"] = errBroken })
		for range 100 {
			if _, _, err := b.tryTake(b.Context(), "a"); !errors.Is(err, errBroken) {
				b.Errorf("got %v", err)
			}
			b.pass(time.Second)
		}
		if n := b.starts("a"); n > 110 {
			b.Errorf("%d starts for 100 takes", n)
		}
	})
}

func TestStartThatHangsIsGivenUp(t *testing.T) {
	cfg := ample()
	cfg.StartLimit = 10 * time.Second
	inBubble(t, cfg, func(b bench) {
		b.set(func() { b.hang["a"] = true })
		go b.pool.Keep(context.Background(), class("a"), b.starter("a"), 1)
		b.pass(9 * time.Second)
		b.set(func() { b.hang["a"] = false })
		if s := b.stat("a"); s.Starting != 1 || s.Err != nil {
			b.Errorf("got %+v", s)
		}
		b.pass(time.Second)
		if s := b.stat("a"); s.Starting != 0 || s.Err == nil {
			b.Errorf("got %+v", s)
		}
		b.pass(2 * time.Second)
		b.wantIdle("a", 1)
	})
}

// An item that waits runs: what it holds may grow.
func TestGrowingItemsAreNoticed(t *testing.T) {
	inBubble(t, Config{Cells: 8, Memory: 100 * mb}, func(b bench) {
		b.set(func() { b.memory = 10 * mb })
		b.keep("a", 4)
		b.keep("b", 4)
		b.pass(30 * time.Second)
		for _, i := range b.waiting("a") {
			i.grow(40 * mb)
		}
		b.set(func() { b.memory = 40 * mb })
		b.pass(2 * time.Minute)
		total := b.stat("a").Memory + b.stat("b").Memory
		if total > 100*mb {
			b.Errorf("the items hold %d MB", total/mb)
		}
		if s := b.stat("b"); s.Idle != 4 {
			b.Errorf("others pay for it: %+v", s)
		}
		if s := b.stat("a"); s.Idle != 1 || s.Err == nil {
			b.Errorf("got %+v", s)
		}
	})
}

func TestUnknownMemoryIsEstimated(t *testing.T) {
	inBubble(t, Config{Cells: 8, Memory: 100 * mb, Estimate: 30 * mb}, func(b bench) {
		b.set(func() { b.memory = 0 })
		b.keep("a", 8)
		b.pass(time.Minute)
		b.wantIdle("a", 3)
	})
}

// Nothing wakes up where nothing is kept.
func TestNoTimerWhenNothingIsDue(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.keep("a", 2)
		for range 5 {
			b.take("b")
		}
		b.keep("a", 0)
		b.pass(10 * time.Minute)
		b.pool.mu.Lock()
		defer b.pool.mu.Unlock()
		if !b.pool.due.IsZero() {
			b.Errorf("a timer is set to %s from now", time.Until(b.pool.due))
		}
	})
}
