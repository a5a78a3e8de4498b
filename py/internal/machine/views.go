package machine

// defineViews defines dict.keys(), values() and items() and what they return.
func defineViews(r *Registry) {
	for _, v := range []struct {
		name     string
		what     iteratorKind
		reversed iteratorKind
	}{{"keys", iterKeys, iterReversedKeys}, {"values", iterValues, iterReversedValues}, {"items", iterItems, iterReversedItems}} {
		r.dictMethod(v.name, 1, 1, func(m *Machine, d *Dict, a Args) (Value, error) {
			m.Spend(methodBytes)
			return (&view{what: v.what, of: d.Ref()}).value(), nil
		})
		c := viewClasses[v.what]
		r.method(c, "__reversed__", 1, 1, func(m *Machine, a Args) (Value, error) {
			w := a.v[0].view()
			if w == nil || w.what != v.what {
				return Value{}, WrongReceiver("__reversed__", c, a.v[0])
			}
			m.Spend(IteratorBytes)
			return reversedEntries(w.of.Dict(), v.reversed).Value(), nil
		})
	}
	for _, what := range []iteratorKind{iterKeys, iterItems} {
		c := viewClasses[what]
		r.attr(c, "__hash__", None)
		id := c.name + ".isdisjoint"
		r.method(c, "isdisjoint", 2, 2, func(m *Machine, a Args) (Value, error) {
			w := a.v[0].view()
			if w == nil || w.what != what {
				return Value{}, WrongReceiver("isdisjoint", c, a.v[0])
			}
			return m.disjoint(id, a)
		})
	}
}

// reversedEntries is an iterator over the entries of d, the last one first.
func reversedEntries(d *Dict, what iteratorKind) *Iterator {
	d.top = max(d.top, uint32(len(d.entries)))
	return &Iterator{what: what, seq: d.Ref(), pos: int64(len(d.entries)) - 1, end: int64(d.Len()), moves: d.moves()}
}
