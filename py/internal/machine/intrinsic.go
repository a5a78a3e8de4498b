package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// defineIntrinsics defines the natives that the prelude and compiled code use.
func defineIntrinsics(r *Registry) {
	defineIntrinsicCalls(r)
	defineIntrinsicKeys(r)
	defineIntrinsicText(r)
	defineFormatting(r)
	defineIntrinsicClasses(r)
	defineIntrinsicFutures(r)
	defineIntrinsicPatterns(r)
	for op, name := range map[string]binaryOp{"+": opAdd, "-": opSub, "*": opMul, "@": opMatMul, "/": opDiv, "//": opFloorDiv,
		"%": opMod, "**": opPow, "<<": opLShift, ">>": opRShift, "&": opBitAnd, "|": opBitOr, "^": opBitXor} {
		r.Intrinsic("op_"+op, func(m *Machine, a Args) (Value, error) { return m.binary(name, a.v[0], a.v[1]) })
	}
}

func defineIntrinsicCalls(r *Registry) {
	r.Intrinsic("_apply", applyNative)
	r.Intrinsic("_getattr", func(m *Machine, a Args) (Value, error) { return m.attr(a.v[0], a.v[1]) })
	r.Intrinsic("_has_attr", func(m *Machine, a Args) (Value, error) {
		return Bool(m.mayHave(a.v[0], a.v[1].Str())), nil
	})
	r.Intrinsic("_special", func(m *Machine, a Args) (Value, error) { return m.special(a.v[0], a.v[1], 0) })
	r.Intrinsic("_special_or_none", func(m *Machine, a Args) (Value, error) {
		fn, ok := m.Lookup(ClassOf(a.v[0]), a.v[1].Str())
		if !ok || isBuiltIn(fn) {
			return None, nil
		}
		return m.bindAttr(fn, a.v[0], ClassOf(a.v[0]))
	})
	r.Intrinsic("_is_iterator", func(m *Machine, a Args) (Value, error) {
		_, ok := m.Lookup(ClassOf(a.v[0]), nameNext)
		return Bool(ok || a.v[0].Kind() == KindIter || a.v[0].Kind() == KindGenerator), nil
	})
	r.Intrinsic("_iter", func(m *Machine, a Args) (Value, error) { return m.iter(a.v[0]) })
	r.Intrinsic("_plain", func(m *Machine, a Args) (Value, error) { return Plain(a.v[0]), nil })
	r.Intrinsic("_unsupported", func(m *Machine, a Args) (Value, error) {
		return Value{}, m.unsupportedOp(a.v[0].Str().s, a.v[1], a.v[2])
	})
	r.Intrinsic("_own_eq", func(m *Machine, a Args) (Value, error) {
		for _, v := range a.v {
			if fn, ok := m.Lookup(ClassOf(v), nameEq); ok && fn.Kind() != KindNative {
				return True, nil
			}
		}
		return False, nil
	})
	r.Intrinsic("_compare_default", func(m *Machine, a Args) (Value, error) {
		switch op := a.v[2].Str().s; op {
		case "==":
			return Bool(a.v[0].Is(a.v[1])), nil
		case "!=":
			return Bool(!a.v[0].Is(a.v[1])), nil
		default:
			return Value{}, raise.Type("'%s' not supported between instances of '%s' and '%s'", op, TypeName(a.v[0]), TypeName(a.v[1]))
		}
	})
	r.Intrinsic("_call_name", func(m *Machine, a Args) (Value, error) { return m.Message(m.callName(a.v[0])), nil })
	r.Intrinsic("_sort", sortNative)
	r.Intrinsic("_take", func(m *Machine, a Args) (Value, error) {
		l := a.v[0].List()
		items := l.items
		l.items = nil
		m.Spend(ListBytes)
		return (&List{items: items}).Value(), nil
	})
	r.Intrinsic("_give_back", func(m *Machine, a Args) (Value, error) {
		l := a.v[0].List()
		changed := l.items != nil
		l.items = a.v[1].List().items
		return Bool(changed), nil
	})
}

// maxTail is how many arguments there is room for without moving the stack.
const maxTail = 128

