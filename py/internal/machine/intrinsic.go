package machine

import (
	_ "embed"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/compile"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
	"github.com/glovebox-dev/glovebox/py/syntax"
)

//go:embed prelude.py
var preludeSource string

// definePrelude compiles the functions of prelude.py, which all instances
// share.
func definePrelude(r *registry) {
	mod := compileBundled("<prelude>", preludeSource, preludeNames(r))
	linked := link(mod, true)
	globals := &module{name: "prelude", code: linked, globals: make([]Value, len(mod.Globals))}
	globals.flags = shared
	globals.value()
	for i, name := range mod.Globals {
		if v, ok := r.intrinsics[name]; ok {
			globals.globals[i] = v
		} else if v, ok := r.builtins[name]; ok {
			globals.globals[i] = v
		}
	}
	for _, u := range linked.units[1:] {
		if u.code.QualName != u.code.Name {
			continue
		}
		f := &function{code: u, globals: globals}
		f.flags = shared
		v := f.value()
		preludeDefaults(f)
		r.identify(v, "$$"+u.code.Name)
		for i, name := range mod.Globals {
			if name == u.code.Name {
				globals.globals[i] = v
			}
		}
		r.intrinsics[u.code.Name] = v
		if u.code.Name == "gather" || u.code.Name == "glovebox_map" {
			r.builtins[u.code.Name] = v
		}
	}
	r.prelude = globals
	defineFutureMethods(r)
}

// preludeDefaults gives the functions of the prelude that have defaults what a
// run of the module would have given them.
func preludeDefaults(f *function) {
	switch f.code.code.Name {
	case "gather":
		f.setDefaults(member{"return_exceptions", False})
	case "glovebox_map":
		f.setDefaults(member{"concurrency", Int(0)}, member{"group_name", None}, member{"return_exceptions", True})
	case "build_class":
		f.setDefaults(member{"metaclass", None})
	case "future_add_done_callback":
		f.setDefaults(member{"context", None})
	case "future_cancel":
		f.defaults = []Value{None}
	}
}

func (f *function) setDefaults(all ...member) {
	f.kwDefaults = &dict{}
	f.kwDefaults.flags = shared
	f.kwDefaults.value()
	for _, d := range all {
		s := newStr(d.name)
		f.kwDefaults.insert(s.ref(), d.v, s.tableHash())
	}
}

// preludeNames are the names that the prelude takes from elsewhere.
func preludeNames(r *registry) []string {
	var names []string
	for name := range r.intrinsics {
		names = append(names, name)
	}
	return names
}

// compileBundled compiles source that belongs to the program itself, where an
// error is a defect.
func compileBundled(name, source string, predeclared []string) *code.Module {
	file, err := syntax.Parse(name, source)
	if err != nil {
		panic("bundled " + name + ": " + err.Error())
	}
	mod, err := compile.Compile(file, compile.Options{Name: name, Predeclared: predeclared, Builtin: IsBuiltin})
	if err != nil {
		panic("bundled " + name + ": " + err.Error())
	}
	return mod
}

// defineIntrinsics defines the natives that the prelude and compiled code use.
func defineIntrinsics(r *registry) {
	defineIntrinsicCalls(r)
	defineIntrinsicKeys(r)
	defineIntrinsicText(r)
	defineFormatting(r)
	defineIntrinsicClasses(r)
	defineIntrinsicFutures(r)
	defineIntrinsicPatterns(r)
	for op, name := range map[string]binaryOp{"+": opAdd, "-": opSub, "*": opMul, "@": opMatMul, "/": opDiv, "//": opFloorDiv,
		"%": opMod, "**": opPow, "<<": opLShift, ">>": opRShift, "&": opBitAnd, "|": opBitOr, "^": opBitXor} {
		r.staticIntrinsic("op_"+op, func(m *Machine, a Args) (Value, error) { return m.binary(name, a.v[0], a.v[1]) })
	}
}

