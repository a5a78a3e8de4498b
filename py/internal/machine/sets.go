package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineSets defines set and frozenset.
func defineSets(r *Registry) {
	r.maker(setType, 0, 1, func(m *Machine, a Args) (Value, error) { return newSetOf(m, a, "set", "set_of") })
	r.maker(frozenSetType, 0, 1, func(m *Machine, a Args) (Value, error) {
		if a.Len() == 2 && a.v[1].Kind() == KindFrozenSet {
			return a.v[1], nil
		}
		return newSetOf(m, a, "frozenset", "frozen_of")
	})
	for _, c := range []*Class{setType, frozenSetType} {
		r.setMethod(c, "copy", 1, 1, setCopy)
		r.setMethod(c, "isdisjoint", 2, 2, func(m *Machine, s *Set, a Args) (Value, error) {
			return m.disjoint(c.name+".isdisjoint", a)
		})
		r.setMethod(c, "issubset", 2, 2, setIsSubset)
		r.setMethod(c, "issuperset", 2, 2, setIsSuperset)
		r.setMethod(c, "union", 1, -1, combining(opBitOr, "|", false))
		r.setMethod(c, "intersection", 1, -1, combining(opBitAnd, "&", false))
		r.setMethod(c, "difference", 1, -1, combining(opSub, "-", false))
		r.setMethod(c, "symmetric_difference", 2, 2, combining(opBitXor, "^", false))
	}
	defineMutableSets(r)
}

func defineMutableSets(r *Registry) {
	r.setMethod(setType, "__init__", 1, 2, setInit)
	r.setMethod(setType, "add", 2, 2, setAdd)
	r.setMethod(setType, "remove", 2, 2, setRemove)
	r.setMethod(setType, "discard", 2, 2, setDiscard)
	r.setMethod(setType, "pop", 1, 1, setPop)
	r.setMethod(setType, "clear", 1, 1, func(m *Machine, s *Set, a Args) (Value, error) {
		s.clear()
		return None, nil
	})
	r.setMethod(setType, "update", 1, -1, combining(opBitOr, "|", true))
	r.setMethod(setType, "intersection_update", 1, -1, combining(opBitAnd, "&", true))
	r.setMethod(setType, "difference_update", 1, -1, combining(opSub, "-", true))
	r.setMethod(setType, "symmetric_difference_update", 2, 2, combining(opBitXor, "^", true))
}

// setMethod defines a method of set or frozenset; fn gets the receiver without
// the subclass that wraps it.
func (r *Registry) setMethod(c *Class, name string, min, max int, fn func(m *Machine, s *Set, a Args) (Value, error)) {
	r.method(c, name, min, max, func(m *Machine, a Args) (Value, error) {
		s := Plain(a.v[0]).set()
		if s == nil || s.kind != c.layout {
			return Value{}, WrongReceiver(name, c, a.v[0])
		}
		return fn(m, s, a)
	})
}

// newSetOf makes a set of the items of its argument.
func newSetOf(m *Machine, a Args, name, foreign string) (Value, error) {
	if a.Named() > 0 {
		return Value{}, raise.Type("%s() takes no keyword arguments", name)
	}
	s := m.NewSet()
	v := s.Value(name == "frozenset")
	if a.Len() < 2 {
		return v, nil
	}
	left, err := m.addItems(s, a.v[1])
	if err == ErrForeign {
		return m.Then(m.Intrinsic(foreign), left)
	}
	return v, err
}

// setInit is set.__init__, which starts afresh.
func setInit(m *Machine, s *Set, a Args) (Value, error) {
	items := a.At(1)
	if items.Is(a.v[0]) {
		return None, nil
	}
	s.clear()
	if !items.Bound() {
		return None, nil
	}
	left, err := m.addItems(s, items)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("add_keys"), Value{o: &s.Object}, left)
	}
	return None, err
}

// addItems adds the items of v. It returns errForeign when code of the program
// must do it, with what is left to add.
func (m *Machine) addItems(s *Set, v Value) (left Value, err error) {
	if t := m.keysOf(v); t != nil {
		return v, m.mergeTable(&s.table, t)
	}
	items, ok, err := m.Collect(v)
	if err != nil {
		return v, err
	}
	if !ok {
		return v, m.ForeignIterable(v)
	}
	for i, item := range items {
		if err := m.putKey(&s.table, item, None); err != nil {
			if err != ErrForeign {
				return v, err
			}
			left, failed := m.NewList(items[i:])
			if failed != nil {
				return v, failed
			}
			return left, err
		}
		if err := m.Work(WorkPerStep); err != nil {
			return v, err
		}
	}
	return v, nil
}

// keysOf returns the table whose keys iterating over v gives, or nil.
func (m *Machine) keysOf(v Value) *table {
	if v.Kind() == KindInstance && m.Iterate(v) == nil {
		return nil
	}
	switch o := Plain(v).Self().(type) {
	case *Set:
		return &o.table
	case *Dict:
		return &o.table
	case *view:
		if o.what == iterKeys {
			return &o.of.Dict().table
		}
	}
	return nil
}

func setAdd(m *Machine, s *Set, a Args) (Value, error) {
	err := m.putKey(&s.table, a.v[1], None)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("add_key"), Value{o: &s.Object}, a.v[1])
	}
	return None, err
}

