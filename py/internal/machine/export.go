package machine

import (
	"math/big"

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
	fitted, err := api.Normalize(t, x)
	if err != nil {
		return nil, raise.Type("%s", api.AsError(err).Message)
	}
	return fitted, nil
}

// export returns v as a value of package api.
func (m *Machine) export(v Value) (any, error) {
	e := exporter{m: m}
	return e.value(v, 0)
}

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
	case *handle:
		return o.ref, nil
	case *instance:
		return e.instance(o, v, depth)
	}
	return nil, raise.Type("a value of type '%s' cannot leave the program; use int, float, str, bool, bytes, None, list, dict or tuple", typeName(v))
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
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

func (e *exporter) dict(d *dict, depth int) (any, error) {
	out := api.NewDict()
	for i := d.next(0); i >= 0; i = d.next(i + 1) {
		key := plain(d.entries[i].key).str()
		if key == nil {
			return nil, raise.Type("a dict that leaves the program must have str keys, not %s", typeName(d.entries[i].key))
		}
		if err := e.pay(2*entryBytes + len(key.s)); err != nil {
			return nil, err
		}
		x, err := e.value(d.entries[i].value, depth+1)
		if err != nil {
			return nil, err
		}
		out.Set(key.s, x)
	}
	return out, nil
}

// instance exports the built-in part of an instance, and dates.
func (e *exporter) instance(o *instance, v Value, depth int) (any, error) {
	if x, ok := e.m.exportDate(o); ok {
		return x, nil
	}
	if o.payload.bound() && o.class.layout != kindException {
		return e.value(o.payload, depth+1)
	}
	return nil, raise.Type("a value of type '%s' cannot leave the program; use a dict or a tuple", o.class.name)
}

// Import makes a value of a value of package api, charged to the instance.
func (m *Machine) Import(x any) (Value, error) { return m.importDepth(x, 0) }

func (m *Machine) importDepth(x any, depth int) (Value, error) {
	if depth > nesting {
		return Value{}, raise.Value("the value is nested too deeply")
	}
	switch x := x.(type) {
	case nil:
		return None, nil
	case bool:
		return Bool(x), nil
	case int64:
		return Int(x), nil
	case float64:
		return Float(x), nil
	case *big.Int:
		if err := m.Alloc(bigBytes + x.BitLen()/8); err != nil {
			return Value{}, err
		}
		return m.bigValue(new(big.Int).Set(x)), nil
	case string:
		return m.str(x)
	case []byte:
		return m.bytes(string(x))
	case []any:
		items, err := m.importItems(x, depth)
		return (&list{items: items}).value(), err
	case api.Tuple:
		items, err := m.importItems(x, depth)
		return (&tuple{items: items}).value(), err
	case *api.Dict:
		return m.importDict(x, depth)
	case api.File, api.Dir, api.DataFrame:
		m.spend(4 * sliceBytes)
		return (&handle{ref: x}).value(), nil
	case api.DateTime, api.Timedelta:
		return m.importDate(x)
	}
	return Value{}, raise.Type("a value of this type cannot enter the program")
}

func (m *Machine) importItems(items []any, depth int) ([]Value, error) {
	if err := m.Alloc(listBytes + len(items)*valueBytes); err != nil {
		return nil, err
	}
	out := make([]Value, len(items))
	for i, x := range items {
		v, err := m.importDepth(x, depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (m *Machine) importDict(x *api.Dict, depth int) (Value, error) {
	d := m.newDict()
	if n := x.Len(); n > 0 {
		if err := m.Alloc(n*entryBytes + slotCount(n)*slotBytes); err != nil {
			return Value{}, err
		}
		d.resize(n)
	}
	for key, item := range x.All() {
		k, err := m.str(key)
		if err != nil {
			return Value{}, err
		}
		v, err := m.importDepth(item, depth+1)
		if err != nil {
			return Value{}, err
		}
		if err := m.putKey(&d.table, k, v); err != nil {
			return Value{}, err
		}
	}
	return d.ref(), nil
}
