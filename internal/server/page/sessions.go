package page

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

var sessionStates = []api.SessionState{api.SessionRunning, api.SessionPaused, api.SessionStarting, api.SessionPausing, api.SessionResuming, api.SessionOver, api.SessionLost}

type sessionsData struct {
	State    string
	States   []api.SessionState
	Sessions []api.Session
	Making   []creationLink
	Next     string
	New      sessionForm
}

func (p *Page) sessions(r *http.Request) (content, error) {
	q := r.URL.Query()
	data := &sessionsData{State: q.Get("state"), States: sessionStates}
	query := api.SessionQuery{Limit: pageSize, Cursor: q.Get("cursor")}
	if data.State != "" {
		if !slices.Contains(sessionStates, api.SessionState(data.State)) {
			return content{}, api.Errorf(api.RequestInvalid, "state is %q, which is none", data.State).WithDetails(api.Details{Field: "state", Got: data.State})
		}
		query.State = []api.SessionState{api.SessionState(data.State)}
	}
	list, err := p.Service.Sessions(r.Context(), query)
	if err != nil {
		return content{}, err
	}
	data.Sessions, data.Next, data.Making = list.Sessions, list.Next, p.creations.underWay()
	return content{Template: "sessions", Title: "Sessions", Nav: "sessions", Follow: "page/follow/sessions", Styles: []string{"session.css"}, Data: data}, nil
}

type sessionData struct {
	Session  *api.Session
	Contexts []api.Context
	Usage    *api.UsageSample
	Events   []api.SessionEvent

	Connections []api.Connection
	Can         sessionAble
	Tab         string
	Ports       []openPort
	Facts       []fact
}

type sessionAble struct{ Pause, Resume, Fork, Kill bool }

func (p *Page) session(r *http.Request) (content, error) {
	ctx, id := r.Context(), r.PathValue("id")
	s, err := p.Service.Session(ctx, id)
	if err != nil {
		return content{}, err
	}
	live := s.State == api.SessionRunning
	data := &sessionData{Session: s, Ports: p.portsOf(ctx, s), Facts: sessionFacts(s), Can: sessionAble{
		Pause: live, Resume: s.State == api.SessionPaused, Fork: live || s.State == api.SessionPaused, Kill: s.Ended.IsZero(),
	}}
	if live {
		if data.Contexts, err = p.Service.Contexts(ctx, id); err != nil && !errors.Is(err, api.Conflict) {
			return content{}, err
		}
		samples, err := p.Service.SessionUsage(ctx, id, p.Now().Add(-time.Hour), p.Now())
		if err != nil {
			return content{}, err
		}
		if len(samples) > 0 {
			data.Usage = &samples[len(samples)-1]
		}
	}
	for e, err := range p.Service.SessionEvents(ctx, id, 0, false) {
		if err != nil {
			return content{}, err
		}
		if data.Events = append(data.Events, e); len(data.Events) > 200 {
			data.Events = data.Events[1:]
		}
	}
	slices.Reverse(data.Events)
	if data.Connections, err = p.Service.SessionConnections(ctx, id); err != nil {
		return content{}, err
	}
	slices.Reverse(data.Connections)
	data.Connections = data.Connections[:min(len(data.Connections), 200)]
	return content{Template: "session", Title: "Session " + id, Nav: "sessions", Follow: "page/follow/sessions", Styles: []string{"session.css"}, Data: data}, nil
}

func sessionFacts(s *api.Session) []fact {
	facts := []fact{{Name: "Network", Text: networkText(s.Spec.Network)}}
	add := func(name, text, link string) {
		if text != "" {
			facts = append(facts, fact{name, text, link})
		}
	}
	add("User", s.Spec.User, "")
	add("Image", s.Image, "page/images/"+s.Image)
	add("Forked from", s.Parent, "page/sessions/"+s.Parent)
	add("Snapshot", s.Snapshot, "")
	add("Reason", s.Reason, "")
	if s.Saved > 0 {
		add("Saved state", size(s.Saved), "")
	}
	for _, name := range sortedKeys(s.Spec.Labels) {
		add("Label "+name, s.Spec.Labels[name], "")
	}
	return facts
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (p *Page) changeSession(r *http.Request) (string, content, error) {
	ctx, id := r.Context(), r.PathValue("id")
	next := "../" + id
	var err error
	switch action := r.PathValue("action"); action {
	case "pause":
		_, err = p.Service.PauseSession(ctx, id, api.PauseOptions{Reason: "by a person on the page"})
	case "resume":
		_, err = p.Service.ResumeSession(ctx, id)
	case "kill":
		err = p.Service.KillSession(ctx, id)
	case "fork":
		var forks []api.Fork
		if forks, err = p.Service.ForkSession(ctx, id, api.ForkOptions{}); err == nil && len(forks) > 0 {
			if forks[0].Error != nil {
				return "", content{}, forks[0].Error
			}
			next = "../" + forks[0].Session.ID
		}
	default:
		err = api.Errorf(api.NotFound, "a session cannot be asked to %s", action)
	}
	return next, content{}, err
}
