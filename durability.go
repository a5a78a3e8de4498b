package glovebox

import (
	"context"
	"maps"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/buildcontext"
)

// Durability says what is kept of an orchestrator or a sandbox.
type Durability string

// The durabilities.
const (
	// Durable makes a run, which is in the journal: it can be followed, found,
	// resumed after a crash, and made again. It is the default of Run, Start, Call
	// and Func, on a server also of Evaluate.
	Durable Durability = "durable"
	// Ephemeral keeps nothing: no run, no journal, no cache. A sandbox then waits
	// for no disk, only for its cell. Of an orchestrator functions of this process
	// are called directly, and other tools are runs of their own, which
	// Result.Calls names. It is the default of Evaluate with the engine in this
	// process.
	Ephemeral Durability = "ephemeral"
)

// WithDurability says whether an orchestrator or a sandbox is a run, or is
// executed once and nothing is kept. Ephemeral is refused where something has to
// be kept, as invalid_task: by Start, for functions and tasks that start runs,
// with files, retries, a cache, a parent or an idempotency key.
func WithDurability(d Durability) RunOption { return func(s *submission) { s.durability = d } }

// evaluate evaluates an orchestrator or a sandbox, or a deployed one.
func (g *Glovebox) evaluate(ctx context.Context, task Task, s submission) (*Result, error) {
	if err := s.checkEphemeral(); err != nil {
		return &Result{}, err
	}
	at := scope{names: g.names(newInstance()), bound: map[string]*function{}}
	definition, _, err := defineAt(task, at)
	if err != nil {
		return &Result{}, err
	}
	if err := buildcontext.TakeAll(ctx, g.service, definition); err != nil {
		return &Result{}, err
	}
	asked := api.Evaluation{
		Task: definition, Inputs: s.Inputs, Clock: s.Clock, Random: s.Random, Stdout: s.Stdout, Stderr: s.Stderr, Progress: s.Progress,
	}
	if deployed, ok := task.(Deployed); ok {
		asked.Task, asked.Name = nil, deployed.ref()
	}
	if err := g.offers.hold(at.bound, false); err != nil {
		return &Result{}, err
	}
	defer g.offers.drop(at.bound)
	result, err := g.service.Evaluate(ctx, asked)
	if result == nil {
		result = &api.Result{}
	}
	return &Result{*result}, err
}

// checkEphemeral refuses options of runs, which would be ignored.
func (s *submission) checkEphemeral() error {
	given := map[string]bool{
		"idempotency_key": s.IdempotencyKey != "", "cache": s.Cache != "" && s.Cache != api.CacheDisable, "parent": s.Parent != "", "image": s.image != "",
	}
	for _, field := range slices.Sorted(maps.Keys(given)) {
		if given[field] {
			return api.Errorf(api.InvalidTask, "an evaluation that keeps nothing cannot have the option %s", field).
				WithHint("leave it out, or use Durable").WithDetails(api.Details{Field: field, Expected: "nothing", Got: "a value"})
		}
	}
	return nil
}

func errStartedEphemeral() *api.Error {
	return api.Errorf(api.InvalidTask, "Start returns a run, and an evaluation that keeps nothing is none").
		WithHint("use Run, Call or Evaluate, or Durable").WithDetails(api.Details{Field: "durability", Expected: string(Durable), Got: string(Ephemeral)})
}

// durabilityOf returns that of an evaluation of code: what happens on a server,
// or within a run, is kept, and so is what needs a run.
func (g *Glovebox) durabilityOf(ctx context.Context, o Orchestrator) Durability {
	if _, here := g.offers.host.(*inProcess); !here || g.parent(ctx) != "" {
		return Durable
	}
	if task, _, err := define(o); err == nil && task.NeedsRun() != nil {
		return Durable
	}
	return Ephemeral
}
