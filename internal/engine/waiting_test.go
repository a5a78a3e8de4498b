package engine

import (
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

func TestWhyNotTaken(t *testing.T) {
	small := api.Node{State: api.NodeActive, CPU: 8, Memory: 4 * gi, FreeMemory: 2 * gi, Labels: map[string]string{"zone": "a"}}
	large := api.Node{State: api.NodeActive, CPU: 2, Memory: 16 * gi, FreeMemory: gi}
	draining := api.Node{State: api.NodeDraining, CPU: 64, Memory: 64 * gi, FreeMemory: 64 * gi}
	lost := api.Node{State: api.NodeLost, CPU: 64, Memory: 64 * gi, FreeMemory: 64 * gi}
	all := []api.Node{small, large, draining, lost}
	inA := map[string]string{"zone": "a"}
	for name, test := range map[string]struct {
		nodes    []api.Node
		selector map[string]string
		needs    journal.Needs
		want     api.Waiting
	}{
		"nobody": {[]api.Node{draining, lost}, nil, journal.Needs{}, api.Waiting{
			Reason: api.WaitNode, Message: "no node is there that takes runs", Never: true}},
		"a label": {all, map[string]string{"zone": "b"}, journal.Needs{}, api.Waiting{
			Reason: api.WaitNodeSelector, Message: "no node has zone=b", Never: true}},
		"memory": {all, nil, journal.Needs{Memory: 32 * gi}, api.Waiting{
			Reason: api.WaitMemory, Message: "it needs 32.0 GiB of memory, and the largest of the nodes that are there has 16.0 GiB", Never: true}},
		"memory of some": {all, inA, journal.Needs{Memory: 8 * gi}, api.Waiting{
			Reason: api.WaitMemory, Message: "it needs 8.0 GiB of memory, and the largest of the nodes with zone=a has 4.0 GiB", Never: true}},
		"cores": {all, nil, journal.Needs{Memory: 8 * gi, CPU: 4}, api.Waiting{
			Reason: api.WaitCPU, Message: "it needs 4 cores, and none of the nodes that are there that have its memory has more than 2", Never: true}},
		"free memory": {all, nil, journal.Needs{Memory: 3 * gi, CPU: 1}, api.Waiting{
			Reason: api.WaitFreeMemory, Message: "it needs 3.0 GiB of memory, and of the nodes that are there at most 2.0 GiB is free now"}},
		"slots": {all, nil, journal.Needs{Memory: gi, CPU: 1}, api.Waiting{
			Reason: api.WaitSlot, Message: "of the nodes that are there those that can hold it have no slot free for a run of kind sandbox"}},
	} {
		rec := &journal.Record{Needs: test.needs}
		rec.Kind, rec.NodeSelector = api.KindSandbox, test.selector
		if diff := cmp.Diff(&test.want, whyNotTaken(rec, test.nodes)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestWaiting: whoever asks for a run that waits for a turn gets why, and of one that is
// executed or has ended nothing.
func TestWaiting(t *testing.T) {
	inQueue(t, 0, func(t *testing.T, q *queueHost) {
		asked := orchestrate("1 + 2", integer, function("hold"))
		waits := submit(t, q.a, api.Submission{Task: asked}) // which calls a function, so that it stays
		run, err := q.a.Run(t.Context(), waits.ID)
		if err != nil || run.Waiting == nil || run.Waiting.Reason != api.WaitSlot || run.Waiting.Never {
			t.Errorf("got %+v, %v", run.Waiting, err)
		}
		close(q.release)
		if _, err := q.a.Wait(t.Context(), waits.ID); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if run, err := q.a.Run(t.Context(), waits.ID); err != nil || run.Waiting != nil {
			t.Errorf("after its end %+v, %v", run.Waiting, err)
		}
	})
}
