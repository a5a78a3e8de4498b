package app

import (
	"context"
	"sync"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/prune"
)

// These bound how often a server looks for what was kept long enough.
const (
	sweepSoon  = time.Minute // when there was more than one sweep removes
	sweepOften = time.Hour
)

// retention removes what was kept long enough, from time to time.
type retention struct {
	mu    sync.Mutex
	rules api.Retention
}

// Retention implements api.Maintenance.
func (s service) Retention(context.Context) (*api.Retention, error) {
	s.app.retention.mu.Lock()
	defer s.app.retention.mu.Unlock()
	rules := s.app.retention.rules
	return &rules, nil
}

// retain removes by itself what rules say until ctx ends.
func (a *App) retain(ctx context.Context, rules api.Retention) {
	if !rules.Any() {
		return
	}
	a.retention.set(rules)
	for ctx.Err() == nil {
		rules.Last = a.retainOnce(ctx, rules)
		pause := sweepPause(rules)
		rules.Next = rules.Last.Began.Add(pause)
		a.retention.set(rules)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

func (r *retention) set(rules api.Retention) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules = rules
}

// retainOnce removes what was kept long enough. What one fails at is tried by the next.
func (a *App) retainOnce(ctx context.Context, rules api.Retention) *api.Sweep {
	done := &api.Sweep{Began: time.Now()}
	mine, err := a.hasDuty(ctx, "retention")
	switch {
	case err != nil:
	case mine:
		done.Pruned, done.More, err = prune.Retain(ctx, a.stores(), rules)
	default:
		done.Pruned, err = prune.RetainHere(ctx, a.stores(), rules)
	}
	if err != nil && ctx.Err() == nil {
		done.Error = api.AsError(err)
		a.logger.Error("what was kept long enough could not be removed", "error", err)
	}
	if done.Pruned != (api.Pruned{}) {
		a.logger.Info("removed what was kept long enough", "runs", done.Pruned.Runs.Count, "images", done.Pruned.Images.Count,
			"results", done.Pruned.Results, "sessions", done.Pruned.Sessions, "blobs", done.Pruned.Blobs.Count)
	}
	return done
}

// sweepPause is how long to wait for the next sweep: a tenth of the shortest time that
// something is kept, within bounds.
func sweepPause(rules api.Retention) time.Duration {
	if rules.Last.More {
		return sweepSoon
	}
	shortest := rules.OlderThan
	for _, kept := range rules.Runs {
		if shortest == 0 || kept < shortest {
			shortest = kept
		}
	}
	return min(max(shortest/10, sweepSoon), sweepOften)
}
