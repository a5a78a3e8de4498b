package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// exceptionClasses are the built-in exceptions: each after its base.
var exceptionClasses = [][2]string{
	{"BaseException", "object"},
	{"Exception", "BaseException"},
	{"BaseExceptionGroup", "BaseException"},
	{"ExceptionGroup", "BaseExceptionGroup"},
	{"GeneratorExit", "BaseException"},
	{"KeyboardInterrupt", "BaseException"},
	{"SystemExit", "BaseException"},
	{"ArithmeticError", "Exception"},
	{"FloatingPointError", "ArithmeticError"},
	{"OverflowError", "ArithmeticError"},
	{"ZeroDivisionError", "ArithmeticError"},
	{"AssertionError", "Exception"},
	{"AttributeError", "Exception"},
	{"BufferError", "Exception"},
	{"EOFError", "Exception"},
	{"ImportError", "Exception"},
	{"ModuleNotFoundError", "ImportError"},
	{"LookupError", "Exception"},
	{"IndexError", "LookupError"},
	{"KeyError", "LookupError"},
	{"MemoryError", "Exception"},
	{"NameError", "Exception"},
	{"UnboundLocalError", "NameError"},
	{"OSError", "Exception"},
	{"BlockingIOError", "OSError"},
	{"ChildProcessError", "OSError"},
	{"ConnectionError", "OSError"},
	{"BrokenPipeError", "ConnectionError"},
	{"ConnectionAbortedError", "ConnectionError"},
	{"ConnectionRefusedError", "ConnectionError"},
	{"ConnectionResetError", "ConnectionError"},
	{"FileExistsError", "OSError"},
	{"FileNotFoundError", "OSError"},
	{"InterruptedError", "OSError"},
	{"IsADirectoryError", "OSError"},
	{"NotADirectoryError", "OSError"},
	{"PermissionError", "OSError"},
	{"ProcessLookupError", "OSError"},
	{"TimeoutError", "OSError"},
	{"ReferenceError", "Exception"},
	{"RuntimeError", "Exception"},
	{"NotImplementedError", "RuntimeError"},
	{"RecursionError", "RuntimeError"},
	{"StopAsyncIteration", "Exception"},
	{"StopIteration", "Exception"},
	{"SyntaxError", "Exception"},
	{"IndentationError", "SyntaxError"},
	{"TabError", "IndentationError"},
	{"SystemError", "Exception"},
	{"TypeError", "Exception"},
	{"ValueError", "Exception"},
	{"UnicodeError", "ValueError"},
	{"UnicodeDecodeError", "UnicodeError"},
	{"UnicodeEncodeError", "UnicodeError"},
	{"UnicodeTranslateError", "UnicodeError"},
	{"Warning", "Exception"},
	{"BytesWarning", "Warning"},
	{"DeprecationWarning", "Warning"},
	{"EncodingWarning", "Warning"},
	{"FutureWarning", "Warning"},
	{"ImportWarning", "Warning"},
	{"PendingDeprecationWarning", "Warning"},
	{"ResourceWarning", "Warning"},
	{"RuntimeWarning", "Warning"},
	{"SyntaxWarning", "Warning"},
	{"UnicodeWarning", "Warning"},
	{"UserWarning", "Warning"},
}

// Exceptions of asyncio, which programs import from there.
var (
	excCancelled    = hiddenException("CancelledError", "BaseException")
	excInvalidState = hiddenException("InvalidStateError", "Exception")
)

func hiddenException(name, base string) *Class {
	c := staticClass(name, KindException, exceptions[base])
	c.qualName = "asyncio.exceptions." + name
	c.dataDescriptors, c.plainSetAttr = true, false
	return c
}

// exceptions holds the built-in exception classes by name.
var exceptions = makeExceptions()

func makeExceptions() map[string]*Class {
	all := map[string]*Class{}
	for _, e := range exceptionClasses {
		base := objectType
		if e[1] != "object" {
			base = all[e[1]]
		}
		c := staticClass(e[0], KindException, base)
		c.dataDescriptors, c.plainSetAttr = true, false
		all[e[0]] = c
	}
	group, exception := all["ExceptionGroup"], all["Exception"]
	group.bases = append(group.bases, exception)
	group.mro = append([]*Class{group, all["BaseExceptionGroup"]}, exception.mro...)
	return all
}

var (
	excStopIteration      = exceptions["StopIteration"]
	excStopAsyncIteration = exceptions["StopAsyncIteration"]
	excGeneratorExit      = exceptions["GeneratorExit"]
	excAttribute          = exceptions["AttributeError"]
	excBase               = exceptions["BaseException"]
)

// newException makes an instance of a built-in exception.
func (m *Machine) newException(name string, args ...Value) Value {
	c := exceptions[name]
	if c == nil {
		if found := m.libException(name); found != nil {
			c = found
		} else {
			c = exceptions["Exception"]
		}
	}
	m.Spend(InstanceBytes + TupleBytes + len(args)*ValueBytes)
	t := tupleOf(len(args))
	copy(t.items, args)
	return (&Instance{class: c, payload: t.value()}).value()
}

// detailed is err as an exception that tells programs more by attributes.
func (m *Machine) detailed(err error, details ...member) error {
	exc, err := m.exceptionOf(err)
	if err != nil {
		return err
	}
	for _, d := range details {
		if err := m.storeAttr(&exc.Instance().own, known.str(detailPrefix+d.name), d.v); err != nil {
			return err
		}
	}
	return &thrown{exception: exc}
}

