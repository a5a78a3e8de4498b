package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/code"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Native is a function of the machine or of a native module.
type Native struct {
	Object
	name     string // as messages show it: "len", "list.append"
	module   string // of a function of a native module
	min, max int    // positional arguments, self included; max < 0 is any number
	keywords bool   // accepts keyword arguments; fn looks at them itself
	maker    bool   // makes the instances of a class, which is its first argument
	method   bool   // a method of a class of a bundled module, written in Go
	plain    bool   // a function by a name of its own: no method of the class that it is an attribute of
	wordy    bool   // a wrong count is "find() takes at least 1 argument (0 given)"
	way      ownWay // of a frame that fn enters
	ops      *ValueOps
	fn       NativeFunc
	quick    quickMethod // of a method of str, or nil
	id       string      // by which snapshots name it
}

// free reports whether the function stays what it is as an attribute of a
// class, and does not become a method.
func (n *Native) free() bool { return n.plain && !n.method }

// NativeFunc is the body of a native function. It may return errTail after
// Machine.then, to be replaced by a call.
type NativeFunc func(m *Machine, a Args) (Value, error)

// Args are the arguments of a call: the positional ones, then one for each
// name.
type Args struct {
	v     []Value
	names *Tuple // of strs, or nil
}

// Len returns the number of positional arguments.
func (a Args) Len() int { return len(a.v) - a.Named() }

// Named returns the number of named arguments.
func (a Args) Named() int {
	if a.names == nil {
		return 0
	}
	return len(a.names.items)
}

// At returns positional argument i, or unbound.
func (a Args) At(i int) Value {
	if i < a.Len() {
		return a.v[i]
	}
	return Value{}
}

// Positional returns the positional arguments.
func (a Args) Positional() []Value { return a.v[:a.Len()] }

// Name returns the argument of that name, or unbound.
func (a Args) Name(name string) Value {
	if a.names == nil {
		return Value{}
	}
	for i, n := range a.names.items {
		if n.Str().s == name {
			return a.v[a.Len()+i]
		}
	}
	return Value{}
}

// isBuiltIn reports whether a method is that of a built-in class.
func isBuiltIn(fn Value) bool {
	n := fn.native()
	return n != nil && !n.method
}

func (n *Native) value() Value {
	n.kind, n.self = KindNative, n
	n.flags |= shared
	return Value{o: &n.Object}
}

// check refuses a call with the wrong number of arguments, in CPython's words.
func (n *Native) check(a Args) error {
	if a.Named() > 0 && !n.keywords {
		return raise.Type("%s() takes no keyword arguments", n.title())
	}
	given := a.Len()
	if given >= n.min && (given <= n.max || n.max < 0) {
		return nil
	}
	return n.wrongCount(given)
}

func (n *Native) wrongCount(given int) error {
	self := 0
	name := n.title()
	if strings.Contains(n.name, ".") || n.maker { // self or the class does not count
		self = 1
	}
	if given < self {
		return raise.Type("unbound method %s() needs an argument", name)
	}
	least, most := n.min-self, n.max-self
	given -= self
	switch {
	case n == objectType.make:
		return raise.Type("object() takes no arguments")
	case most == 0 && n.max >= 0:
		return raise.Type("%s() takes no arguments (%d given)", name, given)
	case least == 1 && most == 1 && !n.maker && (self == 1 || !n.keywords):
		return raise.Type("%s() takes exactly one argument (%d given)", name, given)
	}
	short := name[strings.LastIndexByte(name, '.')+1:]
	if (n.wordy || n.keywords && self == 1 && !n.maker) && given > most && n.max >= 0 {
		return raise.Type("%s() takes at most %d argument%s (%d given)", short, most, plural(most), given)
	}
	if n.wordy {
		positional := ""
		if n.keywords {
			positional = "positional "
		}
		return raise.Type("%s() takes at least %d %sargument%s (%d given)", short, least, positional, plural(least), given)
	}
	word, count := "at least", least
	if given > most && n.max >= 0 {
		word, count = "at most", most
	}
	if least == most {
		return raise.Type("%s expected %d argument%s, got %d", short, least, plural(least), given)
	}
	return raise.Type("%s expected %s %d argument%s, got %d", short, word, count, plural(count), given)
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}

// call calls fn with the n arguments that stand at m.stack[base:], the last of
// them named by names. The slot below base is free. It returns the value, or
// errEntered when a frame will deliver it.
func (m *Machine) call(fn Value, base, n int, names *Tuple, cont continuation, extra Value) (Value, error) {
	held := m.argsEnd
	v, err := m.callHeld(fn, base, n, names, cont, extra)
	m.argsEnd = held
	return v, err
}

