package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

func TestParseRef(t *testing.T) {
	long := strings.Repeat("x", 128)
	for ref, want := range map[string]struct {
		name    string
		version int
	}{
		"a": {"a", 0}, "a@1": {"a", 1}, "team.Job_2-x@1000000000": {"team.Job_2-x", 1e9}, long + "@12": {long, 12}, "_": {"_", 0}, "..a": {"..a", 0},
	} {
		name, version, err := ParseRef(ref)
		if err != nil || name != want.name || version != want.version {
			t.Errorf("ParseRef(%q) = %q, %d, %v", ref, name, version, err)
		}
		if version != 0 && Ref(name, version) != ref {
			t.Errorf("Ref(%q, %d) = %q", name, version, Ref(name, version))
		}
	}
	for _, ref := range []string{
		"", "@1", "a@", "a@0", "a@-1", "a@01", "a@+1", "a@1.0", "a@1@2", "a@1000000001", "a@99999999999999999999", ".", "..", "-a", "a b", "a/b",
		"ä", "a\n", "a@1 ", "a\x00", "\xff", long + "x",
	} {
		if name, version, err := ParseRef(ref); !errors.Is(err, &api.Error{Code: api.RequestInvalid}) {
			t.Errorf("ParseRef(%q) = %q, %d, %v; want request_invalid", ref, name, version, err)
		}
	}
}

func FuzzParseRef(f *testing.F) {
	f.Add("a@1")
	f.Add("\xff@1")
	f.Fuzz(func(t *testing.T, ref string) {
		name, version, err := ParseRef(ref)
		if err != nil {
			return
		}
		if !ValidName(name) || ref != name && ref != Ref(name, version) {
			t.Errorf("ParseRef(%q) = %q, %d", ref, name, version)
		}
	})
}

// shelf is a Store in memory, as far as the service needs one.
type shelf struct {
	tasks   map[string][]api.TaskVersion
	envs    map[string][]api.Environment
	removed map[string]bool
	err     error // of every call
}

func (s *shelf) Deploy(_ context.Context, env *api.Environment, tasks []api.TaskVersion, _ bool) ([]api.TaskVersion, error) {
	if s.err != nil {
		return nil, s.err
	}
	for i := range tasks {
		name := tasks[i].Name
		tasks[i].Version = len(s.tasks[name]) + 1
		s.tasks[name] = append(s.tasks[name], tasks[i])
	}
	if env != nil {
		env.Version = len(s.envs[env.Name]) + 1
		s.envs[env.Name] = append(s.envs[env.Name], *env)
	}
	return tasks, nil
}

func (s *shelf) Tasks(context.Context) ([]api.TaskVersion, error) {
	var list []api.TaskVersion
	for name, versions := range s.tasks {
		if !s.removed[name] {
			list = append(list, versions[len(versions)-1])
		}
	}
	return list, s.err
}

func (s *shelf) Task(_ context.Context, name string, version int) (*api.TaskVersion, error) {
	if version == 0 && s.removed[name] {
		return nil, ErrNotFound
	}
	return pick(s.tasks[name], version, s.err)
}

func (s *shelf) Versions(_ context.Context, name string) ([]api.TaskVersion, error) {
	newestFirst := slices.Clone(s.tasks[name])
	slices.Reverse(newestFirst)
	return newestFirst, s.err
}

func (s *shelf) Rollback(_ context.Context, name string, version int) (*api.TaskVersion, error) {
	return pick(s.tasks[name], version, s.err)
}

func (s *shelf) Remove(_ context.Context, name string) error {
	if len(s.tasks[name]) == 0 && s.err == nil {
		return ErrNotFound
	}
	s.removed[name] = true
	return s.err
}

func (s *shelf) Environments(context.Context) ([]api.Environment, error) {
	var list []api.Environment
	for _, versions := range s.envs {
		list = append(list, versions[len(versions)-1])
	}
	return list, s.err
}

func (s *shelf) Environment(_ context.Context, name string, version int) (*api.Environment, error) {
	return pick(s.envs[name], version, s.err)
}

func (s *shelf) References(context.Context, func(string) error) error { return s.err }

func pick[T any](versions []T, version int, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	if version == 0 {
		version = len(versions)
	}
	if version < 1 || version > len(versions) {
		return nil, fmt.Errorf("version %d: %w", version, ErrNotFound)
	}
	return &versions[version-1], nil
}

