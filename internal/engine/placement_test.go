package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

const gi = int64(1) << 30

// inPlaces runs a test with two processes on one journal: a has no labels and 1 GiB, b is
// in the zone b and has 4 GiB.
func inPlaces(t *testing.T, test func(t *testing.T, h *host, a, b *Engine)) {
	synctest.Test(t, func(t *testing.T) {
		h := newHost(t)
		made := func(owner string, p journal.Place) *Engine {
			config := h.config(owner, h.journal)
			config.Place.Place = p
			h.alive[owner] = true
			e := New(config)
			e.Share(true)
			return e
		}
		a := made("a", journal.Place{CPU: 2, Memory: gi})
		b := made("b", journal.Place{CPU: 2, Memory: 4 * gi, Labels: map[string]string{"zone": "b"}})
		defer b.Close()
		defer a.Close()
		test(t, h, a, b)
	})
}

// TestPlaced: a run for which a process lacks a label or memory is left to one that has
// them, although the first one is idle.
func TestPlaced(t *testing.T) {
	cell := api.Task{Name: "cell", Kind: api.KindSandbox, Code: "1"}
	large := cell
	large.Resources.Memory = 2 * gi
	inZone := cell
	inZone.NodeSelector = map[string]string{"zone": "b"}
	for name, task := range map[string]*api.Task{
		"a label of the task": {Kind: api.KindOrchestrator, NodeSelector: map[string]string{"zone": "b"}},
		"a label of a tool":   {Kind: api.KindOrchestrator, Orchestrator: &api.Orchestrator{Tools: []api.Task{inZone}}},
		"memory of a tool":    {Kind: api.KindOrchestrator, Orchestrator: &api.Orchestrator{Tools: []api.Task{large}}},
	} {
		t.Run(name, func(t *testing.T) {
			inPlaces(t, func(t *testing.T, h *host, a, b *Engine) {
				whole := *orchestrate("1 + 2", integer)
				whole.NodeSelector = task.NodeSelector
				if task.Orchestrator != nil {
					h.functions.code["cell"] = nil // a kind that is there
					whole.Orchestrator.Tools = task.Orchestrator.Tools
				}
				rec := placedRecord(t, a, &whole)
				if a.config.Place.Holds(rec) || !b.config.Place.Holds(rec) {
					t.Errorf("needs %+v, selector %v", rec.Needs, rec.NodeSelector)
				}
				if task.Orchestrator != nil {
					return // there are no sandboxes here to check the tool
				}
				run := submit(t, a, api.Submission{Task: &whole})
				if n, err := a.TakeFree(t.Context()); n != 0 || err != nil {
					t.Errorf("a took %d, %v", n, err)
				}
				if n, err := b.TakeFree(t.Context()); n != 1 || err != nil {
					t.Errorf("b took %d, %v", n, err)
				}
				result, err := a.Wait(t.Context(), run.ID)
				if got := valueFrom(t, result, err); got != int64(3) {
					t.Errorf("got %v", got)
				}
			})
		})
	}
}

// TestTakenMemory: what sessions take is not there for runs, and is again when they end.
func TestTakenMemory(t *testing.T) {
	h := newHost(t)
	config := h.config("a", h.journal)
	taken := 3 * gi
	config.Place = Place{Place: journal.Place{Memory: 4 * gi}, Taken: func() int64 { return taken }}
	e := New(config)
	defer e.Close()
	r := &run{engine: e, kind: api.KindFunction}
	r.rec.Needs.Memory = 2 * gi
	if got := e.FreeMemory(); got != gi || e.hasRoomFor(r) {
		t.Errorf("%d bytes are free, and there is room", got)
	}
	if taken = 0; !e.hasRoomFor(r) {
		t.Error("there is no room after the end of the session")
	}
}

// placedRecord is the record of a run of a task, as far as it says where that may be.
func placedRecord(t *testing.T, e *Engine, task *api.Task) *journal.Record {
	t.Helper()
	sub := &submission{granted: granted{task: task}}
	if err := e.place(sub, nil); err != nil {
		t.Fatal(err)
	}
	return &sub.rec
}

// TestSelectorRefused: a run that can be neither kept nor left to others is refused, and
// so is a selector that contradicts itself.
func TestSelectorRefused(t *testing.T) {
	inPlaces(t, func(t *testing.T, h *host, a, _ *Engine) {
		h.functions.code["f"] = nil
		elsewhere := map[string]string{"zone": "b"}
		contradicts := function("f")
		contradicts.NodeSelector = map[string]string{"zone": "c"}
		for name, test := range map[string]struct {
			task     *api.Task
			selector map[string]string
			text     string
		}{
			"pinned":     {orchestrate("1", integer, function("f")), elsewhere, "zone=b, and this one has no labels"},
			"two zones":  {orchestrate("1", integer, contradicts), elsewhere, "zone=b, and for the tool f zone=c"},
			"bad label":  {orchestrate("1", integer), map[string]string{"a=b": ""}, "node_selector"},
			"bad length": {orchestrate("1", integer), map[string]string{"a": strings.Repeat("x", 300)}, "node_selector"},
		} {
			_, err := a.Submit(t.Context(), api.Submission{Task: test.task, NodeSelector: test.selector})
			if !errors.Is(err, &api.Error{Code: api.InvalidTask}) || !strings.Contains(err.Error(), test.text) {
				t.Errorf("%s: got %v", name, err)
			}
		}
		a.Share(false)
		_, err := a.Submit(t.Context(), api.Submission{Task: orchestrate("1", integer), NodeSelector: elsewhere})
		if !errors.Is(err, &api.Error{Code: api.InvalidTask}) || api.AsError(err).Details.Field != "node_selector" || !strings.Contains(api.AsError(err).Hint, "--label") {
			t.Errorf("alone: got %v", err)
		}
		if len(a.liveRuns()) != 0 {
			t.Error("a refused run is left")
		}
	})
}

