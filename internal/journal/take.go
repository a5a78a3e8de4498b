package journal

import (
	"encoding/json"
	"maps"

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
	Gladly   Rank = iota // in the order in which runs were submitted
	IfSpared             // after all that are taken gladly
	NotNow
)

// Wanted says which runs a process takes.
type Wanted struct {
	Room      map[api.TaskKind]int // for so many of each kind
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

// Choice chooses runs among those that it is shown, which are in the order in which they
// were submitted.
type Choice struct {
	wanted         Wanted
	left           Wanted // after those that are taken gladly
	gladly, spared []*Record
}

// NewChoice returns a choice of nothing.
func NewChoice(w Wanted) *Choice { return &Choice{wanted: w, left: w.Clone()} }

// Show shows one more run.
func (c *Choice) Show(r *Record) {
	if !c.wanted.Wants(r) {
		return
	}
	rank := Gladly
	if c.wanted.Rank != nil {
		rank = c.wanted.Rank(r)
	}
	switch rank {
	case Gladly:
		c.gladly = append(c.gladly, r)
		if c.left.Wants(r) {
			c.left.Spend(r)
		}
	case IfSpared:
		c.spared = append(c.spared, r)
	}
}

// Enough reports whether what it was shown fills all room, so that it need see no more.
func (c *Choice) Enough() bool { return !c.left.Any() }

// Chosen are the runs that may be taken, the one that is taken first in front. They are
// more than there is room for, since others may take some of them meanwhile.
func (c *Choice) Chosen() []*Record { return append(c.gladly, c.spared...) }

// SelectorText is the same text for the same selector; empty for none.
func SelectorText(selector map[string]string) string {
	if len(selector) == 0 {
		return ""
	}
	text, err := json.Marshal(selector) // in the order of names
	if err != nil {                     // texts cannot fail
		panic(err)
	}
	return string(text)
}

// ParseSelector reads the text of a selector.
func ParseSelector(text string) (map[string]string, error) {
	if text == "" {
		return nil, nil
	}
	var selector map[string]string
	err := json.Unmarshal([]byte(text), &selector)
	return selector, err
}
