package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// defineOwnModules defines the modules that know how values are made, and so are
// part of the machine; all others are in package modules.
func defineOwnModules(r *Registry) {
	defineCollections(r)
	defineItertools(r)
	defineGlovebox(r)
	defineCalls(r)
}

// ModuleBuilder collects what a module that is written in Go defines. That
// happens once, at boot; an import only copies the names.
type ModuleBuilder struct {
	r      *Registry
	name   string
	names  []string
	values []Value
}

// Module makes the module of that name known and fills it by define.
func (r *Registry) Module(name string, define func(mod *ModuleBuilder)) {
	mod := &ModuleBuilder{r: r, name: name}
	define(mod)
	r.modules[name] = func(_ *Registry, set func(name string, v Value)) {
		for i, name := range mod.names {
			set(name, mod.values[i])
		}
	}
}

// Define gives the module a name.
func (mod *ModuleBuilder) Define(name string, v Value) {
	mod.names = append(mod.names, name)
	mod.values = append(mod.values, v)
}

// Class gives the module a class.
func (mod *ModuleBuilder) Class(name string, c *Class) {
	mod.r.identify(c.Ref(), "type "+c.qualName)
	mod.Define(name, c.Ref())
}

// Function gives the module a function of any arguments; fn looks at them by
// Args.bind.
func (mod *ModuleBuilder) Function(name string, fn NativeFunc) {
	n := &Native{name: name, max: -1, keywords: true, fn: fn, plain: true, id: mod.name + "." + name}
	v := n.value()
	mod.r.identify(v, n.id)
	mod.Define(name, v)
}

// maxBound is how many parameters Args.bind can fill.
const maxBound = 12

// Bind distributes the arguments over the parameters of a function as if it
// were written in Python; those from required on may stay unbound.
func (a Args) Bind(fn string, required int, params ...string) (slots [maxBound]Value, err error) {
	if a.Len() > len(params) {
		return slots, tooManyBound(fn, required, len(params), a.Len())
	}
	copy(slots[:], a.Positional())
	if err := a.bindNames(fn, params, slots[:]); err != nil {
		return slots, err
	}
	var missing []string
	for i, name := range params[:required] {
		if !slots[i].Bound() {
			missing = append(missing, name)
		}
	}
	if missing != nil {
		return slots, raise.Type("%s() missing %d required positional argument%s: %s",
			fn, len(missing), plural(len(missing)), quotedList(missing))
	}
	return slots, nil
}

func (a Args) bindNames(fn string, params []string, slots []Value) error {
	if a.names == nil {
		return nil
	}
next:
	for i, n := range a.names.items {
		for j, name := range params {
			if n.Str().s != name {
				continue
			}
			if slots[j].Bound() {
				return raise.Type("%s() got multiple values for argument '%s'", fn, name)
			}
			slots[j] = a.v[a.Len()+i]
			continue next
		}
		return raise.Type("%s() got an unexpected keyword argument '%s'", fn, n.Str().s)
	}
	return nil
}

func tooManyBound(fn string, required, most, given int) error {
	was := "were"
	if given == 1 {
		was = "was"
	}
	if required == most {
		return raise.Type("%s() takes %d positional argument%s but %d %s given", fn, most, plural(most), given, was)
	}
	return raise.Type("%s() takes from %d to %d positional arguments but %d %s given", fn, required, most, given, was)
}

// OptionalInt is an optional argument that must be an int.
func (m *Machine) OptionalInt(v Value, missing int64) (int64, error) {
	if !v.Bound() {
		return missing, nil
	}
	v = Plain(v)
	switch v.Kind() {
	case KindInt, KindBool:
		return int64(v.n), nil
	case KindBigInt:
		if v.big().v.Sign() < 0 {
			return -1 << 62, nil
		}
		return 1 << 62, nil
	}
	return 0, raise.Type("'%s' object cannot be interpreted as an integer", TypeName(v))
}

// OptionalTruth is an optional argument of which only the truth counts; objects
// whose truth is up to the program count as true.
func OptionalTruth(v Value, missing bool) bool {
	switch v = Plain(v); v.Kind() {
	case KindUnbound:
		return missing
	case KindNone:
		return false
	case KindBool, KindInt:
		return v.n != 0
	case KindFloat:
		return v.Float() != 0
	case KindStr:
		return v.Str().s != ""
	case KindList:
		return len(v.List().items) > 0
	case KindTuple:
		return len(v.Tuple().items) > 0
	case KindDict:
		return v.Dict().Len() > 0
	}
	return true
}