// callHeld is call, which lets a trace forget its arguments when it is over.
func (m *Machine) callHeld(fn Value, base, n int, names *Tuple, cont continuation, extra Value) (Value, error) {
	future := m.asFuture
	m.asFuture = false
	start := base
	for range maxHops {
		m.argsEnd = max(m.argsEnd, base+n)
		switch f := fn.Self().(type) {
		case *function:
			return m.callFunction(f, base, n, names, cont, extra)
		case *Native:
			v, err := m.callFor(f, base, n, names, cont, extra)
			if err != errTail {
				return v, err
			}
			base = start // so that the slot below is free again
			fn, n, names, cont, extra = m.placeTail(base, cont, extra)
		case *method:
			base, n = m.prepend(f.self, start, base, n)
			fn = f.fn
		case *descriptor:
			if f.what != staticMethodKind {
				return Value{}, raise.Type("'%s' object is not callable", TypeName(fn))
			}
			fn = f.get
		case *Class:
			if f.quick != nil && n == 1 && names == nil {
				if v := f.quick(m, m.stack[base]); v.Bound() {
					return v, nil
				}
			}
			if base != start { // a method of a class took the slot below, which is needed again
				copy(m.stack[start:], m.stack[base:base+n])
				base = start
			}
			entered := len(m.frames)
			v, again, err := m.instantiate(f, base, n, names, cont)
			if err == errEntered && cont != contStore {
				err = m.redirect(entered, cont, extra)
			}
			if !again {
				return v, err
			}
			base = start
			fn, n, names, cont, extra = m.placeTail(base, cont, extra)
		case *toolObject:
			return m.callTool(f, Args{m.stack[base : base+n], names}, future, cont, extra)
		default:
			bound, err := m.callable(fn)
			if err != nil {
				return Value{}, err
			}
			if d := bound.descriptor(); d != nil && d.what == classMethodKind {
				fn, bound = ClassOf(fn).Ref(), d.get
			} else if d != nil && d.what == staticMethodKind {
				fn = d.get
				continue
			}
			base, n = m.prepend(fn, start, base, n)
			fn = bound
		}
	}
	return Value{}, raise.New("RecursionError", "maximum recursion depth exceeded while calling a Python object")
}

// maxHops is how many callables may stand for one another before a function or
// class is called. Each may take a slot of the stack, which has room for them.
const maxHops = 64

// prepend puts v before the n arguments at base. Only the slot below start is
// free; another value moves the arguments up.
func (m *Machine) prepend(v Value, start, base, n int) (int, int) {
	if base == start {
		base--
	} else {
		copy(m.stack[base+1:], m.stack[base:base+n])
	}
	m.stack[base] = v
	return base, n + 1
}

// callFor is callNative for a caller that wants the value by cont.
func (m *Machine) callFor(f *Native, base, n int, names *Tuple, cont continuation, extra Value) (Value, error) {
	if cont == contStore {
		return m.callNative(f, base, n, names)
	}
	if f.needsDetour(cont) {
		return Value{}, m.detour(Value{o: &f.Object}, base, n, names)
	}
	entered := len(m.frames)
	v, err := m.callNative(f, base, n, names)
	if err == errEntered {
		err = m.redirect(entered, cont, extra)
	}
	return v, err
}

// callNative runs a native function, with its allocations counted as live
// until it returns.
func (m *Machine) callNative(f *Native, base, n int, names *Tuple) (Value, error) {
	a := Args{m.stack[base : base+n : base+n], names}
	if n < f.min || n > f.max && f.max >= 0 || names != nil {
		if err := f.check(a); err != nil {
			return Value{}, err
		}
	}
	m.inNative, m.nativeBase, m.argsEnd = true, m.mem, base+n
	v, err := f.fn(m, a)
	m.inNative, m.argsEnd = false, 0
	return v, err
}

// Then asks for a call of fn in the place of the native function that returns
// its error.
func (m *Machine) Then(fn Value, args ...Value) (Value, error) {
	m.tail = tailCall{fn: fn, args: args}
	return Value{}, errTail
}

// placeTail puts the arguments of the tail call at base.
func (m *Machine) placeTail(base int, cont continuation, extra Value) (Value, int, *Tuple, continuation, Value) {
	t := m.tail
	m.tail = tailCall{}
	copy(m.stack[base:], t.args)
	if t.cont != contStore {
		cont, extra = t.cont, t.extra
	}
	return t.fn, len(t.args), t.names, cont, extra
}

// callable finds __call__ of an instance.
func (m *Machine) callable(fn Value) (Value, error) {
	if c := ClassOf(fn); c != nil && (fn.Kind() == KindInstance || fn.Kind() == KindOpaque) {
		if v, ok := m.Lookup(c, nameCall); ok {
			return v, nil
		}
	}
	return Value{}, raise.Type("'%s' object is not callable", TypeName(fn))
}

