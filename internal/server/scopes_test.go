package server

import (
	"slices"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

// TestEveryRouteHasAScope: no route is for everybody by accident, and the table of scopes
// names nothing that is not there.
func TestEveryRouteHasAScope(t *testing.T) {
	s, err := New(Config{Service: newFake()})
	if err != nil {
		t.Fatal(err)
	}
	unknown := map[string]bool{}
	for id := range scopes {
		unknown[id] = true
	}
	for _, item := range s.document.OpenAPI().Paths {
		for method, op := range operations(item) {
			delete(unknown, op.OperationID)
			of := s.traits[op.Method+" "+op.Path]
			if of.open || of.signed {
				continue
			}
			if !slices.Contains(api.Scopes(), of.scope) {
				t.Errorf("%v %s, which is %s, needs no scope: add it to the table in scopes.go", method, op.Path, op.OperationID)
			}
		}
	}
	for id := range unknown {
		t.Errorf("the table of scopes has %s, which is no operation", id)
	}
}
