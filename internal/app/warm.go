package app

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

func (s service) KeepWarm(context.Context, api.WarmRequest) (*api.WarmPool, error) {
	return nil, api.Errorf(api.IsolationUnavailable, "this program keeps no cells warm")
}

func (s service) WarmPools(context.Context) ([]api.WarmPool, error) { return nil, nil }
