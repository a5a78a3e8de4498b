package server

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// registerSchedules adds the routes of schedules. Deployments make them.
func (s *Server) registerSchedules() {
	route(s, traits{}, operation(http.MethodGet, "/v1/schedules", "schedules", "listSchedules", "All schedules, by name"),
		func(ctx context.Context, _ *nothing) (*answer[schedulesAnswer], error) {
			schedules, err := s.Service.Schedules(ctx)
			return answerWith(schedulesAnswer{orEmpty(schedules)}, err)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/schedules/{name}", "schedules", "getSchedule", "A schedule, with its next times and last starts"),
		func(ctx context.Context, in *SchedulePath) (*answer[*api.Schedule], error) {
			return answerWith(s.Service.Schedule(ctx, in.Name))
		})
	route(s, traits{}, operation(http.MethodPost, "/v1/schedules/{name}/pause", "schedules", "pauseSchedule", "Keep a schedule from starting anything until it is resumed"),
		func(ctx context.Context, in *SchedulePath) (*answer[*api.Schedule], error) {
			return answerWith(s.Service.PauseSchedule(ctx, in.Name))
		})
	route(s, traits{}, operation(http.MethodPost, "/v1/schedules/{name}/resume", "schedules", "resumeSchedule", "Continue a schedule with its next time"),
		func(ctx context.Context, in *SchedulePath) (*answer[*api.Schedule], error) {
			return answerWith(s.Service.ResumeSchedule(ctx, in.Name))
		})
	run := operation(http.MethodPost, "/v1/schedules/{name}/run", "schedules", "runSchedule", "Ask a schedule for a start now")
	run.DefaultStatus = http.StatusAccepted
	route(s, traits{}, run, func(ctx context.Context, in *runScheduleInput) (*answer[*api.ScheduledStart], error) {
		return answerWith(s.Service.RunSchedule(ctx, in.Name, in.Key))
	})
	route(s, traits{}, operation(http.MethodDelete, "/v1/schedules/{name}", "schedules", "removeSchedule", "Forget a schedule and its starts; its runs stay"),
		func(ctx context.Context, in *SchedulePath) (*nothing, error) {
			return &nothing{}, s.Service.RemoveSchedule(ctx, in.Name)
		})
}

type schedulesAnswer struct {
	Schedules []api.Schedule `json:"schedules"`
}

// SchedulePath is the parameter of the routes of one schedule.
type SchedulePath struct {
	Name string `path:"name" pattern:"^[A-Za-z0-9._][A-Za-z0-9._-]{0,127}$" doc:"The name of a schedule" example:"desk.nightly"`
}

type runScheduleInput struct {
	SchedulePath
	Key string `header:"Idempotency-Key" maxLength:"64" doc:"Makes a repetition ask for nothing more"`
}
