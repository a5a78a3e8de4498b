package server

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

const requestIDHeader = "X-Request-Id"

// info is what the surroundings know about a request.
type info struct {
	id      string
	pattern string // of the route; empty if there is none
	traits  traits
	trace   string // trace id of the caller, if it sent one
	origin  string // of this server, as the caller knows it: http://localhost:8700; empty over a Unix socket
}

type infoKey struct{}

func infoOf(r *http.Request) info {
	i, _ := r.Context().Value(infoKey{}).(info)
	return i
}

// observe gives a request the id of its caller or one of its own, logs and counts it, and keeps a panic from
// ending the process.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.active.begin()
		defer s.active.end()
		setTLS(r)
		began := time.Now()
		i := s.describe(r)
		control := http.NewResponseController(w)
		answer := &response{ResponseWriter: w, control: control, stall: s.Limits.Stall}
		if r.Body != nil && r.Body != http.NoBody {
			_ = control.SetReadDeadline(began.Add(s.Limits.Stall)) // a recorder of a test has none
			r.Body = &pacedBody{ReadCloser: r.Body, control: control, left: s.Limits.Stall}
		}
		setHeaders(w.Header(), i.id)
		r = r.WithContext(context.WithValue(r.Context(), infoKey{}, i))
		defer func() {
			s.record(r, i, answer, time.Since(began), recover())
		}()
		next.ServeHTTP(answer, r)
		answer.extend() // for what is still buffered
	})
}

func (s *Server) describe(r *http.Request) info {
	_, pattern := s.mux.Handler(r)
	return info{id: requestID(r.Header.Values(requestIDHeader)), pattern: pattern, traits: s.traits[pattern], trace: traceID(r.Header.Get("Traceparent")), origin: originOf(r)}
}

// setHeaders says what browsers must not do with any answer: guess its type,
// keep it, show it as a page, or tell others where it came from.
func setHeaders(h http.Header, id string) {
	h.Set(requestIDHeader, id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; sandbox")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// record ends a request. A panic is logged with its stack, and answered without.
func (s *Server) record(r *http.Request, i info, w *response, took time.Duration, panicked any) {
	if panicked != nil && panicked != http.ErrAbortHandler {
		s.Logger.Error("a request panicked", "request", i.id, "route", i.pattern, "panic", fmt.Sprint(panicked), "stack", string(debug.Stack()))
		if w.status == 0 {
			newFailure(api.Errorf(api.Internal, "the server failed; its log has more about this request")).write(w, r)
			panicked = nil
		}
	}
	s.metrics.count(i.pattern, w.status, took)
	attrs := []slog.Attr{
		slog.String("request", i.id), slog.String("method", r.Method), slog.String("route", i.pattern),
		slog.Int("status", w.status), slog.Duration("took", took), slog.Int64("bytes", w.size),
	}
	if i.trace != "" {
		attrs = append(attrs, slog.String("trace", i.trace))
	}
	s.Logger.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
	if panicked != nil { // the answer is cut, so that the client sees a broken body
		panic(http.ErrAbortHandler)
	}
}

var wellFormedID = lazyregexp.New(`^[A-Za-z0-9._-]{1,128}$`)

// requestID takes over the id that the caller gave, so that both logs name the
// request alike. It replaces an id that is not well-formed.
func requestID(given []string) string {
	if len(given) == 1 && wellFormedID().MatchString(given[0]) {
		return given[0]
	}
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

var traceparent = lazyregexp.New(`^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}`)

// traceID returns the trace id of a W3C traceparent header, or "".
func traceID(header string) string {
	if len(header) > 128 {
		return ""
	}
	if m := traceparent().FindStringSubmatch(header); m != nil {
		return m[1]
	}
	return ""
}
