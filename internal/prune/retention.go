package prune

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// RetainHere removes what of that this machine has for itself, and leaves what all that
// work on the journal have in common.
func RetainHere(ctx context.Context, s Stores, r api.Retention) (api.Pruned, error) {
	p := newPruner(ctx, s, r.OlderThan)
	if r.OlderThan <= 0 {
		return p.pruned, nil
	}
	err := p.images(0, r.OlderThan)
	if err == nil {
		err = p.leftovers()
	}
	return p.pruned, err
}

// mostTrees is how many trees of runs one call of Retain deletes.
const mostTrees = 10_000

// Retain removes what was kept as long as r says. It deletes so many runs at most, and
// reports whether it may have left some.
func Retain(ctx context.Context, s Stores, r api.Retention) (pruned api.Pruned, more bool, err error) {
	p := newPruner(ctx, s, r.OlderThan)
	p.most, p.except = mostTrees, slices.Sorted(maps.Keys(r.Runs))
	for _, task := range p.except {
		if err := p.trees(journal.Pruning{Before: time.Now().Add(-r.Runs[task]), Task: task}); err != nil {
			return p.pruned, false, err
		}
	}
	pruned, err = p.prune(0, r.OlderThan)
	return pruned, p.most <= 0, err
}
