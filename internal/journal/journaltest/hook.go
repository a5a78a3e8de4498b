package journaltest

import (
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// RunHooks judges a store of hooks, which is empty.
func RunHooks(t *testing.T, s journal.Hooks) {
	hook := func(name, task string) journal.HookRecord {
		spec := api.HookSpec{Name: name, Task: task, Secret: "s", Fields: map[string]string{"x": "/a"}, Paused: true}
		return journal.HookRecord{Hook: api.Hook{HookSpec: spec, Created: epoch(), Changed: epoch()}, DeclaredPaused: true}
	}
	want := func(hooks ...journal.HookRecord) {
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
	must(s.PutHooks(t.Context(), []journal.HookRecord{hook("b", "one"), hook("a", "one")}, nil))
	want(hook("a", "one"), hook("b", "one"))
	must(s.PutHooks(t.Context(), []journal.HookRecord{hook("b", "two"), hook("c", "one")}, []string{"a", "none"}))
	want(hook("b", "two"), hook("c", "one"))
	got, err := s.Hook(t.Context(), "b")
	if err != nil || got.Task != "two" {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := s.Hook(t.Context(), "a"); !errors.Is(err, journal.ErrNotFound) {
		t.Errorf("a hook that was removed: %v", err)
	}
	for i := range journal.KeptCalls + 5 {
		must(s.AddCall(t.Context(), "b", api.HookCall{Time: epoch(), Message: strconv.Itoa(i), State: api.CallStarted, Run: "run"}))
	}
	must(s.AddCall(t.Context(), "c", api.HookCall{Message: "c"}))
	must(s.AddCall(t.Context(), "none", api.HookCall{Message: "none"}))
	calls, err := s.HookCalls(t.Context(), "b", 2*journal.KeptCalls)
	if err != nil || len(calls) != journal.KeptCalls || calls[0].Message != "104" || calls[0].Run != "run" || !calls[0].Time.Equal(epoch()) || calls[99].Message != "5" {
		t.Errorf("%d calls, %v: %+v", len(calls), err, calls[:1])
	}
	must(s.PutHooks(t.Context(), nil, []string{"b"}))
	must(s.PutHooks(t.Context(), []journal.HookRecord{hook("b", "new")}, nil))
	for name, n := range map[string]int{"b": 0, "c": 1, "none": 0} {
		if calls, err := s.HookCalls(t.Context(), name, 10); err != nil || len(calls) != n {
			t.Errorf("hook %s has %d calls, %v", name, len(calls), err)
		}
	}
}
