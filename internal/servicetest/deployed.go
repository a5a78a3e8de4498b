package servicetest

import (
	"slices"

	"github.com/glovebox-dev/glovebox/api"
)

func (s *suite) deploy(d api.Deployment) []api.TaskVersion {
	s.Helper()
	versions, err := s.service.Deploy(s.Context(), d)
	s.must(err)
	if len(versions) != len(d.Tasks) {
		s.Fatalf("%d versions of %d tasks", len(versions), len(d.Tasks))
	}
	return versions
}

// named is an orchestrator with a name, which returns a number.
func named(name, code string) api.Task {
	task := orchestrator(code, "", "int")
	task.Name = name
	return *task
}

// catalog: a version never changes; the same task again is no new one; any
// version can be made the current one.
func catalog(s *suite) {
	a, b := named("a", "1"), named("b", "2")
	a.Doc = "the first"
	first := s.deploy(api.Deployment{Environment: "env", Tasks: []api.Task{a, b}, Source: "text"})
	if v := first[0]; v.Name != "a" || v.Version != 1 || !v.Current || v.Unchanged || v.Digest != a.Digest() || v.Kind != api.KindOrchestrator ||
		v.Doc != "the first" || v.Environment != "env@1" || v.Created.IsZero() {
		s.Errorf("the first version: %+v", v)
	}
	again := s.deploy(api.Deployment{Environment: "env", Tasks: []api.Task{a, b}, Source: "text"})
	if v := again[0]; v.Version != 1 || !v.Unchanged || !v.Created.Equal(first[0].Created) {
		s.Errorf("the same again: %+v", v)
	}
	changed := named("a", "10")
	if v := s.deploy(api.Deployment{Tasks: []api.Task{changed}})[0]; v.Version != 2 || v.Unchanged || !v.Current {
		s.Errorf("changed: %+v", v)
	}
	versions, err := s.service.Versions(s.Context(), "a")
	s.must(err)
	if len(versions) != 2 || versions[0].Version != 2 || versions[1].Version != 1 || !versions[0].Current || versions[1].Current || versions[0].Task != nil {
		s.Errorf("the versions: %+v", versions)
	}
	s.checkRollback(a, changed)
	s.checkEnvironment()
	s.must(s.service.RemoveTask(s.Context(), "a"))
	_, err = s.service.Submit(s.Context(), api.Submission{Name: "a"})
	s.wantCode(err, api.NotFound)
	s.wantCode(s.service.RemoveTask(s.Context(), "a"), api.NotFound)
	s.checkEnvironment()
}

func (s *suite) checkRollback(first, second api.Task) {
	s.Helper()
	v, err := s.service.Rollback(s.Context(), "a", 1)
	s.must(err)
	if v.Version != 1 || !v.Current {
		s.Errorf("rolled back to %+v", v)
	}
	for ref, want := range map[string]*api.Task{"a": &first, "a@1": &first, "a@2": &second} {
		v, err := s.service.Task(s.Context(), ref)
		s.must(err)
		if v.Task == nil || v.Task.Digest() != want.Digest() || v.Current != (v.Version == 1) {
			s.Errorf("%s is version %d, current %v", ref, v.Version, v.Current)
		}
	}
	tasks, err := s.service.Tasks(s.Context())
	s.must(err)
	var refs []string
	for _, t := range tasks {
		refs = append(refs, t.Name)
		if !t.Current || t.Task != nil || t.Name == "a" && t.Version != 1 {
			s.Errorf("the list has %+v", t)
		}
	}
	if !slices.Equal(refs, []string{"a", "b"}) {
		s.Errorf("the list: %v", refs)
	}
}

func (s *suite) checkEnvironment() {
	s.Helper()
	for _, ref := range []string{"env", "env@1"} {
		env, err := s.service.Environment(s.Context(), ref)
		s.must(err)
		if env.Version != 1 || !env.Current || env.Source != "text" || !slices.Equal(env.Tasks, []string{"a@1", "b@1"}) {
			s.Errorf("%s: %+v", ref, env)
		}
	}
	all, err := s.service.Environments(s.Context())
	s.must(err)
	if len(all) != 1 || all[0].Name != "env" {
		s.Errorf("the environments: %+v", all)
	}
}

// startByName: a run is of the version that its name meant when it began, and
// says which.
func startByName(s *suite) {
	s.deploy(api.Deployment{Tasks: []api.Task{named("a", "1")}})
	s.deploy(api.Deployment{Tasks: []api.Task{named("a", "2")}})
	start := func(ref, version string, want int64) {
		s.Helper()
		run, err := s.service.Submit(s.Context(), api.Submission{Name: ref})
		s.must(err)
		result, err := s.service.Wait(s.Context(), run.ID)
		s.must(err)
		if got := s.only(result); got != want || run.Version != version || s.get(run.ID).Version != version {
			s.Errorf("%s gave %v as %s, want %d as %s", ref, got, run.Version, want, version)
		}
	}
	start("a", "a@2", 2)
	start("a@1", "a@1", 1)
	_, err := s.service.Rollback(s.Context(), "a", 1)
	s.must(err)
	start("a", "a@1", 1)
	inc, _ := s.counter("inc")
	s.deploy(api.Deployment{Tasks: []api.Task{inc}})
	run, err := s.service.Submit(s.Context(), api.Submission{Name: "inc", Inputs: map[string]any{"x": 41}})
	s.must(err)
	result, err := s.service.Wait(s.Context(), run.ID)
	s.must(err)
	if s.only(result) != int64(42) {
		s.Errorf("got %v", result.Outputs)
	}
	_, err = s.service.Submit(s.Context(), api.Submission{Name: "inc", Inputs: map[string]any{"x": "41"}})
	s.wantCode(err, api.InvalidInput)
}

// catalogRefuses: a deployment is stored as a whole or not at all.
func catalogRefuses(s *suite) {
	good := named("good", "1")
	for name, test := range map[string]struct {
		d    api.Deployment
		code api.Code
	}{
		"no tasks":       {api.Deployment{}, api.InvalidTask},
		"a name twice":   {api.Deployment{Tasks: []api.Task{good, good}}, api.InvalidTask},
		"no name":        {api.Deployment{Tasks: []api.Task{good, named("", "1")}}, api.InvalidTask},
		"a bad name":     {api.Deployment{Tasks: []api.Task{good, named("a@b", "1")}}, api.InvalidTask},
		"bad code":       {api.Deployment{Tasks: []api.Task{good, named("bad", "1 +")}}, api.SyntaxError},
		"bad enviroment": {api.Deployment{Environment: "a/b", Tasks: []api.Task{good}}, api.InvalidTask},
	} {
		_, err := s.service.Deploy(s.Context(), test.d)
		if e := s.wantCode(err, test.code); e.Message == "" {
			s.Errorf("%s: no message", name)
		}
	}
	tasks, err := s.service.Tasks(s.Context())
	s.must(err)
	if len(tasks) != 0 {
		s.Errorf("refused, but there: %+v", tasks)
	}
	s.deploy(api.Deployment{Tasks: []api.Task{good}})
	_, err = s.service.Rollback(s.Context(), "good", 2)
	s.wantCode(err, api.NotFound)
	_, err = s.service.Task(s.Context(), "good@7")
	s.wantCode(err, api.NotFound)
}