func defineIntrinsicCalls(r *registry) {
	r.staticIntrinsic("_apply", applyNative)
	r.staticIntrinsic("_getattr", func(m *Machine, a Args) (Value, error) { return m.attr(a.v[0], a.v[1]) })
	r.staticIntrinsic("_has_attr", func(m *Machine, a Args) (Value, error) {
		return Bool(m.mayHave(a.v[0], a.v[1].str())), nil
	})
	r.staticIntrinsic("_special", func(m *Machine, a Args) (Value, error) { return m.special(a.v[0], a.v[1], 0) })
	r.staticIntrinsic("_special_or_none", func(m *Machine, a Args) (Value, error) {
		fn, ok := m.lookup(classOf(a.v[0]), a.v[1].str())
		if !ok || isBuiltIn(fn) {
			return None, nil
		}
		return m.bindAttr(fn, a.v[0], classOf(a.v[0]))
	})
	r.staticIntrinsic("_is_iterator", func(m *Machine, a Args) (Value, error) {
		_, ok := m.lookup(classOf(a.v[0]), nameNext)
		return Bool(ok || a.v[0].kind() == kindIter || a.v[0].kind() == kindGenerator), nil
	})
	r.staticIntrinsic("_iter", func(m *Machine, a Args) (Value, error) { return m.iter(a.v[0]) })
	r.staticIntrinsic("_plain", func(m *Machine, a Args) (Value, error) { return plain(a.v[0]), nil })
	r.staticIntrinsic("_unsupported", func(m *Machine, a Args) (Value, error) {
		return Value{}, m.unsupportedOp(a.v[0].str().s, a.v[1], a.v[2])
	})
	r.staticIntrinsic("_own_eq", func(m *Machine, a Args) (Value, error) {
		for _, v := range a.v {
			if fn, ok := m.lookup(classOf(v), nameEq); ok && fn.kind() != kindNative {
				return True, nil
			}
		}
		return False, nil
	})
	r.staticIntrinsic("_compare_default", func(m *Machine, a Args) (Value, error) {
		switch op := a.v[2].str().s; op {
		case "==":
			return Bool(a.v[0].is(a.v[1])), nil
		case "!=":
			return Bool(!a.v[0].is(a.v[1])), nil
		default:
			return Value{}, raise.Type("'%s' not supported between instances of '%s' and '%s'", op, typeName(a.v[0]), typeName(a.v[1]))
		}
	})
	r.staticIntrinsic("_call_name", func(m *Machine, a Args) (Value, error) { return m.text(m.callName(a.v[0])), nil })
	r.staticIntrinsic("_sort", sortNative)
	r.staticIntrinsic("_take", func(m *Machine, a Args) (Value, error) {
		l := a.v[0].list()
		items := l.items
		l.items = nil
		m.spend(listBytes)
		return (&list{items: items}).value(), nil
	})
	r.staticIntrinsic("_give_back", func(m *Machine, a Args) (Value, error) {
		l := a.v[0].list()
		changed := l.items != nil
		l.items = a.v[1].list().items
		return Bool(changed), nil
	})
}

// maxTail is how many arguments there is room for without moving the stack.
const maxTail = 128

// applyNative is _apply(fn, args, names): a call whose last arguments have
// these names.
func applyNative(m *Machine, a Args) (Value, error) {
	args, names := a.v[1].list(), a.v[2].tuple()
	if args == nil {
		return Value{}, errCorrupt
	}
	if len(args.items) <= maxTail {
		return Value{}, m.tailOf(a.v[0], args.items, names)
	}
	named := m.newDict()
	rest := args.items
	if names != nil && len(names.items) <= len(rest) {
		at := len(rest) - len(names.items)
		for i, name := range names.items {
			if err := m.set(named, name, rest[at+i]); err != nil {
				return Value{}, err
			}
		}
		rest = rest[:at]
	}
	positional, err := m.newListCopy(rest)
	if err != nil {
		return Value{}, err
	}
	return m.callEx(a.v[0], positional, named.ref())
}

