package app

import (
	"context"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/compat/e2b"
	"github.com/glovebox-dev/glovebox/internal/host"
	"github.com/glovebox-dev/glovebox/internal/prune"
)

// Prune implements api.Maintenance.
func (s service) Prune(ctx context.Context, r api.PruneRequest) (*api.Pruned, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	pruned, err := s.app.prune(ctx, r.MaxImages, r.OlderThan)
	if err != nil {
		return nil, err
	}
	return &pruned, nil
}

// Doctor implements api.Maintenance.
func (s service) Doctor(ctx context.Context, deep bool) ([]api.Finding, error) {
	return s.app.Findings(ctx, deep), nil
}

// PruneHome opens a home, prunes it, and closes it. If the disk is so full that
// the home cannot be opened, what needs no journal goes first.
func PruneHome(ctx context.Context, o host.Options, maxImages int64, age time.Duration) (api.Pruned, error) {
	o.Pruning = true
	a, err := Open(ctx, o)
	var first api.Pruned
	if errors.Is(err, &api.Error{Code: api.StorageFull}) {
		if first, err = makeRoom(ctx, o, maxImages, age); err != nil {
			return first, err
		}
		a, err = Open(ctx, o)
	}
	if err != nil {
		return first, err
	}
	p, err := a.prune(ctx, maxImages, age)
	prune.Add(&p, first)
	return p, errors.Join(err, a.Close())
}

func makeRoom(ctx context.Context, o host.Options, maxImages int64, age time.Duration) (api.Pruned, error) {
	o.Reading = true
	a, err := Open(ctx, o)
	if err != nil {
		return api.Pruned{}, err
	}
	if err := a.blobs.claim(ctx, a.Home); err != nil {
		return api.Pruned{}, errors.Join(err, a.Close())
	}
	p, err := prune.MakeRoom(ctx, a.stores(), maxImages, age)
	return p, errors.Join(err, a.Close())
}

// prune removes what was not used lately. The blobs must be those of this journal.
func (a *App) prune(ctx context.Context, maxImages int64, age time.Duration) (api.Pruned, error) {
	if err := a.blobs.claim(ctx, a.Home); err != nil {
		return api.Pruned{}, err
	}
	p, err := prune.Prune(ctx, a.stores(), maxImages, age)
	return p, errors.Join(err, a.blobs.tidy(ctx))
}

// stores shows package prune what the home keeps.
func (a *App) stores() prune.Stores {
	return prune.Stores{
		Home: a.Home, Images: a.pruneImages, Journal: a.db.Journal(), Sessions: a.db.Sessions(), Cache: a.db.Cache(), Blobs: a.blobs,
		Needs: []prune.Referrer{a.db.Catalog(), e2b.Templates(a.Home.Templates()), e2b.TemplateFile(a.Home.Below(e2bTemplatesBefore))}, Logger: a.logger,
	}
}

func (a *App) pruneImages(maxBytes int64, age time.Duration) (sizes []int64, err error) {
	needed, err := a.sessions.Images(context.Background())
	if err != nil {
		return nil, err
	}
	images, err := a.images.Prune(maxBytes, age, func(id string) bool { return needed[id] != "" })
	for _, img := range images {
		sizes = append(sizes, img.Size)
	}
	return sizes, err
}