// applyNative is _apply(fn, args, names): a call whose last arguments have
// these names.
func applyNative(m *Machine, a Args) (Value, error) {
	args, names := a.v[1].List(), a.v[2].Tuple()
	if args == nil {
		return Value{}, ErrMalformed
	}
	if len(args.items) <= maxTail {
		return Value{}, m.tailOf(a.v[0], args.items, names)
	}
	named := m.NewDict()
	rest := args.items
	if names != nil && len(names.items) <= len(rest) {
		at := len(rest) - len(names.items)
		for i, name := range names.items {
			if err := m.SetItem(named, name, rest[at+i]); err != nil {
				return Value{}, err
			}
		}
		rest = rest[:at]
	}
	positional, err := m.NewList(rest)
	if err != nil {
		return Value{}, err
	}
	return m.callEx(a.v[0], positional, named.Ref())
}

// tailOf asks for a call in the place of the native function under way.
func (m *Machine) tailOf(fn Value, args []Value, names *Tuple) error {
	m.tail = tailCall{fn: fn, args: args, names: names}
	return errTail
}

func kindTest(kinds ...Kind) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		k := a.v[0].Kind()
		for _, want := range kinds {
			if k == want {
				return True, nil
			}
		}
		return False, nil
	}
}

func defineIntrinsicKeys(r *Registry) {
	r.Intrinsic("_is_dict", kindTest(KindDict))
	missing := staticSingleton("missing") // where a program has no value to give
	r.intrinsics["_missing"] = missing
	r.identify(missing, "$_missing")
	r.Intrinsic("_is_set", kindTest(KindSet, KindFrozenSet, KindView))
	r.Intrinsic("_is_frozen", kindTest(KindFrozenSet))
	r.Intrinsic("_freeze", func(m *Machine, a Args) (Value, error) {
		m.Spend(dictBytes)
		s := &Set{table: a.v[0].set().table}
		return s.Value(true), nil
	})
	r.Intrinsic("_give_items", func(m *Machine, a Args) (Value, error) {
		to, from := a.v[0].set(), a.v[1].set()
		to.replace(from.table)
		from.clear()
		return None, nil
	})
	r.Intrinsic("_is_tuple", kindTest(KindTuple))
	r.Intrinsic("_is_slice", kindTest(KindSlice))
	r.Intrinsic("_put_pair", func(m *Machine, a Args) (Value, error) {
		d := a.v[0].Dict()
		if d == nil {
			return False, nil
		}
		err := m.putPair(d, a.v[1], int(a.v[2].n))
		if err == ErrForeign {
			return False, nil
		}
		return True, err
	})
	r.Intrinsic("_combine_hashes", func(m *Machine, a Args) (Value, error) {
		h := SpreadHash(uint64(len(a.v[0].List().items)))
		for _, v := range a.v[0].List().items {
			h = SpreadHash(h ^ v.n)
		}
		return Int(int64(h)), nil
	})
	r.Intrinsic("_own_hash", func(m *Machine, a Args) (Value, error) {
		fn, ok := m.Lookup(ClassOf(a.v[0]), nameHash)
		if !ok || fn.IsNone() {
			return None, nil
		}
		if n := fn.native(); n != nil {
			if n.ops == nil {
				return None, nil
			}
			if _, err := n.ops.Hash(m, a.v[0]); err != ErrForeign {
				return None, err
			}
		}
		return fn, nil
	})
	// _hash_method is what hash() calls.
	r.Intrinsic("_hash_method", func(m *Machine, a Args) (Value, error) {
		fn, _ := m.Lookup(ClassOf(a.v[0]), nameHash)
		if n := fn.native(); !fn.Bound() || fn.IsNone() || n != nil && n.ops == nil {
			return None, nil
		}
		return fn, nil
	})
	r.Intrinsic("_table_hash", func(m *Machine, a Args) (Value, error) {
		h, err := m.hashOf(a.v[0], 0)
		return Int(int64(h)), err
	})
	// _hash_given turns what the __hash__ of an object gave into the hash of
	// tables, which is that of an equal int. The object keeps it: a snapshot
	// cannot ask the program again.
	r.Intrinsic("_hash_given", func(m *Machine, a Args) (Value, error) {
		n := hashGiven(Plain(a.v[1]))
		if o := a.v[0].Instance(); o != nil {
			m.rarity(o).given = n
		}
		return Int(int64(SpreadHash(n))), nil
	})
	r.Intrinsic("_candidates", func(m *Machine, a Args) (Value, error) {
		t := tableOf(a.v[0])
		var found []Value
		t.each(a.v[1].n, func(i int) { found = append(found, Int(int64(i))) })
		return m.NewList(found)
	})
	r.Intrinsic("_key_at", func(m *Machine, a Args) (Value, error) {
		t := tableOf(a.v[0])
		i := int(a.v[1].Int())
		if i >= len(t.entries) || !t.entries[i].key.Bound() {
			return None, nil
		}
		return t.entries[i].key, nil
	})
	r.Intrinsic("_resolved", func(m *Machine, a Args) (Value, error) {
		return m.NewBoxed(objectType, &resolved{key: a.v[0], hash: a.v[1].n, index: int(a.v[2].Int())})
	})
	r.Intrinsic("_has_key", func(m *Machine, a Args) (Value, error) {
		i, err := m.findKey(tableOf(a.v[0]), a.v[1])
		return Bool(i >= 0), err
	})
	r.Intrinsic("_get_key", func(m *Machine, a Args) (Value, error) { return m.dictItem(Plain(a.v[0]).Dict(), a.v[0], a.v[1]) })
	r.Intrinsic("_set_key", func(m *Machine, a Args) (Value, error) {
		return None, m.putKey(tableOf(a.v[0]), a.v[1], a.v[2])
	})
	r.Intrinsic("_delete_key", func(m *Machine, a Args) (Value, error) {
		t := tableOf(a.v[0])
		i, err := m.findKey(t, a.v[1])
		if err != nil {
			return Value{}, err
		}
		if i < 0 {
			return Value{}, m.keyError(a.v[1])
		}
		t.remove(i)
		return None, nil
	})
}

