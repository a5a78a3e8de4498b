package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineDicts defines dict and its views.
func defineDicts(r *Registry) {
	r.maker(dictType, 0, 1, func(m *Machine, a Args) (Value, error) {
		return m.fillDict(m.NewDict(), Args{a.v[1:], a.names}, "dict_filled")
	})
	r.dictMethodKw("__init__", 1, -1, func(m *Machine, d *Dict, a Args) (Value, error) {
		if err := atMostOne("dict", a); err != nil {
			return Value{}, err
		}
		return m.discardFill(m.fillDict(d, Args{a.v[1:], a.names}, "dict_update"))
	})
	r.dictMethodKw("update", 1, -1, func(m *Machine, d *Dict, a Args) (Value, error) {
		if err := atMostOne("update", a); err != nil {
			return Value{}, err
		}
		return m.discardFill(m.fillDict(d, Args{a.v[1:], a.names}, "dict_update"))
	})
	r.classMethod(dictType, "fromkeys", 2, 3, dictFromKeys)
	r.method(dictType, "get", 2, 3, dictGet)
	r.dictMethod("setdefault", 2, 3, dictSetDefault)
	r.dictMethod("pop", 2, 3, dictPop)
	r.dictMethod("popitem", 1, 1, dictPopItem)
	r.dictMethod("clear", 1, 1, func(m *Machine, d *Dict, a Args) (Value, error) {
		d.clear()
		return None, nil
	})
	r.dictMethod("copy", 1, 1, func(m *Machine, d *Dict, a Args) (Value, error) { return m.copyDict(d) })
	r.dictMethod("__reversed__", 1, 1, func(m *Machine, d *Dict, a Args) (Value, error) {
		m.Spend(IteratorBytes)
		return reversedEntries(d, iterReversedKeys).Value(), nil
	})
	defineViews(r)
}

// atMostOne refuses more than one positional argument.
func atMostOne(name string, a Args) error {
	if a.Len() > 2 {
		return raise.Type("%s expected at most 1 argument, got %d", name, a.Len()-1)
	}
	return nil
}

// dictMethod defines a method of dict; fn gets the receiver without the
// subclass that wraps it.
func (r *Registry) dictMethod(name string, min, max int, fn func(m *Machine, d *Dict, a Args) (Value, error)) *Native {
	return r.method(dictType, name, min, max, func(m *Machine, a Args) (Value, error) {
		d := Plain(a.v[0]).Dict()
		if d == nil {
			return Value{}, WrongReceiver(name, dictType, a.v[0])
		}
		return fn(m, d, a)
	})
}

func (r *Registry) dictMethodKw(name string, min, max int, fn func(m *Machine, d *Dict, a Args) (Value, error)) {
	r.dictMethod(name, min, max, fn).keywords = true
}

// WrongReceiver is the error of a method of c that is called for v.
func WrongReceiver(name string, c *Class, v Value) error {
	return raise.Type("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", name, c.name, TypeName(v))
}

// resolveKey asks for the same call of the method id once code of the program
// has worked out the key, which is the first argument.
func (m *Machine) resolveKey(id string, a Args) (Value, error) {
	rest, err := m.NewTuple(a.v[2:])
	if err != nil {
		return Value{}, err
	}
	return m.Then(m.Intrinsic("with_key"), known.natives[id], a.v[0], a.v[1], rest)
}

func dictGet(m *Machine, a Args) (Value, error) {
	d := a.v[0].Dict()
	if d == nil {
		if d = Plain(a.v[0]).Dict(); d == nil {
			return Value{}, WrongReceiver("get", dictType, a.v[0])
		}
	}
	i, err := m.findKey(&d.table, a.v[1])
	switch {
	case err == ErrForeign:
		return m.resolveKey("dict.get", a)
	case err != nil:
		return Value{}, err
	case i >= 0:
		return d.entries[i].value, nil
	case len(a.v) == 3:
		return a.v[2], nil
	}
	return None, nil
}

func dictSetDefault(m *Machine, d *Dict, a Args) (Value, error) {
	i, err := m.findKey(&d.table, a.v[1])
	switch {
	case err == ErrForeign:
		return m.resolveKey("dict.setdefault", a)
	case err != nil:
		return Value{}, err
	case i >= 0:
		return d.entries[i].value, nil
	}
	v := OrNone(a.At(2))
	return v, m.putKey(&d.table, a.v[1], v)
}

func dictPop(m *Machine, d *Dict, a Args) (Value, error) {
	switch {
	case d.Len() == 0 && a.Len() == 3:
		return a.v[2], nil
	case d.Len() == 0: // the hash of the key is not needed
		return Value{}, m.keyError(a.v[1])
	}
	i, err := m.findKey(&d.table, a.v[1])
	switch {
	case err == ErrForeign:
		return m.resolveKey("dict.pop", a)
	case err != nil:
		return Value{}, err
	case i >= 0:
		v := d.entries[i].value
		d.remove(i)
		return v, nil
	case a.Len() == 3:
		return a.v[2], nil
	}
	return Value{}, m.keyError(a.v[1])
}

func dictPopItem(m *Machine, d *Dict, a Args) (Value, error) {
	if d.Len() == 0 {
		return Value{}, m.keyError(SharedStr("popitem(): dictionary is empty").Ref())
	}
	i := len(d.entries) - 1 // the last entry is always live
	pair := m.Pair(d.entries[i].key, d.entries[i].value)
	d.drop(i)
	return pair, nil
}

func (m *Machine) copyDict(d *Dict) (Value, error) {
	t, err := m.cloneTable(&d.table)
	if err != nil {
		return Value{}, err
	}
	return (&Dict{table: t}).value(), nil
}

