package server

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// fakeOwners has one owner, ann, with one token.
type fakeOwners struct{}

func (fakeOwners) Owners(context.Context) ([]api.Owner, error) {
	return []api.Owner{{Name: "ann"}}, nil
}

func (fakeOwners) SetOwner(_ context.Context, o api.Owner) (*api.Owner, error) { return &o, nil }

func (fakeOwners) RemoveOwner(_ context.Context, name string) error { return knownOwner(name) }

func (fakeOwners) Tokens(_ context.Context, owner string) ([]api.Token, error) {
	return []api.Token{{Name: "ci", Owner: owner, Scopes: []api.Scope{api.ScopeRead}}}, knownOwner(owner)
}

func (fakeOwners) NewToken(_ context.Context, t api.Token) (*api.NewToken, error) {
	return &api.NewToken{Token: t, Text: "gbx-text"}, knownOwner(t.Owner)
}

func (fakeOwners) RemoveToken(_ context.Context, owner, _ string) error { return knownOwner(owner) }

func (fakeOwners) Deeds(_ context.Context, q api.DeedQuery) (api.DeedPage, error) {
	return api.DeedPage{Deeds: []api.Deed{{Num: 7, Owner: "ann", Token: "ci", Action: "cancel", Object: q.Object}}, Next: 7}, nil
}

func knownOwner(name string) error {
	if name != "ann" {
		return api.Errorf(api.NotFound, "owner %s is not there", name)
	}
	return nil
}
