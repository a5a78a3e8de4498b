package server

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// withinMemory reserves memory for a request and its answer. While it holds the
// memory it never waits for the client: it reads the whole body before, and
// sends the answer after.
func (s *Server) withinMemory(w http.ResponseWriter, r *http.Request, next http.Handler) {
	ctx, share := s.Memory.Share(r.Context())
	defer share.Release()
	inputs := new(apart)
	r = r.WithContext(context.WithValue(ctx, apartKey{}, inputs))
	body := &budget.Text{Dir: s.Dir}
	defer body.Close()
	if p := s.readBody(r, body, inputs); p != nil {
		p.write(w, r)
		return
	}
	a := &heldAnswer{ResponseWriter: w, share: share, text: budget.Text{Dir: s.Dir}}
	defer a.text.Close()
	next.ServeHTTP(a, r)
	body.Close()
	share.Release()
	a.send()
}

// readBody takes a JSON body from the client, and then the memory for it.
func (s *Server) readBody(r *http.Request, body *budget.Text, inputs *apart) *failure {
	if t := infoOf(r).traits; t.raw || t.limit == 0 || r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	_, err := io.Copy(body, io.LimitReader(r.Body, infoOf(r).traits.limit+1))
	if p := transportFailure(err); p != nil {
		return p
	}
	if err != nil {
		return newFailure(api.Errorf(api.RequestInvalid, "the body did not come whole: %w", err))
	}
	if limit := infoOf(r).traits.limit; body.Size() > limit {
		return newFailure(bodyTooLarge(limit))
	}
	if err := s.takeMemory(r.Context(), body.Cost()); err != nil {
		return failureOf(err)
	}
	rest, size := body.Reader(), body.Size()
	if infoOf(r).traits.inputs {
		if rest, size, err = inputs.takeApart(body); err != nil {
			return failureOf(err)
		}
	}
	r.Body, r.ContentLength = io.NopCloser(rest), size
	return nil
}

// takeMemory waits a while for memory.
func (s *Server) takeMemory(ctx context.Context, bytes int64) error {
	waiting, cancel := context.WithTimeout(ctx, s.Limits.Stall)
	defer cancel()
	err := budget.Take(waiting, bytes)
	var large *budget.TooLargeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &large):
		return api.Errorf(api.RequestTooLarge, "%w", err).
			WithHint("send large data as blobs, or give the server more memory: serve --value-memory").
			WithDetails(api.Details{Limit: large.Budget, Peak: large.Need})
	case ctx.Err() != nil:
		return api.Errorf(api.Canceled, "the request ended before it was answered")
	}
	return api.Errorf(api.Overloaded, "the values of other requests and runs take the memory that the server has for them")
}

// heldAnswer keeps an answer aside while there is memory held for it.
type heldAnswer struct {
	http.ResponseWriter
	share  *budget.Share
	status int // of an answer that is kept; 0: it goes straight to the client
	begun  bool
	text   budget.Text
}

// Unwrap lets http.ResponseController find what is below.
func (a *heldAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader begins the answer.
func (a *heldAnswer) WriteHeader(status int) {
	if a.begun = true; a.share.Held() > 0 {
		a.status = status
		return
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *heldAnswer) Write(p []byte) (int, error) {
	if !a.begun {
		a.WriteHeader(http.StatusOK)
	}
	if a.status != 0 {
		return a.text.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// send sends what was kept.
func (a *heldAnswer) send() {
	if a.status == 0 {
		return
	}
	a.ResponseWriter.WriteHeader(a.status)
	_, _ = io.Copy(a.ResponseWriter, a.text.Reader()) // the client may be gone
}
