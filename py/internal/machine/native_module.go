package machine

import "github.com/glovebox-dev/glovebox/py/internal/raise"

// defineModules defines the modules that are written in Go.
func defineModules(r *registry) {
	defineRe(r)
	defineJSON(r)
	defineCalendar(r)
	defineCollections(r)
	defineItertools(r)
	defineDecimal(r)
	defineGlovebox(r)
	defineRandom(r)
	defineTime(r)
	defineMath(r)
	defineHashlib(r)
	defineBase64(r)
	defineHTML(r)
	defineStruct(r)
	defineZlib(r)
	defineAST(r)
	defineZones(r)
	defineCalls(r)
	defineUnicodedata(r)
}

// moduleMaker collects what a module that is written in Go defines. That
// happens once, at boot; an import only copies the names.
type moduleMaker struct {
	r      *registry
	name   string
	names  []string
	values []Value
}

// nativeModule makes the module of that name known and fills it by define.
func (r *registry) nativeModule(name string, define func(mod *moduleMaker)) {
	mod := &moduleMaker{r: r, name: name}
	define(mod)
	r.modules[name] = func(_ *registry, set func(name string, v Value)) {
		for i, name := range mod.names {
			set(name, mod.values[i])
		}
	}
}

// define gives the module a name.
func (mod *moduleMaker) define(name string, v Value) {
	mod.names = append(mod.names, name)
	mod.values = append(mod.values, v)
}

// class gives the module a class.
func (mod *moduleMaker) class(name string, c *class) {
	mod.r.identify(c.ref(), "type "+c.qualName)
	mod.define(name, c.ref())
}

// function gives the module a function of any arguments; fn looks at them by
// Args.bind.
func (mod *moduleMaker) function(name string, fn NativeFunc) {
	n := &Native{name: name, max: -1, keywords: true, fn: fn, plain: true, id: mod.name + "." + name}
	v := n.value()
	mod.r.identify(v, n.id)
	mod.define(name, v)
}

// maxBound is how many parameters Args.bind can fill.
const maxBound = 12

// bind distributes the arguments over the parameters of a function as if it
// were written in Python; those from required on may stay unbound.
func (a Args) bind(fn string, required int, params ...string) (slots [maxBound]Value, err error) {
	if a.len() > len(params) {
		return slots, tooManyBound(fn, required, len(params), a.len())
	}
	copy(slots[:], a.positional())
	if err := a.bindNames(fn, params, slots[:]); err != nil {
		return slots, err
	}
	var missing []string
	for i, name := range params[:required] {
		if !slots[i].bound() {
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
			if n.str().s != name {
				continue
			}
			if slots[j].bound() {
				return raise.Type("%s() got multiple values for argument '%s'", fn, name)
			}
			slots[j] = a.v[a.len()+i]
			continue next
		}
		return raise.Type("%s() got an unexpected keyword argument '%s'", fn, n.str().s)
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

// boundInt is an optional argument that must be an int.
func (m *Machine) boundInt(v Value, missing int64) (int64, error) {
	if !v.bound() {
		return missing, nil
	}
	v = plain(v)
	switch v.kind() {
	case kindInt, kindBool:
		return int64(v.n), nil
	case kindBigInt:
		if v.big().v.Sign() < 0 {
			return -1 << 62, nil
		}
		return 1 << 62, nil
	}
	return 0, raise.Type("'%s' object cannot be interpreted as an integer", typeName(v))
}

// boundTruth is an optional argument of which only the truth counts; objects
// whose truth is up to the program count as true.
func boundTruth(v Value, missing bool) bool {
	switch v = plain(v); v.kind() {
	case kindUnbound:
		return missing
	case kindNone:
		return false
	case kindBool, kindInt:
		return v.n != 0
	case kindFloat:
		return v.float() != 0
	case kindStr:
		return v.str().s != ""
	case kindList:
		return len(v.list().items) > 0
	case kindTuple:
		return len(v.tuple().items) > 0
	case kindDict:
		return v.dict().live() > 0
	}
	return true
}
