package machine

import (
	"math"
	"math/big"
	"strconv"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/value"
)

// exportAs returns v as a host sees it, as a value of package api that fits t.
// A value that does not fit is a TypeError of the program.
func (m *Machine) exportAs(v Value, t value.Type) (any, error) {
	switch v.Kind() {
	case KindInt:
		if t.Kind == value.KindInt {
			return v.Int(), nil
		}
	case KindFloat:
		if t.Kind == value.KindFloat {
			return v.Float(), nil
		}
	case KindBool:
		if t.Kind == value.KindBool {
			return v.n != 0, nil
		}
	case KindStr:
		if t.Kind == value.KindStr {
			m.exported += int64(len(v.Str().s))
			return v.Str().s, nil
		}
	}
	x, err := m.export(v)
	if err != nil {
		return nil, err
	}
	fitted, err := value.NormalizePlain(t, x)
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
		return nil, raise.New(r.Class, "%s: %s", value.Shorten(e.where, maxWhere), r.Message)
	}
	return x, err
}

// maxWhere bounds the path of an error.
const maxWhere = 120

// Export returns the result of a program that is done, as a value that fits t. If
// an exception in it keeps it from that, this is the cause of the error.
func (m *Machine) Export(v Value, t value.Type) (any, error) {
	m.resumedAt, m.elapsed, m.unexported = now(), 0, nil
	x, err := m.exportAs(v, t)
	if r, ok := err.(*raise.Error); ok {
		e := &Exception{Class: r.Class, Message: r.Message}
		if m.unexported != nil {
			e.Cause = m.describe(Value{o: &m.unexported.Object})
			m.unexported = nil
		}
		return nil, e
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
	if err := e.pay(ValueBytes); err != nil {
		return nil, err
	}
	switch o := v.Self().(type) {
	case nil:
		return exportPlain(v)
	case *bigInt:
		return new(big.Int).Set(o.v), e.pay(o.v.BitLen() / 8)
	case *Str:
		return o.s, e.pay(len(o.s))
	case *Bytes:
		return []byte(o.b), e.pay(len(o.b))
	case *List:
		return e.items(o.items, depth)
	case *Tuple:
		items, err := e.items(o.items, depth)
		return value.Tuple(items), err
	case *Dict:
		return e.dict(o, depth)
	case *Set:
		items, err := e.items(o.keys(), depth)
		return value.Set(items), err
	case *view, *rangeObject:
		return e.sequence(v, depth)
	case *handle:
		return o.ref, nil
	case *Instance:
		return e.instance(o, depth)
	}
	return nil, cannotLeave(v)
}

// cannotLeave is the error for a value that no host has a use for.
func cannotLeave(v Value) error {
	instead := "use int, float, str, bool, bytes, None, list, dict, tuple, set, a date, a Decimal or a dataclass"
	switch v.Kind() {
	case KindIter, KindGenerator:
		instead = "use list(...)"
	case KindFunction, KindNative, KindMethod, KindTool:
		instead = "call it"
	case KindInstance:
		instead = "use a dict, a tuple or a dataclass"
		if v.Instance().class.layout == KindException {
			instead = "it is an exception: use str(...) of it, or raise it"
		}
	}
	return raise.Type("a value of type '%s' cannot leave the program; %s", TypeName(v), instead)
}

func exportPlain(v Value) (any, error) {
	switch v.Kind() {
	case KindNone:
		return nil, nil
	case KindBool:
		return v.n != 0, nil
	case KindInt:
		return v.Int(), nil
	case KindFloat:
		return v.Float(), nil
	}
	return nil, ErrMalformed
}

func (e *exporter) items(items []Value, depth int) ([]any, error) {
	if err := e.pay(len(items) * ValueBytes); err != nil {
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
		if err := e.pay(int(min(o.n, math.MaxInt32)) * ValueBytes); err != nil {
			return nil, err
		}
		out := make([]any, o.n)
		for i := range out {
			out[i] = o.start + int64(i)*o.step
		}
		return out, nil
	}
	w := v.view()
	d := w.of.Dict()
	if err := e.pay(d.Len() * 2 * ValueBytes); err != nil {
		return nil, err
	}
	var items []Value
	for i := d.Next(0); i >= 0; i = d.Next(i + 1) {
		items = append(items, viewItem(d, i, w.what))
	}
	return e.items(items, depth)
}

// viewItem is what a view has of entry i.
func viewItem(d *Dict, i int, what iteratorKind) Value {
	switch what {
	case iterKeys:
		return d.entries[i].key
	case iterValues:
		return d.entries[i].value
	}
	return (&Tuple{items: []Value{d.entries[i].key, d.entries[i].value}}).value()
}
