package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerFollow adds the streams of events and logs.
func (s *Server) registerFollow() {
	events := operation(http.MethodGet, "/v1/runs/{id}/events", "runs", "followEvents", "The events of a run, as they happen")
	events.Description = "Each has its number as id, its kind as event, and an Event as data. Progress has no id. Comments are heartbeats. " +
		"The stream ends after the event ended, with a comment when the server stops, and with the event error, whose data is an Error, when it cannot go on."
	route(s, traits{stream: true}, events, s.events)
	content(events, "200", "Server-sent events", "text/event-stream")(s)

	logs := operation(http.MethodGet, "/v1/runs/{id}/logs", "runs", "followLogs", "What a run printed")
	logs.Description = "JSON lines of LogEntry, or server-sent events named log if the request accepts text/event-stream. What cannot go on ends with the line {\"error\": Error}, or the event error."
	route(s, traits{stream: true}, logs, s.logs)
	content(logs, "200", "Entries of the log", "application/x-ndjson", "text/event-stream")(s)
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
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		out := newEventStream(w)
		err := follow(r.Context(), s.draining, s.Limits.Heartbeat, func(ctx context.Context) iter.Seq2[api.Event, error] {
			return s.Service.Events(ctx, in.ID, max(in.After, in.LastID))
		}, func(e api.Event) error { return out.send(e.Seq, string(e.Kind), e) }, out.beat)
		out.end(err)
	}), nil
}

type logsInput struct {
	RunPath
	After  int64  `query:"after" minimum:"0" doc:"The number of the last entry that is known already"`
	LastID int64  `header:"Last-Event-ID" minimum:"0" doc:"The same; it counts if both are given"`
	Follow bool   `query:"follow" doc:"Also what the run is going to print"`
	Accept string `header:"Accept"`
}

func (s *Server) logs(ctx context.Context, in *logsInput) (*huma.StreamResponse, error) {
	if _, err := s.Service.Run(ctx, in.ID); err != nil {
		return nil, err
	}
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		var out entryStream = newLineStream(w)
		if strings.Contains(in.Accept, "text/event-stream") {
			out = newEventStream(w)
		}
		err := follow(r.Context(), s.draining, s.Limits.Heartbeat, func(ctx context.Context) iter.Seq2[api.LogEntry, error] {
			return s.Service.Logs(ctx, in.ID, max(in.After, in.LastID), in.Follow)
		}, func(e api.LogEntry) error { return out.send(e.Seq, "log", e) }, out.beat)
		out.end(err)
	}), nil
}

// entryStream sends numbered entries.
type entryStream interface {
	send(seq int64, name string, v any) error
	beat() error
	end(err error)
}

// stopping is the error of a stream that ends because the server stops.
type stopping struct{}

func (stopping) Error() string { return "the server stops" }

// clientGone is the error of a stream that nobody reads any more.
type clientGone struct{ error }

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
	quiet := time.NewTimer(every)
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

func pump[T any](ctx context.Context, seq iter.Seq2[T, error], items chan<- item[T]) {
	defer close(items)
	for value, err := range seq {
		select {
		case items <- item[T]{value, err}:
		case <-ctx.Done():
			return
		}
	}
}

// eventStream writes server-sent events.
type eventStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newEventStream(w http.ResponseWriter) *eventStream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	s := &eventStream{w, http.NewResponseController(w)}
	_ = s.control.Flush() // a client that is gone is noticed by the next write
	return s
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

func (s *eventStream) write(text string) error {
	if _, err := io.WriteString(s.w, text); err != nil {
		return err
	}
	return s.control.Flush()
}

func (s *eventStream) end(err error) {
	switch err := err.(type) {
	case nil, clientGone:
	case stopping:
		_ = s.write(": the server stops\n\n") // the client may be gone
	default:
		_ = s.send(0, "error", failureOf(err).asError())
	}
}

// lineStream writes JSON lines.
type lineStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newLineStream(w http.ResponseWriter) *lineStream {
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	s := &lineStream{w, http.NewResponseController(w)}
	_ = s.control.Flush() // a client that is gone is noticed by the next write
	return s
}

func (s *lineStream) send(_ int64, _ string, v any) error {
	if err := writeJSON(s.w, v); err != nil {
		return err
	}
	return s.control.Flush()
}

func (s *lineStream) beat() error { return nil }

func (s *lineStream) end(err error) {
	switch err := err.(type) {
	case nil, clientGone:
	case stopping:
		_ = s.send(0, "", errorLine{api.Errorf(api.ServerUnavailable, "the server stops")})
	default:
		_ = s.send(0, "", errorLine{failureOf(err).asError()})
	}
}

type errorLine struct {
	Error *api.Error `json:"error"`
}
