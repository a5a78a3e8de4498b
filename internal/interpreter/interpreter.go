// Package interpreter is the part of the system that needs no home, no cells
// and no journal, and works on every system: it evaluates orchestrators, checks
// them and describes them. What it calls are functions of this process.
package interpreter

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/denied"
	"github.com/glovebox-dev/glovebox/internal/evaluation"
	"github.com/glovebox-dev/glovebox/internal/orchestrator"
	"github.com/glovebox-dev/glovebox/internal/worker"
	"github.com/glovebox-dev/glovebox/value"
)

// Interpreter is a service that keeps nothing, and refuses what would have to be
// kept. It is safe for concurrent use.
type Interpreter struct {
	denied.Service
	evaluator     *evaluation.Evaluator
	orchestrators *orchestrator.Runner
	functions     *worker.Runner
}

var _ api.Service = (*Interpreter)(nil)

// New returns an Interpreter. Close it after use.
func New() *Interpreter {
	i := &Interpreter{
		Service:       denied.Service{Refuse: refuse},
		orchestrators: orchestrator.New(orchestrator.Config{}), functions: worker.New(worker.Config{}),
	}
	i.evaluator = evaluation.New(evaluation.Config{
		Runners: map[api.TaskKind]evaluation.Runner{api.KindOrchestrator: i.orchestrators}, Tools: evaluation.Direct{Functions: i.functions, Else: noRuns{}}, Catalog: noCatalog,
	})
	return i
}

func refuse(what string) *api.Error {
	return api.Errorf(api.IsolationUnavailable, "what only evaluates cannot %s: it has no home", what).
		WithHint("open the engine, or use a server")
}

// noRuns are the tools that would have to be runs.
type noRuns struct{}

func (noRuns) Call(_ context.Context, tool *api.Task, _ value.Fields, _ func(string)) (map[string]any, error) {
	return nil, refuse("make a run of tool " + tool.Name)
}

func noCatalog(context.Context, string) (*api.TaskVersion, error) {
	return nil, refuse("find deployed tasks")
}

// Functions offers functions of this process to evaluations.
func (i *Interpreter) Functions() *worker.Runner { return i.functions }

// Evaluate implements api.Evaluations.
func (i *Interpreter) Evaluate(ctx context.Context, e api.Evaluation) (*api.Result, error) {
	return i.evaluator.Evaluate(ctx, e)
}

// Check implements api.Runs.
func (i *Interpreter) Check(_ context.Context, task *api.Task) ([]api.Problem, error) {
	return i.orchestrators.Check(task)
}

// Prompt implements api.Runs.
func (i *Interpreter) Prompt(_ context.Context, task *api.Task) (string, error) {
	return i.orchestrators.Prompt(task)
}

// Close ends what is under way.
func (i *Interpreter) Close() error {
	i.evaluator.Close()
	return i.functions.Close()
}
