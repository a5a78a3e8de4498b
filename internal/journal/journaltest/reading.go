package journaltest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// call returns the first change of a call of parent.
func call(id string, n int, parent *journal.Record, number uint64) journal.Change {
	c := NewRun(id, n, parent)
	c.Record.Call = number
	return c
}

func calls(t *testing.T, j journal.Journal) {
	parent := submit(t, j, NewRun("run-p", 0, nil))
	second := call("run-b", 1, &parent, 2)
	second.Record.InputsPayload.Inline = json.RawMessage(`{"x":2}`)
	submit(t, j, call("run-a", 2, &parent, 10), second)
	submit(t, j, call("run-c", 3, &parent, 1))
	submit(t, j, NewRun("run-d", 4, &parent)) // no call
	submit(t, j, call("run-e", 5, &second.Record, 1))
	found, err := j.Calls(t.Context(), "run-p")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "calls", ids(found), []string{"run-c", "run-b", "run-a"})
	same(t, "whole record", *found[1], second.Record)
	same(t, "runs below", mustList(t, j, api.RunQuery{Parent: "run-p"}), []string{"run-d", "run-c", "run-b", "run-a"})
	if found, err := j.Calls(t.Context(), "run-missing"); len(found) != 0 || err != nil {
		t.Errorf("calls of nothing: got %v, %v", found, err)
	}
}

// tries holds the journal to the order in which it was given runs, whatever their
// ids and times say.
func tries(t *testing.T, j journal.Journal) {
	parent := submit(t, j, NewRun("run-p", 9, nil))
	submit(t, j, call("run-c", 3, &parent, 2))
	submit(t, j, call("run-b", 2, &parent, 2), call("run-a", 1, &parent, 1))
	found, err := j.Calls(t.Context(), "run-p")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "calls", ids(found), []string{"run-a", "run-c", "run-b"})
	listed, _, err := j.List(t.Context(), api.RunQuery{Parent: "run-p"})
	if err != nil {
		t.Fatal(err)
	}
	for _, records := range [][]*journal.Record{found, listed} {
		slices.SortFunc(records, func(a, b *journal.Record) int { return cmp.Compare(a.Num, b.Num) })
		same(t, "by number", ids(records), []string{"run-c", "run-b", "run-a"})
	}
	if claimed, err := j.Claim(t.Context(), "run-b", "", "process-1"); err != nil || claimed.Num != load(t, j, "run-b").Num || claimed.Num != found[1].Num {
		t.Errorf("claimed: got %+v, %v", claimed, err)
	}
}

func unfinished(t *testing.T, j journal.Journal) {
	parent := NewRun("run-p", 9, nil)
	parent.Record.Holder = "process-1"
	p := submit(t, j, parent)
	submit(t, j, call("run-c", 1, &p, 1)) // by a clock that went back
	done := submit(t, j, NewRun("run-a", 2, nil))
	submit(t, j, Ended(done, api.StatusCanceled, 1))
	waiting := NewRun("run-i", 3, nil)
	waiting.Record.Status = api.StatusInterrupted
	submit(t, j, waiting)
	found, err := j.Unfinished(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "unfinished", ids(found), []string{"run-p", "run-c", "run-i"})
	same(t, "owner", found[0].Holder, "process-1")
	same(t, "status", found[2].Status, api.StatusInterrupted)
}

func events(t *testing.T, j journal.Journal) {
	c := NewRun("run-a", 0, nil)
	submit(t, j, c)
	all := c.Events
	c = Next(c.Record, slices.Repeat([]api.EventKind{api.EventProgress}, 9)...)
	c.Events[0].Data = nil
	all = append(all, c.Events...)
	submit(t, j, c)
	for _, page := range []struct {
		after int64
		limit int
		want  []api.Event
	}{{0, 10, all}, {0, 100, all}, {0, 3, all[:3]}, {3, 3, all[3:6]}, {9, 3, all[9:]}, {10, 3, nil}, {1 << 62, 3, nil}} {
		found, err := j.Events(t.Context(), "run-a", page.after, page.limit)
		if err != nil {
			t.Fatal(err)
		}
		same(t, fmt.Sprintf("%d events after %d", page.limit, page.after), found, page.want)
	}
}

