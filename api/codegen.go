package api

import (
	"encoding/json"

	"github.com/glovebox-dev/glovebox/value"
)

// Codegen is what a task of kind codegen has: a model that writes a Python script,
// and the tests of it, until the tests pass in cells. Its input named prompt is what
// the script shall do; all others are Files, the samples, each of which is an input
// of the script by the same name. Its output is a CodegenResult as JSON has it.
type Codegen struct {
	Model Task `json:"model"` // of kind model, or a function with ModelSignature
	// Script is the sandbox that the script is for, without Code: its signature,
	// image, resources, variables and limits. The tests have neither its network nor
	// its secrets. What the model finds missing is added to the packages of its image.
	Script Task `json:"script"`

	Instructions string      `json:"instructions,omitempty"`                      // for the model, before ours
	Schema       string      `json:"schema,omitempty"`                            // words about formats and structures
	Constraints  []string    `json:"constraints,omitempty"`                       // what the script must hold to
	Samples      SamplesMode `json:"samples,omitempty" enum:"rows,masked,schema"` // empty means rows
	SampleRows   int         `json:"sample_rows,omitempty"`                       // that the model is shown of a sample; 0 means DefaultSampleRows

	SkipTests     bool   `json:"skip_tests,omitempty"`     // write none, and run none
	MaxIterations int    `json:"max_iterations,omitempty"` // runs of the tests; 0 means DefaultMaxIterations
	Candidates    int    `json:"candidates,omitempty"`     // scripts that are written at once, of which the best by tests is mended; 0 means 1
	Budget        Budget `json:"budget,omitzero"`          // its calls are questions to the model

	MaxTokens   int      `json:"max_tokens,omitempty"`  // of an answer of the model; 0 leaves it to the provider
	Temperature *float64 `json:"temperature,omitempty"` // from 0 to 2; nil leaves it to the provider

	Backend CodegenBackend `json:"backend,omitempty" enum:"model,claude"` // empty means model
	// AgentTurns bounds the questions that a coding agent asks in one go; 0 means
	// DefaultAgentTurns. AgentImage is an image that has the agent, Python and pytest;
	// without one it is built on the image of the script.
	AgentTurns int       `json:"agent_turns,omitempty"`
	AgentImage ImageSpec `json:"agent_image,omitzero"`
}

// CodegenBackend says who writes the script.
type CodegenBackend string

// The backends. BackendClaude is Claude Code, which works in a cell, and whose tests
// are run in others: its model has the protocol anthropic and a key. The host asks
// that model for it, so the key is not in the cell.
const (
	BackendModel  CodegenBackend = "model"
	BackendClaude CodegenBackend = "claude"
)

// SamplesMode says what a model is shown of samples.
type SamplesMode string

// The modes of samples.
const (
	SampleRows   SamplesMode = "rows"   // columns, statistics and rows as they are
	SampleMasked SamplesMode = "masked" // columns, and rows whose values are made up in the form of the real ones
	SampleSchema SamplesMode = "schema" // columns and their types alone
)

// The defaults of Codegen.
const (
	DefaultMaxIterations = 10
	DefaultSampleRows    = 100
	DefaultAgentTurns    = 50
)

// CodegenSignature is the signature of a task of kind codegen with samples of these
// names.
func CodegenSignature(samples ...string) Signature {
	s := Signature{
		Inputs:  []value.Param{{Name: CodegenPrompt, Type: value.Type{Kind: value.KindStr}}},
		Outputs: []value.Param{{Name: "result", Type: value.DictOf(value.Type{Kind: value.KindAny})}},
	}
	for _, name := range samples {
		s.Inputs = append(s.Inputs, value.Param{Name: name, Type: value.Type{Kind: value.KindFile}})
	}
	return s
}

// CodegenPrompt is the input that says what the script shall do.
const CodegenPrompt = "prompt"

// CodegenResult is what came of a generation.
type CodegenResult struct {
	Success bool   `json:"success"`         // whether the tests pass, or there is a script where they are skipped
	Error   string `json:"error,omitempty"` // why not

	Plan           CodegenPlan `json:"plan"`
	Code           string      `json:"code"`
	Tests          string      `json:"tests,omitempty"`
	Packages       []string    `json:"packages,omitempty"` // of Python, beside those of the declared image
	SystemPackages []string    `json:"system_packages,omitempty"`
	Image          ImageSpec   `json:"image"` // that the script runs in

	Output   string `json:"output,omitempty"` // the end of what the tests printed
	ExitCode int    `json:"exit_code"`        // of the tests; -1 if they did not run
	Attempts int    `json:"attempts"`         // runs of the tests

	Schemas map[string]string `json:"schemas,omitempty"` // of the samples that are tables, as Python code
	Context string            `json:"context,omitempty"` // what the model heard of the samples
	Report  string            `json:"report"`            // the whole generation, in Markdown
	Usage   ModelUsage        `json:"usage"`
}

// CodegenPlan is how a model means to solve it.
type CodegenPlan struct {
	Description string `json:"description"`
	Approach    string `json:"approach"`
}

// ReadCodegenResult reads the result of a run of a task of kind codegen.
func ReadCodegenResult(r *Result) (*CodegenResult, error) {
	if len(r.Outputs) != 1 {
		return nil, Errorf(MissingOutput, "the run has %d outputs, expected the result of a generation", len(r.Outputs))
	}
	out := r.Outputs[0]
	text, err := value.EncodeJSON(out.Type, out.Value)
	if err != nil {
		return nil, AsError(err)
	}
	made := &CodegenResult{}
	if err := json.Unmarshal(text, made); err != nil {
		return nil, Errorf(BadOutput, "the output %s is no result of a generation: %w", out.Name, err)
	}
	return made, nil
}
