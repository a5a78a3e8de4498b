package page

import (
	"crypto/rand"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

type schedulesData struct {
	Schedules []api.Schedule
	Hooks     []api.Hook
}

func (p *Page) schedules(r *http.Request) (content, error) {
	var data schedulesData
	var err error
	if data.Schedules, err = p.Service.Schedules(r.Context()); err != nil {
		return content{}, err
	}
	if data.Hooks, err = p.Service.Hooks(r.Context()); err != nil {
		return content{}, err
	}
	return content{Template: "schedules", Title: "Schedules", Nav: "schedules", Data: data}, nil
}

type scheduleData struct {
	Schedule *api.Schedule
	Facts    []fact
	Key      string // of the start that the form asks for, so that it is sent twice for one
}

func (p *Page) schedule(r *http.Request) (content, error) {
	s, err := p.Service.Schedule(r.Context(), r.PathValue("name"))
	if err != nil {
		return content{}, err
	}
	facts := []fact{{"Task", s.Task, "page/tasks/" + s.Task}, {"Times", s.Cron, ""}, {"Zone", s.Zone, ""}, {"Inputs", string(s.Inputs), ""}}
	facts = append(facts, known(fact{Name: "Catches up", Text: string(s.CatchUp)}, fact{Name: "Where runs overlap", Text: string(s.Overlap)}, fact{Name: "Environment", Text: s.Environment})...)
	return content{Template: "schedule", Title: s.Name, Nav: "schedules", Data: scheduleData{s, facts, rand.Text()}}, nil
}

func (p *Page) changeSchedule(r *http.Request) (next string, again content, err error) {
	ctx, name := r.Context(), r.PathValue("name")
	switch action := r.PathValue("action"); action {
	case "pause":
		_, err = p.Service.PauseSchedule(ctx, name)
	case "resume":
		_, err = p.Service.ResumeSchedule(ctx, name)
	case "run":
		_, err = p.Service.RunSchedule(ctx, name, r.PostForm.Get("key"))
	default:
		err = api.Errorf(api.NotFound, "a schedule cannot be asked to %s", action)
	}
	return "../" + name, content{}, err
}
