package engine

import (
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

const (
	// recordAfter is how long a sleep lasts before the journal records that it
	// began: most limits of time are called off before.
	recordAfter = 50 * time.Millisecond
	// sleepsFor is how many sleeps an attempt may end for each call that it may
	// make, so that it cannot fill the journal.
	sleepsFor    = 10
	defaultCalls = 10_000
)

// sleep waits for the time at which the code continues.
type sleep struct {
	caller *caller
	until  time.Time
	timer  *time.Timer
	due    <-chan time.Time // nil if there is no such time
}

func (c *caller) sleep(until time.Time) *sleep {
	s := &sleep{caller: c, until: until}
	c.clearSleep(until)
	if until.IsZero() {
		return s
	}
	wait := time.Until(until)
	if !until.Equal(c.sleepsUntil) {
		wait = min(wait, recordAfter)
	}
	s.timer = time.NewTimer(wait)
	s.due = s.timer.C
	return s
}

func (s *sleep) stop() {
	if s.timer != nil {
		s.timer.Stop()
	}
}

// expire tells the journal that the sleep lasts, or that it has ended. The end of a
// call may have come before: the order in the journal is that of the answers.
func (s *sleep) expire() error {
	c := s.caller
	if left := time.Until(s.until); left > 0 {
		c.recordSleep(s.until)
		s.timer.Reset(left)
		return nil
	}
	if c.slept++; c.slept > c.maxSlept {
		return api.Errorf(api.LimitExceeded, "the code slept more than %d times", c.maxSlept).
			WithHint("sleep longer, or raise the limit of calls: there are %d times as many sleeps", sleepsFor)
	}
	p := c.run
	p.mu.Lock()
	defer p.mu.Unlock()
	data := api.SleepEndedData{Attempt: p.rec.Attempts, Until: s.until}
	p.submit(event{api.EventSleepEnded, data})
	c.deliver(0, answer{Answer: api.Answer{Time: p.latest}})
	s.due = nil
	return nil
}

// clearSleep says that the code does not wait for the time any more that it waited
// for before; it becomes durable with the next event.
func (c *caller) clearSleep(next time.Time) {
	p := c.run
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.rec.SleepsUntil.Equal(next) {
		p.rec.SleepsUntil = time.Time{}
	}
}

// recordSleep has the journal know what the code waits for, once.
func (c *caller) recordSleep(until time.Time) {
	if until.Equal(c.sleepsUntil) {
		return
	}
	c.sleepsUntil = until
	p := c.run
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rec.SleepsUntil = until
	data := api.SleepStartedData{Attempt: p.rec.Attempts, Until: until}
	p.submit(event{api.EventSleepStarted, data})
}

// Began is when the attempt began.
func (c *caller) Began() time.Time {
	c.run.mu.Lock()
	defer c.run.mu.Unlock()
	return c.run.attemptAt
}

// Seed is the randomness of the run.
func (c *caller) Seed() []byte { return c.run.seed }
