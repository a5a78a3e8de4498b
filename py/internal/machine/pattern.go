package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// The bits of __abc_tpflags__ of a class: the patterns that its instances match.
const (
	sequencePattern = 1 << 5
	mappingPattern  = 1 << 6
)

// matchesAs reports whether the class of v says that v matches patterns of
// that kind. Lists, dicts and the like do so without saying it.
func (m *Machine) matchesAs(v Value, kind uint64) bool {
	if v.Kind() != KindInstance && v.Kind() != KindOpaque {
		return false
	}
	flags, ok := m.Lookup(ClassOf(v), namePatterns)
	return ok && flags.IsInt() && flags.n&kind != 0
}

// matchesItself reports whether the one positional pattern of a class pattern
// is for the subject itself.
func matchesItself(c *Class) bool {
	if c == nil {
		return false
	}
	switch c.layout {
	case KindBool, KindInt, KindFloat, KindStr, KindBytes, KindTuple, KindList, KindDict, KindSet, KindFrozenSet:
		return true
	}
	return false
}

// distinctKeys refuses keys of a mapping pattern that are equal.
func (m *Machine) distinctKeys(keys []Value) error {
	for i := range keys {
		for j := range i {
			if same, err := m.equal(keys[i], keys[j], 0); err != nil || !same {
				continue
			}
			s, err := m.ReprNative(keys[i])
			if err != nil {
				return err
			}
			return raise.Value("mapping pattern checks duplicate key (%s)", s)
		}
	}
	return nil
}

// defineIntrinsicPatterns defines what match statements are compiled to.
func defineIntrinsicPatterns(r *Registry) {
	r.Intrinsic("is_sequence", func(m *Machine, a Args) (Value, error) {
		switch Plain(a.v[0]).Kind() {
		case KindList, KindTuple, KindRange:
			return True, nil
		}
		return Bool(m.matchesAs(a.v[0], sequencePattern)), nil
	})
	r.Intrinsic("is_mapping", func(m *Machine, a Args) (Value, error) {
		return Bool(Plain(a.v[0]).Kind() == KindDict || m.matchesAs(a.v[0], mappingPattern)), nil
	})
	r.Intrinsic("_matches_itself", func(m *Machine, a Args) (Value, error) { return Bool(matchesItself(a.v[0].Class())), nil })
	r.Intrinsic("match_keys", func(m *Machine, a Args) (Value, error) {
		d := Plain(a.v[0]).Dict()
		keys := a.v[1].Tuple().items
		if d != nil && d.Len() < len(keys) {
			return None, nil
		}
		if err := m.distinctKeys(keys); err != nil {
			return Value{}, err
		}
		if d == nil {
			return m.Then(m.Intrinsic("match_keys_of"), a.v[0], a.v[1])
		}
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
		return m.NewTuple(values)
	})
	r.Intrinsic("match_rest", func(m *Machine, a Args) (Value, error) {
		d := Plain(a.v[0]).Dict()
		if d == nil {
			return m.Then(m.Intrinsic("match_rest_of"), a.v[0], a.v[1])
		}
		if err := m.Alloc(dictBytes + d.cloneBytes()); err != nil {
			return Value{}, err
		}
		rest := &Dict{table: d.table.clone()}
		for _, k := range a.v[1].Tuple().items {
			if at, err := m.findKey(&rest.table, k); err == nil && at >= 0 {
				rest.remove(at)
			}
		}
		return rest.value(), nil
	})
}
