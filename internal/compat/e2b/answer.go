package e2b

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
)

// writeJSON answers a request.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // the client may be gone
}

// writeError answers a request with an error in the one form that all SDKs read;
// they fail on any other. The rest of the body stays unread.
func writeError(w http.ResponseWriter, r *http.Request, status int, message string) {
	if r.ContentLength != 0 {
		w.Header().Set("Connection", "close")
	}
	writeJSON(w, status, apiError{Code: status, Message: message})
}

type apiError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// refused is an error with a status of its own.
type refused struct {
	status  int
	message string
}

func (e refused) Error() string { return e.message }

func badRequest(message string) error { return refused{http.StatusBadRequest, message} }

// statusOf returns the status and the text of an error. The text of one that is no
// *api.Error stays here: it may name paths of this host.
func statusOf(err error) (int, string) {
	var own refused
	if errors.As(err, &own) {
		return own.status, own.message
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge, "the body is too large"
	}
	e, ok := api.FindError(err)
	if !ok {
		return http.StatusInternalServerError, "the server failed; its log has more about this request"
	}
	switch e.Code {
	case api.SessionEnded, api.CellLost:
		return http.StatusNotFound, e.Message
	case api.StorageFull:
		return http.StatusInsufficientStorage, e.Message
	}
	return e.Code.Info().Status, e.Message
}

// fail answers a request with an error of the service.
func (f *Face) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, message := statusOf(err)
	f.logInternal(r, status, err)
	writeError(w, r, status, message)
}

func (f *Face) logInternal(r *http.Request, status int, err error) {
	if status >= http.StatusInternalServerError {
		f.Logger.Error("a request of an E2B client failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
}

// proxyError is what E2B's proxy says of a sandbox that cannot be reached. SDKs
// know the case by words of the message.
type proxyError struct {
	SandboxID string `json:"sandboxId"`
	Message   string `json:"message"`
	Port      int    `json:"port,omitempty"`
	Code      int    `json:"code"`
}

func writeGone(w http.ResponseWriter, id string) {
	writeJSON(w, http.StatusBadGateway, proxyError{SandboxID: id, Message: "The sandbox was not found", Code: http.StatusBadGateway})
}

func writeClosed(w http.ResponseWriter, id string, port int) {
	writeJSON(w, http.StatusBadGateway, proxyError{
		SandboxID: id, Message: "The sandbox is running but port is not open", Port: port, Code: http.StatusBadGateway,
	})
}

// maxBody bounds the JSON body of a request, in bytes.
const maxBody = 4 << 20

// readJSON decodes the body of a request. One that was left out is zero, and fields
// that are not known are ignored, as newer SDKs send more of them.
func readJSON(w http.ResponseWriter, r *http.Request, v any) error {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil || len(text) == 0 {
		return err
	}
	if err := json.Unmarshal(text, v); err != nil {
		return badRequest("the body cannot be read: " + err.Error())
	}
	return nil
}
