package server

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
	"github.com/glovebox-dev/glovebox/value"
)

type resultInput struct {
	RunPath
	WaitQuery
}

// WaitQuery is how long a request may wait for what is not there yet.
type WaitQuery struct {
	Wait string `query:"wait" maxLength:"20" pattern:"^(0|([0-9]|[1-5][0-9])([.][0-9]{1,3})?s|60s|1m(0s)?|([0-9]{1,4}|[1-5][0-9]{4}|60000)ms)$" doc:"How long to wait for it, such as 30s or 500ms; at most 60s, 0 by default" example:"30s"`
}

// maxWait bounds how long one request waits; a client asks again.
const maxWait = time.Minute

// texts is a service that has the outputs of a run as text, which a result shows as
// they are: no value is made of them. An engine is one.
type texts interface {
	// Outcome returns a run without its inputs, which a result does not have.
	Outcome(ctx context.Context, id string) (*api.Run, error)
	// Ended is Wait; the outputs may be missing.
	Ended(ctx context.Context, id string) (*api.Result, error)
}

// result answers with 200 and a RunResult, or with 202 and one that holds the run
// only.
func (s *Server) result(ctx context.Context, in *resultInput) (*huma.StreamResponse, error) {
	wait, err := parseWait(in.Wait)
	if err != nil {
		return nil, err
	}
	run, err := s.awaitEnd(ctx, in.ID, wait)
	if err != nil {
		return nil, err
	}
	if !run.Status.Ended() {
		return resultText(http.StatusAccepted, api.RunResult{Run: run}), nil
	}
	known, ok := s.Service.(texts)
	if !ok {
		return s.encodedResult(ctx, run)
	}
	result, err := known.Ended(ctx, run.ID)
	if err != nil && (run.Error == nil || ctx.Err() != nil) {
		return nil, err
	}
	outputs, err := outputTexts(run)
	if err != nil {
		return nil, err
	}
	return resultText(http.StatusOK, api.RunResult{Run: run, Outputs: outputs, Stdout: result.Stdout, Stderr: result.Stderr}), nil
}

// outputTexts are the outputs that a run has recorded, in the order in which they
// are declared.
func outputTexts(run *api.Run) (outputs []api.OutputResult, err error) {
	if len(run.Outputs) == 0 || run.Signature == nil {
		return nil, nil
	}
	members, err := value.Split(run.Outputs)
	if err != nil {
		return nil, api.Errorf(api.StorageCorrupt, "the outputs of run %s cannot be read: %w", run.ID, err)
	}
	for _, p := range run.Signature.Outputs {
		if text, ok := members[p.Name]; ok {
			outputs = append(outputs, api.OutputResult{Name: p.Name, Type: p.Type, Value: text})
		}
	}
	return outputs, nil
}

// encodedResult is the result of a run of a service that has no texts.
func (s *Server) encodedResult(ctx context.Context, run *api.Run) (*huma.StreamResponse, error) {
	ctx, run, err := s.claim(ctx, run)
	if err != nil {
		return nil, err
	}
	result, err := s.resultOf(ctx, run)
	if err != nil {
		return nil, err
	}
	shown := api.RunResult{Run: run}
	if result != nil {
		shown.Stdout, shown.Stderr = result.Stdout, result.Stderr
		if shown.Outputs, err = api.EncodeOutputs(result.Outputs); err != nil {
			return nil, err
		}
	}
	return resultText(http.StatusOK, shown), nil
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
	if known, ok := s.Service.(texts); ok {
		return known.Outcome(ctx, id)
	}
	return s.Service.Run(ctx, id)
}

// ended waits for the end of a run, whose result nobody needs.
func (s *Server) ended(ctx context.Context, id string) (err error) {
	if known, ok := s.Service.(texts); ok {
		_, err = known.Ended(ctx, id)
	} else {
		_, err = s.Service.Wait(ctx, id)
	}
	return err
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
	failed := s.ended(waiting, id)
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

// resultText has the outputs once: beside the run.
func resultText(status int, shown api.RunResult) *huma.StreamResponse {
	shown.Run = withoutValues(shown.Run)
	return streamed(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = shown.Write(w) // the client may be gone
	})
}

// withoutValues leaves out what GET /v1/runs/{id} has, and may be long.
func withoutValues(run *api.Run) *api.Run {
	shown := *run
	shown.Inputs, shown.Outputs = nil, nil
	return &shown
}
