package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerState adds the routes about the server itself.
func (s *Server) registerState() {
	route(s, traits{open: true}, operation(http.MethodGet, "/healthz", "server", "getHealth", "Whether the server answers"),
		func(context.Context, *nothing) (*answer[stateAnswer], error) {
			return &answer[stateAnswer]{stateAnswer{"ok"}}, nil
		})
	route(s, traits{open: true}, operation(http.MethodGet, "/readyz", "server", "getReadiness", "Whether the server takes work"), s.ready)
	route(s, traits{}, operation(http.MethodGet, "/v1/version", "server", "getVersion", "Which Glovebox this is"),
		func(context.Context, *nothing) (*answer[versionAnswer], error) {
			return &answer[versionAnswer]{versionAnswer{s.Version}}, nil
		})
	metrics := operation(http.MethodGet, "/metrics", "server", "getMetrics", "Metrics for Prometheus")
	route(s, traits{}, metrics, func(context.Context, *nothing) (*huma.StreamResponse, error) {
		if s.Admitted { // they tell of the whole process, and so of the work of others
			return nil, api.Errorf(api.Unauthorized, "the metrics of this server are not for those whom it lets in without a token")
		}
		return streamed(s.metricsHandler().ServeHTTP), nil
	})
	s.content(metrics, "200", "Metrics", "text/plain")
	document := operation(http.MethodGet, "/openapi.json", "server", "getDocument", "This document")
	route(s, traits{}, document, func(context.Context, *nothing) (*huma.StreamResponse, error) {
		return streamed(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_ = writeJSON(w, s.document.OpenAPI()) // the client may be gone
		}), nil
	})
	s.operationOf(document).Responses["200"] = &huma.Response{
		Description: "An OpenAPI 3.1 document",
		Content:     map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Type: "object"}}},
	}
}

type stateAnswer struct {
	Status string `json:"status" enum:"ok,ready"` // ok or ready
}

type versionAnswer struct {
	Version string `json:"version"` // of the program
}

func (s *Server) ready(context.Context, *nothing) (*answer[stateAnswer], error) {
	if s.leaving.Load() || s.isDraining() {
		return nil, api.Errorf(api.ServerUnavailable, "the server stops and takes no new work")
	}
	return &answer[stateAnswer]{stateAnswer{"ready"}}, nil
}
