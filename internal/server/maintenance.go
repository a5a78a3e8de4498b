package server

import (
	"context"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerMaintenance adds the routes for the operator of the server.
func (s *Server) registerMaintenance() {
	prune := operation(http.MethodPost, "/v1/prune", "server", "prune", "Remove what was not used lately, and bytes that nothing refers to")
	prune.RequestBody = &huma.RequestBody{}
	route(s, traits{stream: true}, prune, s.prune)
	prune.RequestBody.Required = false
	route(s, traits{}, operation(http.MethodGet, "/v1/retention", "server", "getRetention", "How long this server keeps what was used, and what it removed last"),
		func(ctx context.Context, _ *nothing) (*answer[*api.Retention], error) {
			return answerWith(s.Service.Retention(ctx))
		})
	route(s, traits{stream: true}, operation(http.MethodGet, "/v1/doctor", "server", "diagnose", "What this host offers for runs, what it lacks, and what is kept"),
		func(ctx context.Context, in *doctorInput) (*answer[doctorAnswer], error) {
			found, err := s.Service.Doctor(ctx, in.Deep)
			ready := !slices.ContainsFunc(found, func(f api.Finding) bool { return f.Fatal })
			return answerWith(doctorAnswer{ready, orEmpty(found)}, err)
		})
	route(s, traits{}, operation(http.MethodGet, "/v1/cells", "server", "listCells", "The cells in which runs and sessions are now, and what they use"),
		func(ctx context.Context, _ *nothing) (*answer[cellsAnswer], error) {
			cells, err := s.Service.Cells(ctx)
			return answerWith(cellsAnswer{orEmpty(cells)}, err)
		})
}

type cellsAnswer struct {
	Cells []api.LiveCell `json:"cells"` // the oldest first
}

type doctorInput struct {
	Deep bool `query:"deep" doc:"Read all that is kept, which may take long, and find what is damaged"`
}

type doctorAnswer struct {
	Ready    bool          `json:"ready"`    // whether runs are taken: nothing that was found is fatal
	Findings []api.Finding `json:"findings"` // in the order in which they were looked at
}

func (s *Server) prune(ctx context.Context, in *struct{ Body jsonBody[api.PruneRequest] }) (*answer[*api.Pruned], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if err := given.Check(); err != nil {
		return nil, err
	}
	return answerWith(s.Service.Prune(ctx, *given))
}