func tableOf(v Value) *table {
	switch o := Plain(v).Self().(type) {
	case *Dict:
		return &o.table
	case *Set:
		return &o.table
	case *view:
		return &o.of.Dict().table
	}
	return &table{}
}

func defineIntrinsicText(r *Registry) {
	r.Intrinsic("_str", func(m *Machine, a Args) (Value, error) { return m.string(a.v[0]) })
	r.Intrinsic("_plain_repr", func(m *Machine, a Args) (Value, error) {
		s, err := m.ReprNative(a.v[0])
		if err != nil {
			return Value{}, err
		}
		return m.Message(s), nil
	})
	r.Intrinsic("_safe_repr", func(m *Machine, a Args) (Value, error) {
		s, err := m.ReprNative(a.v[0])
		if err == ErrForeign {
			s, err = "<"+TypeName(a.v[0])+" object>", nil
		}
		if err != nil {
			return Value{}, err
		}
		return m.Message(s), nil
	})
	r.Intrinsic("_escape", func(m *Machine, a Args) (Value, error) {
		s, err := text.Escape(m, a.v[0].Str().s)
		if err != nil {
			return Value{}, err
		}
		return m.Message(s), nil
	})
	r.Intrinsic("_print", func(m *Machine, a Args) (Value, error) { return None, m.print(a.v[0].Str().s) })
	r.Intrinsic("_kind", func(m *Machine, a Args) (Value, error) { return m.reprKind(a.v[0]), nil })
	r.Intrinsic("_repr_again", func(m *Machine, a Args) (Value, error) {
		again := map[string]string{"list": "[...]", "tuple": "(...)", "dict": "{...}", "set": "set(...)",
			"frozenset": "frozenset(...)", "exception": "...", "view": "...", "method": "..."}
		return m.Message(again[a.v[0].Str().s]), nil
	})
	r.Intrinsic("_view_name", func(m *Machine, a Args) (Value, error) { return m.Message(TypeName(a.v[0])), nil })
	r.Intrinsic("_method_self", func(m *Machine, a Args) (Value, error) { return a.v[0].method().self, nil })
	r.Intrinsic("_method_repr", func(m *Machine, a Args) (Value, error) {
		name := "method"
		if f := a.v[0].method().fn.function(); f != nil {
			name = f.qualName()
		}
		return m.Message("<bound method " + name + " of " + a.v[1].Str().s + ">"), nil
	})
	r.Intrinsic("_is_exception", func(m *Machine, a Args) (Value, error) { return Bool(m.isException(a.v[0], excBase)), nil })
}

// reprKind names how the prelude writes v.
func (m *Machine) reprKind(v Value) Value {
	word := "other"
	switch v.Kind() {
	case KindList:
		word = "list"
	case KindTuple:
		word = "tuple"
	case KindDict:
		word = "dict"
	case KindSet:
		word = "set"
	case KindFrozenSet:
		word = "frozenset"
	case KindView:
		word = "view"
	case KindMethod:
		if v.method().fn.Kind() == KindFunction {
			word = "method"
		}
	case KindOpaque, KindClass:
		if _, err := m.ReprNative(v); err == ErrForeign {
			word = "instance"
		}
	case KindInstance:
		o := v.Instance()
		fn, ok := m.Lookup(o.class, nameRepr)
		switch {
		case ok && !isBuiltIn(fn):
			word = "instance"
		case o.class.layout == KindException:
			word = "exception"
		case o.payload.Bound():
			return m.reprKind(o.payload)
		}
	}
	return SharedStr(word).Ref()
}

