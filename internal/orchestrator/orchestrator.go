// Package orchestrator runs tasks of kind orchestrator: restricted Python in
// our own interpreter, which can only compute and call the tools that it was
// granted. It is the bridge between package py, which knows no runs, and the
// Caller of an attempt, which knows no Python.
//
// What a run does depends on its task, its inputs and the order of its answers
// alone. It has no clock and no randomness, so that an attempt that is made
// again with the same answers takes the same way.
package orchestrator

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// Config is what a Runner is made of.
type Config struct {
	// SnapshotKey authenticates snapshots, so that what a journal holds cannot
	// forge a handle. It must stay the same for a later process to load them.
	// Empty means that snapshots are neither made nor loaded.
	SnapshotKey []byte
	// Check reports what is wrong with a tool of another kind. Nil accepts all.
	Check func(task *api.Task) error
	// Logger records defects of the interpreter. Nil discards them.
	Logger *slog.Logger
}

// Runner runs orchestrators. It is safe for concurrent use.
type Runner struct {
	config   Config
	programs *programs
	worth    func(replay, cost time.Duration) bool // whether a snapshot saves enough
	stray    atomic.Int64                          // interpreters that were given up and still run

	timeGrace, cancelGrace time.Duration
	deaf                   bool // for tests: the interpreter has no time limit, and does not notice the end of its context
}

// deafTime is the time limit of an interpreter that shall not notice it.
const deafTime = 1000 * time.Hour

// visible returns the context that the interpreter sees. Tests hide the real
// one to show that an attempt ends even if the interpreter ignores its context.
func (r *Runner) visible(ctx context.Context) context.Context {
	if r.deaf {
		return context.Background()
	}
	return ctx
}

// New returns a runner.
func New(c Config) *Runner {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{config: c, programs: newPrograms(), worth: worthSaving, timeGrace: timeGrace, cancelGrace: cancelGrace}
}

// language names the language and everything in it that can change a result.
// It is raised when a program can give another value than before.
const language = "glovebox python 3.11, revision 2"

// Identity returns what can change the result of a task beside the task: only
// the language, since a program cannot see its host.
func (r *Runner) Identity(context.Context, *api.Task, func(api.Progress)) (string, error) {
	return language, nil
}

// Check finds what would fail in the code of a task, without running it.
func (r *Runner) Check(task *api.Task) ([]api.Problem, error) {
	if err := r.validate(task, 1, new(int)); err != nil {
		return nil, err
	}
	o, err := options(task)
	if err != nil {
		return nil, err
	}
	found, err := check(task.Code, o)
	return problemsOf(found), err
}

// Prompt describes the dialect, the inputs and the tools of a task to the
// author of its code, often a model. It ignores the code of the task.
func (r *Runner) Prompt(task *api.Task) (string, error) {
	uncoded := *task
	uncoded.Code = "None"
	if err := r.validate(&uncoded, 1, new(int)); err != nil {
		return "", err
	}
	o, err := options(&uncoded)
	if err != nil {
		return "", err
	}
	return py.Prompt(o), nil
}

func problemsOf(found []py.Problem) []api.Problem {
	problems := make([]api.Problem, len(found))
	for i, p := range found {
		problems[i] = problem(p)
	}
	return problems
}

func problem(p py.Problem) api.Problem {
	level := "error"
	switch p.Level {
	case py.Refusal:
		level = "refusal"
	case py.Warning:
		level = "warning"
	}
	return api.Problem{
		Level: level, Code: string(p.Code), Line: p.Line, Column: p.Column,
		Construct: p.Construct, Message: withHint(p),
	}
}

func withHint(p py.Problem) string {
	if p.Hint == "" {
		return p.Message
	}
	return p.Message + "; " + p.Hint
}

// guarded turns a panic of the interpreter into an error, so that a defect of
// it ends one run and not the process.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = api.Errorf(api.Internal, "the interpreter failed: %v", p)
		}
	}()
	return f()
}
