package server

import (
	"maps"
	"os"
	"strings"
	"testing"
)

// TestDocumentation finds routes that docs/API.md does not list.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("../../docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{Service: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	for pattern := range maps.Keys(s.traits) {
		if !strings.Contains(string(page), "\n| `"+pattern+"` |") {
			t.Errorf("docs/API.md lacks the route %s", pattern)
		}
	}
}
