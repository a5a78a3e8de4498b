package servicetest_test

import (
	"context"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/value"
)

// TestWorkerOverHTTP has a function carried out by a process that is connected
// through the server, for a run that the same client started.
func TestWorkerOverHTTP(t *testing.T) {
	a := assemble(t)
	c, err := client.Dial("unix://"+serve(t, a), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	number := []value.Param{{Name: "x", Type: value.Type{Kind: value.KindInt}}}
	task := api.Task{
		Name: "double", Kind: api.KindFunction, Function: &api.Function{ID: "double"},
		Signature: api.Signature{Inputs: number, Outputs: []value.Param{{Name: "result", Type: value.Type{Kind: value.KindInt}}}},
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() {
		served <- client.ServeWorker(ctx, client.WorkerOptions{Name: "w", Dial: c.Connect}, []client.Function{{
			Task: task, Call: func(_ context.Context, call client.Invocation) (map[string]any, error) {
				return map[string]any{"result": call.Inputs["x"].(int64) * 2}, nil
			},
		}})
	}()
	run, err := c.Submit(t.Context(), api.Submission{Task: &task, Inputs: map[string]any{"x": 21}})
	if err != nil {
		t.Fatal(err)
	}
	result, err := c.Wait(t.Context(), run.ID)
	if err != nil || len(result.Outputs) != 1 || result.Outputs[0].Value != int64(42) {
		t.Errorf("got %+v, %v", result, err)
	}
	workers, err := c.Workers(t.Context())
	if err != nil || len(workers) != 1 || workers[0].Name != "w" || !workers[0].Connected {
		t.Errorf("the workers: %+v, %v", workers, err)
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}
