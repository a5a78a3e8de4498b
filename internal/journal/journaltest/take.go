package journaltest

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// roomFor has room for n sandboxes.
func roomFor(n int) journal.Wanted {
	return journal.Wanted{Room: map[api.TaskKind]int{api.KindSandbox: n}, MaxDeaths: 3}
}

// take: runs without an owner are taken in their order, as far as there is room.
func take(t *testing.T, j journal.Journal) {
	owned, deadly, below := NewRun("run-owned", 0, nil), NewRun("run-deadly", 1, nil), NewRun("run-below", 2, nil)
	owned.Record.Holder, deadly.Record.Deaths = "somebody", 3
	below.Record.Parent, below.Record.Root = "run-owned", "run-owned"
	other := NewRun("run-other", 3, nil)
	other.Record.Kind = api.KindFunction
	submit(t, j, owned)
	submit(t, j, deadly)
	submit(t, j, below)
	submit(t, j, other)
	for i := range 3 {
		submit(t, j, NewRun(fmt.Sprintf("run-%d", i), 4+i, nil))
	}
	over := NewRun("run-over", 9, nil)
	submit(t, j, over, Ended(over.Record, api.StatusCanceled, 1))
	var got [][]string
	for range 3 {
		ids, err := j.Take(t.Context(), "me", roomFor(2))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ids)
	}
	same(t, "taken", got, [][]string{{"run-0", "run-1"}, {"run-2"}, nil})
	r := load(t, j, "run-1")
	if r.Holder != "me" || r.Fence != 2 {
		t.Errorf("the run belongs to %q with the fence %d", r.Holder, r.Fence)
	}
	refuse(t, j, journal.ErrFenced, Next(NewRun("run-1", 5, nil).Record, api.EventStarted))
	held, err := j.HeldBy(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	same(t, "held", held, map[string]int{"": 3, "somebody": 1, "me": 3})
}

// takeOnce: of several who take at once, each run is taken by one.
func takeOnce(t *testing.T, j journal.Journal) {
	const runs = 200
	for i := range runs {
		submit(t, j, NewRun(fmt.Sprintf("run-%03d", i), i, nil))
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	var all []string
	for n := range 4 {
		group.Go(func() {
			for {
				ids, err := j.Take(t.Context(), fmt.Sprint("taker-", n), roomFor(7))
				if err != nil {
					t.Error(err)
				}
				if len(ids) == 0 {
					return
				}
				mu.Lock()
				all = append(all, ids...)
				mu.Unlock()
			}
		})
	}
	group.Wait()
	slices.Sort(all)
	if unique := slices.Compact(slices.Clone(all)); len(all) != runs || len(unique) != runs {
		t.Errorf("%d runs were taken, %d of them different, want %d", len(all), len(unique), runs)
	}
}

// takeFitting: a process takes what it has the labels, the memory and the cores for,
// however much of what it cannot hold waits before that.
func takeFitting(t *testing.T, j journal.Journal) {
	const before = 1100 // more than one taking looks at
	var changes []journal.Change
	for i := range before {
		c := NewRun(fmt.Sprintf("run-else-%04d", i), i, nil)
		c.Record.NodeSelector = map[string]string{"zone": "b"}
		if i%2 == 1 {
			c.Record.NodeSelector, c.Record.Needs.Memory = nil, 101
		}
		changes = append(changes, c)
	}
	for i, need := range []struct {
		selector map[string]string
		needs    journal.Needs
	}{
		{nil, journal.Needs{}},
		{map[string]string{"zone": "a", "gpu": ""}, journal.Needs{Memory: 60, CPU: 2}},
		{map[string]string{"zone": "a", "gpu": "x"}, journal.Needs{}},
		{nil, journal.Needs{CPU: 2.5}},
		{map[string]string{"zone": "a"}, journal.Needs{Memory: 60}}, // which the second one took
		{nil, journal.Needs{Memory: 40}},
	} {
		c := NewRun(fmt.Sprintf("run-%d", i), before+i, nil)
		c.Record.NodeSelector, c.Record.Needs = need.selector, need.needs
		changes = append(changes, c)
	}
	if err := j.Submit(changes...).Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := roomFor(10)
	w.Place = journal.Place{Labels: map[string]string{"zone": "a", "gpu": "", "more": "x"}, CPU: 2, Memory: 100}
	got, err := j.Take(t.Context(), "me", w)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "taken", got, []string{"run-0", "run-1", "run-5"})
	loaded := load(t, j, "run-1")
	same(t, "needs", loaded.Needs, journal.Needs{Memory: 60, CPU: 2})
	same(t, "selector", loaded.NodeSelector, map[string]string{"zone": "a", "gpu": ""})
}

// takeByRank: what is taken gladly comes first, and then the rest for which there is room.
func takeByRank(t *testing.T, j journal.Journal) {
	for i, images := range [][]string{{"cold"}, {"warm"}, {"later"}, {"cold"}, {"warm"}} {
		c := NewRun(fmt.Sprintf("run-%d", i), i, nil)
		c.Record.Needs.Images = images
		submit(t, j, c)
	}
	w := roomFor(3)
	w.Rank = func(r *journal.Record) journal.Rank {
		return map[string]journal.Rank{"warm": journal.Gladly, "cold": journal.IfSpared, "later": journal.NotNow}[r.Needs.Images[0]]
	}
	var got [][]string
	for range 2 {
		ids, err := j.Take(t.Context(), "me", w)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ids)
	}
	same(t, "taken", got, [][]string{{"run-1", "run-4", "run-0"}, {"run-3"}})
}

// takeByPriority: of runs that wait, the one that is due first is taken first, in whichever
// order they were submitted and whatever they select.
func takeByPriority(t *testing.T, j journal.Journal) {
	for i, priority := range []int{0, -1, 10, 0, 1, 10} {
		c := NewRun(fmt.Sprintf("run-%d", i), i, nil)
		c.Record.Priority = priority
		if i%2 == 0 {
			c.Record.NodeSelector = map[string]string{"zone": "a"}
		}
		submit(t, j, c)
	}
	late := NewRun("run-late", 0, nil) // which none of the highest priority overtakes any more
	late.Record.Created = late.Record.Created.Add(-11 * api.PriorityWorth)
	submit(t, j, late)
	w := roomFor(3)
	w.Place.Labels = map[string]string{"zone": "a"}
	var got [][]string
	for range 3 {
		ids, err := j.Take(t.Context(), "me", w)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ids)
	}
	same(t, "taken", got, [][]string{{"run-late", "run-2", "run-5"}, {"run-4", "run-0", "run-3"}, {"run-1"}})
}

// takeShared: of owners whose runs wait, the one for whom least is done is next, however
// many runs others have submitted before, and of whatever priority.
func takeShared(t *testing.T, j journal.Journal) {
	add := func(id string, n int, owner, holder string, priority int) {
		c := NewRun(id, n, nil)
		c.Record.Owner, c.Record.Holder, c.Record.Priority = owner, holder, priority
		submit(t, j, c)
	}
	add("run-held", 0, "ada", "me", 0)
	for i := range 100 {
		add(fmt.Sprintf("run-a%02d", i), i, "ada", "", 10)
	}
	add("run-b0", 200, "bob", "", 0)
	add("run-b1", 201, "bob", "", 1)
	add("run-home", 202, "", "", -10)
	var got [][]string
	for _, room := range []int{2, 4} {
		ids, err := j.Take(t.Context(), "me", roomFor(room))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, ids)
	}
	same(t, "taken", got, [][]string{{"run-b1", "run-home"}, {"run-a00", "run-b0", "run-a01", "run-a02"}})
}
