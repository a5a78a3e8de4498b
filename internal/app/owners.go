package app

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/owner"
)

// guard returns what stands before a service for those who have a token of an owner.
func (a *App) guard(whole api.Service) api.Service {
	runs, owners := a.db.Journal(), a.db.Owners()
	return owner.New(owner.Config{
		Service: whole, HasBlob: owners.HasBlob, AddBlob: owners.AddBlob, Note: a.owners.Note,
		Quotas: owners.Owner, CountRuns: owners.CountRuns, CountSessions: owners.CountSessions,
		RunOwner: func(ctx context.Context, id string) (string, error) { return ownerOf(ctx, runs, id) },
	})
}
