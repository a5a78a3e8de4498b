package engine

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// strictRunner is a Runner whose checker begins to refuse everything.
type strictRunner struct {
	Runner
	refuses atomic.Bool
}

func (r *strictRunner) Validate(task *api.Task) error {
	if r.refuses.Load() {
		return api.Errorf(api.CheckFailed, "a newer checker finds that this would fail")
	}
	return r.Runner.Validate(task)
}

// TestCheckerDoesNotUndoAKey: a run that exists keeps answering its idempotency
// key, whatever a newer checker says. No new run starts.
func TestCheckerDoesNotUndoAKey(t *testing.T) {
	h := newHost(t)
	config := h.config("a", h.journal)
	h.alive["a"] = true
	strict := &strictRunner{Runner: config.Kinds[api.KindOrchestrator]}
	config.Kinds[api.KindOrchestrator] = strict
	e := New(config)
	defer e.Close()
	task := orchestrate("1 + 1", integer)
	first, err := e.Submit(t.Context(), api.Submission{Task: task, IdempotencyKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	strict.refuses.Store(true)
	again, err := e.Submit(t.Context(), api.Submission{Task: task, IdempotencyKey: "k"})
	if err != nil || again.ID != first.ID {
		t.Errorf("the same key got %v, %v, want run %s", again, err, first.ID)
	}
	for name, s := range map[string]api.Submission{
		"without a key": {Task: task}, "another key": {Task: task, IdempotencyKey: "l"},
	} {
		if run, err := e.Submit(t.Context(), s); api.AsError(err).Code != api.CheckFailed {
			t.Errorf("%s: got %v, %v", name, run, err)
		}
	}
	other := api.Submission{Task: orchestrate("1 + 2", integer), IdempotencyKey: "k"}
	if run, err := e.Submit(t.Context(), other); api.AsError(err).Code != api.Conflict {
		t.Errorf("another task: got %v, %v", run, err)
	}
}

// TestValidateKept: a task may be kept without grants that only a start can
// give.
func TestValidateKept(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	inner := *orchestrate("import random\nrandom.randint(1, 2)", integer)
	inner.Name = "dice"
	for _, c := range []struct {
		name          string
		task          *api.Task
		warning, code string
	}{
		{"clock", orchestrate("import time\nint(time.time())", integer), "line 2, column 5: time.time() reads a clock", ""},
		{"virtual clock", withClock(orchestrate("import time\nint(time.time())", integer), api.VirtualClock), "reads a clock", ""},
		{"random", &inner, "random.randint() needs randomness", ""},
		{"granted", withClock(orchestrate("import time\nint(time.time())", integer), api.RealClock), "", ""},
		{"other fault", orchestrate("import time\ntime.time()\nmissing", integer), "", "name missing is not defined"},
		{"of a tool", orchestrate("dice()", integer, inner), "", "tool dice: "},
	} {
		warnings, err := e.ValidateKept(c.task)
		if got := strings.Join(warnings, "\n"); c.warning == "" && got != "" || !strings.Contains(got, c.warning) {
			t.Errorf("%s: warnings %q, want %q", c.name, got, c.warning)
		}
		if c.code == "" && err != nil || c.code != "" && (api.AsError(err) == nil || !strings.Contains(err.Error(), c.code)) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.code)
		}
	}
}

func withClock(task *api.Task, clock api.Clock) *api.Task {
	task.Orchestrator.Clock = clock
	return task
}
