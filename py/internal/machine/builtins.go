package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/num"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineBuiltins defines the built-in functions.
func defineBuiltins(r *Registry) {
	r.builtins["NotImplemented"] = notImplemented
	r.builtins["Ellipsis"] = ellipsis
	r.identify(notImplemented, "NotImplemented")
	r.identify(ellipsis, "Ellipsis")
	r.functionKw("print", 0, -1, printBuiltin)
	r.function("len", 1, 1, lenBuiltin)
	r.function("abs", 1, 1, absBuiltin)
	r.function("repr", 1, 1, func(m *Machine, a Args) (Value, error) { return m.repr(a.v[0]) })
	r.function("ascii", 1, 1, func(m *Machine, a Args) (Value, error) { return m.convert(a.v[0], 'a') })
	r.function("format", 1, 2, formatBuiltin)
	r.function("hash", 1, 1, hashBuiltin)
	r.function("callable", 1, 1, func(m *Machine, a Args) (Value, error) { return Bool(m.IsCallable(a.v[0])), nil })
	r.function("iter", 1, 2, iterBuiltin)
	r.function("next", 1, 2, nextBuiltin)
	r.function("isinstance", 2, 2, isinstanceBuiltin)
	r.function("issubclass", 2, 2, issubclassBuiltin)
	r.function("getattr", 2, 3, getattrBuiltin)
	r.function("hasattr", 2, 2, hasattrBuiltin)
	r.function("setattr", 3, 3, setattrBuiltin)
	r.function("delattr", 2, 2, delattrBuiltin)
	r.functionKw("sorted", 0, -1, sortedBuiltin)
	r.functionKw("min", 1, -1, func(m *Machine, a Args) (Value, error) { return extremeBuiltin(m, a, "min", false) })
	r.functionKw("max", 1, -1, func(m *Machine, a Args) (Value, error) { return extremeBuiltin(m, a, "max", true) })
	r.wordyKw("sum", 1, 2, sumBuiltin)
	r.function("any", 1, 1, func(m *Machine, a Args) (Value, error) { return anyAll(m, a, "any_of", true) })
	r.function("all", 1, 1, func(m *Machine, a Args) (Value, error) { return anyAll(m, a, "all_of", false) })
}

// Only refuses keyword arguments with other names.
func (a Args) Only(fn string, names ...string) error {
	if a.names == nil {
		return nil
	}
next:
	for _, n := range a.names.items {
		for _, name := range names {
			if n.Str().s == name {
				continue next
			}
		}
		return raise.Type("'%s' is an invalid keyword argument for %s()", n.Str().s, fn)
	}
	return nil
}

func lenBuiltin(m *Machine, a Args) (Value, error) {
	n, err := m.length(a.v[0])
	if err == ErrForeign {
		return m.Then(m.Intrinsic("len_of"), a.v[0])
	}
	return Int(int64(n)), err
}

// length is len(v) of a built-in value.
func (m *Machine) length(v Value) (int, error) {
	switch o := v.Self().(type) {
	case *Str:
		return o.len(), nil
	case *List:
		return len(o.items), nil
	case *Tuple:
		return len(o.items), nil
	case *Dict:
		return o.Len(), nil
	case *Set:
		return o.Len(), nil
	case *Bytes:
		return len(o.b), nil
	case *rangeObject:
		return int(o.n), nil
	case *view:
		return o.of.Dict().Len(), nil
	case *Instance, *Opaque, *Class:
		fn, ok := m.Lookup(ClassOf(v), nameLen)
		if r := ringOf(v); r != nil && fn.Kind() == KindNative {
			return r.n, nil
		}
		if ok && fn.Kind() == KindNative && !Plain(v).Is(v) {
			return m.length(Plain(v))
		}
		if ok {
			return 0, ErrForeign
		}
	}
	return 0, raise.Type("object of type '%s' has no len()", TypeName(v))
}

func absBuiltin(m *Machine, a Args) (Value, error) {
	v := a.v[0]
	switch v.Kind() {
	case KindInt, KindBool:
		if n, ok := num.Abs(int64(v.n)); ok {
			return Int(n), nil
		}
		return m.unary(opNeg, v)
	case KindFloat:
		if v.n>>63 != 0 {
			return Float(-v.Float()), nil
		}
		return v, nil
	case KindBigInt:
		n, err := num.AbsBig(m, v.big().v)
		if err != nil {
			return Value{}, err
		}
		return m.BigInt(n), nil
	case KindInstance, KindOpaque:
		if fn, ok := m.Lookup(ClassOf(v), known.str("__abs__")); ok {
			return m.Then(fn, v)
		}
	}
	return Value{}, raise.Type("bad operand type for abs(): '%s'", TypeName(v))
}

func formatBuiltin(m *Machine, a Args) (Value, error) {
	spec := ""
	if a.Len() == 2 {
		s := a.v[1].Str()
		if s == nil {
			return Value{}, raise.Type("format() argument 2 must be str, not %s", argumentName(a.v[1]))
		}
		spec = s.s
	}
	s, err := m.formatNative(a.v[0], spec)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("format_of"), a.v[0], m.Message(spec))
	}
	if err != nil {
		return Value{}, err
	}
	return m.Message(s), nil
}

