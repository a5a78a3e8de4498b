package servicetest

import (
	"encoding/json"

	"github.com/glovebox-dev/glovebox/api"
)

// hooks: a deployment makes, changes and removes them.
func hooks(s *suite) {
	task := *orchestrator("n", "n: int, m: int", "int")
	task.Name = "env.task"
	spec := api.HookSpec{Name: "env.push", Task: "env.task", Secret: "push", Signature: api.HookGitHub, Inputs: json.RawMessage(`{"m":1}`), Fields: map[string]string{"n": "/a~1b/0"}}
	other := api.HookSpec{Name: "env.all", Task: "env.task", Secret: "push", Body: "n", Inputs: json.RawMessage(`{"m":2}`)}
	s.deploy(api.Deployment{Environment: "env", Tasks: []api.Task{task}, Hooks: []api.HookSpec{spec, other}})
	list, err := s.service.Hooks(s.Context())
	s.must(err)
	if len(list) != 2 || list[0].Name != "env.all" || list[1].Environment != "env" || list[1].Created.IsZero() {
		s.Fatalf("the list: %+v", list)
	}
	h, err := s.service.Hook(s.Context(), spec.Name)
	s.must(err)
	if string(h.Inputs) != `{"m":1}` || h.Fields["n"] != "/a~1b/0" || h.Secret != "push" || h.Signature != api.HookGitHub {
		s.Errorf("shown as %+v", h)
	}
	for _, paused := range []bool{true, true, false} {
		change := s.service.ResumeHook
		if paused {
			change = s.service.PauseHook
		}
		h, err := change(s.Context(), spec.Name)
		s.must(err)
		again, err := s.service.Hook(s.Context(), spec.Name)
		s.must(err)
		if h.Paused != paused || again.Paused != paused || len(again.LastCalls) != 0 {
			s.Errorf("paused %t: %+v, then %+v", paused, h, again)
		}
	}
	_, err = s.service.PauseHook(s.Context(), "none")
	s.wantCode(err, api.NotFound)
	s.deploy(api.Deployment{Environment: "env", Tasks: []api.Task{task}, Hooks: []api.HookSpec{spec}})
	_, err = s.service.Hook(s.Context(), other.Name)
	s.wantCode(err, api.NotFound)
	s.must(s.service.RemoveHook(s.Context(), spec.Name))
	s.wantCode(s.service.RemoveHook(s.Context(), spec.Name), api.NotFound)
}

// hooksRefused: a deployment with a hook that is none stores nothing.
func hooksRefused(s *suite) {
	task := *orchestrator("n", "n: int", "int")
	task.Name = "a"
	for field, spec := range map[string]api.HookSpec{
		"name":      {Name: "a/b", Task: "a", Secret: "s", Body: "n"},
		"task":      {Name: "h", Task: "b", Secret: "s", Body: "n"},
		"secret":    {Name: "h", Task: "a", Body: "n"},
		"signature": {Name: "h", Task: "a", Secret: "s", Signature: "md5", Body: "n"},
		"n":         {Name: "h", Task: "a", Secret: "s"},
		"m":         {Name: "h", Task: "a", Secret: "s", Body: "n", Fields: map[string]string{"m": "/m"}},
		"fields":    {Name: "h", Task: "a", Secret: "s", Fields: map[string]string{"n": "n"}},
	} {
		_, err := s.service.Deploy(s.Context(), api.Deployment{Tasks: []api.Task{task}, Hooks: []api.HookSpec{spec}})
		if err == nil || api.AsError(err).Details.Field != field {
			s.Errorf("%s: %v", field, err)
		}
	}
	tasks, err := s.service.Tasks(s.Context())
	s.must(err)
	if len(tasks) != 0 {
		s.Errorf("refused, but there: %+v", tasks)
	}
}
