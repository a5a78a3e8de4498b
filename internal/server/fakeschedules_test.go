package server

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeSchedules has one schedule, by the name nightly.
type fakeSchedules struct{ paused bool }

func (f *fakeSchedules) Schedules(context.Context) ([]api.Schedule, error) {
	return []api.Schedule{{ScheduleSpec: api.ScheduleSpec{Name: "nightly", Task: "deployed", Cron: "@daily", Paused: f.paused}}}, nil
}

func (f *fakeSchedules) Schedule(ctx context.Context, name string) (*api.Schedule, error) {
	if name != "nightly" {
		return nil, api.Errorf(api.NotFound, "there is no schedule %s", name)
	}
	list, err := f.Schedules(ctx)
	return &list[0], err
}

func (f *fakeSchedules) PauseSchedule(ctx context.Context, name string) (*api.Schedule, error) {
	f.paused = true
	return f.Schedule(ctx, name)
}

func (f *fakeSchedules) ResumeSchedule(ctx context.Context, name string) (*api.Schedule, error) {
	f.paused = false
	return f.Schedule(ctx, name)
}

func (f *fakeSchedules) RunSchedule(_ context.Context, _, key string) (*api.ScheduledStart, error) {
	return &api.ScheduledStart{ID: "manual " + key, Planned: time.Unix(0, 0), Manual: true, State: api.StartStarted, Run: "run-1"}, nil
}

func (f *fakeSchedules) RemoveSchedule(ctx context.Context, name string) error {
	_, err := f.Schedule(ctx, name)
	return err
}
