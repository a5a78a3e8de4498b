package gateway

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// refusal is a failure with its status.
type refusal struct {
	err        *api.Error
	status     int
	retryAfter string
}

// Error implements error.
func (r *refusal) Error() string { return r.err.Message }

func refused(status int, format string, args ...any) error {
	return &refusal{err: api.Errorf(api.RequestInvalid, format, args...), status: status}
}

// kinds are failures in the words of the protocol.
var kinds = map[int]string{
	http.StatusBadRequest: "invalid_request_error", http.StatusUnauthorized: "authentication_error", http.StatusForbidden: "permission_error",
	http.StatusNotFound: "not_found_error", http.StatusRequestEntityTooLarge: "request_too_large", http.StatusTooManyRequests: "rate_limit_error", statusOverloaded: "overloaded_error",
}

// statusOverloaded is how Anthropic says that it has too much to do.
const statusOverloaded = 529

// fail writes a failure in the form that both protocols share.
func (p protocol) fail(w http.ResponseWriter, err error) {
	r := asRefusal(err)
	kind, known := kinds[r.status]
	if !known {
		kind = "api_error"
	}
	if r.retryAfter != "" {
		w.Header().Set("Retry-After", r.retryAfter)
	}
	w.Header().Set("Content-Type", "application/json")
	status := r.status
	if status == statusOverloaded {
		status = p.overloaded
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]any{"type": "error", "error": map[string]string{"type": kind, "message": r.Error()}}) // the program is gone
}

// asRefusal gives an error of the host a status: a program asks again after some of
// them, which helps only if the provider or the host had too much to do.
func asRefusal(err error) *refusal {
	var r *refusal
	if errors.As(err, &r) {
		return r
	}
	e := api.AsError(err)
	switch e.Code {
	case api.ModelUnavailable, api.Overloaded, api.Timeout:
		return &refusal{err: e, status: statusOverloaded}
	}
	return &refusal{err: e, status: http.StatusBadRequest}
}
