// Package catalogtest is the suite of stores of deployed tasks: what every
// implementation must do, wherever it keeps them.
package catalogtest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/catalog"
)

// Run judges a store. Each call of open returns an empty one.
func Run(t *testing.T, open func(t *testing.T) catalog.Store) {
	for name, test := range map[string]func(*testing.T, catalog.Store){
		"Versions": versions, "Unchanged": unchanged, "Rollback": rollback, "Remove": remove, "AllOrNothing": allOrNothing, "FreeNames": freeNames,
		"Environments": environments, "Missing": missing, "AtOnce": atOnce, "References": references,
	} {
		t.Run(name, func(t *testing.T) { test(t, open(t)) })
	}
}

// task is a version of a task to be deployed.
func task(name, code string) api.TaskVersion {
	definition := &api.Task{Name: name, Code: code}
	return api.TaskVersion{Name: name, Digest: definition.Digest(), Kind: api.KindSandbox, Doc: code, Task: definition}
}

func deploy(t *testing.T, s catalog.Store, env *api.Environment, tasks ...api.TaskVersion) []api.TaskVersion {
	t.Helper()
	deployed, err := s.Deploy(t.Context(), env, tasks, false)
	if err != nil {
		t.Fatalf("deploy: %v", err)
	}
	if len(deployed) != len(tasks) {
		t.Fatalf("deployed %d tasks, got %d", len(tasks), len(deployed))
	}
	return deployed
}

// described is NAME@VERSION, the code, and what is said of it.
func described(tasks ...api.TaskVersion) []string {
	texts := []string{}
	for _, v := range tasks {
		text := fmt.Sprintf("%s@%d %s", v.Name, v.Version, v.Doc)
		if v.Current {
			text += " current"
		}
		if v.Unchanged {
			text += " unchanged"
		}
		if v.Restored {
			text += " restored"
		}
		if v.Environment != "" {
			text += " in " + v.Environment
		}
		if v.Created.IsZero() {
			text += " never created"
		}
		texts = append(texts, text)
	}
	return texts
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func list(t *testing.T, tasks []api.TaskVersion, err error) []string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range tasks {
		if v.Task != nil {
			t.Errorf("a list has the whole task of %s", v.Name)
		}
	}
	return described(tasks...)
}

func versions(t *testing.T, s catalog.Store) {
	ctx := t.Context()
	same(t, "first", described(deploy(t, s, nil, task("b", "one"), task("a", "one"))...), []string{"b@1 one current", "a@1 one current"})
	same(t, "second", described(deploy(t, s, nil, task("a", "two"))...), []string{"a@2 two current"})
	same(t, "back to the first", described(deploy(t, s, nil, task("a", "one"))...), []string{"a@3 one current"})
	tasks, err := s.Tasks(ctx)
	same(t, "tasks", list(t, tasks, err), []string{"a@3 one current", "b@1 one current"})
	of, err := s.Versions(ctx, "a")
	same(t, "versions", list(t, of, err), []string{"a@3 one current", "a@2 two", "a@1 one"})
	for version, code := range map[int]string{0: "one", 1: "one", 2: "two"} {
		v, err := s.Task(ctx, "a", version)
		if err != nil || v.Task == nil || v.Task.Code != code || v.Digest != v.Task.Digest() {
			t.Errorf("version %d: got %+v, %v", version, v, err)
		}
	}
}

func unchanged(t *testing.T, s catalog.Store) {
	first := deploy(t, s, &api.Environment{Name: "env"}, task("a", "one"))
	again := deploy(t, s, nil, task("b", "one"), task("a", "one"))
	same(t, "again", described(again...), []string{"b@1 one current", "a@1 one current unchanged in env@1"})
	if !again[1].Created.Equal(first[0].Created) {
		t.Errorf("created at %v, and again at %v", first[0].Created, again[1].Created)
	}
	v, err := s.Task(t.Context(), "a", 0)
	if err != nil || v.Unchanged {
		t.Errorf("unchanged belongs to a deployment only: got %+v, %v", v, err)
	}
}

func rollback(t *testing.T, s catalog.Store) {
	ctx := t.Context()
	deploy(t, s, nil, task("a", "one"))
	deploy(t, s, nil, task("a", "two"))
	v, err := s.Rollback(ctx, "a", 1)
	if err != nil || v.Task == nil {
		t.Fatalf("got %+v, %v", v, err)
	}
	same(t, "rolled back", described(*v), []string{"a@1 one current"})
	for _, version := range []int{3, 0, -1} {
		if _, err := s.Rollback(ctx, "a", version); !errors.Is(err, catalog.ErrNotFound) {
			t.Errorf("rollback to version %d: got error %v, want %v", version, err, catalog.ErrNotFound)
		}
	}
	of, err := s.Versions(ctx, "a")
	same(t, "versions", list(t, of, err), []string{"a@2 two", "a@1 one current"})
	same(t, "the newest again", described(deploy(t, s, nil, task("a", "two"))...), []string{"a@2 two current unchanged restored"})
	of, err = s.Versions(ctx, "a")
	same(t, "versions", list(t, of, err), []string{"a@2 two current", "a@1 one"})
	if _, err := s.Rollback(ctx, "a", 1); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Deploy(ctx, nil, []api.TaskVersion{task("a", "two")}, true); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("who may not change a name made the newest current: got error %v", err)
	}
	same(t, "another", described(deploy(t, s, nil, task("a", "three"))...), []string{"a@3 three current"})
}

