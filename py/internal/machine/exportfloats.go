package machine

import (
	"slices"

	"github.com/glovebox-dev/glovebox/value"
)

// manyFloats is from where on a list leaves as value.Fields.
const manyFloats = 1024

// floatsOf returns the items of v if it is a long list of floats for a
// list[float], and the host takes it as value.Fields; otherwise nil.
func (m *Machine) floatsOf(v Value, t value.Type) []Value {
	if !m.host.Fields || t.Kind != value.KindList || t.Args[0].Kind != value.KindFloat || v.Kind() != KindList {
		return nil
	}
	items := v.List().items
	if len(items) < manyFloats || slices.ContainsFunc(items, func(item Value) bool { return item.Kind() != KindFloat }) {
		return nil
	}
	return items
}

// exportFloats copies floats out. It costs what a list in Go would, which is
// three times as much.
func (m *Machine) exportFloats(p value.Param, items []Value) (any, error) {
	e := exporter{m: m}
	if err := e.pay((1 + 2*len(items)) * ValueBytes); err != nil {
		return nil, err
	}
	floats := make([]float64, len(items))
	for i, item := range items {
		floats[i] = item.Float()
	}
	return value.OfFloats(p, floats), nil
}
