package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// dies submits a task to a process that dies after some submissions to the journal.
// It reports false if the run ended before.
func dies(t *testing.T, h *host, owner string, left int, task *api.Task) bool {
	t.Helper()
	dying := newCrashing(h.journal, left)
	e := h.engine(owner, dying)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if _, err := e.Recover(ctx, true); err != nil {
			return // it died before
		}
		run, err := e.Submit(ctx, api.Submission{Task: task, Inputs: given(task), IdempotencyKey: "k"})
		if err == nil {
			_, _ = e.Wait(ctx, run.ID) // what came of it is in the journal
		}
	}()
	died := false
	select {
	case <-dying.died:
		died = true
	case <-ended:
	case <-time.After(30 * time.Second):
		t.Fatalf("the process neither died after %d submissions nor ended", left)
	}
	close(dying.gone)
	h.kill(owner, e)
	cancel()
	<-ended
	return died
}

// TestFailedBeforeItsEnd kills a process at each step of a run that fails. One that
// dies between the failure of the last attempt and the end of the run leaves the end
// to the next process, which makes no attempt that the policy does not allow.
func TestFailedBeforeItsEnd(t *testing.T) {
	for retries := range 2 {
		for left, died := 1, true; died; left++ {
			h := newHost(t)
			h.functions.code["charge"] = func(context.Context, map[string]any) (any, error) {
				return nil, api.Errorf(api.PythonException, "ValueError: no")
			}
			task := function("charge", "x")
			task.Idempotent, task.Retries = true, retries
			died = dies(t, h, "a", left, &task)
			failed, err := h.resumed(t)
			if !errors.Is(err, &api.Error{Code: api.PythonException}) || failed != retries+1 {
				t.Errorf("after %d submissions: %v, and %d attempts failed of %d", left, err, failed, retries+1)
			}
		}
	}
}

// TestDoubtBeforeItsEnd kills processes at each step while they find that the outcome
// of a call is unknown: none makes the call again, until a person resolves it.
func TestDoubtBeforeItsEnd(t *testing.T) {
	for left, died := 1, true; died; left++ {
		h := newHost(t)
		paid, began := 0, make(chan struct{}, 1)
		h.functions.code["pay"] = func(ctx context.Context, _ map[string]any) (any, error) {
			if paid++; paid > 1 {
				return int64(paid), nil
			}
			began <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		task := orchestrate("pay(1)", integer, function("pay", "x"))
		e := h.engine("a", nil)
		if _, err := e.Submit(t.Context(), api.Submission{Task: task, IdempotencyKey: "k"}); err != nil {
			t.Fatal(err)
		}
		<-began
		h.kill("a", e)
		died = dies(t, h, "b", left, task)
		if _, err := h.resumed(t); !errors.Is(err, &api.Error{Code: api.OutcomeUnknown}) || paid != 1 {
			t.Errorf("after %d submissions: %v, paid %d times", left, err, paid)
		}
	}
}

// resumed has another process end the run, and returns how many attempts failed.
func (h *host) resumed(t *testing.T) (failed int, err error) {
	t.Helper()
	e := h.engine("y", nil)
	defer e.Close()
	if _, err := e.Recover(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	id := h.journal.(*memory).first()
	_, err = e.Wait(t.Context(), id)
	events, listed := h.journal.Events(t.Context(), id, 0, 1000)
	if listed != nil {
		t.Fatal(listed)
	}
	for _, ev := range events {
		if ev.Kind == api.EventAttemptEnded {
			failed++
		}
	}
	return failed, err
}

// given are inputs for a task, each of which is 1.
func given(task *api.Task) map[string]any {
	in := map[string]any{}
	for _, p := range task.Signature.Inputs {
		in[p.Name] = 1
	}
	return in
}
