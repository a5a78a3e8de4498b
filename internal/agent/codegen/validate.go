package codegen

import (
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/agent/question"
	"github.com/glovebox-dev/glovebox/value"
)

// Bounds of a task.
const (
	maxIterations = 100
	maxCandidates = 16
	maxSampleRows = 1000
	maxAgentTurns = 1000
	maxWords      = 256 << 10 // bytes of instructions, schema and constraints together
)

// Validate reports what is wrong with a task before it is started or kept. The
// engine validates its model.
func (r *Runner) Validate(task *api.Task) error {
	for _, check := range []func(*api.Task) error{checkShape, checkModel, checkNumbers, checkBudget, checkBackend, r.checkScript, checkSignature} {
		if err := check(task); err != nil {
			return err
		}
	}
	return nil
}

func checkShape(t *api.Task) error {
	if t.Codegen == nil {
		return api.WrongField("codegen", "missing", "a model, and the sandbox that the script is for")
	}
	words := len(t.Codegen.Instructions) + len(t.Codegen.Schema)
	for _, c := range t.Codegen.Constraints {
		words += len(c)
	}
	if words > maxWords {
		return api.WrongField("codegen", fmt.Sprintf("%d bytes of instructions, schema and constraints", words), fmt.Sprintf("at most %d", maxWords))
	}
	modes := []api.SamplesMode{"", api.SampleRows, api.SampleMasked, api.SampleSchema}
	if !slices.Contains(modes, t.Codegen.Samples) {
		return api.WrongField("codegen.samples", value.Quote(string(t.Codegen.Samples)), `"rows", "masked" or "schema"`)
	}
	return t.CheckForeign("what the script has is in codegen.script", "codegen")
}

func checkModel(t *api.Task) error {
	m := &t.Codegen.Model
	if err := question.CheckModel("codegen", m); err != nil {
		return err
	}
	if m.Name == "" {
		return api.WrongField("codegen.model.name", `""`, "the name that its questions are listed under")
	}
	return nil
}

func checkNumbers(t *api.Task) error {
	c := t.Codegen
	for _, n := range []struct {
		field       string
		given, most int
	}{
		{"max_iterations", c.MaxIterations, maxIterations}, {"candidates", c.Candidates, maxCandidates},
		{"sample_rows", c.SampleRows, maxSampleRows}, {"max_tokens", c.MaxTokens, math.MaxInt32}, {"agent_turns", c.AgentTurns, maxAgentTurns},
	} {
		if n.given < 0 || n.given > n.most {
			return api.WrongField("codegen."+n.field, fmt.Sprint(n.given), fmt.Sprintf("0 (the default) to %d", n.most))
		}
	}
	if h := c.Temperature; h != nil && (math.IsNaN(*h) || *h < 0 || *h > 2) {
		return api.WrongField("codegen.temperature", fmt.Sprint(*h), "0 to 2")
	}
	return nil
}

func checkBudget(t *api.Task) error {
	c := t.Codegen
	return question.CheckBudget("codegen", c.Budget, c.Backend == api.BackendClaude || question.HasPrice(&c.Model))
}

// checkBackend checks what only one of the backends has.
func checkBackend(t *api.Task) error {
	switch c := t.Codegen; c.Backend {
	case "", api.BackendModel:
		if c.AgentTurns > 0 || !reflect.ValueOf(c.AgentImage).IsZero() {
			return api.WrongField("codegen.backend", "model", `"claude", for which agent_turns and agent_image are`)
		}
		return nil
	case api.BackendClaude:
		return checkCoder(c)
	default:
		return api.WrongField("codegen.backend", value.Quote(string(c.Backend)), `"model" or "claude"`)
	}
}

// checkCoder refuses what a coding agent cannot be given.
func checkCoder(c *api.Codegen) error {
	m := c.Model.Model
	switch {
	case m == nil || m.Protocol != api.ProtocolAnthropic:
		return api.WrongField("codegen.model", "another one", "a model with the protocol anthropic, which the backend claude asks")
	case m.Key == "":
		return api.WrongField("codegen.model.key", `""`, "a stored secret, with which the host asks for Claude Code")
	case c.Candidates > 1:
		return api.WrongField("codegen.candidates", fmt.Sprint(c.Candidates), "1: a coding agent writes one script")
	case c.MaxTokens > 0:
		return api.WrongField("codegen.max_tokens", fmt.Sprint(c.MaxTokens), "none: Claude Code bounds its answers itself")
	case c.Temperature != nil:
		return api.WrongField("codegen.temperature", fmt.Sprint(*c.Temperature), "none: Claude Code chooses it")
	}
	return nil
}

// checkScript checks the sandbox as it will be: with code in it.
func (r *Runner) checkScript(t *api.Task) error {
	s := t.Codegen.Script
	switch {
	case s.KindOf() != api.KindSandbox:
		return api.WrongField("codegen.script.kind", string(s.Kind), "sandbox")
	case s.Code != "" || len(s.Command) > 0:
		return api.WrongField("codegen.script.code", "set", "nothing: the model writes it")
	case s.Image.Ref != "" || s.Image.Dockerfile != "":
		return api.WrongField("codegen.script.image", "a prebuilt image or a Dockerfile", "a base: what the script imports is installed on it").
			WithHint("name the image as its base")
	case s.Asks != nil:
		return api.WrongField("codegen.script.asks", "set", "nothing: a script that a model wrote asks no model")
	case s.StartsRuns:
		return api.WrongField("codegen.script.starts_runs", "set", "nothing: a script that a model wrote starts no runs")
	}
	s.Code, s.Verbatim = "pass", true
	err := r.config.Sandboxes.Validate(&s)
	if err == nil {
		return nil
	}
	within := *api.AsError(err)
	within.Message = "codegen.script: " + within.Message
	return &within
}

func checkSignature(t *api.Task) error {
	var samples []string
	for _, p := range t.Signature.Inputs {
		if p.Name == api.CodegenPrompt {
			continue
		}
		samples = append(samples, p.Name)
		isInput := slices.ContainsFunc(t.Codegen.Script.Signature.Inputs, func(i value.Param) bool {
			return i.Name == p.Name && i.Type.Kind == value.KindFile
		})
		if !isInput {
			return api.WrongField("signature.inputs", p.Name, "a sample that is an input of the script, of type File")
		}
	}
	want := api.CodegenSignature(samples...)
	if err := question.CheckSignature("signature", t.Signature, want); err != nil {
		return err
	}
	if got := t.Signature.Outputs[0].Name; got != want.Outputs[0].Name {
		return api.WrongField("signature.outputs", value.Quote(got), value.Quote(want.Outputs[0].Name))
	}
	return nil
}
