package journaltest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// RunHooks judges a store of hooks, which is empty.
func RunHooks(t *testing.T, s journal.Hooks) {
	hook := func(name, task string) api.Hook {
		return api.Hook{HookSpec: api.HookSpec{Name: name, Task: task, Secret: "s", Fields: map[string]string{"x": "/a"}}, Created: epoch(), Changed: epoch()}
	}
	want := func(hooks ...api.Hook) {
		t.Helper()
		got, err := s.Hooks(t.Context())
		if diff := cmp.Diff(hooks, got); err != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", err, diff)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.PutHooks(t.Context(), []api.Hook{hook("b", "one"), hook("a", "one")}, nil))
	want(hook("a", "one"), hook("b", "one"))
	must(s.PutHooks(t.Context(), []api.Hook{hook("b", "two"), hook("c", "one")}, []string{"a", "none"}))
	want(hook("b", "two"), hook("c", "one"))
	got, err := s.Hook(t.Context(), "b")
	if err != nil || got.Task != "two" {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Hook(t.Context(), "a"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("a hook that was removed: %v", err)
	}
}
