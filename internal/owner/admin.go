package owner

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// These belong to the home: an owner without the scope admin neither sees nor changes
// them.

// Owners implements api.Owners.
func (g *Guard) Owners(ctx context.Context) ([]api.Owner, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Owners(ctx)
}

// SetOwner implements api.Owners.
func (g *Guard) SetOwner(ctx context.Context, o api.Owner) (*api.Owner, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	got, err := g.to.SetOwner(ctx, o)
	g.note(ctx, err, "set owner", o.Name)
	return got, err
}

// RemoveOwner implements api.Owners.
func (g *Guard) RemoveOwner(ctx context.Context, name string) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	err := g.to.RemoveOwner(ctx, name)
	g.note(ctx, err, "remove owner", name)
	return err
}

// Tokens implements api.Owners.
func (g *Guard) Tokens(ctx context.Context, owner string) ([]api.Token, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Tokens(ctx, owner)
}

// NewToken implements api.Owners.
func (g *Guard) NewToken(ctx context.Context, t api.Token) (*api.NewToken, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	got, err := g.to.NewToken(ctx, t)
	g.note(ctx, err, "make token", t.Owner+"/"+t.Name)
	return got, err
}

// RemoveToken implements api.Owners.
func (g *Guard) RemoveToken(ctx context.Context, owner, name string) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	err := g.to.RemoveToken(ctx, owner, name)
	g.note(ctx, err, "revoke token", owner+"/"+name)
	return err
}

// Deeds implements api.Owners. An owner sees what was done with its own tokens.
func (g *Guard) Deeds(ctx context.Context, q api.DeedQuery) (api.DeedPage, error) {
	none, err := ownOnly(ctx, &q.Owner)
	if err != nil || none {
		return api.DeedPage{}, err
	}
	return g.to.Deeds(ctx, q)
}

// Workers implements api.Workers.
func (g *Guard) Workers(ctx context.Context) ([]api.Worker, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Workers(ctx)
}

// Nodes implements api.Nodes.
func (g *Guard) Nodes(ctx context.Context) ([]api.Node, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Nodes(ctx)
}

// DrainNode implements api.Nodes.
func (g *Guard) DrainNode(ctx context.Context, id string) error {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return err
	}
	err := g.to.DrainNode(ctx, id)
	g.note(ctx, err, "drain", id)
	return err
}

// ListMCPTools implements api.MCP.
func (g *Guard) ListMCPTools(ctx context.Context, server api.MCPServer) ([]api.Task, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.ListMCPTools(ctx, server)
}

// KeepWarm implements api.Warm.
func (g *Guard) KeepWarm(ctx context.Context, r api.WarmRequest) (*api.WarmPool, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.KeepWarm(ctx, r)
}

// WarmPools implements api.Warm.
func (g *Guard) WarmPools(ctx context.Context) ([]api.WarmPool, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.WarmPools(ctx)
}

// Prune implements api.Maintenance.
func (g *Guard) Prune(ctx context.Context, r api.PruneRequest) (*api.Pruned, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	got, err := g.to.Prune(ctx, r)
	g.note(ctx, err, "prune", "")
	return got, err
}

// Retention implements api.Maintenance.
func (g *Guard) Retention(ctx context.Context) (*api.Retention, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Retention(ctx)
}

// Doctor implements api.Maintenance.
func (g *Guard) Doctor(ctx context.Context, deep bool) ([]api.Finding, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Doctor(ctx, deep)
}

// Cells implements api.Maintenance.
func (g *Guard) Cells(ctx context.Context) ([]api.LiveCell, error) {
	if err := Need(ctx, api.ScopeAdmin); err != nil {
		return nil, err
	}
	return g.to.Cells(ctx)
}