func TestNeedsOf(t *testing.T) {
	cell := api.Task{Name: "cell", Code: "1", Resources: api.Resources{CPU: 3}}
	large := api.Task{Name: "large", Code: "1", Resources: api.Resources{Memory: 5 * gi}}
	for name, test := range map[string]struct {
		task *api.Task
		want journal.Needs
	}{
		"a cell":          {&cell, journal.Needs{Memory: gi, CPU: 3}},
		"none":            {orchestrate("1", integer), journal.Needs{}},
		"tools":           {orchestrate("1", integer, cell, large), journal.Needs{Memory: 5 * gi, CPU: 3}},
		"a script":        {&api.Task{Kind: api.KindCodegen, Codegen: &api.Codegen{Script: large}}, journal.Needs{Memory: 5 * gi, CPU: 1}},
		"below a tool":    {orchestrate("1", integer, *orchestrate("1", integer, large)), journal.Needs{Memory: 5 * gi, CPU: 1}},
		"not of a worker": {orchestrate("1", integer, function("f")), journal.Needs{}},
	} {
		if diff := cmp.Diff(test.want, needsOf(test.task)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// simulated is a process in the simulation below.
type simulated struct {
	Place
	passed passedOver
	seen   map[string]time.Time // when it first could have taken a run
}

// TestTakingOrder simulates processes with some images each that take runs, for as long
// as there are some. Whatever the order of events is, none takes what it cannot hold, each
// run is taken, and no process that could take a run takes younger ones in its place for
// longer than some seconds.
func TestTakingOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		images := []string{"i", "j", "k"}
		zones := []string{"", "x", "y"}
		var nodes []*simulated
		for n := range rapid.IntRange(1, 4).Draw(t, "nodes") {
			has := map[string]bool{}
			for _, image := range images {
				has[image] = rapid.Bool().Draw(t, "has")
			}
			zone := ""
			if n > 0 { // one can hold all that selects nothing
				zone = rapid.SampledFrom(zones).Draw(t, "zone")
			}
			nodes = append(nodes, &simulated{seen: map[string]time.Time{}, Place: Place{
				Place:    journal.Place{Labels: map[string]string{"zone": zone}, Memory: 10},
				HasImage: func(image string) bool { return has[image] },
			}})
		}
		now, made, ended := time.Unix(1000, 0), 0, 0
		var waiting []*journal.Record
		for step := 0; step < 60 || len(waiting) > 0; step++ {
			if step > 5000 {
				t.Fatalf("%d runs are never taken", len(waiting))
			}
			now = now.Add(time.Duration(rapid.IntRange(1, 300).Draw(t, "ms")) * time.Millisecond)
			for range rapid.IntRange(0, 3).Draw(t, "new") {
				if step >= 60 {
					break
				}
				r := &journal.Record{}
				r.ID, r.Kind, r.Num = fmt.Sprint(made), api.KindSandbox, int64(made)
				r.Needs.Memory = rapid.Int64Range(0, 10).Draw(t, "memory")
				r.Needs.Images = []string{rapid.SampledFrom(images).Draw(t, "image")}
				if rapid.Bool().Draw(t, "selects") {
					r.NodeSelector = map[string]string{"zone": nodes[len(nodes)-1].Labels["zone"]}
				}
				waiting, made = append(waiting, r), made+1
			}
			n := rapid.SampledFrom(nodes).Draw(t, "node")
			room := rapid.IntRange(0, 2).Draw(t, "room")
			taken := n.take(t, waiting, room, now)
			waiting = slices.DeleteFunc(waiting, func(r *journal.Record) bool { return slices.Contains(taken, r) })
			ended += len(taken)
		}
		if ended != made {
			t.Fatalf("%d of %d runs were taken", ended, made)
		}
	})
}

// take has a process take runs, and checks which.
func (n *simulated) take(t *rapid.T, waiting []*journal.Record, room int, now time.Time) (taken []*journal.Record) {
	w := journal.Wanted{Room: map[api.TaskKind]int{api.KindSandbox: room}, MaxDeaths: 1, Place: n.Place.Place}
	rank, end := n.passed.look(&n.Place, now)
	w.Rank = rank
	choice := journal.NewChoice(w, nil)
	show := choice.Lane()
	for _, r := range waiting {
		show(r)
	}
	end()
	left := w.Clone()
	for _, r := range choice.Chosen() {
		if !n.Holds(r) {
			t.Fatalf("run %s is taken by a process that cannot hold it", r.ID)
		}
		if left.Wants(r) {
			left.Spend(r)
			taken = append(taken, r)
		}
	}
	for _, older := range waiting {
		if room == 0 || !n.Holds(older) || slices.Contains(taken, older) {
			continue
		}
		since, known := n.seen[older.ID]
		if !known {
			n.seen[older.ID] = now
			continue
		}
		younger := slices.IndexFunc(taken, func(r *journal.Record) bool { return r.Num > older.Num })
		if younger >= 0 && now.Sub(since) >= longestFor && left.Place.Memory >= older.Needs.Memory {
			t.Fatalf("run %s was passed over for %s, and run %s taken", older.ID, now.Sub(since), taken[younger].ID)
		}
	}
	return taken
}
