package denied

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

func (s Service) Owners(context.Context) ([]api.Owner, error) { return nil, s.Refuse("list owners") }

func (s Service) SetOwner(context.Context, api.Owner) (*api.Owner, error) {
	return nil, s.Refuse("make owners")
}

func (s Service) RemoveOwner(context.Context, string) error { return s.Refuse("remove owners") }

func (s Service) Tokens(context.Context, string) ([]api.Token, error) {
	return nil, s.Refuse("list tokens")
}

func (s Service) NewToken(context.Context, api.Token) (*api.NewToken, error) {
	return nil, s.Refuse("make tokens")
}

func (s Service) RemoveToken(context.Context, string, string) error {
	return s.Refuse("revoke tokens")
}

func (s Service) Deeds(context.Context, api.DeedQuery) (api.DeedPage, error) {
	return api.DeedPage{}, s.Refuse("list what was done")
}
