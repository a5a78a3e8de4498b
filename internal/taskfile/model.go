package taskfile

import (
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/yamlfile"
)

// modelFields are those of models, whose inputs and outputs are always the same.
func (r *reader) modelFields(t *api.Task) yamlfile.Fields {
	m := &api.Model{}
	t.Model, t.Signature = m, api.ModelSignature()
	fixed := func(n node) { r.Fail(n, "a model has the input request and the output answer, and no others") }
	return yamlfile.Fields{
		"protocol": func(n node) { m.Protocol = r.oneOf(n, api.ProtocolOpenAI, api.ProtocolAnthropic) },
		"name":     func(n node) { m.Name = r.Str(n) },
		"base_url": func(n node) { m.BaseURL = r.Str(n) },
		"key":      func(n node) { m.Key = r.Str(n) },
		"price":    func(n node) { r.price(&m.Price, n) },
		"inputs":   fixed, "outputs": fixed, "output": fixed,
	}
}

const modelHint = "give the protocol, openai or anthropic, and the name of the model as its provider spells it"

func modelIsNamed(t *api.Task) bool { return t.Model.Protocol != "" && t.Model.Name != "" }

func (r *reader) price(p *api.ModelPrice, n node) {
	r.Object(n, "a price", yamlfile.Fields{
		"input":        func(n node) { p.Input = r.dollars(n) },
		"cached_input": func(n node) { p.CachedInput = r.dollars(n) },
		"output":       func(n node) { p.Output = r.dollars(n) },
	})
}

// dollars reads a price, which may be nothing.
func (r *reader) dollars(n node) float64 {
	v, err := strconv.ParseFloat(r.Word(n), 64)
	if r.Err == nil && (err != nil || !(v >= 0) || v > 1e6) {
		r.Fail(n, "expected US dollars for a million tokens, got %s", yamlfile.Describe(n))
	}
	return v
}
