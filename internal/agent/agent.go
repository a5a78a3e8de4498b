// Package agent runs tasks of kind agent: a model is asked, acts, learns what came
// of it, and is asked again, until it gives its answer.
//
// All that an agent does outside is a call of its [api.Caller]: the questions to
// its model, the calls of its tools, and the questions whether it may make them.
// The loop decides by their answers alone. So an attempt that is made again, after
// a crash or by a rerun, takes the same way from the journal, and neither asks nor
// does anything twice.
//
//	agent.go     Runner; validate.go: what a task must have
//	loop.go      the turns of an attempt; budget.go: when they have to end
//	calls.go     the one way out: calls, approvals and their answers
//	code.go      turns by code; fence.go: where it is; feedback.go: what the model hears of it
//	stream.go    code that is run while the model writes it
//	catalog.go   tools that are too many for the prompt
//	tools.go     turns by tools
//	prompt.go    what the model hears at the beginning
//	question     messages as values, and back, for whoever asks a model
package agent

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
)

// Config is what a Runner is made of.
type Config struct {
	// Language names the language of the code that models write, and Grants checks
	// what a task grants to it; orchestrator.Runner has both.
	Language interface {
		Identity(ctx context.Context, task *api.Task, progress func(api.Progress)) (string, error)
		ValidateGrants(task *api.Task) error
	}
}

// Runner runs agents. It is safe for concurrent use.
type Runner struct{ config Config }

// New returns a runner.
func New(c Config) *Runner { return &Runner{c} }

// loop names the way from the answers of a model to its next question. It is
// raised when an agent can do something else than before with the same answers.
const loop = "agent, revision 2, "

// Identity returns what can change the result of a task beside the task and its
// tools.
func (r *Runner) Identity(ctx context.Context, task *api.Task, progress func(api.Progress)) (string, error) {
	language, err := r.config.Language.Identity(ctx, task, progress)
	return loop + language, err
}

// Run makes one attempt. It writes what the code printed to req.Stdout.
func (r *Runner) Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error) {
	if req.Caller == nil {
		return &api.Result{RunID: runID, ExitCode: -1}, api.Errorf(api.Internal, "an agent was started without a caller")
	}
	a := newAttempt(req)
	err := a.run(ctx)
	result := a.result(runID)
	if err != nil {
		result.ExitCode = -1
	}
	return result, err
}
