package question

import (
	"fmt"
	"math"
	"slices"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/value"
)

// CheckModel reports what is wrong with the model that a task asks. The field is the
// task's: agent, or codegen.
func CheckModel(field string, m *api.Task) error {
	if kind := m.KindOf(); kind != api.KindModel && kind != api.KindFunction {
		return api.WrongField(field+".model.kind", string(kind), "model, or function")
	}
	return CheckSignature(field+".model.signature", m.Signature, api.ModelSignature())
}

// CheckBudget reports numbers of a budget that bound nothing, and a bound of costs
// that nobody counts.
func CheckBudget(field string, b api.Budget, costsKnown bool) error {
	field += ".budget."
	for _, c := range []struct {
		name  string
		value float64
	}{{"calls", float64(b.Calls)}, {"tokens", float64(b.Tokens)}, {"cost_usd", b.Cost}, {"time_ns", float64(b.Time)}} {
		if c.value < 0 || math.IsNaN(c.value) || math.IsInf(c.value, 0) {
			return api.WrongField(field+c.name, fmt.Sprint(c.value), "a positive number, or 0 for no bound")
		}
	}
	if b.Cost > 0 && !costsKnown {
		return api.WrongField(field+"cost_usd", fmt.Sprint(b.Cost), "none, or a model with a price: without one nothing is known to cost anything")
	}
	return nil
}

// HasPrice reports whether it is known what a model costs.
func HasPrice(m *api.Task) bool { return m.Model != nil && m.Model.Price != api.ModelPrice{} }

// CheckSignature reports a signature that has not the inputs of another, and the types
// of its outputs.
func CheckSignature(field string, got, want api.Signature) error {
	if slices.EqualFunc(got.Inputs, want.Inputs, func(p, q value.Param) bool { return p.Name == q.Name && p.Type.Equal(q.Type) }) &&
		slices.EqualFunc(got.Outputs, want.Outputs, func(p, q value.Param) bool { return p.Type.Equal(q.Type) }) {
		return nil
	}
	return api.WrongField(field, signatureText(got), signatureText(want))
}

func signatureText(s api.Signature) string {
	return "(" + value.DescribeParams(s.Inputs) + ") -> (" + value.DescribeParams(s.Outputs) + ")"
}