// hashKey is the fixed key of hash() of strings, which must be the same in
// each run.
var hashKey = [2]uint64{0x676c6f7665626f78, 0x7079}

func hashBuiltin(m *Machine, a Args) (Value, error) {
	h, err := m.visibleHash(a.v[0], 0)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("hash_visible"), a.v[0])
	}
	return Int(h), err
}

// visibleHash is hash(v).
func (m *Machine) visibleHash(v Value, depth int) (int64, error) {
	switch o := v.Self().(type) {
	case nil:
		switch v.Kind() {
		case KindFloat:
			return num.HashFloat(v.Float()), nil
		case KindInt, KindBool:
			return num.HashInt(int64(v.n)), nil
		}
	case *bigInt:
		m.budget -= int64(o.v.BitLen() / 64)
		return num.HashBig(o.v), nil
	case *Str:
		m.budget -= int64(len(o.s) / 8)
		return num.HashString(hashKey, o.s), nil
	case *Tuple:
		return m.visibleHashItems(o, depth)
	}
	if m.opsOf(v, nameHash) != nil {
		return 0, ErrForeign
	}
	h, err := m.hashOf(v, depth)
	if p := Plain(v); err == nil && !p.Is(v) { // that of the built-in part, which it equals
		return m.visibleHash(p, depth)
	}
	return int64(h >> 3), err
}

func (m *Machine) visibleHashItems(t *Tuple, depth int) (int64, error) {
	if depth > nesting {
		return 0, raise.New("RecursionError", "maximum recursion depth exceeded")
	}
	h := num.NewTupleHash()
	for _, v := range t.items {
		n, err := m.visibleHash(v, depth+1)
		if err != nil {
			return 0, err
		}
		h.Add(n)
	}
	if err := m.Work(len(t.items) * 8); err != nil {
		return 0, err
	}
	return h.Sum(), nil
}

// IsCallable reports whether v can be called.
func (m *Machine) IsCallable(v Value) bool {
	switch v.Kind() {
	case KindFunction, KindNative, KindMethod, KindClass, KindTool:
		return true
	case KindInstance, KindOpaque:
		_, ok := m.Lookup(ClassOf(v), nameCall)
		return ok
	case KindDescriptor:
		return v.descriptor().what == staticMethodKind
	}
	return false
}

func iterBuiltin(m *Machine, a Args) (Value, error) {
	if a.Len() == 2 {
		if !m.IsCallable(a.v[0]) {
			return Value{}, raise.Type("iter(v, w): v must be callable")
		}
		return m.Then(m.Intrinsic("iter_until"), a.v[0], a.v[1])
	}
	return m.iter(a.v[0])
}

func nextBuiltin(m *Machine, a Args) (Value, error) {
	switch o := a.v[0].Self().(type) {
	case *Iterator:
		v, ok, err := o.Next(m)
		if err != nil || ok {
			return v, err
		}
		if a.Len() == 2 {
			return a.v[1], nil
		}
		return Value{}, &thrown{exception: m.newException("StopIteration")}
	case *generator:
		if o.word() == "generator" {
			if o.state == generatorFinished && a.Len() == 2 {
				return a.v[1], nil
			}
			return Value{}, m.resume(o, None, contNext, a.At(1))
		}
	}
	if _, ok := m.Lookup(ClassOf(a.v[0]), nameNext); ok {
		args := append([]Value(nil), a.v...)
		return m.Then(m.Intrinsic("next_of"), args...)
	}
	return Value{}, raise.Type("'%s' object is not an iterator", TypeName(a.v[0]))
}

func isinstanceBuiltin(m *Machine, a Args) (Value, error) {
	yes, err := m.isInstance(a.v[0], a.v[1], 0)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("isinstance_of"), a.v[0], a.v[1])
	}
	return Bool(yes), err
}

func (m *Machine) isInstance(v, want Value, depth int) (bool, error) {
	c := ClassOf(v)
	if o := want.Class(); o != nil && o == c && o.meta == nil {
		return true, nil
	}
	return m.matchesClass(c, want, depth, &instanceCheck)
}

// classCheck is what isinstance and issubclass differ in.
type classCheck struct {
	function string
	hook     string // the method by which a class decides itself
	message  string
}

var (
	instanceCheck = classCheck{"isinstance", "__instancecheck__", "isinstance() arg 2 must be a type, a tuple of types, or a union"}
	subclassCheck = classCheck{"issubclass", "__subclasscheck__", "issubclass() arg 2 must be a class, a tuple of classes, or a union"}
)

