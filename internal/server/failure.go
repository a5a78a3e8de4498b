package server

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/glovebox-dev/glovebox/api"
)

// failure is an error as RFC 9457 writes it, with every member of api.Error.
type failure struct {
	Type      string      `json:"type" doc:"urn:glovebox:error: and the code"`
	Title     string      `json:"title" doc:"What the code means"`
	Status    int         `json:"status" doc:"The HTTP status"`
	Detail    string      `json:"detail" doc:"The message of the error"`
	Instance  string      `json:"instance,omitempty" doc:"urn:glovebox:request: and the id of the request, which the log of the server has too"`
	Code      api.Code    `json:"code" doc:"Stable; programs branch on it"`
	Hint      string      `json:"hint,omitempty" doc:"What to do next"`
	Retryable bool        `json:"retryable" doc:"Whether the same request can succeed later"`
	Outcome   api.Outcome `json:"outcome" doc:"How far it got: not_started, failed or unknown"`
	Attempts  int         `json:"attempts,omitempty"` // how often it was tried
	Details   api.Details `json:"details,omitzero"`
}

// Error makes a problem an error that huma writes as it is.
func (p *failure) Error() string { return string(p.Code) + ": " + p.Detail }

// GetStatus tells huma the status.
func (p *failure) GetStatus() int { return p.Status }

// GetHeaders tells huma the headers.
func (p *failure) GetHeaders() http.Header {
	h := http.Header{}
	switch p.Status {
	case http.StatusUnauthorized:
		h.Set("WWW-Authenticate", `Bearer realm="glovebox"`)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	case http.StatusRequestTimeout: // the rest of the body may come yet
		h.Set("Connection", "close")
	}
	return h
}

// ContentType tells huma the media type.
func (p *failure) ContentType(string) string { return "application/problem+json" }

// newFailure writes e as a problem with the status of its code.
func newFailure(e *api.Error) *failure {
	return &failure{
		Type: "urn:glovebox:error:" + string(e.Code), Title: e.Code.Info().Meaning, Status: e.Code.Info().Status, Detail: e.Message,
		Code: e.Code, Hint: e.Hint, Retryable: e.Retryable, Outcome: e.Outcome, Attempts: e.Attempts, Details: e.Details,
	}
}

// refusal is a problem with a status that is not that of its code.
func refusal(status int, e *api.Error) *failure {
	p := newFailure(e)
	p.Status = status
	return p
}

// failureOf returns err as a problem. The text of an error that is no
// *api.Error stays here: it may name paths of this host.
func failureOf(err error) *failure {
	var p *failure
	if errors.As(err, &p) {
		return p
	}
	if p := transportFailure(err); p != nil {
		return p
	}
	if e, ok := api.FindError(err); ok {
		return newFailure(e)
	}
	return newFailure(api.Errorf(api.Internal, "the server failed; its log has more about this request"))
}

// transportFailure returns the problem of a request that did not arrive, or
// nil. A store may have wrapped the error of the body in one of its own.
func transportFailure(err error) *failure {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return newFailure(bodyTooLarge(tooLarge.Limit))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return refusal(http.StatusRequestTimeout, api.Errorf(api.RequestInvalid, "the body came too slowly"))
	case errors.Is(err, context.Canceled):
		return newFailure(api.Errorf(api.Canceled, "the request ended before it was answered"))
	}
	return nil
}

func bodyTooLarge(limit int64) *api.Error {
	return api.Errorf(api.RequestTooLarge, "the body is larger than %d bytes", limit).WithDetails(api.Details{Limit: limit})
}

// humaFailure turns what huma found wrong with a request into a problem.
func humaFailure(m *huma.ErrorModel) *failure {
	code := api.RequestInvalid
	switch {
	case m.Status == http.StatusRequestEntityTooLarge:
		code = api.RequestTooLarge
	case m.Status >= 500:
		code = api.Internal
	}
	e := api.Errorf(code, "%s", m.Detail)
	if len(m.Errors) > 0 && m.Errors[0] != nil {
		first := m.Errors[0]
		_, field, _ := strings.Cut(first.Location, ".")
		e.Message = strings.TrimPrefix(first.Location+": "+first.Message, ": ")
		e.Details = api.Details{Field: field, Expected: first.Message}
	}
	return refusal(m.Status, e)
}

// finish is a huma.Transformer: every error leaves as a problem that names its
// request.
func finish(ctx huma.Context, _ string, v any) (any, error) {
	var p *failure
	switch v := v.(type) {
	case *failure:
		p = v
	case *huma.ErrorModel:
		p = humaFailure(v)
	default:
		return v, nil
	}
	_, w := humago.Unwrap(ctx)
	p.Instance = instance(w)
	return p, nil
}

func instance(w http.ResponseWriter) string {
	return "urn:glovebox:request:" + w.Header().Get(requestIDHeader)
}

// write answers a request with p. It closes the connection if the request has a
// body, which stays unread.
func (p *failure) write(w http.ResponseWriter, r *http.Request) {
	p.Instance = instance(w)
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
	}
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_ = json.NewEncoder(w).Encode(p) // the client may be gone
	}
}

// asError is the error that p tells.
func (p *failure) asError() *api.Error {
	return &api.Error{Code: p.Code, Message: p.Detail, Hint: p.Hint, Retryable: p.Retryable, Outcome: p.Outcome, Attempts: p.Attempts, Details: p.Details}
}
