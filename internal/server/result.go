package server

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

type resultInput struct {
	RunPath
	Wait string `query:"wait" maxLength:"20" doc:"How long to wait for the end, such as 30s; at most 60s, 0 by default"`
}

// resultAnswer is 200 with a RunResult, or 202 with one that holds the run only.
type resultAnswer struct {
	Status int
	Body   json.RawMessage
}

// maxWait bounds how long one request waits; a client asks again.
const maxWait = time.Minute

func (s *Server) result(ctx context.Context, in *resultInput) (*resultAnswer, error) {
	wait, err := parseWait(in.Wait)
	if err != nil {
		return nil, err
	}
	run, err := s.awaitEnd(ctx, in.ID, wait)
	if err != nil {
		return nil, err
	}
	if !run.Status.Ended() {
		return resultText(http.StatusAccepted, run, nil)
	}
	result, err := s.resultOf(ctx, run)
	if err != nil {
		return nil, err
	}
	return resultText(http.StatusOK, run, result)
}

func parseWait(text string) (time.Duration, error) {
	if text == "" || text == "0" {
		return 0, nil
	}
	wait, err := time.ParseDuration(text)
	if err != nil || wait < 0 || wait > maxWait {
		return 0, api.Errorf(api.RequestInvalid, "wait is not a duration from 0s to %s", maxWait).
			WithDetails(api.Details{Field: "wait", Expected: "a duration such as 30s, at most 60s", Got: text})
	}
	return wait, nil
}

// awaitEnd returns the run when it has ended, or after wait as it is then, or
// as soon as the server stops.
func (s *Server) awaitEnd(ctx context.Context, id string, wait time.Duration) (*api.Run, error) {
	run, err := s.Service.Run(ctx, id)
	if err != nil || run.Status.Ended() || wait == 0 {
		return run, err
	}
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	stop := s.cancelOnDrain(waiting, cancel)
	defer stop()
	_, failed := s.Service.Wait(waiting, id)
	over := waiting.Err() != nil
	if run, err = s.Service.Run(ctx, id); err != nil {
		return nil, err
	}
	if !over && !run.Status.Ended() && failed != nil { // it waits for somebody to resume it, say
		return nil, failed
	}
	return run, nil
}

// cancelOnDrain ends a wait when the server stops. What it returns ends that.
func (s *Server) cancelOnDrain(ctx context.Context, cancel context.CancelFunc) (stop func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-s.draining:
			cancel()
		case <-ctx.Done():
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// resultOf returns the result of a run that has ended, without paths of this
// host. Nil is the result of a run that gave none.
func (s *Server) resultOf(ctx context.Context, run *api.Run) (*api.Result, error) {
	result, err := s.Service.Wait(ctx, run.ID)
	if err != nil && (run.Error == nil || ctx.Err() != nil) {
		return nil, err
	}
	if result == nil {
		return nil, nil
	}
	shown := *result
	shown.Outputs = make([]api.Output, len(result.Outputs))
	for i, o := range result.Outputs {
		if o.Value, err = api.MapFiles(o.Value, contentOnly); err != nil {
			return nil, err
		}
		shown.Outputs[i] = o
	}
	return &shown, nil
}

func resultText(status int, run *api.Run, result *api.Result) (*resultAnswer, error) {
	text, err := api.EncodeResult(run, result)
	return &resultAnswer{status, text}, err
}
