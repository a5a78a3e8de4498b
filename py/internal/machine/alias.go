package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// The classes of list[int] and of int | None.
var (
	genericAliasType = NewClass("GenericAlias", "types.GenericAlias")
	unionType        = NewClass("UnionType", "types.UnionType")
)

// alias is a class with its brackets, such as list[int], or a union, such as
// int | None, which has no origin.
type alias struct {
	origin *Class // or nil
	args   *Tuple
}

// Size, Each and Save make it a Boxed value.
func (a *alias) Size() int { return 2 * ValueBytes }

// Each visits the origin and the arguments.
func (a *alias) Each(visit func(Value)) {
	visit(a.origin.Ref())
	visit(a.args.ref())
}

// Save returns the origin, or None, and the arguments.
func (a *alias) Save() (string, []Value) {
	return "alias", []Value{OrNone(a.origin.Ref()), a.args.ref()}
}

func loadAlias(_ *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 2 || fields[1].Tuple() == nil || fields[0].Class() == nil && !fields[0].IsNone() {
		return nil, ErrCorrupt
	}
	return &alias{origin: fields[0].Class(), args: fields[1].Tuple()}, nil
}

// alias returns what is in the object, or nil.
func (v Value) alias() *alias {
	if o := v.Opaque(); o != nil {
		a, _ := o.box.(*alias)
		return a
	}
	return nil
}

// genericClasses are those of bundled modules that take brackets.
var genericClasses = map[string]bool{
	"collections.deque": true, "collections.ChainMap": true, "collections.UserDict": true, "collections.UserList": true,
	"asyncio.Queue": true, "asyncio.PriorityQueue": true, "asyncio.LifoQueue": true, "functools.partial": true,
	"functools.partialmethod": true, "functools.cached_property": true, "contextlib.AbstractContextManager": true,
	"contextlib.AbstractAsyncContextManager": true,
}

// isGeneric reports whether c and what derives from it take brackets.
func (c *Class) isGeneric() bool {
	switch c {
	case listType, dictType, tupleType, setType, frozenSetType, typeType, proxyType, futureType:
		return true
	}
	if c.brackets {
		return true
	}
	return genericClasses[c.module()+"."+c.qualName]
}

func (a *alias) isUnion() bool { return a.origin == nil }

// newAlias is c[params].
func (m *Machine) newAlias(c *Class, params Value) (Value, error) {
	args := params.Tuple()
	if args == nil {
		one, err := m.NewTuple([]Value{params})
		if err != nil {
			return Value{}, err
		}
		args = one.Tuple()
	}
	return m.NewBoxed(genericAliasType, &alias{origin: c, args: args})
}

// typeUnion is x | y of classes, None and aliases.
func (m *Machine) typeUnion(x, y Value) (Value, error) {
	var members []Value
	for _, v := range []Value{x, y} {
		a := v.alias()
		switch {
		case v.Kind() == KindClass, a != nil && !a.isUnion():
			members = append(members, v)
		case v.IsNone():
			members = append(members, noneType.Ref())
		case a != nil:
			members = append(members, a.args.items...)
		default:
			return Value{}, ErrNotImplemented
		}
	}
	if x.IsNone() && y.IsNone() {
		return Value{}, ErrNotImplemented
	}
	if err := m.Work(len(members) * len(members) * WorkPerStep); err != nil {
		return Value{}, err
	}
	return m.unionOf(members)
}

// unionOf is the union of the members, or the one that is left when what is
// there twice counts once.
func (m *Machine) unionOf(members []Value) (Value, error) {
	var distinct []Value
	for _, v := range members {
		if !m.holds(distinct, v) {
			distinct = append(distinct, v)
		}
	}
	if len(distinct) == 1 {
		return distinct[0], nil
	}
	args, err := m.NewTuple(distinct)
	if err != nil {
		return Value{}, err
	}
	return m.NewBoxed(unionType, &alias{args: args.Tuple()})
}

func (m *Machine) holds(list []Value, v Value) bool {
	for _, one := range list {
		if same, err := m.equal(one, v, 0); err == nil && same {
			return true
		}
	}
	return false
}

// equalAliases compares two of them. Members of unions have no order.
func (m *Machine) equalAliases(a, b *alias, depth int) (bool, error) {
	if a.origin != b.origin || len(a.args.items) != len(b.args.items) {
		return false, nil
	}
	if depth > nesting {
		return false, errDeepCompare
	}
	if !a.isUnion() {
		return m.equalItems(a.args.items, b.args.items, depth+1)
	}
	if err := m.Work(len(a.args.items) * len(a.args.items) * WorkPerStep); err != nil {
		return false, err
	}
	for _, v := range a.args.items {
		found := false
		for _, w := range b.args.items {
			same, err := m.equal(v, w, depth+1)
			if err != nil {
				return false, err
			}
			found = found || same
		}
		if !found {
			return false, nil
		}
	}
	return true, nil
}

