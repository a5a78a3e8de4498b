// Package codegen runs tasks of kind codegen: a model writes a script and its
// tests, which run in cells, until the tests pass.
//
// Every question to the model and everything that a cell does is a call of the
// [api.Caller], and the answers of the calls alone decide what is next. So an
// attempt that is made again, after a crash or by a rerun, takes the same way from
// the journal: it pays for nothing twice.
//
// What a model writes is hostile, and so are samples: they are read, built and run
// in cells, its packages are names and no places, and none of its commands is run
// while an image is built. Tests show what a script does; they do not make it
// harmless, so it stays in a cell.
//
//	codegen.go   Runner; validate.go: what a task must have
//	generate.go  the way from a prompt to a result
//	samples.go   what the model hears of samples, by describe.py in a cell
//	write.go     plan, code and tests; packages.go, image.go: what the code imports
//	test.go      runs of the tests, by tests.py in a cell
//	coder.go     the same by a coding agent in a cell; task.go: what it is given
//	mend.go      diagnosis, and what follows from it; patch.go: parts of tests
//	calls.go     the one way out, in batches; ask.go: questions; budget.go: how many
//	prompt.go    what the model hears; answers.go: what it may answer
//	report.go    all of it, for people
package codegen

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/box"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
)

// Config is what a Runner is made of.
type Config struct {
	// Sandboxes checks the sandbox that a script is written for.
	Sandboxes interface{ Validate(task *api.Task) error }
}

// Runner runs generations. It is safe for concurrent use.
type Runner struct{ config Config }

// New returns a runner.
func New(c Config) *Runner { return &Runner{c} }

// way names the way from the answers of a model to its next question. It is raised
// when a generation can go on otherwise than before with the same answers.
const way = "codegen, revision 1"

// Identity returns what can change the result of a task beside the task itself.
func (r *Runner) Identity(_ context.Context, task *api.Task, _ func(api.Progress)) (string, error) {
	if task.Codegen.Backend != api.BackendClaude {
		return way, nil
	}
	agent, err := box.Find(string(task.Codegen.Backend))
	return way + ", by " + agent.Name + " " + agent.Version, err
}

// Run makes one attempt. A generation without success is a result, which says why:
// the error, if any, is of what it needs, such as the model.
func (r *Runner) Run(ctx context.Context, runID string, req *api.Request) (*api.Result, error) {
	result := &api.Result{RunID: runID, ExitCode: -1}
	if req.Caller == nil {
		return result, api.Errorf(api.Internal, "a generation was started without a caller")
	}
	if req.Caller.Snapshot() != nil { // another kind of task left it
		req.Caller.Restart()
	}
	g, err := newGeneration(req)
	if err != nil {
		return result, err
	}
	err = g.run(ctx)
	result.Stdout = g.said.Bytes()
	switch { // what models took the engine counts itself
	case g.byAgent():
		result.Usage.Models.Cost = g.calls.spent.said
	case req.Task.Codegen.Model.KindOf() == api.KindFunction:
		result.Usage.Models = g.calls.spent.models
	}
	if err != nil {
		return result, err
	}
	made := g.result()
	output := req.Task.Signature.Outputs[0]
	v, err := question.AsValue(output.Type, made)
	if err != nil {
		return result, api.Errorf(api.Internal, "the result of the generation: %w", err)
	}
	result.ExitCode, result.NotKept = 0, !made.Success
	result.Outputs = []api.Output{{Name: output.Name, Type: output.Type, Value: v}}
	return result, nil
}
