// Package schedule starts deployed tasks by time.
//
// A start has two steps, each durable before the next. First the times that have
// come are planned: together with the next time of the schedule they become
// starts in the journal. Then each planned start becomes a run, whose idempotency
// key is that of the schedule and its time. So a process that dies between the
// two, or a second one that plans the same, starts a time once.
//
//	planned → started   there is a run
//	        → skipped   an earlier run was under way
//	        → failed    no run could be made
//	missed              no server was there in time
package schedule

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// Config is what a Service works with.
type Config struct {
	Store journal.Schedules
	// Task returns a deployed task by NAME or NAME@VERSION.
	Task func(ctx context.Context, ref string) (*api.TaskVersion, error)
	// Submit makes a run.
	Submit func(ctx context.Context, s api.Submission) (*api.Run, error)
	// Cancel ends a run.
	Cancel func(ctx context.Context, run, reason string) error
	// Status returns where a run stands; not_found if it is not kept any more.
	Status func(ctx context.Context, run string) (api.Status, error)
	// ByKey returns the run that was submitted with an idempotency key, or "".
	ByKey func(ctx context.Context, key string) (string, error)
	// Now is the clock; nil is that of the host.
	Now    func() time.Time
	Logger *slog.Logger // nil discards
}

// Service is an api.Schedules. It is safe for concurrent use.
type Service struct {
	config Config

	mu      sync.Mutex // held while starts are made, so that each is made once here
	working bool
	looked  time.Time // when runs were looked at last
}

var _ api.Schedules = (*Service)(nil)

// New returns a service that starts nothing until Work is called.
func New(c Config) *Service {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{config: c}
}

// now is a moment as the journal keeps it.
func (s *Service) now() time.Time { return s.config.Now().UTC().Round(0) }

// Schedules is part of api.Schedules.
func (s *Service) Schedules(ctx context.Context) ([]api.Schedule, error) {
	records, err := s.config.Store.Schedules(ctx)
	if err != nil {
		return nil, api.AsError(err)
	}
	list := make([]api.Schedule, len(records))
	for i, r := range records {
		list[i] = r.Schedule
	}
	return list, nil
}

// The lengths of what is shown of one schedule.
const (
	shownTimes  = 5
	shownStarts = 20
)

// Schedule is part of api.Schedules.
func (s *Service) Schedule(ctx context.Context, name string) (*api.Schedule, error) {
	r, err := s.load(ctx, name)
	if err != nil {
		return nil, err
	}
	return s.shown(ctx, r)
}

func (s *Service) shown(ctx context.Context, r *journal.ScheduleRecord) (*api.Schedule, error) {
	shown := r.Schedule
	if c, err := parse(&r.ScheduleSpec); err == nil && !r.Next.IsZero() {
		shown.NextTimes = c.upcoming(r.Next.Add(-1), shownTimes)
	}
	starts, err := s.config.Store.Starts(ctx, r.Name, shownStarts)
	if err != nil {
		return nil, api.AsError(err)
	}
	for _, start := range starts {
		shown.LastStarts = append(shown.LastStarts, s.withStatus(ctx, start))
	}
	return &shown, nil
}

// withStatus adds where the run of a start stands, if that is known.
func (s *Service) withStatus(ctx context.Context, start journal.StartRecord) api.ScheduledStart {
	shown := start.ScheduledStart
	if start.Run != "" {
		shown.Status, _ = s.config.Status(ctx, start.Run)
	}
	return shown
}

// load returns a schedule, or says which there are.
func (s *Service) load(ctx context.Context, name string) (*journal.ScheduleRecord, error) {
	r, err := s.config.Store.Schedule(ctx, name)
	if err == nil {
		return r, nil
	}
	if !errors.Is(err, journal.ErrNotFound) {
		return nil, api.AsError(err)
	}
	records, err := s.config.Store.Schedules(ctx)
	if err != nil {
		return nil, api.AsError(err)
	}
	names := make([]string, len(records))
	for i, r := range records {
		names[i] = r.Name
	}
	e := api.Errorf(api.NotFound, "there is no schedule %s", value.Quote(value.Shorten(name, maxName)))
	near := value.Nearest(name, names)
	switch {
	case near != "":
		e.Hint = "did you mean " + near + "?"
	case len(names) == 0:
		e.Hint = "no schedule was deployed yet; describe some under schedules in a file of tasks, and deploy that"
	}
	return nil, e.WithDetails(api.Details{Field: "schedule", Got: value.Shorten(name, maxName), Suggestion: near})
}

// edit changes a schedule, again if somebody else does so too.
func (s *Service) edit(ctx context.Context, name string, change func(r *journal.ScheduleRecord) bool) (*api.Schedule, error) {
	var r *journal.ScheduleRecord
	err := untilInSequence(func() (err error) {
		if r, err = s.load(ctx, name); err != nil || !change(r) {
			return err
		}
		r.Seq++
		return s.config.Store.PutSchedules(ctx, []journal.ScheduleRecord{*r}, nil)
	})
	if err != nil {
		return nil, api.AsError(err)
	}
	return s.shown(ctx, r)
}

// untilInSequence repeats what failed because somebody else was faster.
func untilInSequence(do func() error) (err error) {
	const tries = 10
	for range tries {
		if err = do(); !errors.Is(err, journal.ErrSequence) {
			break
		}
	}
	return err
}

// PauseSchedule is part of api.Schedules.
func (s *Service) PauseSchedule(ctx context.Context, name string) (*api.Schedule, error) {
	return s.edit(ctx, name, func(r *journal.ScheduleRecord) bool {
		was := r.Paused
		r.Paused, r.Next = true, time.Time{}
		return !was
	})
}

// ResumeSchedule is part of api.Schedules.
func (s *Service) ResumeSchedule(ctx context.Context, name string) (*api.Schedule, error) {
	now := s.now()
	return s.edit(ctx, name, func(r *journal.ScheduleRecord) bool {
		was := r.Paused
		if c, err := parse(&r.ScheduleSpec); err == nil && was {
			r.Paused, r.Next = false, c.next(now)
		}
		return was
	})
}

// RemoveSchedule is part of api.Schedules.
func (s *Service) RemoveSchedule(ctx context.Context, name string) error {
	if _, err := s.load(ctx, name); err != nil {
		return err
	}
	if err := s.config.Store.PutSchedules(ctx, nil, []string{name}); err != nil {
		return api.AsError(err)
	}
	return nil
}

// RunSchedule is part of api.Schedules.
func (s *Service) RunSchedule(ctx context.Context, name, key string) (*api.ScheduledStart, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	now := s.now()
	start := newStart(name, now, now)
	start.Manual, start.ID = true, manualID(key, now)
	err := untilInSequence(func() error {
		r, err := s.load(ctx, name)
		if err != nil {
			return err
		}
		r.Seq++
		return s.config.Store.PlanStarts(ctx, *r, start)
	})
	if err != nil {
		return nil, api.AsError(err)
	}
	if err := s.startNow(ctx); err != nil {
		return nil, api.AsError(err)
	}
	return s.find(ctx, name, start)
}

// find returns a start as it is now.
func (s *Service) find(ctx context.Context, name string, start journal.StartRecord) (*api.ScheduledStart, error) {
	starts, err := s.config.Store.Starts(ctx, name, journal.KeptStarts)
	if err != nil {
		return nil, api.AsError(err)
	}
	if i := slices.IndexFunc(starts, func(r journal.StartRecord) bool { return r.ID == start.ID }); i >= 0 {
		start = starts[i]
	}
	shown := s.withStatus(ctx, start)
	return &shown, nil
}
