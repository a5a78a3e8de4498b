package server

import (
	"context"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// registerWarm adds the routes of cells that are kept ready.
func (s *Server) registerWarm() {
	route(s, traits{}, operation(http.MethodGet, "/v1/warm", "warm", "listWarmPools", "The cells that are kept ready"),
		func(ctx context.Context, _ *nothing) (*answer[warmAnswer], error) {
			pools, err := s.Service.WarmPools(ctx)
			return answerWith(warmAnswer{orEmpty(pools)}, err)
		})
	route(s, traits{stream: true}, operation(http.MethodPut, "/v1/warm", "warm", "keepWarm", "Ask for cells to be kept ready for a task; answers when the first is"), s.keepWarm)
}

type warmAnswer struct {
	Pools []api.WarmPool `json:"pools"`
}

func (s *Server) keepWarm(ctx context.Context, in *struct{ Body jsonBody[api.WarmRequest] }) (*answer[*api.WarmPool], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if err := given.Check(); err != nil {
		return nil, err
	}
	if given.Task != nil {
		if err := checkTask(given.Task, isLocal(ctx)); err != nil {
			return nil, err
		}
	}
	budget.ShareOf(ctx).Release() // it may take long
	return answerWith(s.Service.KeepWarm(ctx, *given))
}
