package server

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// register adds every route.
func (s *Server) register() {
	s.registerRuns()
	s.registerApprovals()
	s.registerSignals()
	s.registerEvaluations()
	s.registerFollow()
	s.registerOutputs()
	s.registerCatalog()
	s.registerSchedules()
	s.registerHooks()
	s.registerNotifications()
	s.registerBlobs()
	s.registerImages()
	s.registerSecrets()
	s.registerWorkers()
	s.registerOwners()
	s.registerNodes()
	s.registerMCPTools()
	s.registerMonty()
	s.registerMCP()
	s.registerWarm()
	s.registerState()
	s.registerMaintenance()
	s.registerSessions()
	s.registerProcesses()
	s.registerSessionFiles()
	s.registerPorts()
	s.registerContexts()
	s.registerPage()
}

// operation begins the description of a route.
func operation(method, path, tag, id, summary string) huma.Operation {
	return huma.Operation{Method: method, Path: path, OperationID: id, Summary: summary, Tags: []string{tag}}
}

// route adds an operation. Errors of the handler become problems.
func route[I, O any](s *Server, t traits, op huma.Operation, h func(context.Context, *I) (*O, error)) {
	if !t.raw && hasBody(op.Method) {
		t.limit = s.Limits.JSON
	}
	if !t.open && !t.signed {
		t.scope = scopes[op.OperationID]
	}
	s.traits[op.Method+" "+op.Path] = t
	op.SkipValidateBody = true             // jsonBody is stricter
	op.MaxBodyBytes = t.limit + 1          // huma refuses a body that reaches it
	op.BodyReadTimeout = -1                // pacedBody does it
	op.Responses = documentRefusals(t, op) // beside that of success, which huma adds
	if t.open || t.signed {
		op.Security = []map[string][]string{}
	}
	huma.Register(s.document, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := h(ctx, in)
		if err != nil {
			s.logInternal(ctx, err)
			return nil, failureOf(err)
		}
		return out, nil
	})
}

// hasBody reports whether requests of a method carry something.
func hasBody(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
}

// logInternal keeps what a problem does not tell.
func (s *Server) logInternal(ctx context.Context, err error) {
	if p := failureOf(err); p.Status == http.StatusInternalServerError {
		i, _ := ctx.Value(infoKey{}).(info)
		s.Logger.Error("a request failed", "request", i.id, "route", i.pattern, "error", err)
	}
}

// answer is a response with a JSON body.
type answer[T any] struct{ Body T }

func answerWith[T any](v T, err error) (*answer[T], error) {
	if err != nil {
		return nil, err
	}
	return &answer[T]{v}, nil
}

// nothing is a response without a body, or a request without parameters.
type nothing struct{}

// streamed makes a response of a function that writes it by itself.
func streamed(write func(w http.ResponseWriter, r *http.Request)) *huma.StreamResponse {
	return &huma.StreamResponse{Body: func(ctx huma.Context) {
		r, w := humago.Unwrap(ctx)
		write(w, r)
	}}
}

// Parameters that several routes have. Huma finds them in exported types only.
type (
	RunPath struct {
		ID string `path:"id" maxLength:"128" pattern:"^[!-$&-~]+$" doc:"The id of a run" example:"run-06gvtjalcd0nvvihdhfgp2b1"`
	}
	TaskPath struct {
		Name string `path:"name" pattern:"^[A-Za-z0-9._][A-Za-z0-9._-]{0,127}$" doc:"The name of a task" example:"desk.order"`
	}
	// RemovePath is a name without a version, where another method takes both.
	RemovePath struct {
		Ref string `path:"ref" pattern:"^[A-Za-z0-9._][A-Za-z0-9._-]{0,127}$" doc:"The name of a task" example:"desk.order"`
	}
	RefPath struct {
		Ref string `path:"ref" pattern:"^[A-Za-z0-9._][A-Za-z0-9._-]{0,127}(@[1-9][0-9]{0,8})?$" doc:"NAME or NAME@VERSION" example:"desk.order@2"`
	}
)
