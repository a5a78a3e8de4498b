package engine

import (
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// An orchestrator need not say anything but its code.
func TestOrchestratorWithoutTools(t *testing.T) {
	h := newHost(t)
	e := h.engine("a", nil)
	defer e.Close()
	task := orchestrate("6 * 7", integer)
	task.Orchestrator = nil
	result, err := run1(t, e, task, nil)
	if got := valueFrom(t, result, err); got != int64(42) {
		t.Errorf("result = %v", got)
	}
	for _, want := range []*api.Task{{Kind: api.KindOrchestrator}, {Kind: api.KindFunction}, {Kind: "cell"}} {
		if _, err := run1(t, e, want, nil); api.AsError(err).Code != api.InvalidTask {
			t.Errorf("an empty task of kind %s: %v", want.Kind, err)
		}
	}
}
