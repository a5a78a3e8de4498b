package glovebox_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox"
)

// TestDocumentation finds methods that docs/API.md does not list.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile("docs/API.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[*glovebox.Glovebox](), reflect.TypeFor[*glovebox.Run]()} {
		for m := range typ.Methods() {
			if !strings.Contains(string(page), "`"+m.Name+"(") {
				t.Errorf("docs/API.md lacks %s of %s", m.Name, typ)
			}
		}
	}
}