// exceptionDetails keeps the keyword arguments that some classes take.
func (m *Machine) exceptionDetails(o *Instance, a Args) error {
	if a.Named() == 0 {
		return nil
	}
	for i, n := range a.names.items {
		name := n.Str().s
		found, ok := o.class.find(n.Str())
		if d := found.descriptor(); !ok || d == nil || !isDetail(name) || !d.set.Bound() {
			if !takesDetails(o.class) {
				return raise.Type("%s() takes no keyword arguments", o.class.name)
			}
			return raise.Type("'%s' is an invalid keyword argument for %s()", name, o.class.name)
		}
		if err := m.storeAttr(&o.own, known.str(detailPrefix+name), a.v[a.Len()+i]); err != nil {
			return err
		}
	}
	return nil
}

// detailed classes and the attributes that they take by name.
var exceptionDetails = [][2]string{
	{"AttributeError", "name"}, {"AttributeError", "obj"}, {"NameError", "name"}, {"ImportError", "name"}, {"ImportError", "path"},
}

func isDetail(name string) bool { return name == "name" || name == "obj" || name == "path" }

func takesDetails(c *Class) bool {
	for _, d := range exceptionDetails {
		if c.IsSubclass(exceptions[d[0]]) {
			return true
		}
	}
	return false
}

// detailPrefix keeps the details apart from what programs set.
const detailPrefix = " "

// detail reads what detailed noted.
func detail(name string) NativeFunc {
	name = detailPrefix + name
	return func(m *Machine, a Args) (Value, error) {
		attrs := &a.v[0].Instance().own
		if i := attrs.findStr(SharedStr(name)); i >= 0 {
			return attrs.entries[i].value, nil
		}
		return None, nil
	}
}

func (m *Machine) stopIteration(v Value) error {
	if v.IsNone() {
		return &thrown{exception: m.newException("StopIteration")}
	}
	return &thrown{exception: m.newException("StopIteration", v)}
}

func (m *Machine) isException(v Value, c *Class) bool {
	o := v.Instance()
	return o != nil && o.class.IsSubclass(c)
}

// raise is the statement raise v [from cause].
func (m *Machine) raise(v, cause Value) error {
	if m.hasInit(v) {
		args := []Value{v, emptyTuple}
		if cause.Bound() {
			args = append(args, cause)
		}
		return m.discard(m.enter(m.Intrinsic("raise_new"), contDiscard, Value{}, args...))
	}
	exc, err := m.exceptionValue(v)
	if err != nil {
		return err
	}
	if cause.Bound() {
		o := exc.Instance()
		if o.trouble == nil {
			o.trouble = &traceback{}
		}
		o.trouble.noContext = true
		if !cause.IsNone() {
			if o.trouble.cause, err = m.exceptionValue(cause); err != nil {
				return raise.Type("exception causes must derive from BaseException")
			}
		}
	}
	return &thrown{exception: exc}
}

// exceptionValue returns the exception that raise v raises.
func (m *Machine) exceptionValue(v Value) (Value, error) {
	if o := v.Instance(); o != nil && o.class.IsSubclass(excBase) {
		return v, nil
	}
	c := v.Class()
	if c == nil || !c.IsSubclass(excBase) {
		return Value{}, raise.Type("exceptions must derive from BaseException")
	}
	m.Spend(InstanceBytes)
	return (&Instance{class: c, payload: emptyTuple}).value(), nil
}

// hasInit reports whether code of the program makes the exceptions of class v.
func (m *Machine) hasInit(v Value) bool {
	c := v.Class()
	if c == nil || !c.IsSubclass(excBase) {
		return false
	}
	init, ok := m.Lookup(c, nameInit)
	return ok && init.Kind() == KindFunction || m.hasNew(c)
}

// reraise raises the exception v again.
func (m *Machine) reraise(v Value) error {
	if o := v.Instance(); o == nil || !o.class.IsSubclass(excBase) {
		return ErrMalformed
	}
	return &thrown{exception: v, again: true}
}

// matchExcept reports whether an except clause for want catches exc.
func (m *Machine) matchExcept(exc, want Value) (bool, error) {
	o := exc.Instance()
	if o == nil {
		return false, ErrMalformed
	}
	if c := want.Class(); c != nil && c.IsSubclass(excBase) {
		return o.class.IsSubclass(c), nil
	}
	t := want.Tuple()
	if t == nil {
		return false, errCatching
	}
	for _, item := range t.items {
		c := item.Class()
		if c == nil || !c.IsSubclass(excBase) {
			return false, errCatching
		}
		if o.class.IsSubclass(c) {
			return true, nil
		}
	}
	return false, nil
}

var errCatching = raise.Type("catching classes that do not inherit from BaseException is not allowed")

// field is an attribute that an exception of a module has.
type Field struct {
	Name  string
	Value Value
}

// SetFields sets attributes of an exception past __setattr__.
func (m *Machine) SetFields(o *Instance, fields ...Field) error {
	for _, f := range fields {
		if err := m.storeAttr(o.attrs(), SharedStr(f.Name), f.Value); err != nil {
			return err
		}
	}
	return nil
}
