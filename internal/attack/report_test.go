package attack

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
)

func ends(err error) func(context.Context, *Bench) error {
	return func(context.Context, *Bench) error { return err }
}

// TestReport has one case of each verdict, with text that a page must not obey.
func TestReport(t *testing.T) {
	cases := []Case{
		{Name: "one", Area: Host, Tries: "try it", Attack: ends(nil)},
		{Name: "two", Area: Host, Tries: "try it", Attack: ends(broken("found <script>alert(1)</script>%s", strings.Repeat("x", 1000)))},
		{Name: "one", Area: Resources, Tries: "try it", Attack: ends(api.Errorf(api.IsolationUnavailable, "no such limit").WithHint("be root"))},
		{Name: "two", Area: Resources, Tries: "try it", Attack: ends(errors.New("no cell"))},
		{Name: "long", Area: Resources, Tries: "try it", Long: true, Attack: ends(nil)},
	}
	heard := 0
	r := Run(t.Context(), nil, cases, Short, func(Result) { heard++ })
	if r.Held != 1 || r.Broken != 1 || r.Unenforceable != 1 || r.Untried != 2 || heard != 4 {
		t.Errorf("got %+v, heard of %d", r, heard)
	}
	if got := r.Conclusion(); got != "1 of 2 attacks succeeded." {
		t.Errorf("conclusion = %q", got)
	}
	if todo := r.Changes(); !slices.Equal(todo[:2], []string{reportIt, "be root"}) {
		t.Errorf("changes = %q", todo)
	}
	if len(r.Results[1].Detail) > maxDetail+10 {
		t.Errorf("the detail has %d bytes", len(r.Results[1].Detail))
	}
	var page strings.Builder
	if err := r.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"&lt;script&gt;", "cannot be enforced", "not tried", "be root", "<h2>resources</h2>"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %q:\n%s", want, page.String())
		}
	}
	if strings.Contains(page.String(), "<script") || strings.Contains(page.String(), "src=") || strings.Contains(page.String(), "href=") {
		t.Error("the page has script, or needs something else")
	}
	all := Run(t.Context(), nil, cases, All, func(Result) {})
	if all.Held != 2 || all.Untried != 1 {
		t.Errorf("the long form: %+v", all)
	}
}

// TestRunIsGivenUp: what was interrupted has no verdict.
func TestRunIsGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cases := []Case{
		{Name: "one", Attack: ends(nil)},
		{Name: "two", Attack: func(context.Context, *Bench) error { cancel(); return broken("it was ended") }},
		{Name: "three", Attack: ends(nil)},
	}
	if r := Run(ctx, nil, cases, Short, func(Result) {}); len(r.Results) != 1 || r.Held != 1 {
		t.Errorf("got %+v", r)
	}
}

func TestConclusion(t *testing.T) {
	for want, r := range map[string]Report{
		"Nothing could be tried.":        {Untried: 3},
		"All 2 attacks came to nothing.": {Held: 2},
		"All 2 attacks that were tried came to nothing; of 1 other nothing is known.": {Held: 2, Unenforceable: 1},
	} {
		if got := r.Conclusion(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
