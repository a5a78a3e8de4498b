package pool

import (
	"time"

	"github.com/glovebox-dev/glovebox/internal/tuning"
)

// next is the earliest time at which something is due; zero if nothing is.
func (p *Pool[T]) next(now, next time.Time) time.Time {
	for _, s := range p.shelves {
		for _, e := range s.idle {
			next = earlier(earlier(next, e.expiry), e.measured.Add(review))
		}
		if s.spare() > 0 {
			next = earlier(next, s.starts[0].began.Add(p.cfg.StartLimit))
		}
		if s.have() < s.target && now.Before(s.trouble.until) {
			next = earlier(next, s.trouble.until)
		}
	}
	return next
}

// sleep sets the timer to a time, and stops it for the zero time.
func (p *Pool[T]) sleep(until time.Time) {
	p.due = until
	if until.IsZero() {
		p.timer.Stop()
		return
	}
	p.timer.Reset(time.Until(until))
}

// wake sets the timer to a time unless it fires earlier anyway.
func (p *Pool[T]) wake(at time.Time) {
	if p.due.IsZero() || at.Before(p.due) {
		p.sleep(at)
	}
}

// wakeSoon sets the timer for what follows from a take.
func (p *Pool[T]) wakeSoon() {
	if tuning.On(tuning.Breath) {
		p.wake(time.Now().Add(breath))
	} else {
		p.wake(time.Now())
	}
}

// tick is what the timer does.
func (p *Pool[T]) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return
	}
	p.due = time.Time{}
	if stale := p.stale(time.Now()); len(stale) > 0 {
		p.running.Go(func() { p.measure(stale) })
	}
	p.plan()
}

// stale lists what is to be measured again, once something is due: an item that
// waits runs, and may come to hold more than it did. What is due soon is taken
// along.
func (p *Pool[T]) stale(now time.Time) []*entry[T] {
	var soon []*entry[T]
	due := false
	for _, s := range p.shelves {
		for _, e := range s.idle {
			if age := now.Sub(e.measured); age >= review/2 {
				soon = append(soon, e)
				due = due || age >= review
			}
		}
	}
	if !due {
		return nil
	}
	for _, e := range soon {
		e.measured = now
	}
	return soon
}

// measure asks items what they hold; without the lock, because that takes a
// moment.
func (p *Pool[T]) measure(entries []*entry[T]) {
	memory := make([]int64, len(entries))
	for i, e := range entries {
		memory[i] = min(e.item.Memory(), maxMemory)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, e := range entries {
		if memory[i] > 0 {
			e.memory = memory[i]
		}
	}
	p.plan()
}
