package engine

import (
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestManyAtOnce has a thousand orchestrators under way, each with calls and an
// orchestrator below it, in fewer slots than there are runs.
func TestManyAtOnce(t *testing.T) {
	runs := 1000
	if testing.Short() {
		runs = 200
	}
	h := newHost(t)
	c := h.config("a", h.journal)
	h.alive["a"] = true
	c.Limits = map[api.TaskKind]int{api.KindOrchestrator: 50, api.KindFunction: 20}
	e := New(c)
	defer e.Close()
	tools := h.arithmetic()
	inner := withN(orchestrate("sum(await gather(*[add(i, n) for i in range(3)]))", integer, tools[0]))
	inner.Name = "inner"
	task := withN(orchestrate("add(inner(n), multiply(n, 2))", integer, *inner, tools[0], tools[1]))
	var all sync.WaitGroup
	for i := range runs {
		all.Go(func() {
			result, err := run1(t, e, task, map[string]any{"n": i})
			if err != nil || result.Outputs[0].Value != int64(3+5*i) {
				t.Errorf("run %d: %v, %v", i, result, err)
			}
		})
	}
	all.Wait()
	e.checkRest(t)
	if n := h.functions.count("add"); n != 4*runs {
		t.Errorf("add was carried out %d times", n)
	}
	checkAllOf(t, h)
}

// TestNestedSlots has runs wait for runs of their own kind while all slots are
// taken: a run below continues in the slot of the run that waits for it.
func TestNestedSlots(t *testing.T) {
	h := newHost(t)
	c := h.config("a", h.journal)
	h.alive["a"] = true
	c.Limits = map[api.TaskKind]int{api.KindOrchestrator: 1, api.KindFunction: 1}
	e := New(c)
	defer e.Close()
	task := orchestrate("add(1, 1)", integer, h.arithmetic()[0])
	for range 4 {
		task.Name = "inner"
		task = orchestrate("sum(await gather(inner(), inner()))", integer, *task)
	}
	result, err := run1(t, e, task, nil)
	if got := valueFrom(t, result, err); got != int64(32) {
		t.Errorf("got %v", got)
	}
	e.checkRest(t)
}

// Runs that are under way when the engine drains still make their calls, and
// end well.
func TestDrain(t *testing.T) {
	h, held, release, task := holding(t)
	e := h.engine("a", nil)
	defer e.Close()
	run := submit(t, e, api.Submission{Task: task})
	<-held
	drained := make(chan error)
	go func() { drained <- e.Drain(t.Context()) }()
	for {
		if _, err := e.Submit(t.Context(), api.Submission{Task: task}); err != nil {
			if api.AsError(err).Code != api.ServerUnavailable {
				t.Errorf("submit: %v", err)
			}
			break
		}
	}
	close(release)
	if err := <-drained; err != nil {
		t.Error(err)
	}
	result, err := e.Wait(t.Context(), run.ID)
	if got := valueFrom(t, result, err); got != int64(13) {
		t.Errorf("got %v", got)
	}
}