// cloneTable pays for a copy of a table and makes it.
func (m *Machine) cloneTable(t *table) (table, error) {
	if err := m.Alloc(dictBytes + t.cloneBytes()); err != nil {
		return table{}, err
	}
	if err := m.Work(WorkPerStep * len(t.entries)); err != nil {
		return table{}, err
	}
	return t.clone(), nil
}

// discardFill drops the dict that fillDict returns.
func (m *Machine) discardFill(_ Value, err error) (Value, error) { return None, err }

// fillDict updates d as dict(...) and dict.update(...) do and returns it. When
// code of the program is needed it continues as the prelude's function foreign.
func (m *Machine) fillDict(d *Dict, a Args, foreign string) (Value, error) {
	other := OrNone(a.At(0))
	var err error
	if a.Len() > 0 {
		other, err = m.updateDict(d, other)
	}
	if err == ErrForeign {
		return m.fillForeign(d, other, a, foreign)
	}
	if err != nil {
		return Value{}, err
	}
	return d.Ref(), m.setNamed(d, a)
}

func (m *Machine) fillForeign(d *Dict, other Value, a Args, foreign string) (Value, error) {
	named := m.NewDict()
	if err := m.setNamed(named, a); err != nil {
		return Value{}, err
	}
	return m.Then(m.Intrinsic(foreign), d.Ref(), other, named.Ref())
}

// setNamed stores the arguments that were given by name.
func (m *Machine) setNamed(d *Dict, a Args) error {
	if a.names == nil {
		return nil
	}
	for i, n := range a.names.items {
		if err := m.setStr(d, n.Str(), a.v[a.Len()+i]); err != nil {
			return err
		}
	}
	return nil
}

// updateDict updates d by a mapping or an iterable of pairs. It returns
// errForeign when code of the program must do it, with what is left to do it
// from.
func (m *Machine) updateDict(d *Dict, other Value) (Value, error) {
	if src := m.plainDict(other); src != nil {
		return other, m.mergeTable(&d.table, &src.table)
	}
	if m.isMapping(other) {
		return other, ErrForeign
	}
	items, ok, err := m.Collect(other)
	if err != nil {
		return Value{}, err
	}
	if !ok {
		return other, m.ForeignIterable(other)
	}
	for i, item := range items {
		if err := m.putPair(d, item, i); err != nil {
			if err != ErrForeign {
				return Value{}, err
			}
			left, failed := m.NewList(items) // other may be an iterator that is used up
			if failed != nil {
				return Value{}, failed
			}
			return left, err
		}
	}
	return other, nil
}

// ForeignIterable is errForeign when code of the program may iterate over v,
// else the error that says that v is not iterable.
func (m *Machine) ForeignIterable(v Value) error {
	if err := m.CheckIterable(v); err != nil {
		return err
	}
	return ErrForeign
}

// plainDict returns the dict that v is or wraps, unless its class iterates in
// its own way.
func (m *Machine) plainDict(v Value) *Dict {
	if v.Kind() == KindInstance {
		if fn, ok := m.Lookup(v.Instance().class, nameIter); ok && fn.Kind() != KindNative {
			return nil
		}
	}
	return Plain(v).Dict()
}

// mergeTable stores the items of src in t.
func (m *Machine) mergeTable(t, src *table) error {
	if err := m.Work(len(src.entries)); err != nil {
		return err
	}
	for i := src.Next(0); i >= 0; i = src.Next(i + 1) {
		if err := m.putEntry(t, &src.entries[i]); err != nil {
			return err
		}
	}
	return nil
}

// putPair stores element i of the sequence that updates a dict.
func (m *Machine) putPair(d *Dict, pair Value, i int) error {
	var items []Value
	switch o := pair.Self().(type) {
	case *Tuple:
		items = o.items
	case *List:
		items = o.items
	case *Str, *Bytes, *rangeObject, *Dict, *Set, *view:
		var err error
		if items, _, err = m.Collect(pair); err != nil {
			return err
		}
	default:
		if m.Iterate(pair) == nil && m.CheckIterable(pair) != nil {
			return raise.Type("cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		return ErrForeign
	}
	if len(items) != 2 {
		return raise.Value("dictionary update sequence element #%d has length %d; 2 is required", i, len(items))
	}
	if err := m.Work(WorkPerStep); err != nil {
		return err
	}
	return m.putKey(&d.table, items[0], items[1])
}

// dictFromKeys is dict.fromkeys, a method of the class.
func dictFromKeys(m *Machine, a Args) (Value, error) {
	if a.Named() > 0 {
		return Value{}, raise.Type("dict.fromkeys() takes no keyword arguments")
	}
	value := OrNone(a.At(2))
	if a.v[0].Class() == dictType {
		items, ok, err := m.Collect(a.v[1])
		if err != nil {
			return Value{}, err
		}
		if ok {
			return m.dictOfKeys(a.v[0], items, value)
		}
	}
	if err := m.CheckIterable(a.v[1]); err != nil {
		return Value{}, err
	}
	return m.Then(m.Intrinsic("dict_fromkeys"), a.v[0], a.v[1], value)
}

func (m *Machine) dictOfKeys(class Value, keys []Value, value Value) (Value, error) {
	d := m.NewDict()
	for _, k := range keys {
		err := m.putKey(&d.table, k, value)
		if err == ErrForeign {
			left, err := m.NewList(keys)
			if err != nil {
				return Value{}, err
			}
			return m.Then(m.Intrinsic("dict_fromkeys"), class, left, value)
		}
		if err != nil {
			return Value{}, err
		}
		if err := m.Work(WorkPerStep); err != nil {
			return Value{}, err
		}
	}
	return d.Ref(), nil
}
