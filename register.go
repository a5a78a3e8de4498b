package glovebox

import (
	"context"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/client"
)

// Register makes functions of this process available to runs until Close. Run,
// Start, Rerun and Deploy do so by themselves for the functions that they see;
// it is needed before Resume, and for deployed functions. To register a
// function twice is to register it once; two that have the same id but not the
// same code are a conflict.
func (g *Glovebox) Register(functions ...Function) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return api.Errorf(api.ServerUnavailable, "this Glovebox was closed")
	}
	fresh, err := g.unknown(functions)
	if err != nil || len(fresh) == 0 {
		return err
	}
	offers := make([]client.Function, 0, len(fresh))
	for _, f := range fresh {
		offers = append(offers, client.Function{Task: f.task, Call: g.inside(f.call)})
	}
	if err := g.host.offer(offers); err != nil {
		return err
	}
	for id, f := range fresh {
		g.offered[id] = f
	}
	return nil
}

// unknown returns the functions that are not offered yet, by id.
func (g *Glovebox) unknown(functions []Function) (map[string]*function, error) {
	fresh := map[string]*function{}
	for _, f := range functions {
		if f.function == nil {
			return nil, errNoFunction()
		}
		id := f.task.Function.ID
		for _, known := range []*function{g.offered[id], fresh[id]} {
			if known != nil && known != f.function {
				return nil, sameID(id)
			}
		}
		if g.offered[id] == nil {
			fresh[id] = f.function
		}
	}
	return fresh, nil
}

func sameID(id string) error {
	return api.Errorf(api.Conflict, "another function with the id %q is registered already", id).
		WithHint("make the function once and use it everywhere, or tell the two apart with WithVersion").
		WithDetails(api.Details{Field: "function.id", Got: id, Expected: "an id for each function"})
}

// inside has runs that a function starts here belong to its own run.
func (g *Glovebox) inside(c code) code {
	return func(ctx context.Context, i Invocation) (map[string]any, error) {
		return c(context.WithValue(ctx, invocationKey{}, invoked{g, i}), i)
	}
}

// invocationKey finds what a function is called with in its context.
type invocationKey struct{}

type invoked struct {
	g          *Glovebox
	invocation Invocation
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
