package journal

import (
	"cmp"
	"maps"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
)

// Needs is what a process must have to carry a run out, beside the labels that the run
// selects it by.
type Needs struct {
	Memory int64   `json:"memory,omitempty"` // bytes of its largest cell
	CPU    float64 `json:"cpu,omitempty"`    // cores of the cell that has most
	// Images tell those of its cells, as the process that took it in named them. It is
	// carried out without them, too.
	Images []string `json:"images,omitempty"`
}

// Place is what a process has for runs.
type Place struct {
	Labels map[string]string
	CPU    float64 // cores
	Memory int64   // bytes
}

// Holds reports whether a place has what a run needs.
func (p Place) Holds(r *Record) bool {
	return p.CPU >= r.Needs.CPU && p.Memory >= r.Needs.Memory && p.Selected(r.NodeSelector)
}

// Selected reports whether a place has all labels of a selector.
func (p Place) Selected(selector map[string]string) bool {
	for name, text := range selector {
		if got, ok := p.Labels[name]; !ok || got != text {
			return false
		}
	}
	return true
}

// Rank is how gladly a process takes a run.
type Rank int

// The ranks.
const (
	Gladly   Rank = iota // in the order in which runs are due
	IfSpared             // after all that are taken gladly
	NotNow
)

// Wanted says which runs a process takes.
type Wanted struct {
	Room      map[api.TaskKind]int // for so many of each kind
	Most      int                  // so many of all kinds together; 0 is any number
	MaxDeaths int                  // fewer deaths than so many
	Place     Place                // with the memory that is free
	// Rank is asked about each run that could be taken; nil takes all gladly.
	Rank func(*Record) Rank
}

// Clone returns a copy that may be counted down.
func (w Wanted) Clone() Wanted {
	w.Room = maps.Clone(w.Room)
	return w
}

// Wants reports whether there is room for a run, which may be taken by anybody.
func (w Wanted) Wants(r *Record) bool {
	return w.Room[r.Kind] > 0 && r.Deaths < w.MaxDeaths && w.Place.Holds(r)
}

// Spend counts down what a run takes that is wanted.
func (w *Wanted) Spend(r *Record) {
	w.Room[r.Kind]--
	if w.Most--; w.Most == 0 {
		clear(w.Room)
	}
	if r.Kind == api.KindSandbox {
		w.Place.Memory -= r.Needs.Memory
	}
}

// Any reports whether there is room for anything.
func (w Wanted) Any() bool {
	for _, n := range w.Room {
		if n > 0 {
			return true
		}
	}
	return false
}

// Choice chooses runs among those that it is shown, in the order in which they are due.
type Choice struct {
	wanted         Wanted
	working        map[string]int // runs by their owners
	gladly, spared []*Record
}

// NewChoice returns a choice of nothing. Working says how many runs of each owner are
// carried out already; of owners whose runs wait, the one with fewest is next.
func NewChoice(w Wanted, working map[string]int) *Choice {
	return &Choice{wanted: w, working: maps.Clone(working)}
}

// Lane returns what shows runs of one lane, which are in their order, and reports of each
// whether the lane has filled all room, so that no more of it need be seen.
func (c *Choice) Lane() (show func(*Record) (enough bool)) {
	left := c.wanted.Clone() // after those of the lane that are taken gladly
	return func(r *Record) bool {
		if c.show(r) == Gladly && left.Wants(r) {
			left.Spend(r)
		}
		return !left.Any()
	}
}

func (c *Choice) show(r *Record) Rank {
	if !c.wanted.Wants(r) {
		return NotNow
	}
	rank := Gladly
	if c.wanted.Rank != nil {
		rank = c.wanted.Rank(r)
	}
	switch rank {
	case Gladly:
		c.gladly = append(c.gladly, r)
	case IfSpared:
		c.spared = append(c.spared, r)
	}
	return rank
}

// Chosen are the runs that may be taken, the one that is taken first in front. They are
// more than there is room for, since others may take some of them meanwhile.
func (c *Choice) Chosen() []*Record {
	if c.working == nil {
		c.working = map[string]int{}
	}
	return append(c.shared(c.gladly), c.shared(c.spared)...)
}

// shared has the owners of runs take turns: the one for whom least is done is next. Of one
// owner, the run that is due first is first.
func (c *Choice) shared(runs []*Record) (order []*Record) {
	slices.SortStableFunc(runs, inOrder)
	waiting := map[string][]*Record{}
	for _, r := range runs {
		waiting[r.Owner] = append(waiting[r.Owner], r)
	}
	for len(waiting) > 0 {
		owner := c.next(waiting)
		order = append(order, waiting[owner][0])
		c.working[owner]++
		if waiting[owner] = waiting[owner][1:]; len(waiting[owner]) == 0 {
			delete(waiting, owner)
		}
	}
	return order
}

// next is the owner whose turn it is.
func (c *Choice) next(waiting map[string][]*Record) (next string) {
	first := true
	for owner, runs := range waiting {
		if first || cmp.Or(cmp.Compare(c.working[owner], c.working[next]), inOrder(runs[0], waiting[next][0])) < 0 {
			next, first = owner, false
		}
	}
	return next
}

// inOrder compares runs by when they are due, and then by when they were submitted.
func inOrder(a, b *Record) int {
	return cmp.Or(cmp.Compare(a.Due(), b.Due()), cmp.Compare(a.Num, b.Num))
}
