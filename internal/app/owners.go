package app

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/owner"
)

// guard returns what stands before a service for those who have a token of an owner.
func (a *App) guard(whole api.Service) api.Service {
	runs := a.db.Journal()
	return owner.New(owner.Config{
		Service: whole, HasBlob: a.db.Owners().HasBlob, AddBlob: a.db.Owners().AddBlob, Note: a.owners.Note,
		RunOwner: func(ctx context.Context, id string) (string, error) { return ownerOf(ctx, runs, id) },
	})
}
