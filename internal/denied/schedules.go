package denied

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

func (s Service) Schedules(context.Context) ([]api.Schedule, error) {
	return nil, s.Refuse("list schedules")
}

func (s Service) Schedule(context.Context, string) (*api.Schedule, error) {
	return nil, s.Refuse("see schedules")
}

func (s Service) PauseSchedule(context.Context, string) (*api.Schedule, error) {
	return nil, s.Refuse("pause schedules")
}

func (s Service) ResumeSchedule(context.Context, string) (*api.Schedule, error) {
	return nil, s.Refuse("resume schedules")
}

func (s Service) RunSchedule(context.Context, string, string) (*api.ScheduledStart, error) {
	return nil, s.Refuse("run schedules")
}

func (s Service) RemoveSchedule(context.Context, string) error {
	return s.Refuse("remove schedules")
}
