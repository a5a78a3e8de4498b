package pool

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

func ample() Config { return Config{Cells: 16, Memory: 1 << 30, Starts: 4} }

func TestNothingIsKeptUnlessAskedForOrTakenOften(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		for range 2 {
			if _, warm := b.take("a"); warm {
				b.Error("the first items were warm")
			}
			b.pass(10 * time.Second)
		}
		b.wantIdle("a", 0)
		if n := b.starts("a"); n != 2 {
			b.Errorf("%d starts for 2 takes", n)
		}
		b.pass(30 * time.Second)
		b.take("a") // the third within a minute
		b.pass(time.Second)
		b.wantIdle("a", 1)
		if _, warm := b.take("a"); !warm {
			b.Error("a key that is taken often is not kept ready")
		}
	})
}

func TestSeldomTakesAreNotOften(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		for range 10 {
			b.take("a")
			b.pass(31 * time.Second)
			b.wantIdle("a", 0)
		}
	})
}

func TestKeep(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		begin := time.Now()
		b.keep("a", 3)
		if took := time.Since(begin); took != 100*time.Millisecond {
			b.Errorf("it took %s until the first was ready, want one start", took)
		}
		b.wantIdle("a", 3)
		if _, warm := b.take("a"); !warm {
			b.Error("what was asked for is not warm")
		}
		b.pass(time.Second)
		b.wantIdle("a", 3)

		begin = time.Now()
		b.keep("a", 1)
		if took := time.Since(begin); took != 0 {
			b.Errorf("it took %s though some are ready", took)
		}
		b.wantIdle("a", 1)
		b.keep("a", 0)
		b.wantIdle("a", 0)
		if stats := b.pool.Stats(); len(stats) != 0 {
			b.Errorf("after all was taken back there is %+v", stats)
		}
	})
}

func TestTakeBackUnknown(t *testing.T) {
	inBubble(t, ample(), func(b bench) { b.keep("a", 0) })
}

func TestKeepSaysWhyTheFirstDoesNotStart(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.fail["a"] = errBroken })
		if err := b.pool.Keep(b.Context(), class("a"), b.starter("a"), 2); !errors.Is(err, errBroken) {
			b.Errorf("got %v", err)
		}
		if s := b.stat("a"); s.Asked != 2 || !errors.Is(s.Err, errBroken) {
			b.Errorf("got %+v", s)
		}
		b.set(func() { b.fail["a"] = nil })
		b.pass(10 * time.Second)
		b.wantIdle("a", 2)
		if s := b.stat("a"); s.Err != nil {
			b.Errorf("it works again, and still: %v", s.Err)
		}
	})
}

func TestKeepEndsWithItsContext(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.hang["a"] = true })
		ctx, cancel := context.WithTimeoutCause(b.Context(), time.Second, errBroken)
		defer cancel()
		if err := b.pool.Keep(ctx, class("a"), b.starter("a"), 1); !errors.Is(err, errBroken) {
			b.Errorf("got %v", err)
		}
		if s := b.stat("a"); s.Asked != 1 {
			b.Errorf("it is not asked for any more: %+v", s)
		}
	})
}

func TestKeepIsAnsweredWhenItIsTakenBack(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.set(func() { b.hang["a"] = true })
		answer := make(chan error)
		go func() { answer <- b.pool.Keep(context.Background(), class("a"), b.starter("a"), 1) }()
		synctest.Wait()
		b.keep("a", 0)
		if err := <-answer; api.AsError(err).Code != api.Conflict {
			b.Errorf("got %v", err)
		}
	})
}

func TestKeepBeyondTheBounds(t *testing.T) {
	inBubble(t, Config{Cells: 8, Memory: 100 * mb}, func(b bench) {
		b.set(func() { b.memory = 20 * mb })
		b.keep("a", 3)
		b.pass(time.Second)
		b.wantIdle("a", 3)
		for _, c := range []struct {
			name string
			key  string
			n    int
		}{
			{"more than all cells", "b", 9},
			{"more than others leave", "b", 6},
			{"more memory than there is", "a", 6},
			{"negative", "a", -1},
		} {
			err := b.pool.Keep(b.Context(), class(c.key), b.starter(c.key), c.n)
			e := api.AsError(err)
			if err == nil || e.Code != api.Conflict || e.Hint == "" || e.Details.Field != "cells" || e.Details.Expected == "" {
				b.Errorf("%s: got %v", c.name, err)
			}
		}
		b.wantIdle("a", 3)
		b.keep("b", 2) // nobody knows yet what these hold
		b.pass(time.Second)
		b.wantIdle("b", 2)
	})
}

