package host

import (
	"errors"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestNone shows that a system without an engine says what to do instead.
func TestNone(t *testing.T) {
	var engine Engine = None{}
	_, opening := engine.Open(t.Context(), Options{})
	if e := (*api.Error)(nil); !errors.As(opening, &e) || e.Code != api.IsolationUnavailable || e.Hint == "" {
		t.Errorf("error %v, want isolation_unavailable with a hint", opening)
	}
	if pruned, err := engine.Prune(t.Context(), Options{Home: t.TempDir()}, api.PruneRequest{OlderThan: 1}); err != nil || *pruned != (api.Pruned{}) {
		t.Errorf("pruned %+v of an empty home, %v", pruned, err)
	}
	if v := engine.Isolation(); v != "" {
		t.Errorf("isolation %q, want none", v)
	}
}
