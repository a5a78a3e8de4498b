package machine

import "github.com/glovebox-dev/glovebox/py/internal/num"

// rehash works out the hash of a key without code of the program: the __hash__
// of an instance gave what the instance keeps. ok is false for keys whose
// hash depends only on what they are, which need no comparison.
func (m *Machine) rehash(v Value, depth int) (hash uint64, ok bool) {
	switch v.o.kind {
	case KindInstance, KindTuple, KindOpaque, KindClass:
		h, err := m.savedHash(v, depth)
		if err != nil {
			return 0, true
		}
		return h, true
	}
	return 0, false
}

// savedHash is hashOf for keys that were in a table already.
func (m *Machine) savedHash(v Value, depth int) (uint64, error) {
	if t := v.Tuple(); t != nil {
		return m.savedItems(t.items, depth)
	}
	h, err := m.hashOf(v, depth)
	if err != ErrForeign {
		return h, err
	}
	if o := v.Instance(); o != nil {
		return SpreadHash(o.given()), nil
	}
	return SpreadHash(uint64(v.Kind())), nil
}

func (m *Machine) savedItems(items []Value, depth int) (uint64, error) {
	if depth > nesting {
		return 0, ErrCorrupt
	}
	if err := m.Work(len(items) * WorkPerStep); err != nil {
		return 0, err
	}
	h := SpreadHash(uint64(len(items)))
	for _, v := range items {
		n, err := m.savedHash(v, depth+1)
		if err != nil {
			return 0, err
		}
		h = SpreadHash(h ^ n)
	}
	return h, nil
}

// linkTables hashes the keys that depend on other objects and fills the slots.
// A frozenset among the keys is hashed by its own entries, so it comes first.
func (l *loader) linkTables() {
	if len(l.tables) == 0 {
		return
	}
	s := settler{l: l, open: make(map[*table]bool, len(l.tables))}
	for _, t := range l.tables {
		s.open[t] = true
	}
	for _, t := range l.tables {
		if s.table(t, 0); l.err != nil {
			return
		}
	}
}

// settler hashes tables in the order in which they need each other.
type settler struct {
	l    *loader
	open map[*table]bool // not hashed yet
}

func (s *settler) table(t *table, depth int) {
	if !s.open[t] {
		return
	}
	if delete(s.open, t); depth > nesting {
		s.l.corrupt()
		return
	}
	lost := uint64(0)
	for i := range t.entries {
		e := &t.entries[i]
		if !e.key.Bound() || s.l.err != nil {
			continue
		}
		s.key(e.key, depth)
		if s.l.err != nil {
			return
		}
		h, err := s.l.m.savedHash(e.key, 0)
		if err != nil {
			s.l.fail(refusal(err))
			return
		}
		if e.hash == 1 { // lost
			lost++
			h = SpreadHash(h ^ lost<<32 ^ 0x6c6f7374)
		}
		e.hash = h
	}
	s.l.place(t)
}

// refusal keeps the limits among the errors; what else goes wrong is the
// snapshot's fault.
func refusal(err error) error {
	if _, ok := err.(*LimitError); ok {
		return err
	}
	return ErrCorrupt
}

// key hashes the frozensets of which a key consists.
func (s *settler) key(v Value, depth int) {
	if depth > nesting {
		s.l.corrupt()
		return
	}
	switch o := v.Self().(type) {
	case *Set:
		s.table(&o.table, depth+1)
	case *Tuple:
		if s.l.work(len(o.items)*WorkPerStep) != nil {
			return
		}
		for _, item := range o.items {
			if s.key(item, depth+1); s.l.err != nil {
				return
			}
		}
	case *Instance:
		if o.payload.Bound() {
			s.key(o.payload, depth+1)
		}
	}
}

// hashGiven is what mix makes the hash of the int n of: the result of a
// __hash__ of the program.
func hashGiven(n Value) uint64 {
	o := n.big()
	if o == nil {
		return n.n
	}
	if f, err := num.ToFloat(o.v); err == nil && num.CompareFloatBig(o.v, f) == 0 {
		return floatBits(f)
	}
	return uint64(num.HashBig(o.v))
}
