package glovebox

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Orchestrator describes code that calls tools: restricted Python, which can
// compute and call the tasks that it was granted, and nothing else. It runs in
// this process, or in that of the server, in an interpreter of its own; each
// call of a tool is a run. The value of its last expression is its output.
type Orchestrator struct {
	// Name appears in messages and names the source in tracebacks. To be a tool
	// itself it has to be a Python identifier.
	Name string
	// Doc says what it does, for people and models.
	Doc string
	// Source is the code. Its inputs are variables.
	Source string
	// Inputs declare names and types as those of a Sandbox do: "x: int", with
	// a default as JSON: "n: int = 5".
	Inputs []string
	// Output is the type of the value of the last expression, such as "int" or
	// "dict[str, int]". Empty means that the value is not kept.
	Output string
	// Tools are what the code may call, each by its name.
	Tools []Task

	// Dialect is Strict, the default, or Extended.
	Dialect Dialect
	// Limits bound the interpreter. The zero value has defaults for all of them.
	Limits OrchestratorLimits
	// SkipTypeCheck does not hold inputs and output to their declared types.
	SkipTypeCheck bool
	// SkipCheck starts the code although the checker finds that it would fail.
	SkipCheck bool

	// Clock is which clock the code can read: none unless it is RealClock or
	// FixedClock(t). Sleeping takes real time and survives a crash; with a fixed
	// clock, or with VirtualClock, it takes none.
	Clock Clock
	// Random is which randomness the code has: none unless it is RealRandom, which
	// the journal keeps, or SeededRandom(n).
	Random Random

	// Timeout bounds one attempt, with the waiting for tools; 0 means no bound.
	// Limits.Time bounds the execution of the code alone.
	Timeout time.Duration
	// Retries is how many more attempts a failed run gets.
	Retries int
	// Notify are receivers that hear of the end of its runs.
	Notify []Notify
	// Labels are those of its runs, by name.
	Labels map[string]string
	// NodeSelector are the labels that a node has to have to carry them out; see glovebox
	// serve --label.
	NodeSelector map[string]string
	// Priority is that of its runs among those that wait, from -10 to 10: the higher is
	// first. Each step is worth 30 seconds of waiting.
	Priority int
	// MaxConcurrent is how many of its runs work at the same time, on all nodes together;
	// 0 is any number.
	MaxConcurrent int
	// Cache is auto, override or disable; empty means auto if every tool may be
	// cached, and disable otherwise.
	Cache CacheMode
	// Approval has a person decide before each run; nil asks for none.
	Approval *Approval
}

// Dialect is which Python an orchestrator may use.
type Dialect string

// The dialects. docs/LANGUAGE.md describes them.
const (
	Strict   Dialect = "strict"   // control flow without exceptions, classes or assignments to items
	Extended Dialect = "extended" // most of Python, and modules without access to the host
)

// Clock and Random are what an orchestrator can be granted of the world.
type (
	// Clock is the clock that an orchestrator can read.
	Clock = api.Clock
	// Random is the randomness that an orchestrator has.
	Random = api.Random
)

// The clocks and the randomness without a parameter.
const (
	RealClock    = api.RealClock
	VirtualClock = api.VirtualClock
	RealRandom   = api.RealRandom
)

// FixedClock is a clock that begins at t and that only sleeping moves.
func FixedClock(t time.Time) Clock { return api.FixedClock(t) }

// SeededRandom is the randomness of a number: the module random gives what it
// gives in CPython after random.seed(n).
func SeededRandom(n int64) Random { return api.SeededRandom(n) }

// OrchestratorLimits bound the interpreter of an orchestrator.
type OrchestratorLimits = api.OrchestratorLimits

// Problem is a place in the code of an orchestrator that would fail.
type Problem = api.Problem

func (o Orchestrator) define(at scope) (*api.Task, []Function, error) {
	inputs, err := parseParams("input", o.Inputs)
	if err != nil {
		return nil, nil, err
	}
	outputs, err := oneOutput(o.Output)
	if err != nil {
		return nil, nil, err
	}
	return o.with(api.Signature{Inputs: inputs, Outputs: outputs}, at)
}

// oneOutput declares the output of a type, or none if that is empty.
func oneOutput(declared string) ([]value.Param, error) {
	if declared == "" {
		return nil, nil
	}
	typ, err := value.ParseType(declared)
	if err != nil {
		return nil, declarationError("output", theOutput, err)
	}
	return []value.Param{{Name: theOutput, Type: typ}}, nil
}

// theOutput is the name of the output of tasks that have one without a name.
const theOutput = "result"

// with returns the task with a signature.
func (o Orchestrator) with(s api.Signature, at scope) (*api.Task, []Function, error) {
	tools, functions, err := defineTools(o.Tools, at)
	if err != nil {
		return nil, nil, err
	}
	return &api.Task{
		Name: o.Name, Kind: api.KindOrchestrator, Doc: o.Doc, Code: o.Source, Signature: s,
		Orchestrator: &api.Orchestrator{
			Dialect: string(o.Dialect), Tools: tools, Limits: o.Limits, SkipTypeCheck: o.SkipTypeCheck, SkipCheck: o.SkipCheck, Clock: o.Clock, Random: o.Random,
		},
		Timeout: o.Timeout, Retries: o.Retries, Cache: o.Cache, Notify: o.Notify, Labels: o.Labels, NodeSelector: o.NodeSelector,
		Priority: o.Priority, MaxConcurrent: o.MaxConcurrent, Approval: o.Approval,
	}, functions, nil
}

// Evaluate runs code once and returns the value of its last expression, as
// package api describes values: int64, string, []any, *Dict and so on. The
// types of its variables follow from the inputs.
//
//	v, err := gb.Evaluate(ctx, "add(x, y) * 2", glovebox.Values{"x": 1, "y": 2}, add)
//
// With the engine in this process nothing of it is kept; on a server it is a
// run, and so is one within a function of a run, or with files. To choose, Call
// an Orchestrator WithDurability.
func (g *Glovebox) Evaluate(ctx context.Context, source string, inputs Values, tools ...Task) (any, error) {
	o := Orchestrator{Name: "evaluate", Source: source, Output: "Any", Tools: tools}
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		typ, err := typeOfValue(inputs[name])
		if err != nil {
			return nil, declarationError("input", name, err)
		}
		o.Inputs = append(o.Inputs, name+": "+typ.String())
	}
	return Call[any](ctx, g, o, inputs, WithDurability(g.durabilityOf(ctx, o)))
}

// typeOfValue declares the type that a value fits.
func typeOfValue(v any) (value.Type, error) {
	if v == nil {
		return value.Type{Kind: value.KindNone}, nil
	}
	return typeOf(reflect.TypeOf(v))
}

// Check finds what would fail in the code of an orchestrator, without running
// it. It returns nothing for good code. An orchestrator that is wrong beyond
// its code is an error.
func (g *Glovebox) Check(ctx context.Context, o Orchestrator) ([]Problem, error) {
	task, _, err := define(o)
	if err != nil {
		return nil, err
	}
	return g.service.Check(ctx, task)
}

// Prompt describes the dialect, the inputs and the tools of an orchestrator to
// the person or the model that is to write its Source.
func (g *Glovebox) Prompt(ctx context.Context, o Orchestrator) (string, error) {
	task, _, err := define(o)
	if err != nil {
		return "", err
	}
	return g.service.Prompt(ctx, task)
}