// tailOf asks for a call in the place of the native function under way.
func (m *Machine) tailOf(fn Value, args []Value, names *tuple) error {
	m.tail = tailCall{fn: fn, args: args, names: names}
	return errTail
}

func kindTest(kinds ...Kind) NativeFunc {
	return func(m *Machine, a Args) (Value, error) {
		k := a.v[0].kind()
		for _, want := range kinds {
			if k == want {
				return True, nil
			}
		}
		return False, nil
	}
}

func defineIntrinsicKeys(r *registry) {
	r.staticIntrinsic("_is_dict", kindTest(kindDict))
	missing := staticSingleton("missing") // where a program has no value to give
	r.intrinsics["_missing"] = missing
	r.identify(missing, "$_missing")
	r.staticIntrinsic("_is_set", kindTest(kindSet, kindFrozenSet, kindView))
	r.staticIntrinsic("_is_frozen", kindTest(kindFrozenSet))
	r.staticIntrinsic("_freeze", func(m *Machine, a Args) (Value, error) {
		m.spend(dictBytes)
		s := &set{table: a.v[0].set().table}
		return s.value(true), nil
	})
	r.staticIntrinsic("_give_items", func(m *Machine, a Args) (Value, error) {
		to, from := a.v[0].set(), a.v[1].set()
		to.replace(from.table)
		from.clear()
		return None, nil
	})
	r.staticIntrinsic("_is_tuple", kindTest(kindTuple))
	r.staticIntrinsic("_is_slice", kindTest(kindSlice))
	r.staticIntrinsic("_combine_hashes", func(m *Machine, a Args) (Value, error) {
		h := mix(uint64(len(a.v[0].list().items)))
		for _, v := range a.v[0].list().items {
			h = mix(h ^ v.n)
		}
		return Int(int64(h)), nil
	})
	r.staticIntrinsic("_own_hash", func(m *Machine, a Args) (Value, error) {
		fn, ok := m.lookup(classOf(a.v[0]), nameHash)
		if !ok || fn.isNone() {
			return None, nil
		}
		if n := fn.native(); n != nil {
			if n.ops == nil {
				return None, nil
			}
			if _, err := n.ops.hash(m, a.v[0]); err != errForeign {
				return None, err
			}
		}
		return fn, nil
	})
	// _hash_method is what hash() calls.
	r.staticIntrinsic("_hash_method", func(m *Machine, a Args) (Value, error) {
		fn, _ := m.lookup(classOf(a.v[0]), nameHash)
		if n := fn.native(); !fn.bound() || fn.isNone() || n != nil && n.ops == nil {
			return None, nil
		}
		return fn, nil
	})
	r.staticIntrinsic("_table_hash", func(m *Machine, a Args) (Value, error) {
		h, err := m.hashOf(a.v[0], 0)
		return Int(int64(h)), err
	})
	// _hash_given turns what the __hash__ of an object gave into the hash of
	// tables, which is that of an equal int. The object keeps it: a snapshot
	// cannot ask the program again.
	r.staticIntrinsic("_hash_given", func(m *Machine, a Args) (Value, error) {
		n := hashGiven(plain(a.v[1]))
		if o := a.v[0].instance(); o != nil {
			m.rarity(o).given = n
		}
		return Int(int64(mix(n))), nil
	})
	r.staticIntrinsic("_candidates", func(m *Machine, a Args) (Value, error) {
		t := tableOf(a.v[0])
		var found []Value
		t.each(a.v[1].n, func(i int) { found = append(found, Int(int64(i))) })
		return m.newListCopy(found)
	})
	r.staticIntrinsic("_key_at", func(m *Machine, a Args) (Value, error) {
		t := tableOf(a.v[0])
		i := int(a.v[1].int())
		if i >= len(t.entries) || !t.entries[i].key.bound() {
			return None, nil
		}
		return t.entries[i].key, nil
	})
	r.staticIntrinsic("_resolved", func(m *Machine, a Args) (Value, error) {
		return m.box(objectType, &resolved{key: a.v[0], hash: a.v[1].n, index: int(a.v[2].int())})
	})
	r.staticIntrinsic("_has_key", func(m *Machine, a Args) (Value, error) {
		i, err := m.findKey(tableOf(a.v[0]), a.v[1])
		return Bool(i >= 0), err
	})
	r.staticIntrinsic("_get_key", func(m *Machine, a Args) (Value, error) { return m.dictItem(plain(a.v[0]).dict(), a.v[0], a.v[1]) })
	r.staticIntrinsic("_set_key", func(m *Machine, a Args) (Value, error) {
		return None, m.putKey(tableOf(a.v[0]), a.v[1], a.v[2])
	})
	r.staticIntrinsic("_delete_key", func(m *Machine, a Args) (Value, error) {
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
	switch o := plain(v).self().(type) {
	case *dict:
		return &o.table
	case *set:
		return &o.table
	case *view:
		return &o.of.dict().table
	}
	return &table{}
}

func defineIntrinsicText(r *registry) {
	r.staticIntrinsic("_str", func(m *Machine, a Args) (Value, error) { return m.string(a.v[0]) })
	r.staticIntrinsic("_plain_repr", func(m *Machine, a Args) (Value, error) {
		s, err := m.reprNative(a.v[0])
		if err != nil {
			return Value{}, err
		}
		return m.text(s), nil
	})
	r.staticIntrinsic("_safe_repr", func(m *Machine, a Args) (Value, error) {
		s, err := m.reprNative(a.v[0])
		if err == errForeign {
			s, err = "<"+typeName(a.v[0])+" object>", nil
		}
		if err != nil {
			return Value{}, err
		}
		return m.text(s), nil
	})
	r.staticIntrinsic("_escape", func(m *Machine, a Args) (Value, error) {
		s, err := text.Escape(m, a.v[0].str().s)
		if err != nil {
			return Value{}, err
		}
		return m.text(s), nil
	})
	r.staticIntrinsic("_print", func(m *Machine, a Args) (Value, error) { return None, m.print(a.v[0].str().s) })
	r.staticIntrinsic("_kind", func(m *Machine, a Args) (Value, error) { return m.reprKind(a.v[0]), nil })
	r.staticIntrinsic("_repr_again", func(m *Machine, a Args) (Value, error) {
		again := map[string]string{"list": "[...]", "tuple": "(...)", "dict": "{...}", "set": "set(...)",
			"frozenset": "frozenset(...)", "exception": "...", "view": "...", "method": "..."}
		return m.text(again[a.v[0].str().s]), nil
	})
	r.staticIntrinsic("_view_name", func(m *Machine, a Args) (Value, error) { return m.text(typeName(a.v[0])), nil })
	r.staticIntrinsic("_method_self", func(m *Machine, a Args) (Value, error) { return a.v[0].method().self, nil })
	r.staticIntrinsic("_method_repr", func(m *Machine, a Args) (Value, error) {
		name := "method"
		if f := a.v[0].method().fn.function(); f != nil {
			name = f.qualName()
		}
		return m.text("<bound method " + name + " of " + a.v[1].str().s + ">"), nil
	})
	r.staticIntrinsic("_is_exception", func(m *Machine, a Args) (Value, error) { return Bool(m.isException(a.v[0], excBase)), nil })
}

// reprKind names how the prelude writes v.
func (m *Machine) reprKind(v Value) Value {
	word := "other"
	switch v.kind() {
	case kindList:
		word = "list"
	case kindTuple:
		word = "tuple"
	case kindDict:
		word = "dict"
	case kindSet:
		word = "set"
	case kindFrozenSet:
		word = "frozenset"
	case kindView:
		word = "view"
	case kindMethod:
		if v.method().fn.kind() == kindFunction {
			word = "method"
		}
	case kindOpaque, kindClass:
		if _, err := m.reprNative(v); err == errForeign {
			word = "instance"
		}
	case kindInstance:
		o := v.instance()
		fn, ok := m.lookup(o.class, nameRepr)
		switch {
		case ok && !isBuiltIn(fn):
			word = "instance"
		case o.class.layout == kindException:
			word = "exception"
		case o.payload.bound():
			return m.reprKind(o.payload)
		}
	}
	return newStr(word).ref()
}

func defineIntrinsicClasses(r *registry) {
	r.staticIntrinsic("_bases", func(m *Machine, a Args) (Value, error) {
		for _, b := range a.v[0].tuple().items {
			if b.class() == nil {
				return m.then(m.intrinsic("resolve_bases"), a.v[0])
			}
		}
		return a.v[0], nil
	})
	r.staticIntrinsic("_namespace", newNamespace)
	r.staticIntrinsic("_metaclass", func(m *Machine, a Args) (Value, error) {
		if a.v[1].kind() == kindClass {
			return a.v[1], nil
		}
		if !a.v[1].isNone() {
			return Value{}, raise.Type("metaclass must be a class")
		}
		var meta *class
		for _, b := range a.v[0].tuple().items {
			c := b.class()
			if _, refused := raisedBase(b); c == nil && refused {
				return classOf(b).ref(), nil // which then complains about its arguments
			}
			if c != nil && c.meta != nil && (meta == nil || c.meta.isSubclass(meta)) {
				meta = c.meta
			}
		}
		if meta == nil {
			return typeType.ref(), nil
		}
		return meta.ref(), nil
	})
	r.staticIntrinsic("_new_class", newClassNative)
	r.staticIntrinsic("_wrap", func(m *Machine, a Args) (Value, error) {
		if err := m.Alloc(instanceBytes); err != nil {
			return Value{}, err
		}
		return (&instance{class: a.v[0].class(), payload: plain(a.v[1])}).value(), nil
	})
	r.staticIntrinsic("_fill", func(m *Machine, a Args) (Value, error) {
		if c := a.v[0].cell(); c != nil {
			c.v = a.v[1]
		}
		return None, nil
	})
	r.staticIntrinsic("_named", func(m *Machine, a Args) (Value, error) {
		var found []Value
		c := a.v[0].class()
		for i := c.attrs.next(0); i >= 0; i = c.attrs.next(i + 1) {
			e := c.attrs.entries[i]
			if e.value.kind() == kindInstance {
				if _, ok := m.lookup(classOf(e.value), nameSetName); ok {
					found = append(found, m.pair(e.key, e.value))
				}
			}
		}
		return m.newListCopy(found)
	})
	r.staticIntrinsic("_init_subclass", func(m *Machine, a Args) (Value, error) {
		c := a.v[0].class()
		for _, k := range c.mro[1:] {
			if i := k.attrs.findStr(nameInitSubclass); i >= 0 {
				fn := k.attrs.entries[i].value
				if d := fn.descriptor(); d != nil {
					fn = d.get
				}
				if fn.kind() == kindNative {
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
	name, bases, namespace := a.v[1].str(), a.v[2].tuple(), plain(a.v[3]).dict()
	if name == nil || bases == nil || namespace == nil {
		return Value{}, raise.Type("type() argument 1 must be str, argument 2 tuple, argument 3 dict")
	}
	var list []*class
	for _, b := range bases.items {
		c := b.class()
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
	meta := a.v[0].class()
	if meta == typeType {
		meta = nil
	}
	c, err := m.buildClass(name.s, list, namespace, meta)
	if err != nil {
		return Value{}, err
	}
	return c.ref(), nil
}

// newNamespace is the namespace in which the body of a class runs. Classes of
// bundled modules know where they are from.
func newNamespace(m *Machine, a Args) (Value, error) {
	d := m.newDict()
	f := a.v[0].function()
	if f == nil {
		return d.ref(), nil
	}
	return d.ref(), m.setStr(d, known.str("__module__"), m.text(f.globals.name))
}

func raisedBase(b Value) (error, bool) {
	if b.kind() == kindInstance || b.kind() == kindOpaque {
		return nil, false
	}
	return raise.Type("bases must be types"), true
}