func setRemove(m *Machine, s *Set, a Args) (Value, error) {
	i, err := m.findMember(&s.table, a.v[1])
	switch {
	case err == ErrForeign:
		return m.resolveKey("set.remove", a)
	case err != nil:
		return Value{}, err
	case i < 0:
		return Value{}, m.keyError(a.v[1])
	}
	s.remove(i)
	return None, nil
}

func setDiscard(m *Machine, s *Set, a Args) (Value, error) {
	i, err := m.findMember(&s.table, a.v[1])
	if err == ErrForeign {
		return m.resolveKey("set.discard", a)
	}
	if err == nil && i >= 0 {
		s.remove(i)
	}
	return None, err
}

// setPop takes the oldest item.
func setPop(m *Machine, s *Set, a Args) (Value, error) {
	i := s.Next(0)
	if i < 0 {
		return Value{}, m.keyError(SharedStr("pop from an empty set").Ref())
	}
	v := s.entries[i].key
	s.remove(i)
	return v, nil
}

func setCopy(m *Machine, s *Set, a Args) (Value, error) {
	if a.v[0].Kind() == KindFrozenSet {
		return a.v[0], nil
	}
	t, err := m.cloneTable(&s.table)
	if err != nil {
		return Value{}, err
	}
	return (&Set{table: t}).Value(s.kind == KindFrozenSet), nil
}

// operands returns the sets that the arguments after the first stand for.
// Iterators are replaced by lists of their items, so that others can go over
// them again. It returns errForeign when code of the program is needed.
func (m *Machine) operands(a Args) (args Value, sets []*Set, err error) {
	given := a.v[1:]
	if args, err = m.NewList(given); err != nil {
		return Value{}, nil, err
	}
	foreign := false
	for i, v := range given {
		items, ok, err := m.Collect(v)
		if err != nil {
			return Value{}, nil, err
		}
		if !ok {
			if err := m.ForeignIterable(v); err != ErrForeign {
				return Value{}, nil, err
			}
			foreign = true
			continue
		}
		s, err := m.asSet(v, items)
		if err == ErrForeign {
			foreign = true
		} else if err != nil {
			return Value{}, nil, err
		}
		sets = append(sets, s)
		if v.Kind() == KindIter {
			if args.List().items[i], err = m.NewList(items); err != nil {
				return Value{}, nil, err
			}
		}
	}
	if foreign {
		err = ErrForeign
	}
	return args, sets, err
}

// asSet is the set that v is, or a set of its items.
func (m *Machine) asSet(v Value, items []Value) (*Set, error) {
	if s := Plain(v).set(); s != nil && m.Iterate(v) != nil {
		return s, nil
	}
	s := m.NewSet()
	for _, item := range items {
		if err := m.putKey(&s.table, item, None); err != nil {
			return nil, err
		}
		if err := m.Work(WorkPerStep); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// combining makes the method that combines a set with any number of iterables.
func combining(op binaryOp, sign string, inplace bool) func(m *Machine, s *Set, a Args) (Value, error) {
	return func(m *Machine, s *Set, a Args) (Value, error) {
		args, sets, err := m.operands(a)
		var result table
		if err == nil {
			result, err = m.combineAll(op, s, sets)
		}
		switch {
		case err == ErrForeign:
			return m.Then(m.Intrinsic("set_method"), SharedStr(sign).Ref(), Value{o: &s.Object}, args, Bool(inplace))
		case err != nil:
			return Value{}, err
		case inplace:
			s.replace(result)
			return None, nil
		}
		return (&Set{table: result}).Value(s.kind == KindFrozenSet), nil
	}
}

func (m *Machine) combineAll(op binaryOp, s *Set, others []*Set) (table, error) {
	result := s
	for _, o := range others {
		var err error
		if result, err = m.combine(op, result, o); err != nil {
			return table{}, err
		}
	}
	if result == s {
		return m.cloneTable(&s.table)
	}
	return result.table, nil
}

func setIsSubset(m *Machine, s *Set, a Args) (Value, error) {
	args, sets, err := m.operands(a)
	if err == nil {
		yes, err := m.subset(s, sets[0])
		if err != ErrForeign {
			return Bool(yes), err
		}
	} else if err != ErrForeign {
		return Value{}, err
	}
	return m.Then(m.Intrinsic("is_subset"), Value{o: &s.Object}, args.List().items[0])
}

func setIsSuperset(m *Machine, s *Set, a Args) (Value, error) {
	args, sets, err := m.operands(a)
	if err == nil {
		yes, err := m.subset(sets[0], s)
		if err != ErrForeign {
			return Bool(yes), err
		}
	} else if err != ErrForeign {
		return Value{}, err
	}
	return m.Then(m.Intrinsic("is_superset"), Value{o: &s.Object}, args.List().items[0])
}

// disjoint is a.isdisjoint(b) of a set or view.
func (m *Machine) disjoint(id string, a Args) (Value, error) {
	self := Plain(a.v[0])
	items, ok, err := m.Collect(a.v[1])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		if err := m.CheckIterable(a.v[1]); err != nil {
			return Value{}, err
		}
		return m.listed(known.natives[id], a, 1)
	}
	for _, item := range items {
		yes, err := m.containsNative(self, item)
		if err == ErrForeign {
			left, err := m.NewList(items)
			if err != nil {
				return Value{}, err
			}
			return m.Then(m.Intrinsic("is_disjoint"), self, left)
		}
		if err != nil || yes {
			return False, err
		}
		if err := m.Work(2 * WorkPerStep); err != nil {
			return Value{}, err
		}
	}
	return True, nil
}
