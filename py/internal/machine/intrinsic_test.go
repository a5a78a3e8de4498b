package machine

import (
	"slices"
	"testing"
)

// TestPreludeIsTheSameInEveryProcess holds what snapshots rely on: the digest of
// the prelude says in which order its names were declared.
func TestPreludeIsTheSameInEveryProcess(t *testing.T) {
	if names := preludeNames(known); !slices.IsSorted(names) || len(names) < 10 {
		t.Errorf("the names are declared in the order %q", names)
	}
}
