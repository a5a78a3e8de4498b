package builtins

import (
	"slices"
	"testing"
)

func TestNames(t *testing.T) {
	all := Names()
	if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Error("the names are not in order, each once")
	}
	for _, name := range all {
		if !Is(name) {
			t.Errorf("Is(%q) is false", name)
		}
	}
	for _, name := range []string{"", "eval", "abss", "zzz", "__name__", "A"} {
		if Is(name) {
			t.Errorf("Is(%q) is true", name)
		}
	}
}