// remove leaves the versions of a name, and numbers that go on.
func remove(t *testing.T, s catalog.Store) {
	ctx := t.Context()
	deploy(t, s, &api.Environment{Name: "env"}, task("a", "one"), task("b", "one"))
	deploy(t, s, nil, task("a", "two"))
	if err := s.Remove(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "nobody"} {
		if err := s.Remove(ctx, name); !errors.Is(err, catalog.ErrNotFound) {
			t.Errorf("removing %s: got error %v, want %v", name, err, catalog.ErrNotFound)
		}
	}
	if v, err := s.Task(ctx, "a", 0); !errors.Is(err, catalog.ErrNotFound) {
		t.Errorf("the name means %+v, %v", v, err)
	}
	if v, err := s.Task(ctx, "a", 1); err != nil || v.Task == nil || v.Current {
		t.Errorf("a version that an environment names: got %+v, %v", v, err)
	}
	tasks, err := s.Tasks(ctx)
	same(t, "tasks", list(t, tasks, err), []string{"b@1 one current in env@1"})
	of, err := s.Versions(ctx, "a")
	same(t, "versions", list(t, of, err), []string{"a@2 two", "a@1 one in env@1"})
	if _, err := s.Deploy(ctx, nil, []api.TaskVersion{task("a", "three")}, true); !errors.Is(err, &api.Error{Code: api.Conflict}) {
		t.Errorf("who may not change a name took it: got error %v", err)
	}
	if _, err := s.Rollback(ctx, "a", 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	same(t, "the newest again", described(deploy(t, s, nil, task("a", "two"))...), []string{"a@2 two current unchanged restored"})
	if err := s.Remove(ctx, "a"); err != nil {
		t.Fatal(err)
	}
	same(t, "another", described(deploy(t, s, nil, task("a", "three"))...), []string{"a@3 three current"})
}

func allOrNothing(t *testing.T, s catalog.Store) {
	env := &api.Environment{Name: "env"}
	_, err := s.Deploy(t.Context(), env, []api.TaskVersion{task("a", "one"), task("a", "two")}, false)
	if !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Errorf("one name twice: got error %v", err)
	}
	if _, err := s.Deploy(t.Context(), &api.Environment{}, []api.TaskVersion{task("a", "one")}, false); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Errorf("an environment without name: got error %v", err)
	}
	tasks, err := s.Tasks(t.Context())
	same(t, "tasks", list(t, tasks, err), []string{})
	if env.Version != 0 {
		t.Errorf("the environment got version %d all the same", env.Version)
	}
}

func environments(t *testing.T, s catalog.Store) {
	ctx := t.Context()
	env := &api.Environment{Name: "env", Source: "first"}
	same(t, "deployed", described(deploy(t, s, env, task("a", "one"), task("b", "one"))...), []string{"a@1 one current in env@1", "b@1 one current in env@1"})
	same(t, "tasks", env.Tasks, []string{"a@1", "b@1"})
	again := &api.Environment{Name: "env", Source: "first"}
	deploy(t, s, again, task("a", "one"), task("b", "one"))
	if again.Version != 1 || !again.Created.Equal(env.Created) || !again.Current {
		t.Errorf("the same environment again: got %+v", again)
	}
	deploy(t, s, &api.Environment{Name: "env", Source: "second"}, task("a", "one"), task("b", "two"))
	deploy(t, s, &api.Environment{Name: "another"}, task("c", "one"))
	all, err := s.Environments(ctx)
	if err != nil || len(all) != 2 || all[0].Name != "another" || all[1].Version != 2 || !all[1].Current {
		t.Fatalf("environments: got %+v, %v", all, err)
	}
	same(t, "tasks of the second", all[1].Tasks, []string{"a@1", "b@2"})
	old, err := s.Environment(ctx, "env", 1)
	if err != nil || old.Current || old.Source != "first" {
		t.Errorf("the first version: got %+v, %v", old, err)
	}
	current, err := s.Environment(ctx, "env", 0)
	if err != nil || current.Version != 2 {
		t.Errorf("the current version: got %+v, %v", current, err)
	}
}

