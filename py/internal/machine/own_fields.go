package machine

import "strings"

// defineFields defines what dataclasses do all the time: bound_fields(names,
// positional, defaults, args, keywords) is the list of the values of names of
// which the first ones can be positional, or None when the arguments do not fit;
// object_values(obj, names) is the tuple of the attributes that an object itself
// has, or None when one of them is worked out or missing.
func defineFields(mod *ModuleBuilder) {
	mod.Counted("bound_fields", 5, 5, boundFields)
	mod.Counted("object_values", 2, 2, objectValues)
	mod.Counted("fields_repr", 2, 2, fieldsRepr)
	defineFieldComparisons(mod)
	defineFill(mod)
}

func boundFields(m *Machine, a Args) (Value, error) {
	names, defaults, args, keywords := a.v[0].Tuple(), a.v[2].Dict(), a.v[3].Tuple(), a.v[4].Dict()
	if names == nil || defaults == nil || args == nil || keywords == nil || !a.v[1].IsInt() {
		return None, nil
	}
	n, given := len(names.items), len(args.items)
	if given > n || int64(given) > a.v[1].Int() || given+keywords.Len() > n {
		return None, nil
	}
	if err := m.Alloc(ListBytes + n*ValueBytes); err != nil {
		return Value{}, err
	}
	if err := m.Work(n * WorkPerStep); err != nil {
		return Value{}, err
	}
	values := make([]Value, n)
	copy(values, args.items)
	left := keywords.Len()
	for i := given; i < n; i++ {
		name := names.items[i].Str()
		if name == nil {
			return None, nil
		}
		if at := keywords.findStr(name); at >= 0 {
			values[i] = keywords.entries[at].value
			left--
		} else if at := defaults.findStr(name); at >= 0 {
			values[i] = defaults.entries[at].value
		} else {
			return None, nil
		}
	}
	if left > 0 {
		return None, nil
	}
	return (&List{items: values}).Value(), nil
}

func objectValues(m *Machine, a Args) (Value, error) {
	o := a.v[0].Instance()
	names, ok, err := m.Collect(a.v[1])
	if o == nil || !ok || err != nil {
		return None, err
	}
	if err := m.Alloc(TupleBytes + len(names)*ValueBytes); err != nil {
		return Value{}, err
	}
	if err := m.Work(len(names) * WorkPerStep); err != nil {
		return Value{}, err
	}
	t := tupleOf(len(names))
	for i, v := range names {
		name := v.Str()
		if name == nil {
			return None, nil
		}
		if found, ok := m.Lookup(o.class, name); ok && isDataDescriptor(found) {
			return None, nil
		}
		at := o.attrs().findStr(name)
		if at < 0 {
			return None, nil
		}
		t.items[i] = o.attrs().entries[at].value
	}
	return t.value(), nil
}

// fieldsRepr is fields_repr(obj, names): what a dataclass shows, or None when
// code of the program has to show a field.
func fieldsRepr(m *Machine, a Args) (Value, error) {
	o, names := a.v[0].Instance(), Plain(a.v[1]).List()
	if o == nil || names == nil || o.class.dataDescriptors {
		return None, nil
	}
	if err := m.Alloc(len(o.class.qualName)); err != nil {
		return Value{}, err
	}
	var b strings.Builder
	b.WriteString(o.class.qualName)
	for i, name := range names.items {
		s := name.Str()
		if s == nil {
			return None, nil
		}
		v := o.FieldAt(i, s)
		if !v.Bound() {
			return None, nil
		}
		text, err := m.ReprNative(v)
		if err == ErrForeign {
			return None, nil
		}
		if err != nil {
			return Value{}, err
		}
		if err := m.Alloc(2 * (len(s.s) + len(text) + len(", ="))); err != nil {
			return Value{}, err
		}
		b.WriteString(separators[min(i, 1)])
		b.WriteString(s.s)
		b.WriteByte('=')
		b.WriteString(text)
	}
	if len(names.items) == 0 {
		b.WriteByte('(')
	}
	b.WriteByte(')')
	return m.Message(b.String()), nil
}

// separators are what stands before the first field, and before each other one.
var separators = [2]string{"(", ", "}
