package machine

import (
	"math/big"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/value"
)

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
		return m.BigInt(new(big.Int).Set(x)), nil
	case string:
		return m.Str(x)
	case []byte:
		return m.Bytes(string(x))
	case []any:
		items, err := m.importItems(x, depth, false)
		return (&List{items: items}).Value(), err
	case value.Tuple:
		items, err := m.importItems(x, depth, false)
		return (&Tuple{items: items}).value(), err
	case *value.Dict:
		return m.importDict(x, depth)
	case value.File, value.Dir, value.DataFrame:
		m.Spend(4 * SliceBytes)
		return (&handle{ref: x}).value(), nil
	case value.DateTime, value.Timedelta, value.Date, value.TimeOfDay:
		return m.importDate(x)
	case value.Decimal:
		return m.importDecimal(x)
	case value.UUID:
		return m.importUUID(x)
	case value.Set:
		return m.importSet(x, depth, false)
	}
	return Value{}, raise.Type("a value of this type cannot enter the program")
}

// ImportFloats is Import of a list of so many floats.
func (m *Machine) ImportFloats(count int, items func(yield func(float64) bool)) (Value, error) {
	if err := m.Alloc(ListBytes + count*ValueBytes); err != nil {
		return Value{}, err
	}
	out := make([]Value, 0, count)
	for f := range items {
		out = append(out, Float(f))
	}
	return (&List{items: out}).Value(), nil
}

// importItems imports the items of a value; hashed says that each has to have a
// hash.
func (m *Machine) importItems(items []any, depth int, hashed bool) ([]Value, error) {
	if err := m.Alloc(ListBytes + len(items)*ValueBytes); err != nil {
		return nil, err
	}
	one := m.importDepth
	if hashed {
		one = m.importHashed
	}
	out := make([]Value, len(items))
	for i, x := range items {
		v, err := one(x, depth+1)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (m *Machine) importDict(x *value.Dict, depth int) (Value, error) {
	if x.KeyKind() == value.KindDate {
		return m.importDated(x, depth)
	}
	d := m.NewDict()
	if n := x.Len(); n > 0 {
		if err := m.Alloc(n*entryBytes + slotCount(n)*slotBytes); err != nil {
			return Value{}, err
		}
		d.resize(n)
	}
	for key, item := range x.All() {
		k, err := m.importKey(x, key)
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
	return d.Ref(), nil
}

func (m *Machine) importKey(d *value.Dict, text string) (Value, error) {
	if d.KeyKind() == value.KindStr {
		return m.Str(text)
	}
	return m.importDepth(d.Key(text), 0)
}

// importDated makes a dict whose keys have a hash that code tells.
func (m *Machine) importDated(x *value.Dict, depth int) (Value, error) {
	if err := m.Alloc(ListBytes + 2*x.Len()*ValueBytes); err != nil {
		return Value{}, err
	}
	pairs := &List{items: make([]Value, 0, 2*x.Len())}
	for text, item := range x.All() {
		k, err := m.importKey(x, text)
		if err != nil {
			return Value{}, err
		}
		v, err := m.importDepth(item, depth+1)
		if err != nil {
			return Value{}, err
		}
		pairs.items = append(pairs.items, k, v)
	}
	return m.callNow("dict_display", pairs.Value())
}

// importSet makes a set, or a frozenset where something has to have a hash.
func (m *Machine) importSet(x value.Set, depth int, frozen bool) (Value, error) {
	items, err := m.importItems(x, depth, true)
	if err != nil {
		return Value{}, err
	}
	s := m.NewSet()
	for _, v := range items {
		err := m.putKey(&s.table, v, None)
		if err == ErrForeign {
			name := "set_of"
			if frozen {
				name = "frozen_of"
			}
			return m.callNow(name, (&List{items: items}).Value())
		}
		if err != nil {
			return Value{}, err
		}
	}
	return s.Value(frozen), nil
}

// importHashed is importDepth for what is in a set.
func (m *Machine) importHashed(x any, depth int) (Value, error) {
	if depth > nesting {
		return Value{}, raise.Value("the value is nested too deeply")
	}
	switch x := x.(type) {
	case value.Set:
		return m.importSet(x, depth, true)
	case value.Tuple:
		items, err := m.importItems(x, depth, true)
		return (&Tuple{items: items}).value(), err
	}
	return m.importDepth(x, depth)
}
