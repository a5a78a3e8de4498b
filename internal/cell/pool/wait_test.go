package pool

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A taker gets what is under way, and its own start becomes the replacement.
func TestTakerGetsTheFirstStartThatFinishes(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		go b.pool.Keep(context.Background(), class("a"), b.starter("a"), 1)
		b.pass(60 * time.Millisecond)
		begin := time.Now()
		item, warm := b.take("a")
		if took := time.Since(begin); took != 40*time.Millisecond || item.n != 0 || warm {
			b.Errorf("after %s item %d, warm %t", took, item.n, warm)
		}
		b.pass(time.Second)
		b.wantIdle("a", 1)
		if n := b.starts("a"); n != 2 {
			b.Errorf("%d starts, want 2", n)
		}
	})
}

func TestTakersAreNotHeldUpByBounds(t *testing.T) {
	inBubble(t, Config{Cells: 2, Memory: 2 * mb, Starts: 1}, func(b bench) {
		b.keep("other", 2)
		begin := time.Now()
		if warm := b.burst("a", 20); warm != 0 {
			b.Errorf("%d were warm", warm)
		}
		if took := time.Since(begin); took != 100*time.Millisecond {
			b.Errorf("20 cold starts took %s, want one start", took)
		}
		b.pass(time.Second)
		b.wantIdle("other", 2)
	})
}

func TestTakerIsNotHeldUpByAHangingStart(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.hang["a"] = true })
		go b.pool.Keep(context.Background(), class("a"), b.starter("a"), 1)
		b.pass(time.Second)
		b.set(func() { b.hang["a"] = false })
		if item, _ := b.take("a"); item.n == 0 {
			b.Error("the hanging start ended")
		}
	})
}

func TestStartErrorGoesToATaker(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.fail["a"] = errBroken })
		if _, _, err := b.tryTake(b.Context(), "a"); !errors.Is(err, errBroken) {
			b.Errorf("got %v", err)
		}
	})
}

// A start ahead that fails is no matter of a taker whose own start may succeed.
func TestTakerWaitsOnForItsOwnStart(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.fail["a"] = errBroken })
		go b.pool.Keep(context.Background(), class("a"), b.starter("a"), 1)
		b.pass(50 * time.Millisecond)
		go b.pass(60 * time.Millisecond)
		time.AfterFunc(60*time.Millisecond, func() { b.set(func() { b.fail["a"] = nil }) })
		if item, _ := b.take("a"); item.n != 1 {
			b.Errorf("got item %d", item.n)
		}
	})
}

func TestTakerThatLeavesEndsItsStart(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		ctx, cancel := context.WithTimeoutCause(b.Context(), 30*time.Millisecond, errBroken)
		defer cancel()
		begin := time.Now()
		if _, _, err := b.tryTake(ctx, "a"); !errors.Is(err, errBroken) {
			b.Errorf("got %v", err)
		}
		if took := time.Since(begin); took != 30*time.Millisecond {
			b.Errorf("left after %s", took)
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.running != 0 {
			b.Error("its start continues without a taker")
		}
	})
}

func TestTakerThatLeavesLeavesItsStartToOthers(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		ctx, cancel := context.WithTimeout(b.Context(), 80*time.Millisecond)
		defer cancel()
		go b.tryTake(ctx, "a")
		b.pass(50 * time.Millisecond)
		begin := time.Now()
		item, _ := b.take("a")
		if took := time.Since(begin); took != 50*time.Millisecond || item.n != 0 {
			b.Errorf("after %s item %d, want the start of the one that left", took, item.n)
		}
	})
}

func TestTakerThatLeavesLeavesItsStartToThePool(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.keep("a", 1)
		b.take("a")
		ctx, cancel := context.WithTimeout(b.Context(), time.Millisecond)
		defer cancel()
		b.tryTake(ctx, "a")
		b.pass(200 * time.Millisecond)
		b.wantIdle("a", 1)
		if n := b.starts("a"); n != 2 {
			b.Errorf("%d starts, want 2", n)
		}
	})
}

// TestTakersThatLeaveWaitForTheirStarts: takers that come and leave cannot pile
// up starts.
func TestTakersThatLeaveWaitForTheirStarts(t *testing.T) {
	inBubble(t, Config{}, func(b bench) {
		for range 100 {
			ctx, cancel := context.WithTimeout(b.Context(), time.Millisecond)
			b.tryTake(ctx, "a")
			cancel()
		}
		if b.busiest != 1 {
			b.Errorf("%d starts were under way at once", b.busiest)
		}
	})
}

func TestItemForATakerThatHasLeftIsNotLost(t *testing.T) {
	// The item and the end of the context come at the same moment; inBubble
	// checks what became of the item.
	for range 20 {
		inBubble(t, Config{}, func(b bench) {
			ctx, cancel := context.WithTimeout(b.Context(), 100*time.Millisecond)
			defer cancel()
			b.tryTake(ctx, "a")
			synctest.Wait()
		})
	}
}

// TestStartThatWasGivenUpServesATaker: a start that continues after it was
// given up still serves a waiting taker, and the start that is then one too
// many ends immediately.
func TestStartThatWasGivenUpServesATaker(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		start := func(context.Context) (*fake, error) { return b.start(context.Background(), "a") }
		ctx, cancel := context.WithTimeout(b.Context(), 10*time.Millisecond)
		defer cancel()
		go b.pool.Take(ctx, class("a"), start)
		b.pass(50 * time.Millisecond)
		begin := time.Now()
		item, _ := b.take("a")
		if took := time.Since(begin); took != 50*time.Millisecond || item.n != 0 {
			b.Errorf("after %s item %d", took, item.n)
		}
		synctest.Wait()
		if b.running != 0 {
			b.Error("a start continues without a taker")
		}
	})
}

// A taker that comes while an item is looked at gets that one.
func TestTakerThatComesWhileAnItemIsMeasured(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.weigh = 20 * time.Millisecond
		go b.pool.Keep(context.Background(), class("a"), b.starter("a"), 1)
		b.pass(110 * time.Millisecond)
		begin := time.Now()
		item, _ := b.take("a")
		if took := time.Since(begin); took != 10*time.Millisecond || item.n != 0 {
			b.Errorf("after %s item %d", took, item.n)
		}
	})
}

// Of more starts than are needed the one that hangs is given up, and not the one
// that a taker hopes for.
func TestHangingStartIsGivenUpFirst(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.hang["a"] = true })
		go b.pool.Keep(context.Background(), class("a"), b.starter("a"), 1)
		b.pass(10 * time.Second)
		b.set(func() { b.hang["a"] = false })
		time.AfterFunc(10*time.Millisecond, func() { b.keep("a", 0) })
		begin := time.Now()
		b.take("a")
		if took := time.Since(begin); took != 100*time.Millisecond {
			b.Errorf("it took %s", took)
		}
	})
}
