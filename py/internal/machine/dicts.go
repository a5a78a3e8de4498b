package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineDicts defines dict and its views.
func defineDicts(r *registry) {
	r.maker(dictType, 0, 1, func(m *Machine, a Args) (Value, error) {
		return m.fillDict(m.newDict(), Args{a.v[1:], a.names}, "dict_filled")
	})
	r.dictMethodKw("__init__", 1, -1, func(m *Machine, d *dict, a Args) (Value, error) {
		if err := atMostOne("dict", a); err != nil {
			return Value{}, err
		}
		return m.discardFill(m.fillDict(d, Args{a.v[1:], a.names}, "dict_update"))
	})
	r.dictMethodKw("update", 1, -1, func(m *Machine, d *dict, a Args) (Value, error) {
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
	r.dictMethod("clear", 1, 1, func(m *Machine, d *dict, a Args) (Value, error) {
		d.clear()
		return None, nil
	})
	r.dictMethod("copy", 1, 1, func(m *Machine, d *dict, a Args) (Value, error) { return m.copyDict(d) })
	r.dictMethod("__reversed__", 1, 1, func(m *Machine, d *dict, a Args) (Value, error) {
		m.spend(iteratorBytes)
		return reversedEntries(d, iterReversedKeys).value(), nil
	})
	defineViews(r)
}

// atMostOne refuses more than one positional argument.
func atMostOne(name string, a Args) error {
	if a.len() > 2 {
		return raise.Type("%s expected at most 1 argument, got %d", name, a.len()-1)
	}
	return nil
}

// dictMethod defines a method of dict; fn gets the receiver without the
// subclass that wraps it.
func (r *registry) dictMethod(name string, min, max int, fn func(m *Machine, d *dict, a Args) (Value, error)) *Native {
	return r.method(dictType, name, min, max, func(m *Machine, a Args) (Value, error) {
		d := plain(a.v[0]).dict()
		if d == nil {
			return Value{}, wrongReceiver(name, dictType, a.v[0])
		}
		return fn(m, d, a)
	})
}

func (r *registry) dictMethodKw(name string, min, max int, fn func(m *Machine, d *dict, a Args) (Value, error)) {
	r.dictMethod(name, min, max, fn).keywords = true
}

// wrongReceiver is the error of a method of c that is called for v.
func wrongReceiver(name string, c *class, v Value) error {
	return raise.Type("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", name, c.name, typeName(v))
}

// resolveKey asks for the same call of the method id once code of the program
// has worked out the key, which is the first argument.
func (m *Machine) resolveKey(id string, a Args) (Value, error) {
	rest, err := m.newTupleCopy(a.v[2:])
	if err != nil {
		return Value{}, err
	}
	return m.then(m.intrinsic("with_key"), known.natives[id], a.v[0], a.v[1], rest)
}

func dictGet(m *Machine, a Args) (Value, error) {
	d := a.v[0].dict()
	if d == nil {
		if d = plain(a.v[0]).dict(); d == nil {
			return Value{}, wrongReceiver("get", dictType, a.v[0])
		}
	}
	i, err := m.findKey(&d.table, a.v[1])
	switch {
	case err == errForeign:
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

func dictSetDefault(m *Machine, d *dict, a Args) (Value, error) {
	i, err := m.findKey(&d.table, a.v[1])
	switch {
	case err == errForeign:
		return m.resolveKey("dict.setdefault", a)
	case err != nil:
		return Value{}, err
	case i >= 0:
		return d.entries[i].value, nil
	}
	v := orNone(a.at(2))
	return v, m.putKey(&d.table, a.v[1], v)
}

func dictPop(m *Machine, d *dict, a Args) (Value, error) {
	switch {
	case d.live() == 0 && a.len() == 3:
		return a.v[2], nil
	case d.live() == 0: // nobody asks for the hash of the key
		return Value{}, m.keyError(a.v[1])
	}
	i, err := m.findKey(&d.table, a.v[1])
	switch {
	case err == errForeign:
		return m.resolveKey("dict.pop", a)
	case err != nil:
		return Value{}, err
	case i >= 0:
		v := d.entries[i].value
		d.remove(i)
		return v, nil
	case a.len() == 3:
		return a.v[2], nil
	}
	return Value{}, m.keyError(a.v[1])
}

func dictPopItem(m *Machine, d *dict, a Args) (Value, error) {
	if d.live() == 0 {
		return Value{}, m.keyError(newStr("popitem(): dictionary is empty").ref())
	}
	i := len(d.entries) - 1 // the last entry is always live
	pair := m.pair(d.entries[i].key, d.entries[i].value)
	d.drop(i)
	return pair, nil
}

func (m *Machine) copyDict(d *dict) (Value, error) {
	t, err := m.cloneTable(&d.table)
	if err != nil {
		return Value{}, err
	}
	return (&dict{table: t}).value(), nil
}

// cloneTable pays for a copy of a table and makes it.
func (m *Machine) cloneTable(t *table) (table, error) {
	if err := m.Alloc(dictBytes + t.cloneBytes()); err != nil {
		return table{}, err
	}
	if err := m.Work(workPerStep * len(t.entries)); err != nil {
		return table{}, err
	}
	return t.clone(), nil
}

// discardFill drops the dict that fillDict returns.
func (m *Machine) discardFill(_ Value, err error) (Value, error) { return None, err }

// fillDict updates d as dict(...) and dict.update(...) do and returns it. When
// code of the program is needed it goes on as the prelude's function foreign.
func (m *Machine) fillDict(d *dict, a Args, foreign string) (Value, error) {
	other := orNone(a.at(0))
	var err error
	if a.len() > 0 {
		other, err = m.updateDict(d, other)
	}
	if err == errForeign {
		return m.fillForeign(d, other, a, foreign)
	}
	if err != nil {
		return Value{}, err
	}
	return d.ref(), m.setNamed(d, a)
}

func (m *Machine) fillForeign(d *dict, other Value, a Args, foreign string) (Value, error) {
	named := m.newDict()
	if err := m.setNamed(named, a); err != nil {
		return Value{}, err
	}
	return m.then(m.intrinsic(foreign), d.ref(), other, named.ref())
}

// setNamed stores the arguments that were given by name.
func (m *Machine) setNamed(d *dict, a Args) error {
	if a.names == nil {
		return nil
	}
	for i, n := range a.names.items {
		if err := m.setStr(d, n.str(), a.v[a.len()+i]); err != nil {
			return err
		}
	}
	return nil
}

// updateDict updates d by a mapping or an iterable of pairs. It returns
// errForeign when code of the program must do it, with what is left to do it
// from.
func (m *Machine) updateDict(d *dict, other Value) (Value, error) {
	if src := m.plainDict(other); src != nil {
		return other, m.mergeTable(&d.table, &src.table)
	}
	if m.isMapping(other) {
		return other, errForeign
	}
	items, ok, err := m.collect(other)
	if err != nil {
		return Value{}, err
	}
	if !ok {
		return other, m.foreignIterable(other)
	}
	for i, item := range items {
		if err := m.putPair(d, item, i); err != nil {
			if err != errForeign {
				return Value{}, err
			}
			left, failed := m.newListCopy(items) // other may be an iterator that is used up
			if failed != nil {
				return Value{}, failed
			}
			return left, err
		}
	}
	return other, nil
}

// foreignIterable is errForeign when code of the program may iterate over v,
// else the error that says that v is not iterable.
func (m *Machine) foreignIterable(v Value) error {
	if err := m.checkIterable(v); err != nil {
		return err
	}
	return errForeign
}

// plainDict returns the dict that v is or wraps, unless its class iterates in
// its own way.
func (m *Machine) plainDict(v Value) *dict {
	if v.kind() == kindInstance {
		if fn, ok := m.lookup(v.instance().class, nameIter); ok && fn.kind() != kindNative {
			return nil
		}
	}
	return plain(v).dict()
}

// mergeTable stores the items of src in t.
func (m *Machine) mergeTable(t, src *table) error {
	if err := m.Work(len(src.entries)); err != nil {
		return err
	}
	for i := src.next(0); i >= 0; i = src.next(i + 1) {
		if err := m.putEntry(t, &src.entries[i]); err != nil {
			return err
		}
	}
	return nil
}

// putPair stores element i of the sequence that updates a dict.
func (m *Machine) putPair(d *dict, pair Value, i int) error {
	var items []Value
	switch o := pair.self().(type) {
	case *tuple:
		items = o.items
	case *list:
		items = o.items
	case *str, *bytesObject, *rangeObject, *dict, *set, *view:
		var err error
		if items, _, err = m.collect(pair); err != nil {
			return err
		}
	default:
		if m.iterate(pair) == nil && m.checkIterable(pair) != nil {
			return raise.Type("cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		return errForeign
	}
	if len(items) != 2 {
		return raise.Value("dictionary update sequence element #%d has length %d; 2 is required", i, len(items))
	}
	if err := m.Work(workPerStep); err != nil {
		return err
	}
	return m.putKey(&d.table, items[0], items[1])
}

// dictFromKeys is dict.fromkeys, a method of the class.
func dictFromKeys(m *Machine, a Args) (Value, error) {
	if a.named() > 0 {
		return Value{}, raise.Type("dict.fromkeys() takes no keyword arguments")
	}
	value := orNone(a.at(2))
	if a.v[0].class() == dictType {
		items, ok, err := m.collect(a.v[1])
		if err != nil {
			return Value{}, err
		}
		if ok {
			return m.dictOfKeys(a.v[0], items, value)
		}
	}
	if err := m.checkIterable(a.v[1]); err != nil {
		return Value{}, err
	}
	return m.then(m.intrinsic("dict_fromkeys"), a.v[0], a.v[1], value)
}

func (m *Machine) dictOfKeys(class Value, keys []Value, value Value) (Value, error) {
	d := m.newDict()
	for _, k := range keys {
		err := m.putKey(&d.table, k, value)
		if err == errForeign {
			left, err := m.newListCopy(keys)
			if err != nil {
				return Value{}, err
			}
			return m.then(m.intrinsic("dict_fromkeys"), class, left, value)
		}
		if err != nil {
			return Value{}, err
		}
		if err := m.Work(workPerStep); err != nil {
			return Value{}, err
		}
	}
	return d.ref(), nil
}
