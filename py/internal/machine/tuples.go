package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

func defineTuple(r *Registry) {
	r.maker(tupleType, 0, 1, tupleMake)
	r.method(tupleType, "index", 2, 4, tupleIndex)
	r.method(tupleType, "count", 2, 2, func(m *Machine, a Args) (Value, error) {
		t := Plain(a.v[0]).Tuple()
		if t == nil {
			return Value{}, WrongReceiver("count", tupleType, a.v[0])
		}
		return m.count(t.ref(), t.items, a.v[1])
	})
}

// tupleMake is tuple(iterable=()).
func tupleMake(m *Machine, a Args) (Value, error) {
	if err := a.noNames("tuple"); err != nil {
		return Value{}, err
	}
	if a.Len() == 1 {
		return emptyTuple, nil
	}
	if a.v[1].Kind() == KindTuple {
		return a.v[1], nil
	}
	items, ok, err := m.items(a.v[1])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		return m.relisted("tuple maker", a, 1)
	}
	if len(items) == 0 {
		return emptyTuple, nil
	}
	m.Spend(TupleBytes)
	return (&Tuple{items: items}).value(), nil
}

func tupleIndex(m *Machine, a Args) (Value, error) {
	t := Plain(a.v[0]).Tuple()
	if t == nil {
		return Value{}, WrongReceiver("index", tupleType, a.v[0])
	}
	i, err := m.indexOf(t.ref(), t.items, a)
	if err == ErrForeign {
		return m.indexForeign("tuple.index", t.ref(), a)
	}
	if err != nil {
		return Value{}, err
	}
	if i < 0 {
		return Value{}, raise.Value("tuple.index(x): x not in tuple")
	}
	return Int(int64(i)), nil
}
