package server

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/value"
)

type resultInput struct {
	RunPath
	Wait string `query:"wait" maxLength:"20" pattern:"^(0|([0-9]|[1-5][0-9])([.][0-9]{1,3})?s|60s|1m(0s)?|([0-9]{1,4}|[1-5][0-9]{4}|60000)ms)$" doc:"How long to wait for the end, such as 30s or 500ms; at most 60s, 0 by default" example:"30s"`
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
	if ctx, run, err = s.claim(ctx, run); err != nil {
		return nil, err
	}
	result, err := s.resultOf(ctx, run)
	if err != nil {
		return nil, err
	}
	return resultText(http.StatusOK, run, result)
}

// claim takes the memory for the outputs of a run that has ended, for the work
// of the context that it returns. It waits holding nothing of the run, which is
// read again.
func (s *Server) claim(ctx context.Context, run *api.Run) (context.Context, *api.Run, error) {
	cost := min(budget.Cost(run.Outputs)+budget.CostOfText(int64(len(run.Inputs))), s.Memory.Size()) // the run had room
	if cost == 0 {
		return ctx, run, nil
	}
	id := run.ID
	*run = api.Run{}
	budget.ShareOf(ctx).Release()
	if err := s.takeMemory(ctx, cost); err != nil {
		return ctx, nil, err
	}
	ctx = budget.Paid(ctx)
	run, err := s.outcome(ctx, id)
	return ctx, run, err
}

// outcome returns a run without its inputs, where the service knows it so. A
// result has none, and they may be long.
func (s *Server) outcome(ctx context.Context, id string) (*api.Run, error) {
	known, ok := s.Service.(interface {
		Outcome(ctx context.Context, id string) (*api.Run, error)
	})
	if ok {
		return known.Outcome(ctx, id)
	}
	return s.Service.Run(ctx, id)
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
	run, err := s.outcome(ctx, id)
	if err != nil || run.Status.Ended() || wait == 0 {
		return run, err
	}
	budget.ShareOf(ctx).Release()
	waiting, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	stop := s.cancelOnDrain(waiting, cancel)
	defer stop()
	_, failed := s.Service.Wait(waiting, id)
	budget.ShareOf(ctx).Release()
	over := waiting.Err() != nil
	if run, err = s.outcome(ctx, id); err != nil {
		return nil, err
	}
	if !over && !run.Status.Ended() && failed != nil { // it waits for somebody to resume it, say
		return nil, failed
	}
	return run, nil
}

// cancelOnDrain ends a wait when the server stops. The caller calls stop when
// the wait is over.
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
		if o.Value, err = value.MapFiles(o.Value, contentOnly); err != nil {
			return nil, err
		}
		shown.Outputs[i] = o
	}
	return &shown, nil
}

// resultText leaves out the inputs, which GET /v1/runs/{id} has.
func resultText(status int, run *api.Run, result *api.Result) (*resultAnswer, error) {
	shown := *run
	shown.Inputs = nil
	text, err := api.EncodeResult(&shown, result)
	return &resultAnswer{status, text}, err
}