func missing(t *testing.T, s catalog.Store) {
	ctx := t.Context()
	deploy(t, s, &api.Environment{Name: "env"}, task("a", "one"))
	_, name := s.Task(ctx, "b", 0)
	_, version := s.Task(ctx, "a", 2)
	_, versions := s.Versions(ctx, "b")
	_, env := s.Environment(ctx, "a", 0)
	_, envVersion := s.Environment(ctx, "env", 2)
	for what, err := range map[string]error{"task": name, "version": version, "versions": versions, "environment": env, "its version": envVersion} {
		if !errors.Is(err, catalog.ErrNotFound) {
			t.Errorf("%s: got error %v, want %v", what, err, catalog.ErrNotFound)
		}
	}
}

// freeNames deploys without changing what any name means, whoever deploys the
// same name meanwhile (attack C04).
func freeNames(t *testing.T, s catalog.Store) {
	ctx := t.Context()
	deploy(t, s, &api.Environment{Name: "env"}, task("a", "one"))
	for _, c := range []struct {
		env   string
		tasks []api.TaskVersion
		taken bool
	}{
		{"", []api.TaskVersion{task("a", "one"), task("b", "one")}, false},
		{"env", []api.TaskVersion{task("a", "one")}, false},
		{"new", []api.TaskVersion{task("a", "one")}, false},
		{"", []api.TaskVersion{task("c", "one"), task("a", "two")}, true},
		{"env", []api.TaskVersion{task("c", "one")}, true},
		{"env", []api.TaskVersion{task("a", "one"), task("b", "one")}, true},
	} {
		var env *api.Environment
		if c.env != "" {
			env = &api.Environment{Name: c.env}
		}
		_, err := s.Deploy(ctx, env, c.tasks, true)
		if taken := errors.Is(err, &api.Error{Code: api.Conflict}); taken != c.taken || (err != nil) != c.taken {
			t.Errorf("%s %v: got %v", c.env, described(c.tasks...), err)
		}
	}
	tasks, err := s.Tasks(ctx)
	same(t, "tasks", list(t, tasks, err), []string{"a@1 one current in env@1", "b@1 one current"})

	var group sync.WaitGroup
	var first atomic.Int32
	for i := range 20 {
		group.Go(func() {
			if _, err := s.Deploy(ctx, nil, []api.TaskVersion{task("contested", fmt.Sprint(i))}, true); err == nil {
				first.Add(1)
			}
		})
	}
	group.Wait()
	if first.Load() != 1 {
		t.Errorf("%d deployments got a name that only one could have", first.Load())
	}
}

// atOnce deploys one name from many sides: versions have no gaps, and one of
// them is current.
func atOnce(t *testing.T, s catalog.Store) {
	const deployments = 20
	var group sync.WaitGroup
	for i := range deployments {
		group.Go(func() {
			if _, err := s.Deploy(t.Context(), nil, []api.TaskVersion{task("a", fmt.Sprint(i))}, false); err != nil {
				t.Errorf("deploy: %v", err)
			}
		})
	}
	group.Wait()
	of, err := s.Versions(t.Context(), "a")
	if err != nil || len(of) != deployments {
		t.Fatalf("got %d versions, %v", len(of), err)
	}
	for i, v := range of {
		if v.Version != deployments-i || v.Current != (i == 0) {
			t.Errorf("entry %d is version %d, current %v", i, v.Version, v.Current)
		}
	}
}

// Blobs are those of every version, also of a name that was removed, and of tools.
func references(t *testing.T, s catalog.Store) {
	blobs := func() []string {
		found := []string{}
		err := s.References(t.Context(), func(digest string) error {
			found = append(found, digest)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	same(t, "blobs of nothing", blobs(), []string{})
	digest := func(digit string) string { return strings.Repeat(digit, 64) }
	with := func(name string, digits ...string) api.TaskVersion {
		v := task(name, digest("f")+" is no digest")
		v.Task.Image = api.ImageSpec{Dockerfile: "FROM a", Context: digest(digits[0])}
		for _, digit := range digits[1:] {
			tool := api.Task{Name: "tool-" + digit, Image: api.ImageSpec{Dockerfile: "FROM b", Context: digest(digit)}}
			v.Task.Orchestrator = &api.Orchestrator{Tools: []api.Task{tool}}
		}
		v.Digest = v.Task.Digest()
		return v
	}
	deploy(t, s, nil, with("a", "1"), with("b", "2", "3"), task("none", "1"))
	deploy(t, s, nil, with("a", "4"))
	if err := s.Remove(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	same(t, "blobs", blobs(), []string{digest("1"), digest("2"), digest("3"), digest("4")})
	stop := errors.New("enough")
	if err := s.References(t.Context(), func(string) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got error %v, want that of the caller", err)
	}
}
