package machine

// defineFields defines what dataclasses do all the time: bound_fields(names,
// positional, defaults, args, keywords) is the list of the values of names of
// which the first ones can be positional, or None when the arguments do not fit;
// object_values(obj, names) is the tuple of the attributes that an object itself
// has, or None when one of them is worked out or missing.
func defineFields(mod *moduleMaker) {
	mod.counted("bound_fields", 5, 5, boundFields)
	mod.counted("object_values", 2, 2, objectValues)
}

func boundFields(m *Machine, a Args) (Value, error) {
	names, defaults, args, keywords := a.v[0].tuple(), a.v[2].dict(), a.v[3].tuple(), a.v[4].dict()
	if names == nil || defaults == nil || args == nil || keywords == nil || !a.v[1].isInt() {
		return None, nil
	}
	n, given := len(names.items), len(args.items)
	if given > n || int64(given) > a.v[1].int() || given+keywords.live() > n {
		return None, nil
	}
	if err := m.Alloc(listBytes + n*valueBytes); err != nil {
		return Value{}, err
	}
	if err := m.Work(n * workPerStep); err != nil {
		return Value{}, err
	}
	values := make([]Value, n)
	copy(values, args.items)
	left := keywords.live()
	for i := given; i < n; i++ {
		name := names.items[i].str()
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
	return (&list{items: values}).value(), nil
}

func objectValues(m *Machine, a Args) (Value, error) {
	o := a.v[0].instance()
	names, ok, err := m.collect(a.v[1])
	if o == nil || !ok || err != nil {
		return None, err
	}
	if err := m.Alloc(tupleBytes + len(names)*valueBytes); err != nil {
		return Value{}, err
	}
	if err := m.Work(len(names) * workPerStep); err != nil {
		return Value{}, err
	}
	t := tupleOf(len(names))
	for i, v := range names {
		name := v.str()
		if name == nil {
			return None, nil
		}
		if found, ok := m.lookup(o.class, name); ok && isDataDescriptor(found) {
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
