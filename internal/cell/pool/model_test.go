package pool

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestModel does what comes, in any order, and looks after each step whether
// what must always hold does.
func TestModel(t *testing.T) {
	seeds := 150
	if testing.Short() {
		seeds = 20
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { runModel(t, uint64(seed)) })
	}
}

func runModel(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 6))
	cfg := Config{
		Cells:  r.IntN(12),
		Memory: int64(r.IntN(20)) * mb,
		Starts: r.IntN(4),
		MaxAge: time.Duration(1+r.IntN(600)) * time.Second,
		Quiet:  time.Duration(1+r.IntN(600)) * time.Second,
	}
	inBubble(t, cfg, func(b bench) {
		b.took = time.Duration(r.IntN(500)) * time.Millisecond
		b.weigh = time.Duration(r.IntN(50)) * time.Millisecond
		b.parting = time.Duration(r.IntN(200)) * time.Millisecond
		m := model{bench: b, rand: r}
		for range 300 {
			m.step()
			m.look()
		}
		if r.IntN(2) == 0 {
			b.pool.Close() // in the midst of it
		}
		m.takers.Wait()
	})
}

type model struct {
	bench
	rand   *rand.Rand
	takers sync.WaitGroup
}

func (m *model) key() string { return keyOf(m.rand.IntN(m.rand.IntN(20) + 1)) }

func (m *model) step() {
	key := m.key()
	switch n := m.rand.IntN(20); {
	case n < 8:
		patience := time.Duration(m.rand.IntN(1000)) * time.Millisecond
		m.takers.Go(func() { m.taker(key, patience) })
	case n < 10:
		patience := time.Duration(m.rand.IntN(1000)) * time.Millisecond
		asked := m.rand.IntN(5)
		m.takers.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			m.pool.Keep(ctx, class(key), m.starter(key), asked) // any answer will do
		})
	case n == 10:
		if items := m.waiting(key); len(items) > 0 {
			items[m.rand.IntN(len(items))].die()
		}
	case n == 11:
		m.set(func() { m.fail[key] = errBroken })
	case n == 12:
		m.set(func() { m.hang[key] = true })
	case n == 13:
		m.set(func() { m.fail, m.hang = map[string]error{}, map[string]bool{} })
	case n == 14:
		m.pass(time.Duration(m.rand.IntN(600)) * time.Second)
	default:
		m.pass(time.Duration(m.rand.IntN(300)) * time.Millisecond)
	}
}

// taker takes with some patience, which is always enough where nothing is wrong.
func (m *model) taker(key string, patience time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	begin := time.Now()
	_, _, err := m.tryTake(ctx, key)
	took := time.Since(begin)
	switch {
	case err == nil || errors.Is(err, errBroken) || errors.Is(err, ErrClosed):
	case !errors.Is(err, context.DeadlineExceeded):
		m.Errorf("take of %q: %v", key, err)
	case took < patience:
		m.Errorf("take of %q: left after %s of %s", key, took, patience)
	}
	if limit := patience + m.parting + m.weigh + time.Millisecond; took > limit {
		m.Errorf("take of %q took %s, more than %s", key, took, limit)
	}
}

// look checks what holds at every moment.
func (m *model) look() {
	synctest.Wait()
	p := m.pool
	p.mu.Lock()
	defer p.mu.Unlock()
	held := hold{}
	ahead, owed := 0, 0
	for key, s := range p.shelves {
		if s.class != key {
			m.Errorf("%s is on the shelf of %s", s.class, key)
		}
		if s.spare() < 0 {
			m.Errorf("%q: %d takers wait for %d starts", key, len(s.waiters), len(s.starts))
		}
		if len(s.waiters) > 0 && len(s.idle) > 0 {
			m.Errorf("%q: %d takers wait while %d items do", key, len(s.waiters), len(s.idle))
		}
		if s.have() > s.target {
			m.Errorf("%q: there are %d of %d", key, s.have(), s.target)
		}
		for _, e := range s.idle {
			if e.dead() {
				m.Errorf("%q: a dead item waits", key)
			}
			held.memory += e.memory
		}
		held.cells += s.have()
		ahead += s.startsAhead()
		owed += len(s.starts) - s.startsAhead()
	}
	if held.cells > p.cfg.Cells || held.memory > p.cfg.Memory {
		m.Errorf("%+v is held, of %d cells and %d bytes", held, p.cfg.Cells, p.cfg.Memory)
	}
	if ahead > p.ahead || owed > p.owed || p.ahead > p.cfg.Starts || p.leaving.cells < 0 || p.leaving.memory < 0 {
		m.Errorf("ahead %d of %d, owed %d of %d, leaving %+v", ahead, p.ahead, owed, p.owed, p.leaving)
	}
	if len(p.shelves) > maxShelves {
		m.Errorf("%d keys are remembered", len(p.shelves))
	}
}
