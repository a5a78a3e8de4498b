package glovebox

import (
	"context"
	"slices"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// Codegen describes a model that writes a Python script for a sentence, and tests of
// it, which run in cells until they pass. Each question, build and run of tests is a
// run of its own, so that a generation which is resumed pays for nothing twice. Its
// inputs are prompt, a str, and the samples; its output is named result.
//
//	made, err := gb.Generate(ctx, sales, glovebox.Values{"prompt": "Sum quantity times price.", "sales": glovebox.File{Path: "sales.csv"}})
//	total, err := glovebox.Call[float64](ctx, gb, sales.Written(made), glovebox.Values{"sales": glovebox.File{Path: "all.csv"}})
type Codegen struct {
	// Name appears in messages. To be a tool itself it has to be a Python
	// identifier.
	Name string
	// Doc says what it does, for people and models.
	Doc string
	// Model is a Model, or a Function of a ModelRequest to a ModelAnswer, as values.
	Model Task
	// Script is the sandbox that the script is for, without code. What the script
	// imports is installed on its image. Its tests have neither its network nor its
	// secrets.
	Script Sandbox
	// Samples are names of inputs, of type File, that an example is given of. The
	// script has them in any case, before those that it declares.
	Samples []string

	// Instructions come before ours, Schema says formats in words, and Constraints are
	// what the script holds to, each in a sentence.
	Instructions, Schema string
	Constraints          []string
	// SampleMode is what the model sees of samples: SampleRows, the default, of which it
	// sees SampleRowCount; SampleMasked, or SampleSchema.
	SampleMode     SamplesMode
	SampleRowCount int

	// SkipTests neither writes nor runs tests. MaxIterations bounds how often they run,
	// and Candidates is how many scripts are written at once; 0 are the defaults.
	SkipTests                 bool
	MaxIterations, Candidates int
	// Budget bounds what it may spend; its Calls are questions to the model.
	Budget Budget
	// MaxTokens and Temperature are of an answer of the model. Zero and nil leave them
	// to the provider.
	MaxTokens   int
	Temperature *float64

	// Backend is BackendModel, the default, or BackendClaude: Claude Code, in a cell that
	// has the key of the model. AgentTurns bounds what it asks in one go, and AgentImage
	// has it, Python and pytest; without it an image is built.
	Backend    CodegenBackend
	AgentTurns int
	AgentImage Image

	// Timeout bounds one attempt; 0 means no bound.
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
	// Cache is auto, override or disable; empty means auto: the same request again asks
	// nothing.
	Cache CacheMode
}

// Words that generations are described with.
type (
	// SamplesMode says what a model is shown of samples.
	SamplesMode = api.SamplesMode
	// CodegenBackend says who writes a script.
	CodegenBackend = api.CodegenBackend
	// CodegenResult is what came of a generation.
	CodegenResult = api.CodegenResult
)

// The modes of samples, and the backends.
const (
	SampleRows    = api.SampleRows
	SampleMasked  = api.SampleMasked
	SampleSchema  = api.SampleSchema
	BackendModel  = api.BackendModel
	BackendClaude = api.BackendClaude
)

// Generate runs a generation to its end. That its tests do not pass is no error: it
// is the Error of a result that has no Success.
func (g *Glovebox) Generate(ctx context.Context, c Codegen, in Values, options ...RunOption) (*CodegenResult, error) {
	result, err := g.Run(ctx, c, in, options...)
	if err != nil {
		return nil, err
	}
	return result.Generated()
}

// Generated reads the result of a run of a Codegen.
func (r *Result) Generated() (*CodegenResult, error) { return api.ReadCodegenResult(&r.Result) }

// Written is the script of a result, as a sandbox: it is run on data that no model
// saw, deployed, or granted as a tool.
func (c Codegen) Written(made *CodegenResult) Sandbox {
	s := c.Script
	s.Code, s.Verbatim, s.Image = made.Code, true, made.Image
	s.Inputs = append(c.sampleInputs(), s.Inputs...)
	return s
}

// sampleInputs declares the samples that the script does not declare itself.
func (c Codegen) sampleInputs() []string {
	var inputs []string
	declared, err := parseParams("input", c.Script.Inputs)
	if err != nil {
		return nil // whoever uses them says what is wrong with them
	}
	for _, name := range c.Samples {
		if !slices.ContainsFunc(declared, func(p value.Param) bool { return p.Name == name }) {
			inputs = append(inputs, name+": File")
		}
	}
	return inputs
}

func (c Codegen) define(at scope) (*api.Task, []Function, error) {
	if c.Model == nil {
		return nil, nil, api.WrongField("codegen.model", "missing", "a Model, or a Function")
	}
	asked, functions, err := defineTools([]Task{c.Model}, at)
	if err != nil {
		return nil, nil, err
	}
	script := c.Script
	script.Inputs = append(c.sampleInputs(), script.Inputs...)
	if script.Name == "" {
		script.Name = "script"
	}
	sandbox, err := script.task()
	if err != nil {
		return nil, nil, err
	}
	image, err := c.AgentImage.Absolute(".")
	if err != nil {
		return nil, nil, err
	}
	cache := c.Cache
	if cache == "" {
		cache = api.CacheAuto
	}
	return &api.Task{
		Name: c.Name, Kind: api.KindCodegen, Doc: c.Doc, Signature: api.CodegenSignature(c.Samples...),
		Codegen: &api.Codegen{
			Model: asked[0], Script: *sandbox, Instructions: c.Instructions, Schema: c.Schema, Constraints: c.Constraints,
			Samples: c.SampleMode, SampleRows: c.SampleRowCount, SkipTests: c.SkipTests, MaxIterations: c.MaxIterations, Candidates: c.Candidates,
			Budget: c.Budget, MaxTokens: c.MaxTokens, Temperature: c.Temperature,
			Backend: c.Backend, AgentTurns: c.AgentTurns, AgentImage: image,
		},
		Timeout: c.Timeout, Retries: c.Retries, Cache: cache, Notify: c.Notify, Labels: c.Labels, NodeSelector: c.NodeSelector,
		Priority: c.Priority, MaxConcurrent: c.MaxConcurrent,
	}, functions, nil
}
