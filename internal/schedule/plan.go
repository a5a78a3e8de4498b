package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// grace is how late a time may be seen and still count as seen in time.
const grace = time.Minute

// poll is how often the service looks for what has come. Another process may
// deploy a schedule at any time.
const poll = time.Second

// Work plans and starts what is due, until ctx ends.
func (s *Service) Work(ctx context.Context) {
	s.mu.Lock()
	s.working = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.working = false
		s.mu.Unlock()
	}()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	for {
		if err := s.Once(ctx); err != nil && ctx.Err() == nil {
			s.config.Logger.Error("the schedules of this home cannot be worked on", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Once plans and starts what is due now.
func (s *Service) Once(ctx context.Context) error {
	if err := s.planAll(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.startAll(ctx)
}

// planAll makes starts of the times that have come.
func (s *Service) planAll(ctx context.Context) error {
	now := s.now()
	due, err := s.config.Store.DueSchedules(ctx, now)
	if err != nil {
		return err
	}
	var failed error
	for _, r := range due {
		err := s.plan(ctx, r, now)
		if err != nil && !errors.Is(err, journal.ErrSequence) { // another process planned it, or somebody changed it
			failed = errors.Join(failed, fmt.Errorf("schedule %s: %w", r.Name, err))
		}
	}
	return failed
}

// plan makes starts of the times of one schedule that have come, as its policy
// says, and sets its next time.
func (s *Service) plan(ctx context.Context, r journal.ScheduleRecord, now time.Time) error {
	c, err := parse(&r.ScheduleSpec)
	if err != nil {
		return err
	}
	from, most := r.Next, 1
	switch r.CatchUp {
	case api.CatchUpAll:
		most = cmp.Or(r.MaxCatchUp, defaultCatchUp)
	case api.CatchUpLast:
	default:
		if late := now.Add(-grace); late.After(from) {
			from = late
		}
	}
	times := c.newest(from, now, most)
	var starts []journal.StartRecord
	if len(times) == 0 || r.Next.Before(times[0]) {
		starts = append(starts, missedStart(r.Name, r.Next, now))
	}
	for _, t := range times {
		starts = append(starts, newStart(r.Name, t, now))
	}
	r.Next = c.next(now)
	r.Seq++
	return s.config.Store.PlanStarts(ctx, r, starts...)
}

func newStart(schedule string, planned, now time.Time) journal.StartRecord {
	return journal.StartRecord{Schedule: schedule, Open: true, ScheduledStart: api.ScheduledStart{
		ID: planned.Format(time.RFC3339), Planned: planned, State: api.StartPlanned, Changed: now,
	}}
}

// missedStart stands for a time that is not caught up, and those after it.
func missedStart(schedule string, planned, now time.Time) journal.StartRecord {
	start := newStart(schedule, planned, now)
	start.Open, start.State = false, api.StartMissed
	start.Reason = "no server worked on this home from then on, and what is caught up leaves this time out"
	return start
}

// manualID names a start that somebody asked for.
func manualID(key string, now time.Time) string {
	if key == "" {
		key = now.Format(time.RFC3339Nano)
	}
	return "manual " + key
}

func checkKey(key string) error {
	for _, c := range []byte(key) {
		if c <= ' ' || c >= 0x7f {
			return wrong("key", strconv.QuoteToASCII(key[:min(len(key), maxKey)]), "printable ASCII without spaces")
		}
	}
	if len(key) > maxKey {
		return wrong("key", strconv.Itoa(len(key))+" bytes long", "at most "+strconv.Itoa(maxKey))
	}
	return nil
}
