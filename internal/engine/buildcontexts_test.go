package engine

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
)

// Build contexts are kept as long as the runs that may need them. What is no
// digest is refused elsewhere, and must not stop the collection of blobs.
func TestBuildContextsAreKept(t *testing.T) {
	a, b := strings.Repeat("a", 64), strings.Repeat("b", 64)
	of := func(context string) api.Task { return api.Task{Image: api.ImageSpec{Context: context}} }
	task := of(a)
	task.Orchestrator = &api.Orchestrator{Tools: []api.Task{of(b), of("../etc"), of("")}}
	if diff := cmp.Diff([]string{a, b}, buildContexts(&task)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
