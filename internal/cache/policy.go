package cache

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Mode decides whether a run may be answered by an earlier one, and says why in
// one sentence. Override is what the submission asks for, or empty. A task
// without outputs is never answered, whoever asks for it: what it printed is no
// result.
func Mode(task *api.Task, override api.CacheMode) (api.CacheMode, string, error) {
	asked, by := task.Cache, "the task"
	if override != "" {
		asked, by = override, "the request"
	}
	switch asked {
	case api.CacheDisable:
		return api.CacheDisable, by + " disables the cache", nil
	case "", api.CacheAuto, api.CacheOverride:
	default:
		return "", "", unknownMode(asked)
	}
	if len(task.Signature.Outputs) == 0 {
		return api.CacheDisable, "the task declares no outputs, and what it prints is no result", nil
	}
	if asked != "" {
		return asked, by + " asks for " + string(asked), nil
	}
	if reason := impure(task); reason != "" {
		return api.CacheDisable, reason, nil
	}
	return api.CacheAuto, "the task depends on its inputs alone", nil
}

func unknownMode(mode api.CacheMode) error {
	return api.Errorf(api.InvalidTask, "cache is %.60q, expected auto, override or disable", mode).
		WithDetails(api.Details{Field: "cache", Got: string(mode), Expected: "auto, override or disable"})
}

// impure says why the result of a task may depend on more than its key, or "".
func impure(task *api.Task) string {
	const remedy = "; set cache to auto if that changes nothing in its result"
	switch {
	case task.KindOf() != api.KindSandbox:
		return "only sandboxes are answered from the cache unless asked for: a task of kind " + string(task.KindOf()) + " can have effects" + remedy
	case !task.Network.None():
		return "the task has a network, and what it finds there changes" + remedy
	case task.StartsRuns:
		return "the task starts runs, and what they give may change" + remedy
	case task.Asks != nil:
		return "the task asks a model, which answers differently each time" + remedy
	case len(task.Secrets) > 0:
		return "the task has secrets, whose values are not in the key" + remedy
	}
	return ""
}

// The bounds of the cache, and how often they are enforced.
const (
	MaxBytes   = 10 << 30            // of all entries, their blobs included
	MaxUnused  = 30 * 24 * time.Hour // since an entry was last used
	EvictEvery = time.Hour
)

// Eviction holds a store to the bounds. It is for the process that stores
// results: at its start, and from then on after it has stored one, at most every
// EvictEvery. It is for one goroutine at a time.
type Eviction struct {
	Store Store
	last  time.Time
}

// Run evicts if that is due, and returns how many entries went.
func (e *Eviction) Run(ctx context.Context, now time.Time) (int, error) {
	if !e.last.IsZero() && now.Sub(e.last) < EvictEvery {
		return 0, nil
	}
	e.last = now
	return e.Store.Evict(ctx, now.Add(-MaxUnused), MaxBytes)
}
