package machine

import (
	"math"
	"math/big"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// exportAs returns v as a host sees it, as a value of package api that fits t.
// A value that does not fit is a TypeError of the program.
func (m *Machine) exportAs(v Value, t api.Type) (any, error) {
	switch v.kind() {
	case kindInt:
		if t.Kind == api.KindInt {
			return v.int(), nil
		}
	case kindFloat:
		if t.Kind == api.KindFloat {
			return v.float(), nil
		}
	case kindBool:
		if t.Kind == api.KindBool {
			return v.n != 0, nil
		}
	case kindStr:
		if t.Kind == api.KindStr {
			m.exported += int64(len(v.str().s))
			return v.str().s, nil
		}
	}
	x, err := m.export(v)
	if err != nil {
		return nil, err
	}
	fitted, err := api.NormalizePlain(t, x)
	if err != nil {
		return nil, raise.Type("%s", api.AsError(err).Message)
	}
	return fitted, nil
}

// export returns v as a value of package api.
func (m *Machine) export(v Value) (any, error) {
	e := exporter{m: m}
	x, err := e.value(v, 0)
	if r, ok := err.(*raise.Error); ok && e.where != "" {
		return nil, raise.New(r.Class, "%s: %s", api.Shorten(e.where, maxWhere), r.Message)
	}
	return x, err
}

// maxWhere bounds the path of an error.
const maxWhere = 120

// Export returns the result of a program that is done, as a value that fits t.
func (m *Machine) Export(v Value, t api.Type) (any, error) {
	m.resumedAt, m.elapsed = now(), 0
	x, err := m.exportAs(v, t)
	if r, ok := err.(*raise.Error); ok {
		return nil, &Exception{Class: r.Class, Message: r.Message}
	}
	return x, err
}

// exporter copies values out. Shared parts are copied each time they occur, so
// the size of the copy is bounded by the memory limit of the program.
type exporter struct {
	m     *Machine
	bytes int64
	where string // of an error: the path of what cannot leave
}

// below puts a step in front of the path of err.
func (e *exporter) below(step string, err error) error {
	e.where = step + e.where
	return err
}

func (e *exporter) pay(n int) error {
	e.bytes += int64(n)
	e.m.exported += int64(n)
	if e.bytes > e.m.limits.Memory {
		return e.m.limit(MemoryLimit)
	}
	return e.m.Work(n/8 + 4)
}

func (e *exporter) value(v Value, depth int) (any, error) {
	if depth > nesting {
		return nil, raise.Value("the value is nested too deeply or contains itself")
	}
	if err := e.pay(valueBytes); err != nil {
		return nil, err
	}
	switch o := v.self().(type) {
	case nil:
		return exportPlain(v)
	case *bigInt:
		return new(big.Int).Set(o.v), e.pay(o.v.BitLen() / 8)
	case *str:
		return o.s, e.pay(len(o.s))
	case *bytesObject:
		return []byte(o.b), e.pay(len(o.b))
	case *list:
		return e.items(o.items, depth)
	case *tuple:
		items, err := e.items(o.items, depth)
		return api.Tuple(items), err
	case *dict:
		return e.dict(o, depth)
	case *set:
		items, err := e.items(o.keys(), depth)
		return api.Set(items), err
	case *view, *rangeObject:
		return e.sequence(v, depth)
	case *handle:
		return o.ref, nil
	case *instance:
		return e.instance(o, depth)
	}
	return nil, cannotLeave(v)
}

// cannotLeave is the error for a value that no host has a use for.
func cannotLeave(v Value) error {
	instead := "use int, float, str, bool, bytes, None, list, dict, tuple, set, a date, a Decimal or a dataclass"
	switch v.kind() {
	case kindIter, kindGenerator:
		instead = "use list(...)"
	case kindFunction, kindNative, kindMethod, kindTool:
		instead = "call it"
	case kindInstance:
		instead = "use a dict, a tuple or a dataclass"
	}
	return raise.Type("a value of type '%s' cannot leave the program; %s", typeName(v), instead)
}

func exportPlain(v Value) (any, error) {
	switch v.kind() {
	case kindNone:
		return nil, nil
	case kindBool:
		return v.n != 0, nil
	case kindInt:
		return v.int(), nil
	case kindFloat:
		return v.float(), nil
	}
	return nil, errCorrupt
}

func (e *exporter) items(items []Value, depth int) ([]any, error) {
	if err := e.pay(len(items) * valueBytes); err != nil {
		return nil, err
	}
	out := make([]any, len(items))
	for i, v := range items {
		x, err := e.value(v, depth+1)
		if err != nil {
			return nil, e.below("["+strconv.Itoa(i)+"]", err)
		}
		out[i] = x
	}
	return out, nil
}

// sequence exports a range or a view as the list of its items.
func (e *exporter) sequence(v Value, depth int) (any, error) {
	if o := v.rangeOf(); o != nil {
		if err := e.pay(int(min(o.n, math.MaxInt32)) * valueBytes); err != nil {
			return nil, err
		}
		out := make([]any, o.n)
		for i := range out {
			out[i] = o.start + int64(i)*o.step
		}
		return out, nil
	}
	w := v.view()
	d := w.of.dict()
	if err := e.pay(d.live() * 2 * valueBytes); err != nil {
		return nil, err
	}
	var items []Value
	for i := d.next(0); i >= 0; i = d.next(i + 1) {
		items = append(items, viewItem(d, i, w.what))
	}
	return e.items(items, depth)
}

// viewItem is what a view has of entry i.
func viewItem(d *dict, i int, what iteratorKind) Value {
	switch what {
	case iterKeys:
		return d.entries[i].key
	case iterValues:
		return d.entries[i].value
	}
	return (&tuple{items: []Value{d.entries[i].key, d.entries[i].value}}).value()
}
