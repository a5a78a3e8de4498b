package glovebox

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
	"github.com/glovebox-dev/glovebox/value"
)

// Register makes functions of this process available to runs until Unregister
// or Close, under their own ids: to runs that are resumed, to deployed tasks,
// and to those that other processes start. To register a function twice is to
// register it once; two that have the same id but not the same code are a
// conflict.
//
// Runs that Run, Start, Rerun and Resume are given functions for need no
// Register: the functions are offered until the run ends, and to that run
// alone, unless they are registered or have a version.
func (g *Glovebox) Register(functions ...Function) error {
	byID, err := byOwnID(functions)
	if err != nil {
		return err
	}
	return g.offers.keep(byID)
}

// Unregister takes functions back that Register, or Deploy, made available. Runs
// that were started with them have them until they end; calls of others wait
// for a process that offers the function, and fail as worker_unavailable.
func (g *Glovebox) Unregister(functions ...Function) error {
	byID, err := byOwnID(functions)
	if err != nil {
		return err
	}
	g.offers.forget(byID)
	return nil
}

func byOwnID(functions []Function) (map[string]*function, error) {
	byID := make(map[string]*function, len(functions))
	for _, f := range functions {
		if f.function == nil {
			return nil, errNoFunction()
		}
		id := f.task.Function.ID
		if known := byID[id]; known != nil && known != f.function {
			return nil, sameID(id)
		}
		byID[id] = f.function
	}
	return byID, nil
}

// namesFor says what the functions of a run are called: the same in every
// process that submits it under its key, and whenever the invocation that starts
// it is repeated.
func (g *Glovebox) namesFor(ctx context.Context, s api.Submission) *names {
	in, ok := ctx.Value(invocationKey{}).(invoked)
	switch {
	case s.IdempotencyKey != "":
		return g.names(instanceOf("key " + s.IdempotencyKey))
	case ok && in.g == g && s.Parent == in.invocation.RunID:
		return in.names
	}
	return g.names(newInstance())
}

// forAgain returns functions by the ids that an earlier run calls them by: those
// that were given, and those that are registered.
func (g *Glovebox) forAgain(ctx context.Context, id string, given []Function) (map[string]*function, error) {
	functions, err := byOwnID(given)
	if err != nil {
		return nil, err
	}
	for _, f := range g.offers.registered() {
		if id := f.task.Function.ID; functions[id] == nil {
			functions[id] = f
		}
	}
	if len(functions) == 0 {
		return nil, nil
	}
	task, err := g.service.RunTask(ctx, id)
	if err != nil {
		return nil, err
	}
	bound, called := map[string]*function{}, map[string]bool{}
	for id := range functionIDs(task) {
		own, _ := api.CutInstance(id)
		called[own] = true
		if f := functions[own]; f != nil {
			bound[id] = f
		}
	}
	for _, f := range given {
		if !called[f.ID()] {
			return nil, notCalled(f.ID(), slices.Sorted(maps.Keys(called)))
		}
	}
	return bound, nil
}

func notCalled(id string, called []string) error {
	return api.Errorf(api.RequestInvalid, "the run calls no function %q; it calls %q", id, called).
		WithHint("give functions with the names and the signatures, or the versions, that the run was started with").
		WithDetails(api.Details{Field: "functions", Got: id, Suggestion: value.Nearest(id, called)})
}

// functionIDs yields the ids of the functions behind a task and its tools.
func functionIDs(task *api.Task) iter.Seq[string] {
	return func(yield func(string) bool) { eachFunctionID(task, yield) }
}

func eachFunctionID(task *api.Task, yield func(string) bool) bool {
	if task.Function != nil && !yield(task.Function.ID) {
		return false
	}
	for _, tool := range task.Callable() {
		if !eachFunctionID(tool, yield) {
			return false
		}
	}
	return true
}

// instanceOfRun returns the instance that an earlier run calls its functions by,
// or "" if they have ids of their own.
func (g *Glovebox) instanceOfRun(ctx context.Context, id string) (string, error) {
	task, err := g.service.RunTask(ctx, id)
	if err != nil {
		return "", err
	}
	for id := range functionIDs(task) {
		if _, instance := api.CutInstance(id); instance != "" {
			instance, _, _ = strings.Cut(instance, ".")
			return instance, nil
		}
	}
	return "", nil
}

// inside has runs that a function starts here belong to its own run.
func (g *Glovebox) inside(c code) code {
	return func(ctx context.Context, i Invocation) (map[string]any, error) {
		return c(context.WithValue(ctx, invocationKey{}, invoked{g, i, g.namesInside(i)}), i)
	}
}

// namesInside says what the functions are called of runs that an invocation
// starts. One that is no run is not repeated.
func (g *Glovebox) namesInside(i Invocation) *names {
	if i.RunID == "" {
		return g.names(newInstance())
	}
	return g.names(instanceOf("run " + i.RunID))
}

// invocationKey finds what a function is called with in its context.
type invocationKey struct{}

type invoked struct {
	g          *Glovebox
	invocation Invocation
	names      *names // of functions that it starts runs with
}

// Invocation is what a function is called with: the id of its run, its inputs,
// a key that is the same whenever the same thing is to be done again, and
// where what it prints goes.
type Invocation = client.Invocation

// InvocationOf returns what the function is called with whose context ctx is,
// or comes from. ok is false outside of functions.
func InvocationOf(ctx context.Context) (i Invocation, ok bool) {
	in, ok := ctx.Value(invocationKey{}).(invoked)
	return in.invocation, ok
}

// parent is the run of the function whose context ctx is, if it is a run of
// this Glovebox.
func (g *Glovebox) parent(ctx context.Context) string {
	if in, ok := ctx.Value(invocationKey{}).(invoked); ok && in.g == g {
		return in.invocation.RunID
	}
	return ""
}
