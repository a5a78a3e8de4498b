package app

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal/postgres/pgtest"
)

// TestNodeSelector: a run is carried out by a node that has its labels, wherever it was
// submitted, and a node says what it has.
func TestNodeSelector(t *testing.T) {
	server := pgtest.Shared(t)
	name, shared := server.Create(t), t.TempDir()
	plain := startNode(t, server.URL(name), shared)
	startNode(t, server.URL(name), shared, "zone=a", "disk=fast")
	run, err := plain.client.Submit(t.Context(), api.Submission{Task: counting(1), NodeSelector: map[string]string{"zone": "a"}})
	if err != nil {
		t.Fatal(err)
	}
	if result, err := plain.client.Wait(t.Context(), run.ID); err != nil || result.Outputs[0].Value != int64(10) {
		t.Fatalf("got %+v, %v", result, err)
	}
	nodes, err := plain.client.Nodes(t.Context())
	if err != nil || len(nodes) != 2 {
		t.Fatalf("%d nodes, %v", len(nodes), err)
	}
	owner := ""
	for ev, err := range plain.client.Events(t.Context(), run.ID, 0) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Kind == api.EventStarted {
			var started api.StartedData
			if err := json.Unmarshal(ev.Data, &started); err != nil {
				t.Fatal(err)
			}
			owner = started.Owner
		}
	}
	for _, n := range nodes {
		if n.Memory <= 0 || n.FreeMemory != n.Memory || n.CPU < 1 {
			t.Errorf("node %+v", n)
		}
		if n.Self {
			if n.ID == owner || n.Labels != nil {
				t.Errorf("the run was carried out by %+v", n)
			}
			continue
		}
		if diff := cmp.Diff(map[string]string{"zone": "a", "disk": "fast"}, n.Labels); n.ID != owner || diff != "" {
			t.Errorf("the run was carried out by %q, and the node is %+v", owner, n)
		}
	}
	nowhere, err := plain.client.Submit(t.Context(), api.Submission{Task: counting(1), NodeSelector: map[string]string{"zone": "b"}})
	if err != nil {
		t.Fatal(err)
	}
	want := &api.Waiting{Reason: api.WaitNodeSelector, Message: "no node has zone=b", Never: true}
	if run, err := plain.client.Run(t.Context(), nowhere.ID); err != nil || run.Status != api.StatusQueued || cmp.Diff(want, run.Waiting) != "" {
		t.Errorf("got %+v, %v", run, err)
	}
	startNode(t, server.URL(name), shared, "zone=b")
	if result, err := plain.client.Wait(t.Context(), nowhere.ID); err != nil || result.Outputs[0].Value != int64(10) {
		t.Errorf("after a node came: %+v, %v", result, err)
	}
	// A tool that is a function holds the run where it is.
	f := api.Task{Name: "f", Kind: api.KindFunction, Function: &api.Function{ID: "f"}}
	task := counting(1)
	task.Orchestrator.Tools = append(task.Orchestrator.Tools, f)
	_, err = plain.client.Submit(t.Context(), api.Submission{Task: task, NodeSelector: map[string]string{"zone": "a"}})
	if !errors.Is(err, &api.Error{Code: api.InvalidTask}) || api.AsError(err).Details.Field != "node_selector" {
		t.Errorf("got %v", err)
	}
}
