package taskfile

import (
	"slices"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
	"github.com/glovebox-dev/glovebox/value"
)

// scriptName is the name of the sandbox that a generation writes a script for.
const scriptName = "script"

// codegenFields are those of generations. Their inputs are the samples.
func (r *reader) codegenFields(d *draft, common api.Task) yamlfile.Fields {
	c := &api.Codegen{}
	d.Codegen, d.Cache = c, api.CacheAuto
	c.Script.Name, c.Script.Timeout, c.Script.Retries = scriptName, common.Timeout, common.Retries
	inherit(&c.Script, common)
	fixed := func(n node) {
		r.Fail(n, "a generation has the output result, and no other").WithHint("declare what the script gives under script")
	}
	return yamlfile.Fields{
		"model":        func(n node) { r.askedModel(d, &c.Model, n) },
		"script":       func(n node) { r.Object(n, "a script", r.scriptFields(&c.Script)) },
		"instructions": func(n node) { c.Instructions = r.Str(n) },
		"schema":       func(n node) { c.Schema = r.Str(n) },
		"constraints":  func(n node) { c.Constraints = r.Words(n, "constraints") },
		"samples": func(n node) {
			c.Samples = api.SamplesMode(r.oneOf(n, string(api.SampleRows), string(api.SampleMasked), string(api.SampleSchema)))
		},
		"sample_rows":    func(n node) { c.SampleRows = r.limit(n) },
		"skip_tests":     func(n node) { c.SkipTests = r.boolean(n) },
		"max_iterations": func(n node) { c.MaxIterations = r.limit(n) },
		"candidates":     func(n node) { c.Candidates = r.limit(n) },
		"budget":         func(n node) { r.budget(&c.Budget, n) },
		"max_tokens":     func(n node) { c.MaxTokens = r.limit(n) },
		"temperature":    func(n node) { r.temperature(c, n) },
		"backend": func(n node) {
			c.Backend = api.CodegenBackend(r.oneOf(n, string(api.BackendModel), string(api.BackendClaude)))
		},
		"agent_turns": func(n node) { c.AgentTurns = r.limit(n) },
		"agent_image": func(n node) { c.AgentImage = r.image(n) },
		"outputs":     fixed, "output": fixed,
	}
}

// temperature reads one that may be 0, which is another than none.
func (r *reader) temperature(c *api.Codegen, n node) {
	t, err := strconv.ParseFloat(r.Word(n), 64)
	if r.Err == nil && (err != nil || !(t >= 0) || t > 2) {
		r.Fail(n, "expected a temperature from 0 to 2, got %s", yamlfile.Describe(n))
	}
	c.Temperature = &t
}

// scriptFields are those of a sandbox whose code a model writes.
func (r *reader) scriptFields(t *api.Task) yamlfile.Fields {
	known := r.cellFields(t)
	known["inputs"] = func(n node) { t.Signature.Inputs = r.params(n, "input") }
	known["outputs"] = func(n node) { r.outputs(t, n, r.params(n, "output")) }
	known["output"] = func(n node) { r.outputs(t, n, r.result(n)) }
	known["limits"] = func(n node) { r.runLimits(&t.Limits, n) }
	known["timeout"] = func(n node) { t.Timeout = r.duration(n) }
	known["retries"] = func(n node) { t.Retries = r.count(n) }
	return known
}

// completeCodegen adds the prompt and the result that every generation has, and the
// samples to the inputs of the script.
func (r *reader) completeCodegen(d *draft) {
	if r.Err == nil && d.asked.model == nil && d.Codegen.Model.Model == nil {
		r.Fail(d.at, "task %s is a generation without model", d.Name).WithHint("name a task of kind model, or describe one: model: {protocol: openai, name: NAME}")
	}
	script := &d.Codegen.Script.Signature
	var names []string
	var samples []value.Param
	for _, p := range d.Signature.Inputs {
		if r.Err == nil && (p.Type.Kind != value.KindFile || p.Default != nil || p.Name == api.CodegenPrompt) {
			r.Fail(d.at, "input %s of task %s is no File without a default", value.Quote(p.Name), d.Name).
				WithHint("inputs of a generation are its samples; declare what else the script takes under script, and leave the prompt out")
		}
		names = append(names, p.Name)
		if !slices.ContainsFunc(script.Inputs, func(q value.Param) bool { return q.Name == p.Name }) {
			samples = append(samples, p)
		}
	}
	script.Inputs = append(samples, script.Inputs...)
	d.Signature = api.CodegenSignature(names...)
}

// fillCodegen puts in the model that a generation asks.
func (g *grants) fillCodegen(ready *granted, asked asked) {
	if asked.model != nil {
		ready.task.Codegen.Model = g.askedModel(ready, *asked.model)
	}
}
