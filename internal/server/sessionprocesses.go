package server

import (
	"context"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
)

// registerProcesses adds the routes of commands in sessions.
func (s *Server) registerProcesses() {
	start := operation(http.MethodPost, "/v1/sessions/{id}/processes", "sessions", "startProcess", "Start a command, and follow it")
	start.Description = "The first entry is started, the last one exited; the data of output are base64. With detach the answer ends after started. " +
		"Ending the request ends the listening alone. " + streamWords
	route(s, traits{stream: true}, start, s.startProcess)
	s.entries(start, "What happens to the command", schema[api.ProcessEvent](s), processExample)
	route(s, traits{}, operation(http.MethodGet, "/v1/sessions/{id}/processes", "sessions", "listProcesses", "The commands that run, and those that have ended lately"),
		func(ctx context.Context, in *SessionPath) (*answer[processesAnswer], error) {
			list, err := s.Service.Processes(ctx, in.ID)
			return answerWith(processesAnswer{orEmpty(list)}, err)
		})

	events := operation(http.MethodGet, "/v1/sessions/{id}/processes/{process}/events", "sessions", "followProcess", "What happens to a command that was started before")
	events.Description = "The same entries as those of startProcess. " + streamWords
	route(s, traits{stream: true}, events, s.followProcess)
	s.entries(events, "What happens to the command", schema[api.ProcessEvent](s), processExample)

	input := operation(http.MethodPost, "/v1/sessions/{id}/processes/{process}/input", "sessions", "writeInput", "Write to the standard input or the terminal of a command")
	input.RequestBody = binaryBody("The bytes")
	route(s, traits{stream: true, raw: true}, input, s.writeInput)
	route(s, traits{}, operation(http.MethodDelete, "/v1/sessions/{id}/processes/{process}/input", "sessions", "closeInput", "End the standard input of a command"),
		func(ctx context.Context, in *ProcessPath) (*nothing, error) {
			ref, err := in.ref()
			if err != nil {
				return nil, err
			}
			return &nothing{}, s.Service.CloseInput(ctx, in.ID, ref)
		})
	route(s, traits{}, operation(http.MethodPost, "/v1/sessions/{id}/processes/{process}/signal", "sessions", "signalProcess", "Send a signal to a command"), s.signalProcess)
	route(s, traits{}, operation(http.MethodPut, "/v1/sessions/{id}/processes/{process}/terminal", "sessions", "resizeTerminal", "Change the size of the terminal of a command"), s.resizeTerminal)
}

// ProcessPath is the parameter of the routes of one command.
type ProcessPath struct {
	SessionPath
	Process string `path:"process" maxLength:"512" pattern:"^([1-9][0-9]{0,8}|tag:.+)$" patternDescription:"a number, or tag: and its tag" doc:"The number of a command in the cell, or tag: and its tag" example:"17"`
}

// tagPrefix tells a tag from a number.
const tagPrefix = "tag:"

func (p *ProcessPath) ref() (api.ProcessRef, error) {
	if tag, ok := strings.CutPrefix(p.Process, tagPrefix); ok && tag != "" {
		return api.ProcessRef{Tag: tag}, nil
	}
	pid, err := strconv.Atoi(p.Process)
	if err != nil || pid < 1 {
		return api.ProcessRef{}, api.Errorf(api.RequestInvalid, "the process is %q, expected its number, or tag: and its tag", p.Process).
			WithDetails(api.Details{Field: "process", Expected: "a number, or tag:TAG", Got: p.Process})
	}
	return api.ProcessRef{PID: pid}, nil
}

type processesAnswer struct {
	Processes []api.Process `json:"processes"`
}

type startInput struct {
	SessionPath
	Detach bool `query:"detach" doc:"End the answer once the command is started"`
	Body   jsonBody[api.ProcessSpec]
}

func (s *Server) startProcess(_ context.Context, in *startInput) (*huma.StreamResponse, error) {
	spec, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	return s.sendProcess(func(ctx context.Context) iter.Seq2[api.ProcessEvent, error] {
		events := s.Service.StartProcess(ctx, in.ID, *spec)
		if in.Detach {
			return first(events)
		}
		return events
	}), nil
}

// first yields one item.
func first[T any](seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for v, err := range seq {
			yield(v, err)
			return
		}
	}
}

type followProcessInput struct {
	ProcessPath
	From int64 `query:"from" doc:"A place in its output, as offset says; negative means what comes from now on"`
}

func (s *Server) followProcess(_ context.Context, in *followProcessInput) (*huma.StreamResponse, error) {
	ref, err := in.ref()
	if err != nil {
		return nil, err
	}
	return s.sendProcess(func(ctx context.Context) iter.Seq2[api.ProcessEvent, error] {
		return s.Service.FollowProcess(ctx, in.ID, ref, in.From)
	}), nil
}

func (s *Server) sendProcess(open func(context.Context) iter.Seq2[api.ProcessEvent, error]) *huma.StreamResponse {
	return sendEntries(s, s.draining, open, func(e api.ProcessEvent) (int64, string) { return 0, e.Type })
}

type inputInput struct {
	ProcessPath
	rawBody
}

// writeInput passes the body on piece by piece: a command takes it at its own pace.
func (s *Server) writeInput(ctx context.Context, in *inputInput) (*nothing, error) {
	ref, err := in.ref()
	if err != nil {
		return nil, err
	}
	buffer := make([]byte, piece)
	for {
		n, err := in.r.Read(buffer)
		if n > 0 {
			if err := s.Service.WriteInput(ctx, in.ID, ref, buffer[:n]); err != nil {
				return nil, err
			}
		}
		switch {
		case err == io.EOF:
			return &nothing{}, nil
		case err != nil:
			return nil, brokenBody(err)
		}
	}
}

// brokenBody is the error for a body that did not come whole.
func brokenBody(err error) error {
	if p := transportFailure(err); p != nil {
		return p
	}
	return api.Errorf(api.RequestInvalid, "the body did not come whole: %w", err)
}

type signalBody struct {
	Signal string `json:"signal" required:"true" minLength:"1" doc:"Its name, such as SIGTERM, or its number"`
	Tree   bool   `json:"tree,omitempty" doc:"Also to all that the command started"`
}

type signalInput struct {
	ProcessPath
	Body jsonBody[signalBody]
}

func (s *Server) signalProcess(ctx context.Context, in *signalInput) (*nothing, error) {
	ref, err := in.ref()
	if err != nil {
		return nil, err
	}
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	if given.Signal == "" {
		return nil, missing("signal", "the name of a signal, such as SIGTERM")
	}
	return &nothing{}, s.Service.SignalProcess(ctx, in.ID, ref, given.Signal, given.Tree)
}

type terminalInput struct {
	ProcessPath
	Body jsonBody[api.TerminalSize]
}

func (s *Server) resizeTerminal(ctx context.Context, in *terminalInput) (*nothing, error) {
	ref, err := in.ref()
	if err != nil {
		return nil, err
	}
	size, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	return &nothing{}, s.Service.ResizeTerminal(ctx, in.ID, ref, *size)
}
