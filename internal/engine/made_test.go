package engine

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// maker is a kind that calls tasks which it makes: each adds what the one before
// gave, so that another order would give another sum.
var maker = runnerFunc(func(ctx context.Context, _ string, req *api.Request) (*api.Result, error) {
	sum := int64(1)
	for id := uint64(1); id <= 3; id++ {
		made := function("add", "x", "y")
		made.Name, made.Idempotent = []string{"first", "second", "second"}[id-1], true
		if err := req.Caller.Start(ctx, api.Call{ID: id, Task: &made, Inputs: map[string]any{"x": sum, "y": int64(id)}}); err != nil {
			return nil, err
		}
		answer, err := req.Caller.Next(ctx, time.Time{})
		if err != nil {
			return nil, err
		}
		sum = answer.Value.(int64) * 2
	}
	return &api.Result{Outputs: []api.Output{{Name: "result", Type: integer, Value: sum}}}, nil
})

// making is a process whose kind of generations is maker.
func (h *host) making(owner string, j *crashing) *Engine {
	h.arithmetic()
	config := h.config(owner, h.journal)
	if j != nil {
		config.Journal = j
	}
	config.Kinds[api.KindCodegen] = maker
	h.mu.Lock()
	h.alive[owner] = true
	h.mu.Unlock()
	return New(config)
}

func generation() *api.Task {
	return &api.Task{Name: "made", Kind: api.KindCodegen, Signature: api.Signature{Outputs: ints("result")}}
}

func TestTasksThatARunnerMakes(t *testing.T) {
	h := newHost(t)
	e := h.making("a", nil)
	defer e.Close()
	result, err := run1(t, e, generation(), nil)
	if got := valueFrom(t, result, err); got != int64(30) {
		t.Errorf("got %v", got)
	}
	var names []string
	for _, rec := range h.journal.(*memory).all(nil) {
		if rec.Parent == result.RunID {
			names = append(names, rec.Task)
		}
	}
	if d := cmp.Diff([]string{"first", "second", "second"}, names); d != "" {
		t.Error(d)
	}
	again, err := e.Rerun(t.Context(), result.RunID, api.RerunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Wait(t.Context(), again.ID); err != nil || h.functions.count("add") != 3 {
		t.Errorf("a rerun did calls again: %d, %v", h.functions.count("add"), err)
	}
}

func TestAWrongTaskThatARunnerMakes(t *testing.T) {
	h := newHost(t)
	e := h.making("a", nil)
	defer e.Close()
	config := h.config("b", h.journal)
	config.Kinds[api.KindCodegen] = runnerFunc(func(ctx context.Context, _ string, req *api.Request) (*api.Result, error) {
		return nil, req.Caller.Start(ctx, api.Call{ID: 1, Task: &api.Task{Name: "f", Kind: api.KindFunction}})
	})
	wrong := New(config)
	defer wrong.Close()
	if _, err := run1(t, wrong, generation(), nil); !errors.Is(err, &api.Error{Code: api.InvalidTask}) {
		t.Error(err)
	}
}

// TestCrashOfMadeCallsAtEveryStep kills the process after each submission.
func TestCrashOfMadeCallsAtEveryStep(t *testing.T) {
	for left := 0; ; left++ {
		if left == 40 {
			t.Fatal("a run takes 40 submissions")
		}
		h := newHost(t)
		dying := newCrashing(h.journal, left)
		first := h.making("a", dying)
		ended := make(chan error, 1)
		go func() {
			_, err := first.Submit(t.Context(), api.Submission{Task: generation(), IdempotencyKey: "k"})
			if err == nil {
				_, err = first.Wait(t.Context(), h.journal.(*memory).first())
			}
			ended <- err
		}()
		died := false
		select {
		case <-dying.died:
			died = true
			close(dying.gone)
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
		}
		h.kill("a", first)
		if !died {
			return
		}
		kept := len(h.journal.(*memory).ended())
		before := h.functions.count("add")
		second := h.making("b", nil)
		if _, err := second.Recover(t.Context(), true); err != nil {
			t.Fatal(err)
		}
		run, err := second.Submit(t.Context(), api.Submission{Task: generation(), IdempotencyKey: "k"})
		if err != nil {
			t.Fatal(err)
		}
		result, err := second.Wait(t.Context(), run.ID)
		if got := valueFrom(t, result, err); got != int64(30) {
			t.Errorf("after %d submissions: got %v", left, got)
		}
		if again := h.functions.count("add") - before; again > 3-kept {
			t.Errorf("after %d submissions, %d calls were kept, and %d were done again", left, kept, again)
		}
		second.Close()
	}
}
