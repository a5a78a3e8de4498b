package taskfile

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

const generations = `
environment: {timeout: 9, image: {base: debian}, env: {A: b}, network: public}
tasks:
  large: {kind: model, protocol: openai, name: big}
  sum:
    kind: codegen
    doc: sums
    model: large
    inputs: {sales: File, rates: File}
    script:
      inputs: {least: float, rates: File}
      output: float
      image: {packages: [pandas]}
      network: none
      timeout: 2m
    instructions: Be brief.
    schema: ISO dates
    constraints: [no negative total]
    samples: masked
    sample_rows: 5
    max_iterations: 3
    candidates: 2
    budget: {calls: 10}
    max_tokens: 900
    temperature: 0
    cache: disable
  coded: {kind: codegen, model: {protocol: anthropic, name: x, key: K}, backend: claude, agent_turns: 7, agent_image: {base: debian}, skip_tests: true}
`

func TestGenerations(t *testing.T) {
	f, err := Parse([]byte(generations), Options{Path: "f"})
	if err != nil {
		t.Fatal(err)
	}
	file := value.Type{Kind: value.KindFile}
	zero := 0.0
	sum := api.Task{
		Name: "sum", Kind: api.KindCodegen, Doc: "sums", Signature: api.CodegenSignature("sales", "rates"), Cache: api.CacheDisable,
		Codegen: &api.Codegen{
			Model: f.Tasks[0],
			Script: api.Task{
				Name: "script", Image: api.ImageSpec{Packages: []string{"pandas"}}, Env: map[string]string{"A": "b"}, Timeout: 2 * time.Minute,
				Signature: api.Signature{
					Inputs:  []value.Param{{Name: "sales", Type: file}, {Name: "least", Type: value.Type{Kind: value.KindFloat}}, {Name: "rates", Type: file}},
					Outputs: []value.Param{{Name: "result", Type: value.Type{Kind: value.KindFloat}}},
				},
			},
			Instructions: "Be brief.", Schema: "ISO dates", Constraints: []string{"no negative total"}, Samples: api.SampleMasked, SampleRows: 5,
			MaxIterations: 3, Candidates: 2, Budget: api.Budget{Calls: 10}, MaxTokens: 900, Temperature: &zero,
		},
	}
	if d := cmp.Diff(sum, f.Tasks[1]); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	coded := f.Tasks[2]
	if c := coded.Codegen; c.Backend != api.BackendClaude || c.AgentTurns != 7 || c.AgentImage.Base != "debian" || !c.SkipTests || coded.Cache != api.CacheAuto || c.Script.Timeout != 9*time.Second {
		t.Errorf("%+v", coded)
	}
}

func TestGenerationErrors(t *testing.T) {
	for task, want := range map[string]string{
		"{kind: codegen}":                                   "task g is a generation without model",
		"{kind: codegen, model: s}":                         `task "s" is of kind sandbox and no model`,
		"{kind: codegen, model: m, output: int}":            "a generation has the output result, and no other",
		"{kind: codegen, model: m, inputs: {x: int}}":       `input "x" of task g is no File without a default`,
		"{kind: codegen, model: m, inputs: {prompt: File}}": `input "prompt" of task g`,
		"{kind: codegen, model: m, script: {code: x}}":      `a script has no "code"`,
		"{kind: codegen, model: m, backend: clod}":          `expected model or claude, got "clod"`,
		"{kind: codegen, model: m, temperature: 3}":         "expected a temperature from 0 to 2",
		"{kind: codegen, model: m, samples: all}":           "expected rows or masked or schema",
		"{kind: codegen, model: {protocol: openai}}":        "the model of codegen g has no protocol or no name",
	} {
		_, err := Parse([]byte("tasks: {g: "+task+", m: {kind: model, protocol: openai, name: x}, s: {code: x}}"), Options{Path: "f"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", task, err, want)
		}
	}
}
