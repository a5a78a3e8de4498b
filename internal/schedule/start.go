package schedule

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/value"
)

// patience is how long a start is tried again that cannot be made just now.
const patience = time.Hour

// lookAgain is how often it is seen which runs have ended, while nothing has to be
// started.
const lookAgain = time.Minute

// maxReason bounds why a start was not made, in bytes.
const maxReason = 1 << 10

// startNow makes the starts that are planned, if this process does so at all.
func (s *Service) startNow(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.working {
		return nil
	}
	return s.startAll(ctx)
}

// startAll makes the starts that are planned, the earliest first. The caller holds
// s.mu.
func (s *Service) startAll(ctx context.Context) error {
	open, err := s.config.Store.OpenStarts(ctx)
	if err != nil {
		return err
	}
	planned := slices.ContainsFunc(open, func(start journal.StartRecord) bool { return start.State == api.StartPlanned })
	if now := s.now(); !planned && now.Sub(s.looked) < lookAgain {
		return nil
	} else {
		s.looked = now
	}
	underWay := map[string][]string{} // runs by schedule
	var failed error
	for _, start := range open {
		if err := s.follow(ctx, start, underWay); err != nil {
			failed = errors.Join(failed, fmt.Errorf("schedule %s: %w", start.Schedule, err))
		}
	}
	return failed
}

// follow makes a start that is planned, or sees whether the run of one has ended.
// Runs that have not are added to those that are under way.
func (s *Service) follow(ctx context.Context, start journal.StartRecord, underWay map[string][]string) error {
	if start.State == api.StartPlanned {
		return s.start(ctx, start, underWay)
	}
	status, err := s.config.Status(ctx, start.Run)
	switch {
	case err != nil && api.AsError(err).Code != api.NotFound:
		return err
	case err == nil && !status.Ended():
		underWay[start.Schedule] = append(underWay[start.Schedule], start.Run)
		return nil
	}
	start.Open = false
	return s.change(ctx, start)
}

// start makes the run of a planned start, or says why there is none.
func (s *Service) start(ctx context.Context, start journal.StartRecord, underWay map[string][]string) error {
	r, err := s.config.Store.Schedule(ctx, start.Schedule)
	if errors.Is(err, journal.ErrNotFound) {
		return nil // it was removed just now, and its starts with it
	}
	if err != nil {
		return err
	}
	start.Changed = s.now()
	run, err := s.config.ByKey(ctx, keyOf(start))
	if err != nil {
		return err
	}
	if run == "" {
		if earlier := underWay[r.Name]; len(earlier) > 0 && !start.Manual {
			if skipped, err := s.overlap(ctx, r, start, earlier); skipped || err != nil {
				return err
			}
		}
		if run, err = s.submit(ctx, r, start); err != nil {
			return s.failed(ctx, start, err)
		}
	}
	start.State, start.Run = api.StartStarted, run
	underWay[r.Name] = append(underWay[r.Name], run)
	return s.change(ctx, start)
}

// overlap does what the policy of a schedule says while earlier runs are under
// way. It reports whether the start was skipped.
func (s *Service) overlap(ctx context.Context, r *journal.ScheduleRecord, start journal.StartRecord, earlier []string) (skipped bool, err error) {
	switch r.Overlap {
	case api.OverlapAllow:
		return false, nil
	case api.OverlapCancel:
		for _, run := range earlier {
			err := s.config.Cancel(ctx, run, "schedule "+r.Name+" starts its run of "+start.Planned.Format(time.RFC3339))
			if err != nil && api.AsError(err).Code != api.Conflict { // it has ended meanwhile
				return false, err
			}
		}
		return false, nil
	}
	start.State, start.Open = api.StartSkipped, false
	start.Reason = "run " + earlier[len(earlier)-1] + " was under way"
	return true, s.change(ctx, start)
}

// keyOf makes one run of a start, whoever makes it.
func keyOf(start journal.StartRecord) string { return "schedule " + start.Schedule + " " + start.ID }

// submit makes the run of a start.
func (s *Service) submit(ctx context.Context, r *journal.ScheduleRecord, start journal.StartRecord) (run string, err error) {
	version, err := s.config.Task(ctx, r.Task)
	if err != nil {
		return "", err
	}
	inputs, err := decodeInputs(version.Signature, &r.ScheduleSpec, start.Planned)
	if err != nil {
		return "", err
	}
	made, err := s.config.Submit(ctx, api.Submission{
		Name: catalogRef(version), Checked: inputs, IdempotencyKey: keyOf(start),
		Trigger: &api.Trigger{Schedule: r.Name, Time: start.Planned, Manual: start.Manual},
	})
	if err != nil {
		return "", err
	}
	return made.ID, nil
}

func catalogRef(v *api.TaskVersion) string { return fmt.Sprintf("%s@%d", v.Name, v.Version) }

// failed gives a start up, unless it may be made later.
func (s *Service) failed(ctx context.Context, start journal.StartRecord, err error) error {
	if ctx.Err() != nil {
		return err
	}
	e := api.AsError(err)
	if later(e.Code) && start.Changed.Sub(start.Planned) < patience {
		return err
	}
	start.State, start.Open, start.Reason = api.StartFailed, false, value.Shorten(string(e.Code)+": "+e.Message, maxReason)
	s.config.Logger.Warn("a schedule could not start its task", "schedule", start.Schedule, "planned", start.Planned, "error", err)
	return s.change(ctx, start)
}

// later reports whether what failed may succeed without anybody's doing.
func later(code api.Code) bool {
	switch code {
	case api.Overloaded, api.StorageFull, api.ServerUnavailable, api.Canceled, api.Internal, api.HomeBusy:
		return true
	}
	return false
}

// change stores a start. One of a schedule that was removed is gone.
func (s *Service) change(ctx context.Context, start journal.StartRecord) error {
	if err := s.config.Store.ChangeStart(ctx, start); !errors.Is(err, journal.ErrNotFound) {
		return err
	}
	return nil
}
