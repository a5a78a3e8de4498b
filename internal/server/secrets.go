package server

import (
	"context"
	"io"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// registerSecrets adds the routes of secrets, whose values go in only.
func (s *Server) registerSecrets() {
	route(s, traits{}, operation(http.MethodGet, "/v1/secrets", "secrets", "listSecrets", "The names of all secrets"),
		func(ctx context.Context, _ *nothing) (*answer[secretsAnswer], error) {
			names, err := s.Service.Secrets(ctx)
			return answerWith(secretsAnswer{orEmpty(names)}, err)
		})
	put := operation(http.MethodPut, "/v1/secrets/{name}", "secrets", "setSecret", "Store a secret; its value never comes out again")
	put.RequestBody = binaryBody("The value, as it is")
	least := 1
	put.RequestBody.Content["application/octet-stream"].Schema.MinLength = &least
	route(s, traits{raw: true, limit: s.Limits.Secret}, put, s.setSecret)
	route(s, traits{}, operation(http.MethodDelete, "/v1/secrets/{name}", "secrets", "removeSecret", "Forget a secret"),
		func(ctx context.Context, in *SecretPath) (*nothing, error) {
			return &nothing{}, s.Service.RemoveSecret(ctx, in.Name)
		})
}

type secretsAnswer struct {
	Names []string `json:"names"` // in order
}

// SecretPath is the parameter of the routes of one secret.
type SecretPath struct {
	Name string `path:"name" maxLength:"256" doc:"The name of a secret"`
}

type setSecretInput struct {
	SecretPath
	rawBody
}

func (s *Server) setSecret(ctx context.Context, in *setSecretInput) (*nothing, error) {
	value, err := io.ReadAll(http.MaxBytesReader(nil, io.NopCloser(in.r), s.Limits.Secret))
	if err != nil {
		if transportFailure(err) != nil {
			return nil, err
		}
		return nil, api.Errorf(api.RequestInvalid, "the body ended early")
	}
	defer clear(value)
	return &nothing{}, s.Service.SetSecret(ctx, in.Name, value)
}
