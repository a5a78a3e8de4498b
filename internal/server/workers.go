package server

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// workerProtocol is what a worker asks to be upgraded to.
const workerProtocol = "glovebox-worker"

// registerWorkers adds the routes of the processes that offer functions.
func (s *Server) registerWorkers() {
	route(s, traits{}, operation(http.MethodGet, "/v1/workers", "workers", "listWorkers", "The processes that offer functions"),
		func(ctx context.Context, _ *nothing) (*answer[workersAnswer], error) {
			workers, err := s.Service.Workers(ctx)
			return answerWith(workersAnswer{orEmpty(workers)}, err)
		})
	connect := operation(http.MethodPost, "/v1/workers/connect", "workers", "connectWorker", "Offer functions over this connection")
	connect.Description = "With Connection: Upgrade and Upgrade: glovebox-worker. Both sides then send JSON lines, as docs/WORKER.md says."
	route(s, traits{stream: true, raw: true}, connect, s.connectWorker)
	s.becomes(connect, workerProtocol)
}

type workersAnswer struct {
	Workers []api.Worker `json:"workers"`
}

func (s *Server) connectWorker(_ context.Context, in *UpgradeInput) (*huma.StreamResponse, error) {
	if s.Config.Workers == nil {
		return nil, api.Errorf(api.WorkerUnavailable, "this server takes no workers")
	}
	if !strings.EqualFold(in.Upgrade, workerProtocol) || !strings.Contains(strings.ToLower(in.Connection), "upgrade") {
		return nil, refusal(http.StatusUpgradeRequired, api.Errorf(api.RequestInvalid, "a worker has to ask for an upgrade").
			WithDetails(api.Details{Field: "Upgrade", Expected: workerProtocol, Got: in.Upgrade}))
	}
	return streamed(s.takeOver), nil
}

// takeOver turns the connection of a request into that of a worker, until the
// worker leaves or the server stops.
func (s *Server) takeOver(w http.ResponseWriter, r *http.Request) {
	s.upgrade(w, r, workerProtocol, func(ctx context.Context, conn upgraded) {
		if err := s.Config.Workers(ctx, conn); err != nil && ctx.Err() == nil { // else we left it
			s.Logger.Warn("a worker left", "request", infoOf(r).id, "error", err)
		}
	})
}
