package app

import (
	"context"
	"errors"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
	"github.com/glovebox-dev/glovebox/internal/schedule"
	"github.com/glovebox-dev/glovebox/internal/webhook"
)

// wireTriggers makes the services of schedules and hooks, which deployments fill.
func (a *App) wireTriggers() {
	runs := a.db.Journal()
	a.schedules = schedule.New(schedule.Config{
		Store: a.db.Schedules(), Task: a.catalog.Task, Submit: a.engine.Submit, Cancel: a.engine.Cancel, Logger: a.logger,
		Status: func(ctx context.Context, run string) (api.Status, error) { return statusOf(ctx, runs, run) },
		ByKey:  func(ctx context.Context, key string) (string, error) { return runOfKey(ctx, runs, key) },
	})
	a.hooks = webhook.New(webhook.Config{Store: a.db.Hooks(), Task: a.catalog.Task, Secret: a.secrets.Get, Submit: a.engine.Submit, Logger: a.logger})
	a.catalog.Beside = append(a.catalog.Beside, a.schedules, a.hooks)
}

// statusOf returns where a run stands.
func statusOf(ctx context.Context, runs journal.Journal, run string) (api.Status, error) {
	r, err := recordOf(ctx, runs, run)
	if err != nil {
		return "", err
	}
	return r.Status, nil
}

// ownerOf returns whose run it is.
func ownerOf(ctx context.Context, runs journal.Journal, run string) (string, error) {
	r, err := recordOf(ctx, runs, run)
	if err != nil {
		return "", err
	}
	return r.Owner, nil
}

func recordOf(ctx context.Context, runs journal.Journal, run string) (*journal.Record, error) {
	r, err := runs.Load(ctx, run)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, api.Errorf(api.NotFound, "run %s: %w", run, err)
	}
	if err != nil {
		return nil, api.AsError(err)
	}
	return r, nil
}

// runOfKey returns the run of an idempotency key, or "".
func runOfKey(ctx context.Context, runs journal.Journal, key string) (string, error) {
	run, err := runs.ByKey(ctx, api.IdentityOf(ctx).Owner, key)
	if errors.Is(err, journal.ErrNotFound) {
		return "", nil
	}
	return run, err
}
