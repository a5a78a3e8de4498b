package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// The classes of list[int] and of int | None.
var (
	genericAliasType = moduleClass("GenericAlias", "types.GenericAlias", kindOpaque, objectType)
	unionType        = moduleClass("UnionType", "types.UnionType", kindOpaque, objectType)
)

// alias is a class with its brackets, such as list[int], or a union, such as
// int | None, which has no origin.
type alias struct {
	origin *class // or nil
	args   *tuple
}

// Size, Each and Save make it a Boxed value.
func (a *alias) Size() int { return 2 * valueBytes }

// Each visits the origin and the arguments.
func (a *alias) Each(visit func(Value)) {
	visit(a.origin.ref())
	visit(a.args.ref())
}

// Save returns the origin, or None, and the arguments.
func (a *alias) Save() (string, []Value) {
	return "alias", []Value{orNone(a.origin.ref()), a.args.ref()}
}

func loadAlias(_ *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 2 || fields[1].tuple() == nil || fields[0].class() == nil && !fields[0].isNone() {
		return nil, ErrCorrupt
	}
	return &alias{origin: fields[0].class(), args: fields[1].tuple()}, nil
}

// alias returns what is in the object, or nil.
func (v Value) alias() *alias {
	if o := v.opaque(); o != nil {
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
func (c *class) isGeneric() bool {
	switch c {
	case listType, dictType, tupleType, setType, frozenSetType, typeType, patternType, matchType, proxyType, futureType:
		return true
	}
	return genericClasses[c.module()+"."+c.qualName]
}

func (a *alias) isUnion() bool { return a.origin == nil }

// newAlias is c[params].
func (m *Machine) newAlias(c *class, params Value) (Value, error) {
	args := params.tuple()
	if args == nil {
		one, err := m.newTupleCopy([]Value{params})
		if err != nil {
			return Value{}, err
		}
		args = one.tuple()
	}
	return m.box(genericAliasType, &alias{origin: c, args: args})
}

// typeUnion is x | y of classes, None and aliases.
func (m *Machine) typeUnion(x, y Value) (Value, error) {
	var members []Value
	for _, v := range []Value{x, y} {
		a := v.alias()
		switch {
		case v.kind() == kindClass, a != nil && !a.isUnion():
			members = append(members, v)
		case v.isNone():
			members = append(members, noneType.ref())
		case a != nil:
			members = append(members, a.args.items...)
		default:
			return Value{}, errNotImplemented
		}
	}
	if x.isNone() && y.isNone() {
		return Value{}, errNotImplemented
	}
	if err := m.Work(len(members) * len(members) * workPerStep); err != nil {
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
	args, err := m.newTupleCopy(distinct)
	if err != nil {
		return Value{}, err
	}
	return m.box(unionType, &alias{args: args.tuple()})
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
	if err := m.Work(len(a.args.items) * len(a.args.items) * workPerStep); err != nil {
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
func (m *Machine) aliasAttr(a *alias, name *str) (v Value, own bool, err error) {
	switch name.s {
	case "__args__":
		return a.args.ref(), true, nil
	case "__parameters__":
		v, err = m.enter(m.intrinsic("alias_parameters"), contStore, Value{}, a.args.ref())
		return v, true, err
	}
	if a.isUnion() {
		return Value{}, false, nil
	}
	switch name.s {
	case "__origin__":
		return a.origin.ref(), true, nil
	case "__call__", "__getitem__", "__or__", "__ror__", "__eq__", "__hash__", "__repr__", "__class__":
		return Value{}, false, nil
	}
	v, err = m.attr(a.origin.ref(), name.ref())
	return v, true, err
}

func defineAliases(r *registry) {
	r.unboxer("alias", loadAlias)
	for _, c := range []*class{genericAliasType, unionType} {
		r.hiddenClass(c)
		r.aliasMethod(c, "__repr__", 1, func(m *Machine, a *alias, args Args) (Value, error) {
			return m.then(m.intrinsic("alias_repr"), orNone(a.origin.ref()), a.args.ref())
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
			return m.then(m.intrinsic("alias_item"), args.v[0], args.v[1])
		})
	}
	r.methodKw(genericAliasType, "__call__", 1, -1, func(m *Machine, a Args) (Value, error) {
		o := a.v[0].alias()
		if o == nil || o.isUnion() {
			return Value{}, wrongReceiver("__call__", genericAliasType, a.v[0])
		}
		return Value{}, m.tailOf(o.origin.ref(), append([]Value(nil), a.v[1:]...), a.names)
	})
	r.maker(genericAliasType, 2, 2, func(m *Machine, a Args) (Value, error) {
		c := a.v[1].class()
		if c == nil {
			return Value{}, raise.Type("the origin of an alias must be a class, not '%s'", typeName(a.v[1]))
		}
		return m.newAlias(c, a.v[2])
	})
	r.staticIntrinsic("_alias_like", aliasLike)
	r.staticIntrinsic("_is_alias", func(m *Machine, a Args) (Value, error) {
		o := a.v[0].alias()
		return Bool(o != nil && !o.isUnion()), nil
	})
	r.staticIntrinsic("_is_union", func(m *Machine, a Args) (Value, error) {
		o := a.v[0].alias()
		return Bool(o != nil && o.isUnion()), nil
	})
	r.staticIntrinsic("_is_class", kindTest(kindClass))
	r.staticIntrinsic("_is_list", kindTest(kindList))
	r.staticIntrinsic("_derives", func(m *Machine, a Args) (Value, error) {
		return Bool(a.v[0].class() != nil && a.v[0].class().isSubclass(a.v[1].class())), nil
	})
}

// aliasMethod defines a method of one of the two classes.
func (r *registry) aliasMethod(c *class, name string, args int, fn func(m *Machine, a *alias, args Args) (Value, error)) {
	r.method(c, name, args, args, func(m *Machine, args Args) (Value, error) {
		a := args.v[0].alias()
		if a == nil || classOf(args.v[0]) != c {
			return Value{}, wrongReceiver(name, c, args.v[0])
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
	if err == errForeign {
		return m.then(m.intrinsic("alias_equal"), Bool(a.isUnion()), a.args.ref(), b.args.ref())
	}
	return Bool(yes), err
}

// aliasLike is _alias_like(alias, args): another of the same kind.
func aliasLike(m *Machine, a Args) (Value, error) {
	o, args := a.v[0].alias(), a.v[1].tuple()
	if o == nil || args == nil {
		return Value{}, errCorrupt
	}
	if o.isUnion() {
		return m.unionOf(args.items)
	}
	return m.newAlias(o.origin, a.v[1])
}
