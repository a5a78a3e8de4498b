package prune

import (
	"errors"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// repeated returns the roots of the runs that others repeat which have not ended: these
// go on with their calls, and would make them again.
func (p *pruner) repeated() (map[string]bool, error) {
	roots := map[string]bool{}
	q := api.RunQuery{Status: []api.Status{api.StatusQueued, api.StatusRunning, api.StatusInterrupted}, Limit: 1000}
	for {
		list, next, err := p.Journal.List(p.ctx, q)
		if err != nil && !errors.Is(err, journal.ErrDamaged) { // the others come beside it
			return nil, err
		}
		for _, rec := range list {
			if err := p.addRepeated(roots, rec); err != nil {
				return nil, err
			}
		}
		if next == "" {
			return roots, nil
		}
		q.Cursor = next
	}
}

func (p *pruner) addRepeated(roots map[string]bool, rec *journal.Record) error {
	if rec.Reuse == nil {
		return nil
	}
	earlier, err := p.Journal.Load(p.ctx, rec.Reuse.Run)
	switch {
	case err == nil:
		roots[earlier.Root] = true
	case !errors.Is(err, journal.ErrNotFound) && !errors.Is(err, journal.ErrDamaged):
		return err
	}
	return nil
}