func defineIntrinsicClasses(r *Registry) {
	r.Intrinsic("_bases", func(m *Machine, a Args) (Value, error) {
		for _, b := range a.v[0].Tuple().items {
			if b.Class() == nil {
				return m.Then(m.Intrinsic("resolve_bases"), a.v[0])
			}
		}
		return a.v[0], nil
	})
	r.Intrinsic("_namespace", newNamespace)
	r.Intrinsic("_metaclass", func(m *Machine, a Args) (Value, error) {
		if a.v[1].Kind() == KindClass {
			return a.v[1], nil
		}
		if !a.v[1].IsNone() {
			return Value{}, raise.Type("metaclass must be a class")
		}
		var meta *Class
		for _, b := range a.v[0].Tuple().items {
			c := b.Class()
			if _, refused := raisedBase(b); c == nil && refused {
				return ClassOf(b).Ref(), nil // which then complains about its arguments
			}
			if c != nil && c.meta != nil && (meta == nil || c.meta.IsSubclass(meta)) {
				meta = c.meta
			}
		}
		if meta == nil {
			return typeType.Ref(), nil
		}
		return meta.Ref(), nil
	})
	r.Intrinsic("_new_class", newClassNative)
	r.Intrinsic("_wrap", func(m *Machine, a Args) (Value, error) {
		if err := m.Alloc(InstanceBytes); err != nil {
			return Value{}, err
		}
		return (&Instance{class: a.v[0].Class(), payload: Plain(a.v[1])}).value(), nil
	})
	r.Intrinsic("_fill", func(m *Machine, a Args) (Value, error) {
		if c := a.v[0].cell(); c != nil {
			c.v = a.v[1]
		}
		return None, nil
	})
	r.Intrinsic("_named", func(m *Machine, a Args) (Value, error) {
		var found []Value
		c := a.v[0].Class()
		for i := c.attrs.Next(0); i >= 0; i = c.attrs.Next(i + 1) {
			e := c.attrs.entries[i]
			if e.value.Kind() == KindInstance {
				if _, ok := m.Lookup(ClassOf(e.value), nameSetName); ok {
					found = append(found, m.Pair(e.key, e.value))
				}
			}
		}
		return m.NewList(found)
	})
	r.Intrinsic("_init_subclass", func(m *Machine, a Args) (Value, error) {
		c := a.v[0].Class()
		for _, k := range c.mro[1:] {
			if i := k.attrs.findStr(nameInitSubclass); i >= 0 {
				fn := k.attrs.entries[i].value
				if d := fn.descriptor(); d != nil {
					fn = d.get
				}
				if fn.Kind() == KindNative {
					return None, nil
				}
				return (&method{fn: fn, self: a.v[0]}).value(), nil
			}
		}
		return None, nil
	})
}

// newClassNative is _new_class(meta, name, bases, namespace).
func newClassNative(m *Machine, a Args) (Value, error) {
	name, bases, namespace := a.v[1].Str(), a.v[2].Tuple(), Plain(a.v[3]).Dict()
	if name == nil || bases == nil || namespace == nil {
		return Value{}, raise.Type("type() argument 1 must be str, argument 2 tuple, argument 3 dict")
	}
	var list []*Class
	for _, b := range bases.items {
		c := b.Class()
		if c == nil {
			if r, ok := raisedBase(b); ok {
				return Value{}, r
			}
			if b.alias() != nil {
				return Value{}, raise.Type("type() doesn't support MRO entry resolution; use types.new_class()")
			}
			continue
		}
		list = append(list, c)
	}
	meta := a.v[0].Class()
	if meta == typeType {
		meta = nil
	}
	c, err := m.buildClass(name.s, list, namespace, meta)
	if err != nil {
		return Value{}, err
	}
	return c.Ref(), nil
}

// newNamespace is the namespace in which the body of a class runs. Classes of
// bundled modules know where they are from.
func newNamespace(m *Machine, a Args) (Value, error) {
	d := m.NewDict()
	f := a.v[0].function()
	if f == nil {
		return d.Ref(), nil
	}
	return d.Ref(), m.setStr(d, known.str("__module__"), m.Message(f.globals.name))
}

func raisedBase(b Value) (error, bool) {
	if b.Kind() == KindInstance || b.Kind() == KindOpaque {
		return nil, false
	}
	return raise.Type("bases must be types"), true
}
