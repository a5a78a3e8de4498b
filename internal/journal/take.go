package journal

import (
	"maps"

	"github.com/glovebox-dev/glovebox/api"
)

// Wanted says which runs a process takes.
type Wanted struct {
	Room      map[api.TaskKind]int // for so many of each kind
	MaxDeaths int                  // fewer deaths than so many
}

// Clone returns a copy that may be counted down.
func (w Wanted) Clone() Wanted {
	w.Room = maps.Clone(w.Room)
	return w
}

// Wants reports whether there is room for a run, which may be taken by anybody.
func (w Wanted) Wants(r *Record) bool { return w.Room[r.Kind] > 0 && r.Deaths < w.MaxDeaths }

// Any reports whether there is room for anything.
func (w Wanted) Any() bool {
	for _, n := range w.Room {
		if n > 0 {
			return true
		}
	}
	return false
}