// matchesClass reports whether c counts as a subclass of want. It returns
// errForeign when code of the program decides.
func (m *Machine) matchesClass(c *Class, want Value, depth int, check *classCheck) (bool, error) {
	switch o := want.Self().(type) {
	case *Class:
		if o.meta != nil && m.DefinesAny(want, check.hook) {
			return false, ErrForeign
		}
		return c.countsAs(o), nil
	case *Instance:
		if m.DefinesAny(want, check.hook) {
			return false, ErrForeign
		}
	case *Opaque:
		if a := want.alias(); a != nil && a.isUnion() {
			return m.matchesClass(c, a.args.ref(), depth+1, check)
		} else if a != nil {
			return false, raise.Type("%s() argument 2 cannot be a parameterized generic", check.function)
		}
	case *Tuple:
		if depth > nesting {
			return false, raise.New("RecursionError", "maximum recursion depth exceeded in %s", check.hook)
		}
		for _, item := range o.items {
			yes, err := m.matchesClass(c, item, depth+1, check)
			if err != nil || yes {
				return yes, err
			}
		}
		return false, nil
	}
	if want.IsNone() && depth > 0 {
		return c == noneType, nil
	}
	return false, raise.Type("%s", check.message)
}

func issubclassBuiltin(m *Machine, a Args) (Value, error) {
	c := a.v[0].Class()
	if c == nil {
		return Value{}, raise.Type("issubclass() arg 1 must be a class")
	}
	yes, err := m.matchesClass(c, a.v[1], 0, &subclassCheck)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("issubclass_of"), a.v[0], a.v[1])
	}
	return Bool(yes), err
}

func attrName(v Value) (Value, error) {
	if v.Kind() != KindStr {
		return Value{}, raise.Type("attribute name must be string, not '%s'", TypeName(v))
	}
	return v, nil
}

func getattrBuiltin(m *Machine, a Args) (Value, error) {
	name, err := attrName(a.v[1])
	if err != nil {
		return Value{}, err
	}
	if a.Len() == 2 {
		return m.attr(a.v[0], name)
	}
	v, err := m.attrQuick(a.v[0], name)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("getattr_default"), a.v[0], name, a.v[2])
	}
	if isAttributeError(err) {
		return a.v[2], nil
	}
	return v, err
}

// isAttributeError reports whether err says that an attribute is missing.
func isAttributeError(err error) bool {
	switch e := err.(type) {
	case *raise.Error:
		return e.Class == "AttributeError"
	case *thrown:
		return e.exception.Instance().class.IsSubclass(excAttribute)
	}
	return false
}

// attrQuick is attr when no code of the program can have a say, otherwise
// errForeign.
func (m *Machine) attrQuick(v, name Value) (Value, error) {
	n := name.Str()
	switch o := v.Self().(type) {
	case *Instance:
		found, ok := m.Lookup(o.class, n)
		if ok && worksOut(found) || !ok && o.class.getAttr && o.attrs().findStr(n) < 0 {
			return Value{}, ErrForeign
		}
	case *Class:
		found, ok := m.Lookup(o, n)
		if ok && found.Kind() == KindInstance || o.meta != nil && (!ok || isDataDescriptor(found)) {
			return Value{}, ErrForeign
		}
	case *superObject:
		return m.superQuick(o, n)
	case *function, *method:
		if n.s == "__annotations__" {
			return Value{}, ErrForeign
		}
	case *Opaque:
		if v.alias() != nil {
			return Value{}, ErrForeign
		}
	case *ModuleObject:
		return m.moduleMember(o, n)
	}
	return m.attr(v, name)
}

// worksOut reports whether an attribute of a class is worked out by code when
// an instance is asked for it.
func worksOut(v Value) bool {
	switch o := v.Self().(type) {
	case *descriptor:
		g := o.get.method()
		return o.what == propertyKind && o.get.Kind() != KindNative && (g == nil || g.fn.o != itemGet.o)
	case *Instance:
		_, ok := o.class.find(nameDescriptorGet)
		return ok
	}
	return false
}

func hasattrBuiltin(m *Machine, a Args) (Value, error) {
	name, err := attrName(a.v[1])
	if err != nil {
		return Value{}, err
	}
	_, err = m.attrQuick(a.v[0], name)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("has_attr"), a.v[0], name)
	}
	if err != nil && !isAttributeError(err) {
		return Value{}, err
	}
	return Bool(err == nil), nil
}

func setattrBuiltin(m *Machine, a Args) (Value, error) {
	name, err := attrName(a.v[1])
	if err != nil {
		return Value{}, err
	}
	return m.statement(m.setAttr(a.v[0], name, a.v[2]))
}

func delattrBuiltin(m *Machine, a Args) (Value, error) {
	name, err := attrName(a.v[1])
	if err != nil {
		return Value{}, err
	}
	return m.statement(m.deleteAttr(a.v[0], name))
}

// statement is the result of a native that does what a statement does. The
// frame that a statement enters drops its value, but a call must give None.
func (m *Machine) statement(err error) (Value, error) {
	if err == errEntered {
		f := &m.frames[len(m.frames)-1]
		f.cont, f.extra, f.dst = contExtra, None, m.dst
	}
	return None, err
}

// DefinesAny reports whether the class of v has one of these methods, written
// in Python.
func (m *Machine) DefinesAny(v Value, names ...string) bool {
	for _, name := range names {
		if fn, ok := m.Lookup(ClassOf(v), known.str(name)); ok && fn.Kind() == KindFunction {
			return true
		}
	}
	return false
}
