package server

import (
	"context"
	"iter"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerContexts adds the routes of code in sessions.
func (s *Server) registerContexts() {
	create := operation(http.MethodPost, "/v1/sessions/{id}/contexts", "sessions", "newContext", "Start an interpreter; answers when it is ready")
	create.DefaultStatus = http.StatusCreated
	create.RequestBody = &huma.RequestBody{}
	route(s, traits{stream: true}, create, sessionCall(s.Service.NewContext))
	create.RequestBody.Required = false
	route(s, traits{}, operation(http.MethodGet, "/v1/sessions/{id}/contexts", "sessions", "listContexts", "The interpreters of a session, the oldest first"),
		func(ctx context.Context, in *SessionPath) (*answer[contextsAnswer], error) {
			list, err := s.Service.Contexts(ctx, in.ID)
			return answerWith(contextsAnswer{orEmpty(list)}, err)
		})
	route(s, traits{stream: true}, operation(http.MethodDelete, "/v1/sessions/{id}/contexts/{context}", "sessions", "removeContext", "End an interpreter"),
		contextOrder(s.Service.RemoveContext))
	route(s, traits{}, operation(http.MethodPost, "/v1/sessions/{id}/contexts/{context}/interrupt", "sessions", "interruptContext", "Interrupt the code that an interpreter executes"),
		contextOrder(s.Service.InterruptContext))
	route(s, traits{stream: true}, operation(http.MethodPost, "/v1/sessions/{id}/contexts/{context}/restart", "sessions", "restartContext", "Start an interpreter again, without its state"),
		contextOrder(s.Service.RestartContext))

	run := operation(http.MethodPost, "/v1/sessions/{id}/code", "sessions", "runCode", "Execute code, and follow what comes of it")
	run.Description = "The last entry is ended. Code that raises has an entry error before it. Ending the request early interrupts the code. " + streamWords
	route(s, traits{stream: true}, run, s.runCode)
	s.entries(run, "What comes of the code", schema[api.CodeEvent](s), codeExample)
}

// ContextPath is the parameter of the routes of one interpreter.
type ContextPath struct {
	SessionPath
	Context string `path:"context" maxLength:"128" pattern:"^[!-$&-~]+$" doc:"The id of an interpreter"`
}

type contextsAnswer struct {
	Contexts []api.Context `json:"contexts"`
}

func contextOrder(order func(ctx context.Context, session, id string) error) func(context.Context, *ContextPath) (*nothing, error) {
	return func(ctx context.Context, in *ContextPath) (*nothing, error) {
		return &nothing{}, order(ctx, in.ID, in.Context)
	}
}

func (s *Server) runCode(_ context.Context, in *sessionBody[api.CodeRequest]) (*huma.StreamResponse, error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	return sendEntries(s, s.draining, func(ctx context.Context) iter.Seq2[api.CodeEvent, error] {
		return s.Service.RunCode(ctx, in.ID, *given)
	}, func(e api.CodeEvent) (int64, string) { return 0, e.Type }), nil
}