func definitions(t *testing.T, j journal.Journal) {
	c := NewRun("run-a", 0, nil)
	c.Tasks = map[string]json.RawMessage{"sha256:task": json.RawMessage(`{"first":1}`), "sha256:other": json.RawMessage(`{}`)}
	submit(t, j, c)
	c = NewRun("run-b", 0, nil)
	c.Tasks = map[string]json.RawMessage{"sha256:task": json.RawMessage(`{"second":2}`)}
	submit(t, j, c)
	got, err := j.Task(t.Context(), "sha256:task")
	if err != nil || string(got) != `{"first":1}` {
		t.Errorf("a definition changed: got %s, %v", got, err)
	}
}

// field makes runs of every sort, two of each moment.
func field(t *testing.T, j journal.Journal) {
	statuses := []api.Status{api.StatusQueued, api.StatusRunning, api.StatusFailed, api.StatusSucceeded}
	var top journal.Record
	for i := range 24 {
		c := NewRun(fmt.Sprintf("run-%02d", i), i/2, nil)
		if i%6 == 5 {
			c = call(fmt.Sprintf("run-%02d", i), i/2, &top, uint64(i))
		}
		c.Record.Task = fmt.Sprintf("task-%d", i%3)
		c.Record.Owner = []string{"", "ann", "bob"}[i%12/4]
		if i%4 > 1 {
			c.Record.Labels = map[string]string{"half": "two", "third": fmt.Sprint(i % 3)}
		}
		c.Record.Kind = []api.TaskKind{api.KindSandbox, api.KindOrchestrator}[i%2]
		if c.Record.Status = statuses[i%4]; c.Record.Status.Ended() {
			c.Record.Ended = c.Record.Created
		}
		r := submit(t, j, c)
		if i == 0 {
			top = r
		}
	}
}

func filters(t *testing.T, j journal.Journal) {
	field(t, j)
	at := func(n int) time.Time { return epoch().Add(time.Duration(n) * time.Second) }
	for _, test := range []struct {
		query api.RunQuery
		want  []int
	}{
		{api.RunQuery{Status: []api.Status{api.StatusFailed}}, []int{22, 18, 14, 10, 6, 2}},
		{api.RunQuery{Status: []api.Status{api.StatusFailed, api.StatusQueued, api.StatusFailed}, Limit: 5}, []int{22, 20, 18, 16, 14}},
		{api.RunQuery{Status: []api.Status{"no status"}}, nil},
		{api.RunQuery{Task: "task-1", Kind: api.KindOrchestrator}, []int{19, 13, 7, 1}},
		{api.RunQuery{Task: "task-2", Top: true}, []int{20, 14, 8, 2}},
		{api.RunQuery{Parent: "run-00"}, []int{5, 11, 17, 23}},
		{api.RunQuery{Root: "run-00"}, []int{23, 17, 11, 5, 0}},
		{api.RunQuery{Root: "run-00", Status: []api.Status{api.StatusRunning, api.StatusQueued}}, []int{17, 5, 0}},
		{api.RunQuery{Since: at(10)}, []int{23, 22, 21, 20}},
		{api.RunQuery{Until: at(1)}, []int{1, 0}},
		{api.RunQuery{Since: at(3), Until: at(4).In(time.FixedZone("", 3600))}, []int{7, 6}},
		{api.RunQuery{Task: "' OR 1=1 --"}, nil},
		{api.RunQuery{Labels: map[string]string{"third": "2"}}, []int{23, 14, 11, 2}},
		{api.RunQuery{Labels: map[string]string{"third": "2"}, Top: true}, []int{14, 2}},
		{api.RunQuery{Labels: map[string]string{"half": "two"}, Parent: "run-00"}, []int{11, 23}},
		{api.RunQuery{Labels: map[string]string{"half": "two", "third": "0"}, Status: []api.Status{api.StatusFailed}}, []int{18, 6}},
		{api.RunQuery{Labels: map[string]string{"half": "two", "third": "3"}}, nil},
		{api.RunQuery{Labels: map[string]string{"third": ""}}, nil},
		{api.RunQuery{Owner: "ann"}, []int{19, 18, 17, 16, 7, 6, 5, 4}},
		{api.RunQuery{Owner: "ann", Top: true, Limit: 3}, []int{19, 18, 16}},
		{api.RunQuery{Owner: "bob", Status: []api.Status{api.StatusFailed}}, []int{22, 10}},
		{api.RunQuery{Owner: "bob", Labels: map[string]string{"third": "2"}}, []int{23, 11}},
		{api.RunQuery{Owner: "bob", Parent: "run-00"}, []int{11, 23}},
		{api.RunQuery{Owner: "ann", Root: "run-00"}, []int{17, 5}},
		{api.RunQuery{Owner: "ann", IDPrefix: "run-1"}, []int{19, 18, 17, 16}},
		{api.RunQuery{Owner: "eve"}, nil},
	} {
		var want []string
		for _, n := range test.want {
			want = append(want, fmt.Sprintf("run-%02d", n))
		}
		same(t, fmt.Sprintf("%+v", test.query), mustList(t, j, test.query), want)
	}
}

