package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// registerFollow adds the streams of events and logs.
func (s *Server) registerFollow() {
	events := operation(http.MethodGet, "/v1/runs/{id}/events", "runs", "followEvents", "The events of a run, as they happen")
	events.Description = "Each has its number as id, its kind as event, and an Event as data. Progress has no id. Comments are heartbeats. " +
		"The stream ends after the event ended, or with a comment when the server stops. It is cut when it cannot continue; the next request then says why."
	route(s, traits{stream: true}, events, s.events)
	s.answers(events, "200", "Server-sent events", map[string]*huma.MediaType{mediaEvents: streamOf(mediaEvents, schema[api.Event](s), eventExample)})

	logs := operation(http.MethodGet, "/v1/runs/{id}/logs", "runs", "followLogs", "What a run printed")
	logs.Description = "JSON lines of LogEntry, or server-sent events named log if the request accepts text/event-stream. The answer is cut when it cannot continue; the next request then says why."
	route(s, traits{stream: true}, logs, s.logs)
	s.answers(logs, "200", "Entries of the log", map[string]*huma.MediaType{
		mediaLines:  streamOf(mediaLines, schema[api.LogEntry](s), logExample+"\n"),
		mediaEvents: streamOf(mediaEvents, schema[api.LogEntry](s), "id: 1\nevent: log\ndata: "+logExample+"\n\n"),
	})
}

type eventsInput struct {
	RunPath
	After  int64 `query:"after" minimum:"0" doc:"The number of the last event that is known already"`
	LastID int64 `header:"Last-Event-ID" minimum:"0" doc:"The same; it counts if both are given"`
}

func (s *Server) events(ctx context.Context, in *eventsInput) (*huma.StreamResponse, error) {
	if _, err := s.Service.Run(ctx, in.ID); err != nil {
		return nil, err
	}
	budget.ShareOf(ctx).Release()
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		out := newEventStream(w)
		err := follow(r.Context(), s.draining, s.Limits.Heartbeat, func(ctx context.Context) iter.Seq2[api.Event, error] {
			return s.Service.Events(ctx, in.ID, max(in.After, in.LastID))
		}, func(e api.Event) error { return out.send(e.Seq, string(e.Kind), e) }, out.beat)
		s.endStream(w, r, out, err)
	}), nil
}

type logsInput struct {
	RunPath
	After  int64 `query:"after" doc:"The number of the last entry that is known already; a negative one begins so many entries before the end"`
	LastID int64 `header:"Last-Event-ID" minimum:"0" doc:"The same; it counts if both are given"`
	Follow bool  `query:"follow" doc:"Also what the run is going to print"`
}

func (s *Server) logs(ctx context.Context, in *logsInput) (*huma.StreamResponse, error) {
	if _, err := s.Service.Run(ctx, in.ID); err != nil {
		return nil, err
	}
	budget.ShareOf(ctx).Release()
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		draining := s.draining
		if !in.Follow {
			draining = nil // it ends soon, and must not look whole before
		}
		var out entryStream = newLineStream(w)
		if strings.Contains(r.Header.Get("Accept"), mediaEvents) {
			out = newEventStream(w)
		}
		err := follow(r.Context(), draining, s.Limits.Heartbeat, func(ctx context.Context) iter.Seq2[api.LogEntry, error] {
			return s.Service.Logs(ctx, in.ID, cmp.Or(in.LastID, in.After), in.Follow)
		}, func(e api.LogEntry) error { return out.send(e.Seq, "log", e) }, out.beat)
		s.endStream(w, r, out, err)
	}), nil
}

// entryStream sends numbered entries. It begins its answer with the first of
// them, or the first heartbeat, so that an error before that gets a status.
type entryStream interface {
	send(seq int64, name string, v any) error
	beat() error
	stop() error // because the server stops
	begun() bool
}

