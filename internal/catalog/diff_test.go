package catalog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

func TestDiff(t *testing.T) {
	a := &api.Task{
		Name: "count", Code: "import x\n\nn = 1\nprint(n)\n", Env: map[string]string{"A": "1", "B": "x: y"},
		Signature: api.Signature{Inputs: []value.Param{{Name: "x", Default: json.RawMessage("1")}}},
	}
	b := *a
	b.Code = "import x\n\nn = 2\nm = 3\nprint(n)\n"
	b.Retries = 3
	want := `...
  code: |
    import x
    
-   n = 1
+   n = 2
+   m = 3
    print(n)
    
  signature:
...
  env:
    A: "1"
    B: x: y
+ retries: 3
`
	if diff := cmp.Diff(strings.Split(Diff(a, &b), "\n"), strings.Split(want, "\n")); diff != "" {
		t.Errorf("diff (-got +want):\n%s", diff)
	}
	if diff := Diff(a, a); diff != "" {
		t.Errorf("a task differs from itself:\n%s", diff)
	}
}

// A person who is shown no difference must be able to rely on it.
func TestDiffIsEmptyOnlyForTheSame(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("a1\n \"|-:\t\x1b")), 0, 5, -1)
	task := rapid.Custom(func(t *rapid.T) *api.Task {
		return &api.Task{
			Code: text.Draw(t, "code"), Doc: text.Draw(t, "doc"), Command: rapid.SliceOfN(text, 0, 3).Draw(t, "command"),
			Env: rapid.MapOfN(text, text, 0, 2).Draw(t, "env"), Retries: rapid.IntRange(0, 1).Draw(t, "retries"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := task.Draw(t, "a"), task.Draw(t, "b")
		diff := Diff(a, b)
		if (diff == "") != (a.Digest() == b.Digest()) {
			t.Errorf("tasks %+v and %+v, diff %q", a, b, diff)
		}
		if strings.ContainsRune(diff, 0x1b) {
			t.Errorf("the diff has an escape: %q", diff)
		}
	})
}

// TestCompareKeepsBothSides: the lines of one side of a comparison are that
// side.
func TestCompareKeepsBothSides(t *testing.T) {
	lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", ""}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		a, b := lines.Draw(t, "a"), lines.Draw(t, "b")
		var gotA, gotB []string
		for _, e := range compare(a, b) {
			if e.sign != '+' {
				gotA = append(gotA, e.line)
			}
			if e.sign != '-' {
				gotB = append(gotB, e.line)
			}
		}
		if strings.Join(gotA, "\n") != strings.Join(a, "\n") || len(gotA) != len(a) || strings.Join(gotB, "\n") != strings.Join(b, "\n") || len(gotB) != len(b) {
			t.Errorf("compare(%q, %q) = %q", a, b, compare(a, b))
		}
	})
}

func TestDiffIsBounded(t *testing.T) {
	long := func(word string, n int) *api.Task {
		var code strings.Builder
		for i := range n {
			fmt.Fprintf(&code, "%s %d\n", word, i)
		}
		return &api.Task{Code: code.String()}
	}
	edits := compare(describe(long("a", 3000)), describe(long("b", 3000)))
	if edits[0].line != "name: \"\"" || len(edits) < 6000 {
		t.Errorf("%d edits, the first %v", len(edits), edits[0])
	}
	a, b := long("a", maxLines+10), long("a", maxLines+10)
	b.Code += "more\n"
	if diff := Diff(a, b); !strings.Contains(diff, "more lines, sha256:") || len(diff) > 1000 {
		t.Errorf("diff of long tasks = %.1000s", diff)
	}
}