func newService(t *testing.T) (*Service, *shelf) {
	t.Helper()
	store := &shelf{tasks: map[string][]api.TaskVersion{}, envs: map[string][]api.Environment{}, removed: map[string]bool{}}
	s := &Service{Store: store, Validate: func(task *api.Task) ([]string, error) {
		if task.Code == "" {
			return nil, api.Errorf(api.InvalidTask, "code is missing").WithDetails(api.Details{Field: "code"})
		}
		return nil, nil
	}}
	for _, code := range []string{"1", "2"} {
		d := api.Deployment{Environment: "prod", Tasks: []api.Task{{Name: "count", Code: code}, {Name: "report", Code: code}}}
		if _, err := s.Deploy(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	return s, store
}

func TestDeploy(t *testing.T) {
	s, store := newService(t)
	tasks := []api.Task{{Name: "b", Code: "1", Doc: "words"}, {Name: "a", Code: "2", Kind: api.KindOrchestrator}}
	got, err := s.Deploy(t.Context(), api.Deployment{Environment: "dev", Tasks: tasks, Source: "text"})
	if err != nil {
		t.Fatal(err)
	}
	want := []api.TaskVersion{
		{Name: "b", Version: 1, Digest: tasks[0].Digest(), Kind: api.KindSandbox, Doc: "words", Task: &tasks[0]},
		{Name: "a", Version: 1, Digest: tasks[1].Digest(), Kind: api.KindOrchestrator, Task: &tasks[1]},
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("versions (-got +want):\n%s", diff)
	}
	if env := store.envs["dev"]; len(env) != 1 || env[0].Source != "text" {
		t.Errorf("environment = %+v", env)
	}
	// A deployed task does not change with the caller's task.
	tasks[0].Code = "changed"
	if task, err := s.Task(t.Context(), "b"); err != nil || task.Task.Code != "1" {
		t.Errorf("the deployed task became %+v, %v", task.Task, err)
	}
}

func TestDeployRefuses(t *testing.T) {
	ok := api.Task{Name: "a", Code: "1"}
	many := make([]api.Task, maxTasks+1)
	for name, tt := range map[string]struct {
		d     api.Deployment
		field string
		says  string
	}{
		"no tasks":          {api.Deployment{}, "tasks", "empty"},
		"too many tasks":    {api.Deployment{Tasks: many}, "tasks", "10001 tasks"},
		"no name":           {api.Deployment{Tasks: []api.Task{ok, {Code: "1"}}}, "tasks[1].name", `""`},
		"bad name":          {api.Deployment{Tasks: []api.Task{{Name: "../a", Code: "1"}}}, "tasks[0].name", `"../a"`},
		"name twice":        {api.Deployment{Tasks: []api.Task{ok, {Name: "b", Code: "1"}, ok}}, "tasks[2].name", "tasks[0]"},
		"bad environment":   {api.Deployment{Environment: "a b", Tasks: []api.Task{ok}}, "environment", `"a b"`},
		"long source":       {api.Deployment{Source: strings.Repeat(" ", maxSource+1), Tasks: []api.Task{ok}}, "source", "bytes long"},
		"source of no text": {api.Deployment{Source: "\xff", Tasks: []api.Task{ok}}, "source", "UTF-8"},
		"invalid task":      {api.Deployment{Tasks: []api.Task{ok, {Name: "b"}}}, "code", "task b: code is missing"},
	} {
		s, store := newService(t)
		_, err := s.Deploy(t.Context(), tt.d)
		e := api.AsError(err)
		if e == nil || e.Code != api.InvalidTask || e.Details.Field != tt.field || !strings.Contains(e.Message, tt.says) {
			t.Errorf("%s: err = %+v, want invalid_task of %s that says %q", name, e, tt.field, tt.says)
		}
		if len(store.tasks) != 2 {
			t.Errorf("%s: something was stored: %v", name, store.tasks)
		}
	}
}

func TestLookups(t *testing.T) {
	s, _ := newService(t)
	ctx := t.Context()
	if task, err := s.Task(ctx, "count"); err != nil || task.Version != 2 {
		t.Errorf("Task = %+v, %v", task, err)
	}
	if task, err := s.Task(ctx, "count@1"); err != nil || task.Version != 1 || task.Task.Code != "1" {
		t.Errorf("Task = %+v, %v", task, err)
	}
	if list, err := s.Versions(ctx, "count"); err != nil || len(list) != 2 {
		t.Errorf("Versions = %v, %v", list, err)
	}
	if task, err := s.Rollback(ctx, "count", 1); err != nil || task.Version != 1 {
		t.Errorf("Rollback = %+v, %v", task, err)
	}
	if env, err := s.Environment(ctx, "prod@1"); err != nil || env.Version != 1 {
		t.Errorf("Environment = %+v, %v", env, err)
	}
	if list, err := s.Environments(ctx); err != nil || len(list) != 1 {
		t.Errorf("Environments = %v, %v", list, err)
	}
	if list, err := s.Tasks(ctx); err != nil || len(list) != 2 {
		t.Errorf("Tasks = %v, %v", list, err)
	}
}

func TestLookupsFail(t *testing.T) {
	s, _ := newService(t)
	ctx := t.Context()
	get := map[string]func() error{
		"task cuont":        func() error { _, err := s.Task(ctx, "cuont"); return err },
		"task cuont@1":      func() error { _, err := s.Task(ctx, "cuont@1"); return err },
		"task count@3":      func() error { _, err := s.Task(ctx, "count@3"); return err },
		"task nothing":      func() error { _, err := s.Task(ctx, "nothing.like.it"); return err },
		"task count@0":      func() error { _, err := s.Task(ctx, "count@0"); return err },
		"versions of cuont": func() error { _, err := s.Versions(ctx, "cuont"); return err },
		"versions of /":     func() error { _, err := s.Versions(ctx, "count@1"); return err },
		"rollback to 3":     func() error { _, err := s.Rollback(ctx, "count", 3); return err },
		"rollback of cuont": func() error { _, err := s.Rollback(ctx, "cuont", 1); return err },
		"rollback to 0":     func() error { _, err := s.Rollback(ctx, "count", 0); return err },
		"environment prdo":  func() error { _, err := s.Environment(ctx, "prdo"); return err },
		"environment @3":    func() error { _, err := s.Environment(ctx, "prod@3"); return err },
		"environment /":     func() error { _, err := s.Environment(ctx, "/"); return err },
	}
	want := map[string]string{
		"task cuont": "not_found count", "task cuont@1": "not_found count", "task count@3": "not_found count@2", "task nothing": "not_found ",
		"task count@0": "request_invalid ", "versions of cuont": "not_found count", "versions of /": "request_invalid ",
		"rollback to 3": "not_found count@2", "rollback of cuont": "not_found count", "rollback to 0": "request_invalid ",
		"environment prdo": "not_found prod", "environment @3": "not_found prod@2", "environment /": "request_invalid ",
	}
	got := map[string]string{}
	for name, f := range get {
		e := api.AsError(f())
		got[name] = string(e.Code) + " " + e.Details.Suggestion
	}
	if diff := cmp.Diff(got, want); diff != "" {
		t.Errorf("errors (-got +want):\n%s", diff)
	}
}

func TestErrorsOfTheStoreKeepTheirCode(t *testing.T) {
	s, store := newService(t)
	full := api.Errorf(api.StorageFull, "no space")
	store.err = full
	ctx := t.Context()
	_, deploy := s.Deploy(ctx, api.Deployment{Tasks: []api.Task{{Name: "a", Code: "1"}}})
	_, tasks := s.Tasks(ctx)
	_, task := s.Task(ctx, "count")
	_, versions := s.Versions(ctx, "count")
	_, rollback := s.Rollback(ctx, "count", 1)
	_, envs := s.Environments(ctx)
	_, env := s.Environment(ctx, "prod")
	remove := s.RemoveTask(ctx, "count")
	for i, err := range []error{deploy, tasks, task, versions, rollback, remove, envs, env} {
		if !errors.Is(err, full) {
			t.Errorf("call %d: err = %v, want that of the store", i, err)
		}
	}
}

// TestRemovedTask: the error of a removed task says that it was removed, and
// how to bring it back.
func TestRemovedTask(t *testing.T) {
	s, _ := newService(t)
	ctx := t.Context()
	if err := s.RemoveTask(ctx, "count"); err != nil {
		t.Fatal(err)
	}
	_, err := s.Task(ctx, "count")
	e := api.AsError(err)
	if e == nil || e.Code != api.NotFound || e.Details.Suggestion != "count@2" || !strings.Contains(e.Message, "was removed") || !strings.Contains(e.Hint, "rollback count 2") {
		t.Errorf("got %+v", e)
	}
	if v, err := s.Task(ctx, "count@1"); err != nil || v.Version != 1 {
		t.Errorf("got %+v, %v", v, err)
	}
	for name, want := range map[string]api.Code{"cuont": api.NotFound, "count@1": api.RequestInvalid, "": api.RequestInvalid} {
		if e := api.AsError(s.RemoveTask(ctx, name)); e == nil || e.Code != want {
			t.Errorf("%q: got %v, want %s", name, e, want)
		}
	}
}
