package machine

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/py/internal/builtins"
)

// The table of names, which the checker and the compiler ask, has the built-ins
// that the machine defines, and no others.
func TestBuiltinsAreThoseOfTheTable(t *testing.T) {
	if diff := cmp.Diff(builtins.Names(), slices.Sorted(maps.Keys(known.builtins))); diff != "" {
		t.Errorf("the table, then the machine:\n%s", diff)
	}
}
