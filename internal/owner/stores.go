package owner

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// BuildImage implements api.Images.
func (g *Guard) BuildImage(ctx context.Context, spec api.ImageSpec, progress func(api.Progress)) (*api.ImageInfo, error) {
	if err := Need(ctx, api.ScopeRun); err != nil {
		return nil, err
	}
	if !api.IdentityOf(ctx).May(api.ScopeAdmin) {
		if err := g.image(ctx, &spec); err != nil {
			return nil, err
		}
	}
	return g.to.BuildImage(ctx, spec, progress)
}

// Images implements api.Images.
func (g *Guard) Images(ctx context.Context) ([]api.ImageInfo, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Images(ctx)
}

// Image implements api.Images.
func (g *Guard) Image(ctx context.Context, image string) (*api.ImageInfo, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Image(ctx, image)
}

// RemoveImage implements api.Images.
func (g *Guard) RemoveImage(ctx context.Context, image string) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	return g.to.RemoveImage(ctx, image)
}

// PushImage implements api.Images.
func (g *Guard) PushImage(ctx context.Context, image, ref, secret string, progress func(api.Progress)) (string, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return "", err
	}
	return g.to.PushImage(ctx, image, ref, secret, progress)
}

// ExplainCache implements api.Cache.
func (g *Guard) ExplainCache(ctx context.Context, run string) (*api.CacheExplanation, error) {
	if err := g.run(ctx, api.ScopeRead, run); err != nil {
		return nil, err
	}
	return g.to.ExplainCache(ctx, run)
}

// ClearCache implements api.Cache.
func (g *Guard) ClearCache(ctx context.Context, task string) (int, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return 0, err
	}
	return g.to.ClearCache(ctx, task)
}