// walk reads all pages of a list.
func walk(t *testing.T, j journal.Journal, q api.RunQuery) (found []string) {
	t.Helper()
	for {
		page, next, err := j.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(page) > q.Limit || (next != "" && len(page) < q.Limit) {
			t.Fatalf("a page of %d has %d runs, cursor %q", q.Limit, len(page), next)
		}
		found = append(found, ids(page)...)
		if next == "" {
			return found
		}
		q.Cursor = next
	}
}

func pages(t *testing.T, j journal.Journal) {
	field(t, j)
	for _, q := range []api.RunQuery{
		{}, {Top: true}, {Parent: "run-00"}, {Root: "run-00"}, {Task: "task-1"}, {Kind: api.KindSandbox},
		{Status: []api.Status{api.StatusQueued, api.StatusFailed, api.StatusSucceeded}},
		{Parent: "run-00", Status: []api.Status{api.StatusRunning, api.StatusSucceeded}}, {Since: epoch().Add(3 * time.Second)},
	} {
		whole := mustList(t, j, q)
		for limit := 1; limit <= 8; limit++ {
			q.Limit = limit
			same(t, fmt.Sprintf("%+v", q), walk(t, j, q), whole)
		}
	}
}

func pagesWhileGrowing(t *testing.T, j journal.Journal) {
	field(t, j)
	before := mustList(t, j, api.RunQuery{})
	q := api.RunQuery{Limit: 5}
	var found []string
	for n := 100; ; n++ {
		page, next, err := j.List(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, ids(page)...)
		if q.Cursor = next; next == "" {
			break
		}
		submit(t, j, NewRun(fmt.Sprintf("run-%d", n), n, nil))
	}
	same(t, "runs that were there", found, before)
}

func foreignCursors(t *testing.T, j journal.Journal) {
	field(t, j)
	_, next, err := j.List(t.Context(), api.RunQuery{Limit: 2})
	if err != nil || next == "" {
		t.Fatalf("got cursor %q, %v", next, err)
	}
	for _, q := range []api.RunQuery{
		{Cursor: "nonsense"}, {Cursor: "e30"}, {Cursor: next + "AAAA"}, {Cursor: next[1:]}, {Cursor: next[:len(next)-3]}, {Cursor: "\x00'; --"},
		{Cursor: next, Top: true}, {Cursor: next, Parent: "run-00"}, {Cursor: next, Status: []api.Status{api.StatusFailed}},
		{Cursor: string(slices.Repeat([]byte("A"), 1<<20))},
	} {
		if _, _, err := j.List(t.Context(), q); !errors.Is(err, journal.ErrCursor) {
			t.Errorf("cursor %.40q: got error %v, want %v", q.Cursor, err, journal.ErrCursor)
		}
	}
	if _, _, err := j.List(t.Context(), api.RunQuery{Limit: 7, Cursor: next}); err != nil {
		t.Errorf("the size of a page may change: %v", err)
	}
}
