package sqlite

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// TestPlans holds lists to the indices that are made for them: each row is read
// in its order, and none is sorted.
func TestPlans(t *testing.T) {
	db := opened(t, filepath.Join(t.TempDir(), "glovebox.db"))
	failed := []api.Status{api.StatusFailed}
	several := []api.Status{api.StatusQueued, api.StatusRunning, api.StatusSucceeded, api.StatusSucceeded}
	for _, test := range []struct {
		query   api.RunQuery
		indices string
	}{
		{api.RunQuery{}, "runs_top runs_below"},
		{api.RunQuery{Top: true}, "runs_top"},
		{api.RunQuery{Since: time.Now()}, "runs_top runs_below"},
		{api.RunQuery{Kind: api.KindFunction}, "runs_top runs_below"},
		{api.RunQuery{Task: "t"}, "runs_top_task runs_below_task"},
		{api.RunQuery{Task: "t", Top: true}, "runs_top_task"},
		{api.RunQuery{Status: failed}, "runs_ended"},
		{api.RunQuery{Status: failed, Top: true}, "runs_ended"},
		{api.RunQuery{Status: failed, Task: "t"}, "runs_ended"},
		{api.RunQuery{Status: failed, Task: "t", Top: true}, "runs_ended"},
		{api.RunQuery{Status: several}, "runs_unfinished runs_unfinished runs_ended"},
		{api.RunQuery{Status: []api.Status{"none"}}, "runs_ended"},
		{api.RunQuery{Trigger: "hook:h"}, "runs_started_by"},
		{api.RunQuery{Trigger: "hook:h", Top: true, Status: several, Task: "t"}, "runs_started_by"},
		{api.RunQuery{Parent: "p"}, "runs_parent"},
		{api.RunQuery{Parent: "p", Trigger: "hook:h"}, "runs_parent"},
		{api.RunQuery{Parent: "p", Status: several}, "runs_parent"},
		{api.RunQuery{Root: "r"}, "sqlite_autoindex_runs_1 runs_below_root"},
		{api.RunQuery{Root: "r", Status: several}, "sqlite_autoindex_runs_1 runs_below_root"},
	} {
		l, err := newListing(test.query)
		if err != nil {
			t.Fatal(err)
		}
		text, args := l.sql()
		if used, sorted := planOf(t, db, text, args...); sorted || used != test.indices {
			t.Errorf("%+v: got indices %s, sorted: %t, want %s", test.query, used, sorted, test.indices)
		}
	}
}

// TestPlanOfPrefixes: runs are found by their ids whatever else is asked for, and
// only these are sorted.
func TestPlanOfPrefixes(t *testing.T) {
	db := opened(t, filepath.Join(t.TempDir(), "glovebox.db"))
	for _, query := range []api.RunQuery{
		{IDPrefix: "run-0"}, {IDPrefix: "run-0", Top: true, Task: "t"}, {IDPrefix: "run-0", Status: []api.Status{api.StatusFailed}},
		{IDPrefix: "run-0", Root: "r"}, {IDPrefix: "run-0", Parent: "p"},
	} {
		l, err := newListing(query)
		if err != nil {
			t.Fatal(err)
		}
		text, args := l.sql()
		if used, _ := planOf(t, db, text, args...); used != "sqlite_autoindex_runs_1" {
			t.Errorf("%+v: got indices %s", query, used)
		}
	}
}

// planOf names the indices that a query uses, in order, or tables that are read
// as a whole.
func planOf(t *testing.T, db *DB, query string, args ...any) (indices string, sorted bool) {
	t.Helper()
	var used []string
	rows, err := db.readers.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query, args...)
	err = db.each(rows, err, func(rows *sql.Rows) error {
		var id, parent, unused int
		var step string
		err := rows.Scan(&id, &parent, &unused, &step)
		_, after, found := strings.Cut(step, " INDEX ")
		switch {
		case found:
			index, _, _ := strings.Cut(after, " ")
			used = append(used, index)
		case strings.Contains(step, "TEMP B-TREE"):
			sorted = true
		case strings.HasPrefix(step, "SCAN r"):
			used = append(used, fmt.Sprintf("(%s)", step))
		}
		return err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return strings.Join(used, " "), sorted
}

// TestSchedulePlans: what is asked every second reads what is due alone.
func TestSchedulePlans(t *testing.T) {
	db := opened(t, filepath.Join(t.TempDir(), "glovebox.db"))
	for query, want := range map[string]string{dueQuery: "schedules_next", openStartsQuery: "schedule_starts_open"} {
		var args []any
		if strings.Contains(query, "?") {
			args = append(args, timeText(time.Now()))
		}
		if used, sorted := planOf(t, db, query, args...); used != want || sorted {
			t.Errorf("%s: got indices %s, sorted: %t, want %s", query, used, sorted, want)
		}
	}
}

// TestDeliveryPlans: what is asked every second reads what is due alone, and lists
// are read in their order.
func TestDeliveryPlans(t *testing.T) {
	db := opened(t, filepath.Join(t.TempDir(), "glovebox.db"))
	due := dueQueries(1)
	list := func(q api.DeliveryQuery) string {
		text, _ := deliveryList(q, &position{})
		return text
	}
	for query, want := range map[string]string{
		due[0]: "deliveries_next", due[1]: "deliveries_changed", list(api.DeliveryQuery{}): "deliveries_created",
		list(api.DeliveryQuery{Run: "r", State: api.DeliveryFailed}): "deliveries_run", list(api.DeliveryQuery{State: api.DeliveryFailed}): "deliveries_state",
	} {
		args := make([]any, strings.Count(query, "?"))
		for i := range args {
			args[i] = "2027"
		}
		args[len(args)-1] = 10
		if used, sorted := planOf(t, db, query, args...); used != want || sorted {
			t.Errorf("%s: got indices %s, sorted: %t, want %s", query, used, sorted, want)
		}
	}
}

// TestUnfinishedPlan: what has not ended is found without what has.
func TestUnfinishedPlan(t *testing.T) {
	db := opened(t, filepath.Join(t.TempDir(), "glovebox.db"))
	if used, _ := planOf(t, db, unfinishedQuery); used != "runs_unfinished" {
		t.Errorf("got indices %s, want runs_unfinished", used)
	}
}
