package server

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/budget"
)

// registerEvaluations adds the route that evaluates without making a run.
func (s *Server) registerEvaluations() {
	op := operation(http.MethodPost, "/v1/evaluations", "evaluations", "evaluate", "Execute the code of an orchestrator once, and keep nothing of it")
	op.Description = "The answer comes when the code has ended; spaces before the JSON are heartbeats. Closing the connection ends the code and what it called. " +
		"Each call of a tool is a run of its own, which the result names. What keeps the code from starting is the status of the answer, or the error in it if that has begun already."
	route(s, traits{stream: true, inputs: true}, op, s.evaluate)
	s.answers(op, "200", "How the code ended, and what it called", map[string]*huma.MediaType{mediaJSON: {Schema: schema[api.EvaluationResult](s)}})
}

const mediaJSON = "application/json"

// evaluationBody asks for an evaluation.
type evaluationBody struct {
	Task   *api.Task       `json:"task,omitempty" doc:"The whole task; or else name"`
	Name   string          `json:"name,omitempty" doc:"A deployed task: NAME or NAME@VERSION" pattern:"^([A-Za-z0-9._][A-Za-z0-9._-]{0,127}(@[1-9][0-9]{0,8})?)?$"`
	Inputs json.RawMessage `json:"inputs,omitempty" doc:"An object by name, each value as its declared type; files cannot be among them" shape:"object"`
	Clock  api.Clock       `json:"clock,omitempty" doc:"real, fixed:TIME or virtual: overrules the task"`
	Random api.Random      `json:"random,omitempty" doc:"real or seeded:N: overrules the task"`
}

func (s *Server) evaluate(ctx context.Context, in *struct{ Body jsonBody[evaluationBody] }) (*huma.StreamResponse, error) {
	given, err := in.Body.get()
	if err != nil {
		return nil, err
	}
	like := &submission{Task: given.Task, Name: given.Name, Inputs: given.Inputs, Clock: given.Clock, Random: given.Random}
	like.takeInputs(ctx)
	run, err := s.decodeSubmission(ctx, like, isLocal(ctx))
	if err != nil {
		return nil, err
	}
	asked := api.Evaluation{Task: run.Task, Name: run.Name, Checked: run.Checked, Clock: run.Clock, Random: run.Random}
	budget.ShareOf(ctx).Release() // it may take long
	return streamed(func(w http.ResponseWriter, r *http.Request) {
		out := &lateAnswer{stream{w: w, kind: mediaJSON}}
		stop := out.beatEvery(s.Limits.Heartbeat)
		result, err := s.evaluateUntilDrained(r.Context(), asked)
		stop()
		if err != nil {
			s.logInternal(r.Context(), err)
		}
		if result == nil && !out.begun() {
			failureOf(err).write(w, r)
			return
		}
		_ = out.send(result, err) // the client may be gone
	}), nil
}

// evaluateUntilDrained evaluates until the server stops.
func (s *Server) evaluateUntilDrained(ctx context.Context, asked api.Evaluation) (*api.Result, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer s.cancelOnDrain(ctx, func() { cancel(stopping{}) })()
	result, err := s.Service.Evaluate(ctx, asked)
	if err != nil && context.Cause(ctx) == (stopping{}) {
		err = api.Errorf(api.ServerUnavailable, "the server has stopped, and the evaluation with it").WithHint("evaluate again")
	}
	return result, err
}

// lateAnswer is a JSON document that takes its time. Until it is there, spaces
// show to everybody on the way that the connection lives.
type lateAnswer struct{ stream }

// beatEvery sends a space ever so often, the first one soon, so that the answer
// has begun, until stop is called.
func (a *lateAnswer) beatEvery(every time.Duration) (stop func()) {
	beating, cancel := context.WithCancel(context.Background())
	var done sync.WaitGroup
	done.Go(func() {
		quiet := time.NewTimer(min(every, beginAfter))
		defer quiet.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-quiet.C:
			}
			if a.write(" ") != nil {
				return // the client is gone, and the evaluation ends with it
			}
			quiet.Reset(every)
		}
	})
	return func() {
		cancel()
		done.Wait()
	}
}

func (a *lateAnswer) send(result *api.Result, failure error) error {
	var shown *api.Error
	if failure != nil {
		shown = failureOf(failure).asError()
	}
	text, err := api.EncodeEvaluation(result, shown)
	if err != nil {
		text, err = api.EncodeEvaluation(nil, failureOf(err).asError())
	}
	if err != nil {
		return err
	}
	return a.write(string(text) + "\n")
}
