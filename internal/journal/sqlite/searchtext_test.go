package sqlite_test

import (
	"fmt"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/journal/journaltest"
)

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
		q := api.RunQuery{Text: text, Top: true, Limit: 10}
		found, pages := []string{}, 0
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
				break
			}
		}
		if got := fmt.Sprint(found); got != want || pages != 3 {
			t.Errorf("%q: %s on %d pages, expected %s on 3", text, got, pages, want)
		}
	}
	whole, next, err := j.List(t.Context(), api.RunQuery{Text: "task", Limit: 3})
	if err != nil || len(whole) != 3 || next == "" {
		t.Errorf("%d runs, next %q, %v", len(whole), next, err)
	}
}
