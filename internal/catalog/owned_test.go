package catalog_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/catalog"
	"github.com/glovebox-dev/glovebox/internal/catalog/catalogtest"
	"github.com/glovebox-dev/glovebox/internal/journal/sqlite"
)

func openOwned(t *testing.T) catalog.Store {
	db, err := sqlite.Open(t.Context(), t.TempDir()+"/db", sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return catalog.Owned(db.Catalog())
}

// TestOwnedIsAStore: for the home it is the store below.
func TestOwnedIsAStore(t *testing.T) { catalogtest.Run(t, openOwned) }

// TestOwned: two owners and the home have versions of one name that know nothing of each
// other, in tasks and in environments.
func TestOwned(t *testing.T) {
	s := catalog.Service{Store: openOwned(t), Validate: func(*api.Task) ([]string, error) { return nil, nil }}
	as := func(owner string) context.Context {
		return api.WithIdentity(t.Context(), api.Identity{Owner: owner})
	}
	for n, owner := range []string{"", "ann", "bob", "ann"} {
		task := api.Task{Name: "desk.order", Doc: owner + string(rune('a'+n))}
		deployed, err := s.Deploy(as(owner), api.Deployment{Environment: "desk", Tasks: []api.Task{task}})
		if err != nil || deployed[0].Name != "desk.order" {
			t.Fatalf("deploy for %q: %+v, %v", owner, deployed, err)
		}
	}
	for owner, newest := range map[string]int{"": 1, "ann": 2, "bob": 1} {
		ctx := as(owner)
		list, err := s.Tasks(ctx)
		if err != nil || len(list) != 1 || list[0].Name != "desk.order" || list[0].Version != newest || list[0].Environment != catalog.Ref("desk", newest) {
			t.Errorf("tasks of %q: %+v, %v", owner, list, err)
		}
		versions, err := s.Versions(ctx, "desk.order")
		if err != nil || len(versions) != newest {
			t.Errorf("versions of %q: %+v, %v", owner, versions, err)
		}
		env, err := s.Environment(ctx, "desk")
		if err != nil || env.Version != newest || cmp.Diff([]string{catalog.Ref("desk.order", newest)}, env.Tasks) != "" {
			t.Errorf("the environment of %q: %+v, %v", owner, env, err)
		}
		if envs, err := s.Environments(ctx); err != nil || len(envs) != 1 || envs[0].Name != "desk" {
			t.Errorf("environments of %q: %+v, %v", owner, envs, err)
		}
	}
	if err := s.RemoveTask(as("ann"), "desk.order"); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Task(as("bob"), "desk.order"); err != nil || v.Task.Doc[:3] != "bob" {
		t.Errorf("bob has %+v, %v", v, err)
	}
	if _, err := s.Task(as("eve"), "desk.order"); api.AsError(err).Code != api.NotFound || api.AsError(err).Details.Suggestion != "" {
		t.Errorf("eve is told %v", err)
	}
	if _, err := s.Task(as(""), "ann/desk.order"); api.AsError(err).Code != api.RequestInvalid {
		t.Errorf("the home asks for a name of ann: %v", err)
	}
	schedule := api.Deployment{Tasks: []api.Task{{Name: "t"}}, Schedules: []api.ScheduleSpec{{Name: "s", Task: "t"}}}
	if _, err := s.Deploy(as("ann"), schedule); api.AsError(err).Code != api.Forbidden {
		t.Errorf("a schedule of ann: %v", err)
	}
}
