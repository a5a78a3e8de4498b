package check

import (
	"testing"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// TestRewriteStarredIndex proposes what is Python: a tuple of one starred item
// needs its comma.
func TestRewriteStarredIndex(t *testing.T) {
	for source, want := range map[string]string{
		"del d[*key]": "use d.pop((*key,))",
		"del d[a, b]": "use d.pop((a, b))",
		"del d[a,]":   "use d.pop((a,))",
	} {
		module, err := syntax.Parse("main.py", source)
		if err != nil {
			t.Fatal(err)
		}
		if got := rewriteDelete(source, module.Body[0].(*syntax.Delete)); got != want {
			t.Errorf("%s: got %q, want %q", source, got, want)
		}
	}
}