// aliasAttr returns an attribute of list[int]: its own, or one of list. ok is
// false when the class of aliases has it.
func (m *Machine) aliasAttr(a *alias, name *Str) (v Value, own bool, err error) {
	switch name.s {
	case "__args__":
		return a.args.ref(), true, nil
	case "__parameters__":
		v, err = m.enter(m.Intrinsic("alias_parameters"), contStore, Value{}, a.args.ref())
		return v, true, err
	}
	if a.isUnion() {
		return Value{}, false, nil
	}
	switch name.s {
	case "__origin__":
		return a.origin.Ref(), true, nil
	case "__call__", "__getitem__", "__or__", "__ror__", "__eq__", "__hash__", "__repr__", "__class__":
		return Value{}, false, nil
	}
	v, err = m.attr(a.origin.Ref(), name.Ref())
	return v, true, err
}

func defineAliases(r *Registry) {
	r.Unboxer("alias", loadAlias)
	for _, c := range []*Class{genericAliasType, unionType} {
		r.HiddenClass(c)
		r.aliasMethod(c, "__repr__", 1, func(m *Machine, a *alias, args Args) (Value, error) {
			return m.Then(m.Intrinsic("alias_repr"), OrNone(a.origin.Ref()), a.args.ref())
		})
		r.aliasMethod(c, "__eq__", 2, aliasEqual)
		r.aliasMethod(c, "__hash__", 1, func(m *Machine, a *alias, args Args) (Value, error) {
			return Int(int64(len(a.args.items))), nil
		})
		r.aliasMethod(c, "__or__", 2, func(m *Machine, a *alias, args Args) (Value, error) {
			return answer(m.typeUnion(args.v[0], args.v[1]))
		})
		r.aliasMethod(c, "__ror__", 2, func(m *Machine, a *alias, args Args) (Value, error) {
			return answer(m.typeUnion(args.v[1], args.v[0]))
		})
		r.aliasMethod(c, "__getitem__", 2, func(m *Machine, a *alias, args Args) (Value, error) {
			return m.Then(m.Intrinsic("alias_item"), args.v[0], args.v[1])
		})
	}
	r.MethodKw(genericAliasType, "__call__", 1, -1, func(m *Machine, a Args) (Value, error) {
		o := a.v[0].alias()
		if o == nil || o.isUnion() {
			return Value{}, WrongReceiver("__call__", genericAliasType, a.v[0])
		}
		return Value{}, m.tailOf(o.origin.Ref(), append([]Value(nil), a.v[1:]...), a.names)
	})
	r.maker(genericAliasType, 2, 2, func(m *Machine, a Args) (Value, error) {
		c := a.v[1].Class()
		if c == nil {
			return Value{}, raise.Type("the origin of an alias must be a class, not '%s'", TypeName(a.v[1]))
		}
		return m.newAlias(c, a.v[2])
	})
	r.Intrinsic("_alias_like", aliasLike)
	r.Intrinsic("_is_alias", func(m *Machine, a Args) (Value, error) {
		o := a.v[0].alias()
		return Bool(o != nil && !o.isUnion()), nil
	})
	r.Intrinsic("_is_union", func(m *Machine, a Args) (Value, error) {
		o := a.v[0].alias()
		return Bool(o != nil && o.isUnion()), nil
	})
	r.Intrinsic("_is_class", kindTest(KindClass))
	r.Intrinsic("_is_list", kindTest(KindList))
	r.Intrinsic("_derives", func(m *Machine, a Args) (Value, error) {
		return Bool(a.v[0].Class() != nil && a.v[0].Class().IsSubclass(a.v[1].Class())), nil
	})
}

// aliasMethod defines a method of one of the two classes.
func (r *Registry) aliasMethod(c *Class, name string, args int, fn func(m *Machine, a *alias, args Args) (Value, error)) {
	r.method(c, name, args, args, func(m *Machine, args Args) (Value, error) {
		a := args.v[0].alias()
		if a == nil || ClassOf(args.v[0]) != c {
			return Value{}, WrongReceiver(name, c, args.v[0])
		}
		return fn(m, a, args)
	})
}

func aliasEqual(m *Machine, a *alias, args Args) (Value, error) {
	b := args.v[1].alias()
	if b == nil {
		return notImplemented, nil
	}
	yes, err := m.equalAliases(a, b, 0)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("alias_equal"), Bool(a.isUnion()), a.args.ref(), b.args.ref())
	}
	return Bool(yes), err
}

// aliasLike is _alias_like(alias, args): another of the same kind.
func aliasLike(m *Machine, a Args) (Value, error) {
	o, args := a.v[0].alias(), a.v[1].Tuple()
	if o == nil || args == nil {
		return Value{}, ErrMalformed
	}
	if o.isUnion() {
		return m.unionOf(args.items)
	}
	return m.newAlias(o.origin, a.v[1])
}
