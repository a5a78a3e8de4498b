package replay

import (
	"cmp"

	"github.com/glovebox-dev/glovebox/internal/journal"
)

// Key returns what the tries of one call have in common: a tool that gets it can
// tell that it is called for the same thing again.
func Key(rec *journal.Record) string { return cmp.Or(rec.Key, rec.ID) }

// Origin returns the run that did the work of a call.
func Origin(rec *journal.Record) string { return cmp.Or(rec.CachedRun, rec.ID) }

// NewestTries leaves out calls that were tried again since.
func NewestTries(calls []*journal.Record) (newest []*journal.Record) {
	last := map[string]*journal.Record{}
	for _, call := range calls {
		if key := Key(call); last[key] == nil || call.Num > last[key].Num {
			last[key] = call
		}
	}
	for _, call := range calls {
		if last[Key(call)] == call {
			newest = append(newest, call)
		}
	}
	return newest
}
