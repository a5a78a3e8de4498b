package pool

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// The stock follows what is taken while a replacement is on its way.
func TestSizeFollowsTheRate(t *testing.T) {
	for _, c := range []struct {
		every time.Duration // between takes
		took  time.Duration // of a start
		want  int
	}{
		{10 * time.Second, 100 * time.Millisecond, 1},
		{time.Second, 100 * time.Millisecond, 1},
		{100 * time.Millisecond, 100 * time.Millisecond, 2},
		{50 * time.Millisecond, 100 * time.Millisecond, 4},
		{200 * time.Millisecond, 500 * time.Millisecond, 5},
	} {
		inBubble(t, ample(), func(b bench) {
			b.took = c.took
			for range 100 {
				b.take("a")
				b.pass(c.every)
			}
			if s := b.stat("a"); s.Wanted != c.want {
				b.Errorf("a take every %s, a start takes %s: %d are wanted, want %d", c.every, c.took, s.Wanted, c.want)
			}
			cold := b.stat("a").Cold
			for range 100 {
				b.take("a")
				b.pass(c.every)
			}
			if now := b.stat("a").Cold; now != cold {
				b.Errorf("a take every %s, a start takes %s: %d of 100 takes were cold", c.every, c.took, now-cold)
			}
		})
	}
}

func TestBurstsAreRemembered(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		if warm := b.burst("a", 10); warm != 0 {
			b.Errorf("%d of the first burst were warm", warm)
		}
		for range 5 {
			b.pass(10 * time.Second)
			if warm := b.burst("a", 10); warm != 10 {
				b.Errorf("%d of 10 were warm", warm)
			}
		}
	})
}

func TestDemandFades(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.burst("a", 10)
		for minute, want := range []int{10, 8, 6, 4, 2, 0} {
			b.wantIdleAfter("a", want, time.Duration(minute)*time.Minute)
		}
		if stats := b.pool.Stats(); len(stats) != 0 {
			b.Errorf("after it was quiet there is %+v", stats)
		}
		if _, warm := b.take("a"); warm {
			b.Error("warm after it was quiet")
		}
	})
}

// wantIdleAfter is wantIdle so long after the beginning of the bubble, and a
// second for what then is to be started.
func (b bench) wantIdleAfter(key string, want int, after time.Duration) {
	b.Helper()
	begin := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	b.pass(time.Until(begin.Add(after + time.Second)))
	b.wantIdle(key, want)
}

// A trickle keeps one, also after a burst has faded.
func TestTrickleKeepsOne(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.burst("a", 10)
		for minute := range 20 {
			b.pass(time.Minute)
			if _, warm := b.take("a"); !warm {
				b.Error("not warm")
			}
			b.pass(2 * breath)
			if s := b.stat("a"); minute == 0 && s.Wanted != 8 {
				b.Errorf("one take makes the burst before it forgotten: %+v", s)
			}
		}
		b.pass(time.Second)
		b.wantIdle("a", 1)
		b.pass(4*time.Minute + 50*time.Second)
		b.wantIdle("a", 1)
		b.pass(10 * time.Second)
		b.wantIdle("a", 0)
	})
}

// TestAskedForStaysThroughQuiet: requested cells do not fade, and demand adds
// only what exceeds them.
func TestAskedForStaysThroughQuiet(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.keep("a", 3)
		b.pass(time.Hour)
		b.wantIdle("a", 3)
		b.burst("a", 6)
		b.pass(time.Second)
		b.wantIdle("a", 6)
		b.pass(time.Hour)
		b.wantIdle("a", 3)
	})
}

// TestReplacementBeginsAMomentLater: the replacement of an item starts a moment
// later, so that it does not share the processor with the taker's first work.
func TestReplacementBeginsAMomentLater(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.keep("a", 1)
		b.pass(time.Second)
		b.take("a")
		synctest.Wait()
		if n := b.starts("a"); n != 1 {
			b.Errorf("%d starts with the take", n)
		}
		b.pass(breath)
		if n := b.starts("a"); n != 2 {
			b.Errorf("%d starts a moment after the take", n)
		}
	})
}

func TestStartsAheadAreBounded(t *testing.T) {
	cfg := ample()
	cfg.Starts = 2
	inBubble(t, cfg, func(b bench) {
		b.keep("a", 8)
		b.keep("b", 8)
		b.pass(10 * time.Second)
		b.wantIdle("a", 8)
		b.wantIdle("b", 8)
		if b.busiest != 2 {
			b.Errorf("%d starts at once, want 2", b.busiest)
		}
	})
}

// Starts of takers come first, and still not all others stand still.
func TestStartsAheadGiveWayToTakers(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.took = time.Second
		go b.burst("a", 10)
		b.pass(10 * time.Millisecond)
		go b.pool.Keep(context.Background(), class("b"), b.starter("b"), 1)
		b.pass(10 * time.Millisecond)
		if n := b.starts("a") + b.starts("b"); n != 11 {
			b.Errorf("%d starts for 10 takers, want one ahead beside theirs", n)
		}
		b.pass(time.Second)
		if n := b.starts("b"); n != 1 {
			b.Error("demand goes before what was asked for")
		}
		b.pass(10 * time.Second)
	})
}

func TestHangingStartsBlockNobodyElse(t *testing.T) {
	cfg := ample()
	cfg.Starts = 2
	inBubble(t, cfg, func(b bench) {
		b.keep("b", 1)
		b.set(func() { b.hang["a"] = true })
		ctx := b.Context()
		start := b.starter("a")
		go func() {
			if err := b.pool.Keep(ctx, class("a"), start, 4); err == nil {
				b.Error("a start that hangs succeeded")
			}
		}()
		for range 5 {
			b.pass(time.Second)
			b.wantIdle("b", 1)
			b.take("b")
		}
		b.keep("a", 0)
		synctest.Wait()
	})
}

// wanted falls exactly when it says, one by one, and ends within Quiet.
func TestWantedFallsWhenItSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := Config{
			Cells: rapid.IntRange(1, 2000).Draw(t, "cells"),
			Quiet: time.Duration(rapid.Int64Range(1, int64(maxQuiet)).Draw(t, "quiet")),
			Often: rapid.IntRange(1, 5).Draw(t, "often"),
		}.complete()
		var d demand
		now := time.Unix(0, 0)
		for range rapid.IntRange(1, 100).Draw(t, "takes") {
			now = now.Add(time.Duration(rapid.Int64Range(0, int64(time.Second)).Draw(t, "pause")))
			d.take(now, cfg)
		}
		last := now
		for n, until := d.wanted(now, cfg); n > 0; {
			if !until.After(now) {
				t.Fatalf("%d are wanted until %s, which is over", n, until)
			}
			if before, _ := d.wanted(until.Add(-1), cfg); before != n {
				t.Fatalf("%d are wanted just before the end of %d", before, n)
			}
			now = until
			less, next := d.wanted(now, cfg)
			if less >= n {
				t.Fatalf("%d are wanted after the end of %d", less, n)
			}
			n, until = less, next
		}
		if now.After(last.Add(cfg.Quiet)) {
			t.Fatalf("something was wanted %s after the last take; quiet is %s", now.Sub(last), cfg.Quiet)
		}
	})
}
