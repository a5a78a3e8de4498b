package server

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// registerSignals adds the route of values that are sent to runs.
func (s *Server) registerSignals() {
	route(s, traits{stream: true}, operation(http.MethodPost, "/v1/runs/{id}/signals/{name}", "approvals", "sendSignal", "Send a value to what waits for a signal in a run or below it"), s.sendSignal)
}

// sentBody is what a client says. Who it is is the server's to say.
type sentBody struct {
	Value json.RawMessage `json:"value,omitempty" doc:"Of the declared type of the signal's only output, or an object of several by name; left out for a signal without outputs"`
	By    string          `json:"by,omitempty" doc:"Who sends it, for people; at most 256 bytes"`
	From  string          `json:"from,omitempty" enum:"api,cli,hook,callback" doc:"The way that it came; api if it is left out"`
}

type sentInput struct {
	RunPath
	WaitQuery
	Name string `path:"name" maxLength:"255" doc:"The name of the signal"`
	Key  string `header:"Idempotency-Key" maxLength:"64" doc:"Makes a repetition of the same signal no second one"`
	Body jsonBody[sentBody]
}

func (s *Server) sendSignal(ctx context.Context, in *sentInput) (*answer[*api.PendingApproval], error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	from, err := wayOf(given.From)
	if err != nil {
		return nil, err
	}
	wait, err := parseWait(in.Wait)
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := s.cancelOnDrain(waiting, cancel)
	defer stop()
	return answerWith(s.Service.Signal(waiting, in.ID, in.Name, api.Signal{
		Value: given.Value, By: given.By, From: from, Wait: wait, Key: in.Key, Identity: identity(ctx),
	}))
}
