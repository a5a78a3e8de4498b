package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
)

// TestBounds: pages that look for what no index has go through a bounded number of runs,
// and all of them together find what there is.
func TestBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 12,000 runs: run without -short")
	}
	j := open(t, newPath(t)).Journal()
	var last journal.Receipt
	for i := range 12_000 {
		c := journaltest.NewRun(fmt.Sprintf("run-%06d", i), i, nil)
		c.Record.Labels = map[string]string{"all": "yes", [...]string{"even", "odd"}[i%2]: "yes"}
		if i == 101 {
			c.Record.Labels["even"] = "yes"
			c.Record.Kind = api.KindCodegen
			c.Record.Task = "other"
		}
		last = j.Submit(c)
	}
	if err := last.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	both := map[string]string{"all": "yes", "even": "yes", "odd": "yes"}
	for _, test := range []struct {
		query api.RunQuery
		pages int
	}{
		{api.RunQuery{Labels: map[string]string{"even": "yes", "odd": "yes"}}, 1}, // of one, which half of them have
		{api.RunQuery{Labels: both}, 2},
		{api.RunQuery{Labels: map[string]string{"even": "yes"}, Kind: api.KindCodegen}, 2},
		{api.RunQuery{Labels: map[string]string{"all": "yes"}, Kind: api.KindCodegen}, 3},
		{api.RunQuery{Kind: api.KindCodegen}, 2},
		{api.RunQuery{Kind: api.KindCodegen, Labels: both, Task: "other"}, 1}, // few of that task
		{api.RunQuery{Status: []api.Status{api.StatusQueued, api.StatusRunning}, Labels: both}, 2},
	} {
		if found, pages := listed(t, j, test.query); found != "[run-000101]" || pages != test.pages {
			t.Errorf("%+v: %s on %d pages, expected the one on %d", test.query, found, pages, test.pages)
		}
	}
}

// listed lists all pages of a query.
func listed(t *testing.T, j journal.Journal, q api.RunQuery) (ids string, pages int) {
	t.Helper()
	found := []string{}
	for {
		page, next, err := j.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			found = append(found, r.ID)
		}
		pages++
		if q.Cursor = next; next == "" {
			return fmt.Sprint(found), pages
		}
	}
}

// TestSearchText finds runs by words of their task and error, page after page, of which
// each looks at a bounded number of runs.
func TestSearchText(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 12,000 runs: run without -short")
	}
	j := open(t, newPath(t)).Journal()
	var last journal.Receipt
	const runs = 12_000
	for i := range runs {
		c := journaltest.NewRun(fmt.Sprintf("run-%06d", i), i, nil)
		switch i {
		case 7:
			c.Record.Task = `Näh "rare" <task>`
		case 8000:
			c.Record.Error = api.Errorf(api.Timeout, `the "Rare" <b> one`)
		case 9000:
			c.Record.Group = "rare" // is no place to look at
		}
		last = j.Submit(c)
	}
	if err := last.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"rare": "[run-008000 run-000007]", `"RARE" <`: "[run-008000 run-000007]", "TIMEOUT": "[run-008000]", "Näh": "[run-000007]", "nothing like it": "[]", "%": "[]", `\`: "[]",
	} {
		got, pages := listed(t, j, api.RunQuery{Text: text, Top: true, Limit: 10})
		if got != want || pages != 3 {
			t.Errorf("%q: %s on %d pages, expected %s on 3", text, got, pages, want)
		}
	}
	whole, next, err := j.List(t.Context(), api.RunQuery{Text: "task", Limit: 3})
	if err != nil || len(whole) != 3 || next == "" {
		t.Errorf("%d runs, next %q, %v", len(whole), next, err)
	}
}