// endStream ends a stream after follow returned err.
func (s *Server) endStream(w http.ResponseWriter, r *http.Request, out entryStream, err error) {
	switch err := err.(type) {
	case clientGone:
	case nil:
		if !out.begun() {
			_ = out.beat() // an answer without entries
		}
	case stopping:
		_ = out.stop() // the client may be gone
	default:
		s.logInternal(r.Context(), err)
		if out.begun() {
			panic(http.ErrAbortHandler) // the client asks again and gets the error
		}
		failureOf(err).write(w, r)
	}
}

// stopping is the error of a stream that ends because the server stops.
type stopping struct{}

func (stopping) Error() string { return "the server stops" }

// clientGone is the error of a stream whose client has left.
type clientGone struct{ error }

// beginAfter is how long an answer waits for its first entry, or the error in
// place of it.
const beginAfter = 100 * time.Millisecond

// follow passes on what open yields, and beats when it is quiet. It returns when
// that ends, or an error.
func follow[T any](ctx context.Context, draining <-chan struct{}, every time.Duration,
	open func(context.Context) iter.Seq2[T, error], send func(T) error, beat func() error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	items := make(chan item[T])
	go pump(ctx, open(ctx), items)
	defer func() {
		cancel()
		for range items { // until the pump has ended
		}
	}()
	quiet := time.NewTimer(min(every, beginAfter))
	defer quiet.Stop()
	for {
		var err error
		select {
		case next, ok := <-items:
			switch {
			case ctx.Err() != nil:
				return clientGone{ctx.Err()}
			case !ok || next.err != nil:
				return next.err
			}
			err = send(next.value)
		case <-quiet.C:
			err = beat()
		case <-draining:
			return stopping{}
		case <-ctx.Done():
			return clientGone{ctx.Err()}
		}
		if err != nil {
			return clientGone{err}
		}
		quiet.Reset(every)
	}
}

type item[T any] struct {
	value T
	err   error
}

// pump passes on what seq yields. A panic of seq ends the stream, and not the
// process.
func pump[T any](ctx context.Context, seq iter.Seq2[T, error], items chan<- item[T]) {
	defer close(items)
	pass := func(i item[T]) bool {
		select {
		case items <- i:
			return true
		case <-ctx.Done():
			return false
		}
	}
	defer func() {
		if p := recover(); p != nil {
			pass(item[T]{err: fmt.Errorf("panic: %v\n%s", p, debug.Stack())})
		}
	}()
	for value, err := range seq {
		if !pass(item[T]{value, err}) {
			return
		}
	}
}

// stream is an answer that is sent piece by piece.
type stream struct {
	w       http.ResponseWriter
	kind    string // media type
	started bool
}

func (s *stream) begun() bool { return s.started }

func (s *stream) write(text string) error {
	if !s.started {
		s.started = true
		s.w.Header().Set("Content-Type", s.kind)
		s.w.WriteHeader(http.StatusOK)
	}
	if _, err := io.WriteString(s.w, text); err != nil {
		return err
	}
	return http.NewResponseController(s.w).Flush()
}

// eventStream writes server-sent events.
type eventStream struct{ stream }

func newEventStream(w http.ResponseWriter) *eventStream {
	return &eventStream{stream{w: w, kind: mediaEvents}}
}

func (s *eventStream) send(seq int64, name string, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	id := ""
	if seq > 0 {
		id = "id: " + strconv.FormatInt(seq, 10) + "\n"
	}
	return s.write(fmt.Sprintf("%sevent: %s\ndata: %s\n\n", id, name, text))
}

func (s *eventStream) beat() error { return s.write(": still here\n\n") }

func (s *eventStream) stop() error { return s.write(": the server stops\n\n") }

// lineStream writes JSON lines.
type lineStream struct{ stream }

func newLineStream(w http.ResponseWriter) *lineStream {
	return &lineStream{stream{w: w, kind: mediaLines}}
}

func (s *lineStream) send(_ int64, _ string, v any) error {
	var line strings.Builder
	if err := writeJSON(&line, v); err != nil {
		return err
	}
	return s.write(line.String())
}

func (s *lineStream) beat() error { return s.write("") }

func (s *lineStream) stop() error { return s.write("") }
