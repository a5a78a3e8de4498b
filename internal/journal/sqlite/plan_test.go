package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal/tables"
)

// TestPlans holds lists to the indices that are made for them: each row is read
// in its order, and none is sorted. The rows of several indices are counted first, and then
// where a page ends that goes by one and looks for more.
func TestPlans(t *testing.T) {
	db := opened(t, filepath.Join(t.TempDir(), "glovebox.db"))
	failed := []api.Status{api.StatusFailed}
	label, labels := map[string]string{"a": "1"}, map[string]string{"a": "1", "b": "2"}
	several := []api.Status{api.StatusQueued, api.StatusRunning, api.StatusSucceeded, api.StatusSucceeded}
	for _, test := range []struct {
		query   api.RunQuery
		indices string
	}{
		{api.RunQuery{}, "runs_top runs_below"},
		{api.RunQuery{Top: true}, "runs_top"},
		{api.RunQuery{Since: time.Now()}, "runs_top runs_below"},
		{api.RunQuery{Kind: api.KindFunction}, "runs_top runs_below runs_top runs_below"},
		{api.RunQuery{Task: "t"}, "runs_top_task runs_below_task"},
		{api.RunQuery{Task: "t", Top: true}, "runs_top_task"},
		{api.RunQuery{Status: failed}, "runs_ended"},
		{api.RunQuery{Status: failed, Top: true}, "runs_ended"},
		{api.RunQuery{Status: failed, Task: "t"}, "runs_ended runs_ended runs_ended"},
		{api.RunQuery{Status: failed, Task: "t", Top: true}, "runs_ended runs_ended runs_ended"},
		{api.RunQuery{Status: several}, "runs_unfinished runs_unfinished runs_ended"},
		{api.RunQuery{Status: []api.Status{"none"}}, "runs_ended"},
		{api.RunQuery{Trigger: "hook:h"}, "runs_started_by"},
		{api.RunQuery{Trigger: "hook:h", Top: true, Task: "t"}, "runs_started_by runs_started_by runs_started_by"},
		{api.RunQuery{Labels: label}, "PRIMARY_KEY sqlite_autoindex_runs_1 PRIMARY_KEY sqlite_autoindex_runs_1"},
		{api.RunQuery{Labels: label, Top: true}, "PRIMARY_KEY sqlite_autoindex_runs_1"},
		{api.RunQuery{Labels: labels, Top: true}, "PRIMARY_KEY PRIMARY_KEY PRIMARY_KEY PRIMARY_KEY sqlite_autoindex_runs_1"},
		{api.RunQuery{Labels: labels, Top: true, Status: several, Task: "t", Kind: api.KindFunction, Trigger: "hook:h", Since: time.Now()},
			strings.Repeat("runs_unfinished runs_unfinished runs_ended ", 2) + "runs_unfinished PRIMARY_KEY PRIMARY_KEY runs_unfinished PRIMARY_KEY PRIMARY_KEY runs_ended PRIMARY_KEY PRIMARY_KEY"},
		{api.RunQuery{Owner: "ann"}, "runs_owned_top runs_owned_below"},
		{api.RunQuery{Owner: "ann", Top: true}, "runs_owned_top"},
		{api.RunQuery{Owner: "ann", Status: failed, Top: true}, "runs_ended runs_ended runs_ended"},
		{api.RunQuery{Owner: "ann", Parent: "p"}, "runs_parent"},
		{api.RunQuery{Parent: "p", Labels: labels}, "runs_parent run_labels_run run_labels_run"},
		{api.RunQuery{Parent: "p"}, "runs_parent"},
		{api.RunQuery{Parent: "p", Trigger: "hook:h"}, "runs_parent"},
		{api.RunQuery{Parent: "p", Status: several}, "runs_parent"},
		{api.RunQuery{Root: "r"}, "sqlite_autoindex_runs_1 runs_below_root"},
		{api.RunQuery{Root: "r", Status: several}, "sqlite_autoindex_runs_1 runs_below_root"},
	} {
		if used, sorted := planOf(t, db, listOf(test.query)); sorted || used != test.indices {
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
		if used, _ := planOf(t, db, listOf(query)); used != "sqlite_autoindex_runs_1" {
			t.Errorf("%+v: got indices %s", query, used)
		}
	}
}

// listOf reads a list of runs.
func listOf(q api.RunQuery) func(context.Context, *tables.Store) error {
	return func(ctx context.Context, s *tables.Store) error {
		_, _, err := s.Journal().List(ctx, q)
		return err
	}
}

// recorder is a database that keeps its queries.
type recorder struct {
	files
	queries []string
	args    [][]any
}

func (r *recorder) keep(query string, args []any) {
	r.queries, r.args = append(r.queries, query), append(r.args, args)
}

func (r *recorder) Read(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	r.keep(query, args)
	return r.files.Read(ctx, scan, query, args...)
}

func (r *recorder) ReadOnce(ctx context.Context, scan func(tables.Row) error, query string, args ...any) error {
	r.keep(query, args)
	return r.files.ReadOnce(ctx, scan, query, args...)
}

// planOf names the indices that the queries of read use, in order, or tables
// that are read as a whole.
func planOf(t *testing.T, db *DB, read func(context.Context, *tables.Store) error) (indices string, sorted bool) {
	t.Helper()
	r := &recorder{files: files{db}}
	if err := read(t.Context(), tables.New(r)); err != nil {
		t.Fatal(err)
	}
	var used []string
	for i, query := range r.queries {
		rows, err := db.readers.QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query, r.args[i]...)
		err = db.each(rows, err, func(rows tables.Row) error {
			var id, parent, unused int
			var step string
			err := rows.Scan(&id, &parent, &unused, &step)
			_, after, found := strings.Cut(step, " INDEX ")
			switch {
			case found:
				index, _, _ := strings.Cut(after, " ")
				used = append(used, index)
			case strings.Contains(step, "USING PRIMARY KEY"):
				used = append(used, "PRIMARY_KEY")
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
	}
	return strings.Join(used, " "), sorted
}

// TestOtherPlans: what is asked every second reads what is due alone, lists are read
// in their order, and what has not ended is found without what has.
func TestOtherPlans(t *testing.T) {
	db := opened(t, filepath.Join(t.TempDir(), "glovebox.db"))
	deliveries := func(q api.DeliveryQuery) func(context.Context, *tables.Store) error {
		return func(ctx context.Context, s *tables.Store) error {
			_, _, err := s.Deliveries().ListDeliveries(ctx, q)
			return err
		}
	}
	for _, test := range []struct {
		read func(context.Context, *tables.Store) error
		want string
	}{
		{func(ctx context.Context, s *tables.Store) error {
			_, err := s.Schedules().DueSchedules(ctx, time.Now())
			return err
		}, "schedules_next"},
		{func(ctx context.Context, s *tables.Store) error { _, err := s.Schedules().OpenStarts(ctx); return err }, "schedule_starts_open"},
		{func(ctx context.Context, s *tables.Store) error {
			_, err := s.Deliveries().DueDeliveries(ctx, time.Now(), []string{"h"}, 10)
			return err
		}, "deliveries_next deliveries_changed"},
		{deliveries(api.DeliveryQuery{}), "deliveries_created"},
		{deliveries(api.DeliveryQuery{Run: "r", State: api.DeliveryFailed}), "deliveries_run"},
		{deliveries(api.DeliveryQuery{State: api.DeliveryFailed}), "deliveries_state"},
		{func(ctx context.Context, s *tables.Store) error { _, err := s.Journal().Unfinished(ctx); return err }, "runs_unfinished"},
	} {
		if used, sorted := planOf(t, db, test.read); used != test.want || sorted && used != "runs_unfinished" {
			t.Errorf("got indices %s, sorted: %t, want %s", used, sorted, test.want)
		}
	}
}