// TestKeepOfItemsThatAreTooLarge: the pool tries items of unknown size, and
// reports an error for those that do not fit.
func TestKeepOfItemsThatAreTooLarge(t *testing.T) {
	inBubble(t, Config{Cells: 8, Memory: 100 * mb}, func(b bench) {
		b.set(func() { b.memory = 40 * mb })
		b.keep("a", 8)
		b.pass(time.Minute)
		b.wantIdle("a", 2)
		if s := b.stat("a"); s.Asked != 8 || s.Wanted != 2 || api.AsError(s.Err).Code != api.Conflict {
			b.Errorf("got %+v", s)
		}

		b.set(func() { b.memory = 101 * mb })
		b.keep("a", 0)
		b.keep("b", 1)
		b.pass(time.Minute)
		if s := b.stat("b"); s.Idle != 0 || s.Err == nil {
			b.Errorf("got %+v", s)
		}
		if n := b.starts("b"); n != 1 {
			b.Errorf("what does not fit was started %d times", n)
		}
	})
}

func TestTakeAfterItsContext(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.keep("a", 1)
		ctx, cancel := context.WithCancelCause(b.Context())
		cancel(errBroken)
		if _, _, err := b.tryTake(ctx, "a"); !errors.Is(err, errBroken) {
			b.Errorf("got %v", err)
		}
		b.wantIdle("a", 1)
	})
}

func TestOldestFirst(t *testing.T) {
	cfg := ample()
	cfg.Starts = 1
	inBubble(t, cfg, func(b bench) {
		b.keep("a", 2)
		b.pass(time.Second)
		for i := range 6 {
			if item, _ := b.take("a"); item.n != i {
				b.Errorf("take %d got item %d", i, item.n)
			}
			b.pass(time.Second)
		}
	})
}

func TestZeroConfigKeepsNothing(t *testing.T) {
	inBubble(t, Config{}, func(b bench) {
		for range 10 {
			if _, warm := b.take("a"); warm {
				b.Error("warm")
			}
			b.pass(time.Second)
		}
		if n := b.starts("a"); n != 10 {
			b.Errorf("%d starts for 10 takes", n)
		}
		if err := b.pool.Keep(b.Context(), class("a"), b.starter("a"), 1); api.AsError(err).Code != api.Conflict {
			b.Errorf("got %v", err)
		}
	})
}

func TestClosed(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.keep("a", 2)
		b.set(func() { b.hang["b"] = true })
		errs := make(chan error)
		go func() {
			_, _, err := b.tryTake(context.Background(), "b")
			errs <- err
		}()
		go func() { errs <- b.pool.Keep(context.Background(), class("b"), b.starter("b"), 2) }()
		synctest.Wait()
		go b.pool.Close()
		for range 2 {
			if err := <-errs; !errors.Is(err, ErrClosed) {
				b.Errorf("got %v", err)
			}
		}
		b.pool.Close()
		if _, _, err := b.tryTake(b.Context(), "a"); !errors.Is(err, ErrClosed) {
			b.Errorf("got %v", err)
		}
		if err := b.pool.Keep(b.Context(), class("a"), b.starter("a"), 1); !errors.Is(err, ErrClosed) {
			b.Errorf("got %v", err)
		}
	})
}

func TestCloseWaitsForWhatIsBeingDiscarded(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		b.parting = 3 * time.Second
		b.keep("a", 2)
		begin := time.Now()
		b.pool.Close()
		if took := time.Since(begin); took != b.parting {
			b.Errorf("took %s, want %s", took, b.parting)
		}
	})
}

// An item of a start that does not heed its context comes when all is over.
func TestCloseDiscardsWhatComesLate(t *testing.T) {
	inBubble(t, ample(), func(b bench) {
		start := func(context.Context) (*fake, error) { return b.start(context.Background(), "a") }
		go b.pool.Keep(context.Background(), class("a"), start, 1)
		synctest.Wait()
		b.pool.Close()
		if len(b.all) != 1 || b.all[0].discarded != 1 {
			b.Errorf("%d items came", len(b.all))
		}
	})
}
