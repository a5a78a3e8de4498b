package servicetest

import (
	"encoding/json"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// schedules: a deployment makes them; they are shown, paused, run by hand and
// removed. The times of these never come.
func schedules(s *suite) {
	double := *orchestrator("n * 2", "n: int", "int")
	double.Name = "env.double"
	spec := api.ScheduleSpec{
		Name: "env.rarely", Task: "env.double", Cron: "0 12 29 2 *", Zone: "Europe/Berlin", Inputs: json.RawMessage(`{"n":21}`),
		CatchUp: api.CatchUpAll, MaxCatchUp: 3, Overlap: api.OverlapAllow, End: time.Date(2400, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	s.deploy(api.Deployment{Environment: "env", Tasks: []api.Task{double}, Schedules: []api.ScheduleSpec{spec}})
	list, err := s.service.Schedules(s.Context())
	s.must(err)
	if len(list) != 1 || list[0].Name != spec.Name || list[0].Environment != "env" || list[0].Next.Before(time.Now()) || list[0].Created.IsZero() || list[0].NextTimes != nil {
		s.Fatalf("the list: %+v", list)
	}
	shown, err := s.service.Schedule(s.Context(), spec.Name)
	s.must(err)
	if string(shown.Inputs) != string(spec.Inputs) || shown.MaxCatchUp != 3 || !shown.End.Equal(spec.End) || len(shown.NextTimes) == 0 || !shown.NextTimes[0].Equal(shown.Next) {
		s.Errorf("shown as %+v", shown)
	}
	s.checkPaused(spec.Name)
	s.checkRunByHand(spec.Name)
	s.must(s.service.RemoveSchedule(s.Context(), spec.Name))
	_, err = s.service.Schedule(s.Context(), spec.Name)
	s.wantCode(err, api.NotFound)
}

func (s *suite) checkPaused(name string) {
	s.Helper()
	for range 2 {
		paused, err := s.service.PauseSchedule(s.Context(), name)
		s.must(err)
		if !paused.Paused || !paused.Next.IsZero() || len(paused.NextTimes) > 0 {
			s.Errorf("paused: %+v", paused)
		}
	}
	resumed, err := s.service.ResumeSchedule(s.Context(), name)
	s.must(err)
	if resumed.Paused || resumed.Next.IsZero() {
		s.Errorf("resumed: %+v", resumed)
	}
}

func (s *suite) checkRunByHand(name string) {
	s.Helper()
	start, err := s.service.RunSchedule(s.Context(), name, "once")
	s.must(err)
	for give := time.Now().Add(10 * time.Second); start.State == api.StartPlanned && time.Now().Before(give); { // what starts runs begins a moment after the server
		time.Sleep(10 * time.Millisecond)
		start, err = s.service.RunSchedule(s.Context(), name, "once")
		s.must(err)
	}
	again, err := s.service.RunSchedule(s.Context(), name, "once")
	s.must(err)
	if start.State != api.StartStarted || !start.Manual || start.Run == "" || again.Run != start.Run {
		s.Fatalf("started %+v and %+v", start, again)
	}
	result, err := s.service.Wait(s.Context(), start.Run)
	s.must(err)
	if got := s.only(result); got != int64(42) {
		s.Errorf("it gave %v", got)
	}
	run := s.get(start.Run)
	if run.Trigger == nil || run.Trigger.Schedule != name || !run.Trigger.Manual || !run.Trigger.Time.Equal(start.Planned) || run.Version != "env.double@1" {
		s.Errorf("the run was started by %+v as %s", run.Trigger, run.Version)
	}
	shown, err := s.service.Schedule(s.Context(), name)
	s.must(err)
	if len(shown.LastStarts) != 1 || shown.LastStarts[0].Run != start.Run || shown.LastStarts[0].Status != api.StatusSucceeded {
		s.Errorf("the last starts: %+v", shown.LastStarts)
	}
}

// schedulesRefused: a deployment with a schedule that is none stores nothing.
func schedulesRefused(s *suite) {
	good := named("a", "1")
	for field, spec := range map[string]api.ScheduleSpec{
		"cron":    {Name: "s", Task: "a", Cron: "often"},
		"zone":    {Name: "s", Task: "a", Cron: "@daily", Zone: "Nowhere"},
		"task":    {Name: "s", Task: "b", Cron: "@daily"},
		"name":    {Name: "a/b", Task: "a", Cron: "@daily"},
		"overlap": {Name: "s", Task: "a", Cron: "@daily", CatchUp: api.CatchUpAll},
		"x":       {Name: "s", Task: "a", Cron: "@daily", Inputs: json.RawMessage(`{"x": 1}`)},
	} {
		_, err := s.service.Deploy(s.Context(), api.Deployment{Tasks: []api.Task{good}, Schedules: []api.ScheduleSpec{spec}})
		if err == nil || api.AsError(err).Details.Field != field {
			s.Errorf("%s: %v (%+v)", field, err, api.AsError(err).Details)
		}
	}
	tasks, err := s.service.Tasks(s.Context())
	s.must(err)
	if len(tasks) != 0 {
		s.Errorf("refused, but there: %+v", tasks)
	}
	_, err = s.service.PauseSchedule(s.Context(), "none")
	s.wantCode(err, api.NotFound)
	_, err = s.service.RunSchedule(s.Context(), "none", "")
	s.wantCode(err, api.NotFound)
	s.wantCode(s.service.RemoveSchedule(s.Context(), "none"), api.NotFound)
}
