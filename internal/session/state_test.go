package session

import (
	"slices"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestEveryStateIsReached: each state but the last ones has a way out, and each but
// the first has a way in.
func TestEveryStateIsReached(t *testing.T) {
	for state := range changes {
		reached := state == ""
		for _, next := range changes {
			reached = reached || slices.Contains(next, state)
		}
		if !reached {
			t.Errorf("no state becomes %q", state)
		}
		for _, next := range changes[state] {
			if _, ok := changes[next]; !ok {
				t.Errorf("%q becomes %q, which is no state", state, next)
			}
		}
	}
	for _, state := range []api.SessionState{api.SessionOver, api.SessionLost} {
		if !over(state) {
			t.Errorf("%q is not the end", state)
		}
	}
	for _, state := range []api.SessionState{"", api.SessionStarting, api.SessionRunning, api.SessionPausing, api.SessionPaused, api.SessionResuming} {
		if over(state) {
			t.Errorf("%q is the end", state)
		}
	}
}

func TestIDs(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		id := newID()
		if len(id) != 20 || seen[id] {
			t.Fatalf("id %q", id)
		}
		seen[id] = true
		for _, c := range id {
			if (c < 'a' || c > 'z') && (c < '0' || c > '9') {
				t.Fatalf("id %q", id)
			}
		}
	}
}