func (m *Machine) callFunction(f *function, base, n int, names *Tuple, cont continuation, extra Value) (Value, error) {
	u := f.code
	held := m.argsEnd
	if n != int(u.pos) || names != nil || !u.simple {
		if cont == contInit {
			if v, err := m.filled(f, base, n, names); v.Bound() || err != nil {
				return extra, err
			}
		}
		m.argsEnd = max(held, base+n, base+u.arguments())
		err := m.bind(f, base, n, names)
		m.argsEnd = held
		if err != nil {
			return Value{}, err
		}
		n = u.arguments()
	}
	if u.code.Flags&(code.Generator|code.Coroutine) != 0 {
		clear(m.stack[base+n : base+int(u.locals)])
		m.argsEnd = max(held, base+int(u.locals))
		v, err := m.newGenerator(f, m.stack[base:base+int(u.locals)])
		m.argsEnd = held
		return v, err
	}
	if err := m.push(u, f, f.globals, base, cont, extra); err != nil {
		return Value{}, err
	}
	clear(m.stack[base+n : base+int(u.locals)])
	return Value{}, errEntered
}

// callMethod calls m.stack[at].name with the n arguments above it.
func (m *Machine) callMethod(name *Str, at, n int, names *Tuple) (Value, error) {
	self := m.stack[at]
	if fn := methodOf(self, name); fn != nil {
		if fn.quick != nil && n+1 >= fn.min && n < fn.max && names == nil {
			if v := m.quickly(fn.quick, m.stack[at:at+n+1]); v.Bound() {
				return v, nil
			}
		}
		v, err := m.callNative(fn, at, n+1, names)
		if err == errTail {
			return m.callTail(at)
		}
		return v, err
	}
	if o := self.Instance(); o != nil {
		fn, ok := m.Lookup(o.class, name)
		if ok && (o.attrs().Len() == 0 || o.attrs().findStr(name) < 0) {
			if f := fn.function(); f != nil {
				return m.callFunction(f, at, n+1, names, contStore, Value{})
			}
			if fn := fn.native(); fn != nil && !fn.free() {
				v, err := m.callNative(fn, at, n+1, names)
				if err == errTail {
					return m.callTail(at)
				}
				return v, err
			}
		}
	} else if s, ok := self.Self().(*superObject); ok {
		if fn := s.method(name); fn != nil {
			m.stack[at] = s.self
			return m.callFunction(fn, at, n+1, names, contStore, Value{})
		}
	}
	fn, err := m.attrQuick(self, name.Ref())
	if err == ErrForeign {
		return m.callAttr(self, name, at, n, names)
	}
	if err != nil {
		return Value{}, err
	}
	m.stack[at] = fn
	return m.call(fn, at+1, n, names, contStore, Value{})
}

// callTail makes the call that a native function asked for; its arguments stood
// at base.
func (m *Machine) callTail(base int) (Value, error) {
	fn, n, names, cont, extra := m.placeTail(base, contStore, Value{})
	return m.call(fn, base, n, names, cont, extra)
}

// callAttr is callMethod of an attribute that code of the program works out.
func (m *Machine) callAttr(self Value, name *Str, at, n int, names *Tuple) (Value, error) {
	args, err := m.NewList(m.stack[at+1 : at+1+n])
	if err != nil {
		return Value{}, err
	}
	keywords := None
	if names != nil {
		keywords = names.ref()
	}
	return m.enter(m.Intrinsic("call_attr"), contStore, Value{}, self, name.Ref(), args, keywords)
}

// callEx calls fn with the arguments of a list and a dict or None.
func (m *Machine) callEx(fn, list, kw Value) (Value, error) {
	l := list.List()
	if l == nil {
		return Value{}, ErrMalformed
	}
	args := l.items
	var names *Tuple
	if d := kw.Dict(); d != nil && d.Len() > 0 {
		if err := m.Alloc((len(args) + 2*d.Len()) * ValueBytes); err != nil {
			return Value{}, err
		}
		args = append([]Value(nil), args...)
		names = &Tuple{}
		names.value()
		for i := d.Next(0); i >= 0; i = d.Next(i + 1) {
			names.items = append(names.items, d.entries[i].key)
			args = append(args, d.entries[i].value)
		}
	}
	f := &m.frames[len(m.frames)-1]
	base := int(f.base) + int(f.unit.regs) + 2
	if base+len(args)+window+headroom > len(m.stack) {
		if err := m.grow(base + len(args) + window + headroom); err != nil {
			return Value{}, err
		}
	}
	dst := m.dst
	copy(m.stack[base:], args)
	v, err := m.call(fn, base, len(args), names, contStore, Value{})
	if err != nil {
		return Value{}, err
	}
	m.stack[int(m.frames[len(m.frames)-1].base)+int(dst)] = v
	return v, errEntered // the stack may have moved
}

// ThenAs is then with arguments as they came.
func (m *Machine) ThenAs(fn Value, a Args) (Value, error) {
	m.tail = tailCall{fn: fn, args: a.v, names: a.names}
	return Value{}, errTail
}
