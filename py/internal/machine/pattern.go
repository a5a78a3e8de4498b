package machine

// defineIntrinsicPatterns defines what match statements are compiled to.
func defineIntrinsicPatterns(r *registry) {
	r.staticIntrinsic("is_sequence", func(m *Machine, a Args) (Value, error) {
		switch plain(a.v[0]).kind() {
		case kindList, kindTuple, kindRange:
			return True, nil
		}
		return Bool(isDeque(a.v[0])), nil
	})
	r.staticIntrinsic("is_mapping", func(m *Machine, a Args) (Value, error) { return Bool(plain(a.v[0]).kind() == kindDict), nil })
	r.staticIntrinsic("match_keys", func(m *Machine, a Args) (Value, error) {
		d := plain(a.v[0]).dict()
		if d == nil {
			return None, nil
		}
		keys := a.v[1].tuple().items
		values := make([]Value, len(keys))
		for i, k := range keys {
			at, err := m.findKey(&d.table, k)
			if err != nil {
				return Value{}, err
			}
			if at < 0 {
				return None, nil
			}
			values[i] = d.entries[at].value
		}
		return m.newTupleCopy(values)
	})
	r.staticIntrinsic("match_rest", func(m *Machine, a Args) (Value, error) {
		d := plain(a.v[0]).dict()
		if err := m.Alloc(dictBytes + d.cloneBytes()); err != nil {
			return Value{}, err
		}
		rest := &dict{table: d.table.clone()}
		for _, k := range a.v[1].tuple().items {
			if at, err := m.findKey(&rest.table, k); err == nil && at >= 0 {
				rest.remove(at)
			}
		}
		return rest.value(), nil
	})
}
