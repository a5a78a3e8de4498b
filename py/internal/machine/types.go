package machine

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// defineTypes defines the built-in classes and their methods.
func defineTypes(r *Registry) {
	for _, c := range []*Class{objectType, typeType, intType, boolType, floatType, strType, bytesType, tupleType, listType,
		dictType, setType, frozenSetType, rangeType, sliceType, superType, propertyType, classMethType, staticMthType} {
		r.class(c)
	}
	for _, c := range []*Class{noneType, functionType, nativeType, methodType, cellType, moduleType, toolType, futureType, taskType,
		generatorType, coroutineType, asyncGenType, ellipsisType, notImplType, fileType, dirType, frameType} {
		r.HiddenClass(c)
	}
	for _, c := range iteratorTypes {
		r.HiddenClass(c)
	}
	for _, c := range viewClasses {
		r.HiddenClass(c)
	}
	for _, e := range exceptionClasses {
		r.class(exceptions[e[0]])
	}
	r.builtins["EnvironmentError"] = exceptions["OSError"].Ref()
	r.builtins["IOError"] = exceptions["OSError"].Ref()
	defineObject(r)
	defineType(r)
	defineExceptions(r)
	defineCallables(r)
	defineGenerators(r)
	defineDescriptors(r)
	defineSequences(r)
	defineDicts(r)
	defineSets(r)
	defineNumbers(r)
	defineStrings(r)
	defineIterators(r)
	defineBytes(r)
	defineAliases(r)
	defineProxies(r)
	defineReflection(r)
	defineAnnotations(r)
}

func defineObject(r *Registry) {
	r.maker(objectType, 0, 0, func(m *Machine, a Args) (Value, error) {
		m.Spend(InstanceBytes)
		return (&Instance{class: objectType}).value(), nil
	})
	r.staticMethod(objectType, "__new__", 1, -1, newNative)
	r.MethodKw(objectType, "__init__", 1, -1, objectInit)
	r.method(objectType, "__repr__", 1, 1, func(m *Machine, a Args) (Value, error) {
		return m.Message("<" + m.qualName(ClassOf(a.v[0])) + " object>"), nil
	})
	r.method(objectType, "__str__", 1, 1, func(m *Machine, a Args) (Value, error) {
		return m.Then(Builtin("repr"), a.v[0])
	})
	r.method(objectType, "__eq__", 2, 2, func(m *Machine, a Args) (Value, error) {
		if a.v[0].Is(a.v[1]) {
			return True, nil
		}
		if yes, err := m.nativeEq(a.v[0], a.v[1]); err != nil || yes {
			return Bool(yes), err
		}
		return notImplemented, nil
	})
	r.method(objectType, "__ne__", 2, 2, func(m *Machine, a Args) (Value, error) {
		if fn, ok := m.Lookup(ClassOf(a.v[0]), nameEq); ok && fn.Kind() == KindFunction {
			return m.enter(m.Intrinsic("not_equal"), contStore, Value{}, fn, a.v[0], a.v[1])
		}
		if a.v[0].Is(a.v[1]) {
			return False, nil
		}
		return notImplemented, nil
	})
	for op := compareLt; op <= compareGtE; op++ {
		r.method(objectType, compareNames[op].s, 2, 2, func(*Machine, Args) (Value, error) { return notImplemented, nil })
	}
	r.method(objectType, "__hash__", 1, 1, func(m *Machine, a Args) (Value, error) {
		if o := a.v[0].Instance(); o != nil && !o.payload.Bound() {
			return Int(int64(m.serialHash(o) >> 3)), nil
		}
		h, err := m.visibleHash(Plain(a.v[0]), 0)
		return Int(h), err
	})
	r.method(objectType, "__format__", 2, 2, func(m *Machine, a Args) (Value, error) {
		if s := a.v[1].Str(); s != nil && s.s != "" {
			return Value{}, raise.Type("unsupported format string passed to %s.__format__", TypeName(a.v[0]))
		}
		return m.Then(strType.Ref(), a.v[0])
	})
	r.method(objectType, "__setattr__", 3, 3, func(m *Machine, a Args) (Value, error) {
		o, n := a.v[0].Instance(), a.v[1].Str()
		if c := a.v[0].Class(); c != nil && n != nil {
			return None, m.setClassAttr(c, n, a.v[2])
		}
		if n == nil {
			return Value{}, raise.Type("attribute name must be string, not '%s'", TypeName(a.v[1]))
		}
		if o == nil {
			return m.statement(m.setAttr(a.v[0], a.v[1], a.v[2]))
		}
		return m.statement(m.setInstanceAttr(o, a.v[0], n, a.v[2]))
	})
	r.method(objectType, "__delattr__", 2, 2, func(m *Machine, a Args) (Value, error) {
		o, n := a.v[0].Instance(), a.v[1].Str()
		if c := a.v[0].Class(); c != nil && n != nil {
			return None, m.deleteClassAttr(c, n)
		}
		if o == nil || n == nil {
			return Value{}, raise.Type("can't delete attributes of this object")
		}
		return m.statement(m.deleteInstanceAttr(o, a.v[0], n))
	})
	r.classMethod(objectType, "__init_subclass__", 1, 1, func(m *Machine, a Args) (Value, error) {
		if a.Named() > 0 {
			return Value{}, raise.Type("%s.__init_subclass__() takes no keyword arguments", a.v[0].Class().name)
		}
		return None, nil
	})
}

// nativeEq compares the built-in parts of instances of subclasses of built-in
// types.
func (m *Machine) nativeEq(x, y Value) (bool, error) {
	p := Plain(x)
	if p.Is(x) {
		return false, nil
	}
	return m.equal(p, Plain(y), 0)
}

func (m *Machine) qualName(c *Class) string {
	if c.flags&shared != 0 {
		return c.qualName
	}
	return m.moduleOf(c) + c.qualName
}

// newNative is __new__ of the built-in types.
func newNative(m *Machine, a Args) (Value, error) {
	c := a.v[0].Class()
	if c == nil {
		return Value{}, raise.Type("object.__new__(X): X is not a type object (%s)", TypeName(a.v[0]))
	}
	rest := Args{a.v[1:], a.names}
	if c.flags&shared != 0 && c.layout != KindException {
		if c.make == nil {
			return Value{}, raise.Type("cannot create '%s' instances", c.name)
		}
		return m.Then(c.Ref(), rest.v...)
	}
	if c.abstract != nil {
		return Value{}, abstractError(c)
	}
	init, _ := m.Lookup(c, nameInit)
	if c.layout == KindInstance {
		if len(rest.v) > 0 && m.hasNew(c) && init.Kind() == KindNative {
			return Value{}, raise.Type("object.__new__() takes exactly one argument (the type to instantiate)")
		}
		rest = Args{}
	}
	o, err := m.newInstance(c, rest, init)
	if err == errTail { // code of the program makes the built-in part
		return m.wrapLater(c)
	}
	if err != nil {
		return Value{}, err
	}
	return o.value(), nil
}

// wrapLater asks for an instance of c around what the tail call makes.
func (m *Machine) wrapLater(c *Class) (Value, error) {
	t := m.tail
	args, err := m.NewList(t.args)
	if err != nil {
		return Value{}, err
	}
	names := None
	if t.names != nil {
		names = Value{o: &t.names.Object}
	}
	return m.Then(m.Intrinsic("wrap"), c.Ref(), t.fn, args, names)
}

func objectInit(m *Machine, a Args) (Value, error) {
	c := ClassOf(a.v[0])
	if len(a.v) == 1 || c.layout != KindInstance {
		return None, nil
	}
	if init, _ := m.Lookup(c, nameInit); init.Kind() != KindNative {
		return Value{}, raise.Type("object.__init__() takes exactly one argument (the instance to initialize)")
	}
	if !m.hasNew(c) {
		return Value{}, raise.Type("%s() takes no arguments", c.name)
	}
	return None, nil
}

func defineType(r *Registry) {
	r.maker(typeType, 0, -1, typeCall)
	r.staticMethod(typeType, "__new__", 4, 4, func(m *Machine, a Args) (Value, error) {
		kw := m.NewDict()
		if a.names != nil {
			for i, n := range a.names.items {
				if err := m.setStr(kw, n.Str(), a.v[a.Len()+i]); err != nil {
					return Value{}, err
				}
			}
		}
		return m.Then(m.Intrinsic("new_type"), a.v[0], a.v[1], a.v[2], a.v[3], kw.Ref())
	})
	r.MethodKw(typeType, "__init__", 1, -1, func(m *Machine, a Args) (Value, error) { return None, nil })
	r.MethodKw(typeType, "__call__", 1, -1, func(m *Machine, a Args) (Value, error) {
		m.tail = tailCall{fn: m.Intrinsic("construct"), args: append([]Value(nil), a.v...), names: a.names}
		return Value{}, errTail
	})
	r.method(typeType, "__repr__", 1, 1, func(m *Machine, a Args) (Value, error) {
		return m.Message("<class '" + m.qualName(a.v[0].Class()) + "'>"), nil
	})
	r.method(typeType, "__instancecheck__", 2, 2, func(m *Machine, a Args) (Value, error) {
		return Bool(a.v[0].Class() != nil && ClassOf(a.v[1]).countsAs(a.v[0].Class())), nil
	})
	r.method(typeType, "__subclasscheck__", 2, 2, func(m *Machine, a Args) (Value, error) {
		if a.v[1].Class() == nil {
			return Value{}, raise.Type("issubclass() arg 1 must be a class")
		}
		return Bool(a.v[0].Class() != nil && a.v[1].Class().countsAs(a.v[0].Class())), nil
	})
	r.method(typeType, "mro", 1, 1, func(m *Machine, a Args) (Value, error) {
		return m.classList(a.v[0].Class().mro)
	})
}

func (m *Machine) classList(classes []*Class) (Value, error) {
	items := make([]Value, len(classes))
	for i, c := range classes {
		items[i] = c.Ref()
	}
	return m.NewList(items)
}

// typeCall is type(x) and type(name, bases, namespace).
func typeCall(m *Machine, a Args) (Value, error) {
	switch a.Len() {
	case 2:
		return ClassOf(a.v[1]).Ref(), nil
	case 4:
		return m.Then(m.Intrinsic("new_type"), a.v[0], a.v[1], a.v[2], a.v[3], m.NewDict().Ref())
	}
	return Value{}, raise.Type("type() takes 1 or 3 arguments")
}

func defineExceptions(r *Registry) {
	base := exceptions["BaseException"]
	r.staticMethod(base, "__new__", 1, -1, newNative)
	r.MethodKw(base, "__init__", 1, -1, exceptionInit)
	r.settable(base, "args", func(m *Machine, a Args) (Value, error) { return a.v[0].Instance().payload, nil }, setExceptionArgs)
	defineTracebacks(r)
	defineChain(r, base)
	r.method(base, "__str__", 1, 1, func(m *Machine, a Args) (Value, error) {
		s, err := m.strException(a.v[0].Instance())
		if err == ErrForeign {
			return m.Then(m.Intrinsic("exception_str"), a.v[0])
		}
		if err != nil {
			return Value{}, err
		}
		return m.Message(s), nil
	})
	r.method(base, "__repr__", 1, 1, func(m *Machine, a Args) (Value, error) {
		w := writer{m: m}
		if err := w.exception(a.v[0], a.v[0].Instance()); err != nil {
			return Value{}, err
		}
		return m.Message(w.b.String()), nil
	})
	r.method(base, "with_traceback", 2, 2, func(m *Machine, a Args) (Value, error) { return a.v[0], nil })
	r.method(base, "add_note", 2, 2, func(m *Machine, a Args) (Value, error) {
		o := a.v[0].Instance()
		name := known.str("__notes__")
		if o.attrs().findStr(name) < 0 {
			if err := m.storeAttr(o.attrs(), name, m.freshList()); err != nil {
				return Value{}, err
			}
		}
		l := o.attrs().entries[o.attrs().findStr(name)].value.List()
		if l == nil {
			return Value{}, raise.Type("__notes__ must be a list")
		}
		return None, m.Extend(l, a.v[1:])
	})
	for _, d := range exceptionDetails {
		name := r.str(detailPrefix + d[1])
		r.settable(exceptions[d[0]], d[1], detail(d[1]), func(m *Machine, a Args) (Value, error) {
			return None, m.storeAttr(&a.v[0].Instance().own, name, a.v[1])
		})
	}
	r.Property(exceptions["ImportError"], "msg", func(m *Machine, a Args) (Value, error) { return stopValue(a.v[0]), nil })
	defineGroups(r)
	r.Property(exceptions["StopIteration"], "value", func(m *Machine, a Args) (Value, error) { return stopValue(a.v[0]), nil })
	r.Property(exceptions["SystemExit"], "code", func(m *Machine, a Args) (Value, error) { return stopValue(a.v[0]), nil })
	errno := func(i int) NativeFunc {
		return func(m *Machine, a Args) (Value, error) {
			if t := a.v[0].Instance().payload.Tuple(); len(t.items) >= 2 && i < len(t.items) {
				return t.items[i], nil
			}
			return None, nil
		}
	}
	r.Property(exceptions["OSError"], "errno", errno(0))
	r.Property(exceptions["OSError"], "strerror", errno(1))
	r.Property(exceptions["OSError"], "filename", errno(2))
}

// defineChain defines what says why an exception was raised.
func defineChain(r *Registry, base *Class) {
	link := func(name string, of func(t *traceback) *Value, set func(t *traceback)) {
		r.settable(base, name, func(m *Machine, a Args) (Value, error) {
			if t := a.v[0].Instance().trouble; t != nil {
				return OrNone(*of(t)), nil
			}
			return None, nil
		}, func(m *Machine, a Args) (Value, error) {
			if !a.v[1].IsNone() && !m.isException(a.v[1], excBase) {
				return Value{}, raise.Type("exception %s must be None or derive from BaseException", strings.Trim(name, "_"))
			}
			t := a.v[0].Instance().chain()
			*of(t) = a.v[1]
			if a.v[1].IsNone() {
				*of(t) = Value{}
			}
			set(t)
			return None, nil
		})
	}
	link("__cause__", func(t *traceback) *Value { return &t.cause }, func(t *traceback) { t.noContext = true })
	link("__context__", func(t *traceback) *Value { return &t.context }, func(t *traceback) {})
	r.settable(base, "__suppress_context__", func(m *Machine, a Args) (Value, error) {
		t := a.v[0].Instance().trouble
		return Bool(t != nil && t.noContext), nil
	}, func(m *Machine, a Args) (Value, error) {
		if a.v[1].Kind() != KindBool {
			return Value{}, raise.Type("attribute value type must be bool")
		}
		a.v[0].Instance().chain().noContext = a.v[1].n != 0
		return None, nil
	})
}

// chain returns what says why the exception was raised.
func (o *Instance) chain() *traceback {
	if o.trouble == nil {
		o.trouble = &traceback{}
	}
	return o.trouble
}

func setExceptionArgs(m *Machine, a Args) (Value, error) {
	items, ok, err := m.Collect(a.v[1])
	if err != nil {
		return Value{}, err
	}
	if !ok {
		return m.listed(known.natives["BaseException.args setter"], a, 1)
	}
	args, err := m.NewTuple(items)
	if err != nil {
		return Value{}, err
	}
	a.v[0].Instance().payload = args
	return None, nil
}

func exceptionInit(m *Machine, a Args) (Value, error) {
	o := a.v[0].Instance()
	if o == nil || o.class.layout != KindException {
		return Value{}, raise.Type("descriptor '__init__' requires a 'BaseException' object but received a '%s'", TypeName(a.v[0]))
	}
	if err := m.exceptionDetails(o, a); err != nil {
		return Value{}, err
	}
	args, err := m.NewTuple(a.Positional()[1:])
	if err != nil {
		return Value{}, err
	}
	o.payload = args
	return None, nil
}

// defineCallables gives functions the method by which code knows that they can
// be called.
// bindMethod is types.MethodType(function, object).
func bindMethod(m *Machine, a Args) (Value, error) {
	switch fn := a.v[1]; fn.Kind() {
	case KindFunction, KindNative, KindMethod, KindClass, KindTool:
	case KindInstance:
		if _, ok := m.Lookup(ClassOf(fn), nameCall); !ok {
			return Value{}, raise.Type("first argument must be callable")
		}
	default:
		return Value{}, raise.Type("first argument must be callable")
	}
	if a.v[2].IsNone() {
		return Value{}, raise.Type("instance must not be None")
	}
	m.Spend(methodBytes)
	return (&method{fn: a.v[1], self: a.v[2]}).value(), nil
}

func defineCallables(r *Registry) {
	r.maker(methodType, 2, 2, bindMethod)
	r.method(functionType, "__get__", 2, 3, func(m *Machine, a Args) (Value, error) {
		if a.v[0].Kind() != KindFunction {
			return Value{}, WrongReceiver("__get__", functionType, a.v[0])
		}
		if a.v[1].IsNone() {
			return a.v[0], nil
		}
		m.Spend(methodBytes)
		return (&method{fn: a.v[0], self: a.v[1]}).value(), nil
	})
	for _, c := range []*Class{functionType, nativeType, methodType, toolType} {
		r.MethodKw(c, "__call__", 1, -1, func(m *Machine, a Args) (Value, error) {
			if ClassOf(a.v[0]) != c {
				return Value{}, WrongReceiver("__call__", c, a.v[0])
			}
			return Value{}, m.tailOf(a.v[0], slices.Clone(a.v[1:]), a.names)
		})
	}
}

func defineGenerators(r *Registry) {
	for _, c := range []*Class{generatorType, coroutineType} {
		r.method(c, "send", 2, 2, func(m *Machine, a Args) (Value, error) {
			return Value{}, m.resume(a.v[0].generator(), a.v[1], contNext, Value{})
		})
		r.method(c, "throw", 2, 4, generatorThrow)
		r.method(c, "close", 1, 1, generatorClose)
	}
	r.method(generatorType, "__next__", 1, 1, func(m *Machine, a Args) (Value, error) {
		return Value{}, m.resume(a.v[0].generator(), None, contNext, Value{})
	})
	r.method(generatorType, "__iter__", 1, 1, func(m *Machine, a Args) (Value, error) { return a.v[0], nil })
	r.method(asyncGenType, "__aiter__", 1, 1, func(m *Machine, a Args) (Value, error) { return a.v[0], nil })
}

func generatorThrow(m *Machine, a Args) (Value, error) {
	exc := a.v[1]
	if a.Len() > 2 && m.isException(a.v[2], excBase) {
		exc = a.v[2]
	}
	if c := exc.Class(); c != nil && c.IsSubclass(excBase) {
		args, err := m.throwArgs(a.At(2))
		if err != nil {
			return Value{}, err
		}
		throw, err := m.attr(a.v[0], known.str("throw").Ref())
		if err != nil {
			return Value{}, err
		}
		return m.Then(m.Intrinsic("throw_new"), throw, exc, args)
	}
	if !m.isException(exc, excBase) {
		return Value{}, raise.Type("exceptions must be classes or instances deriving from BaseException, not %s", TypeName(exc))
	}
	return Value{}, m.throw(a.v[0].generator(), exc, contNext)
}

// throwArgs are the arguments of the exception that throw(class, v) makes.
func (m *Machine) throwArgs(v Value) (Value, error) {
	switch {
	case !v.Bound() || v.IsNone():
		return emptyTuple, nil
	case v.Kind() == KindTuple:
		return v, nil
	}
	return m.NewTuple([]Value{v})
}

func generatorClose(m *Machine, a Args) (Value, error) {
	g := a.v[0].generator()
	if g.state == generatorCreated || g.state == generatorFinished {
		g.finish()
		return None, nil
	}
	return Value{}, m.throw(g, m.newException("GeneratorExit"), contClose)
}

func defineDescriptors(r *Registry) {
	r.maker(propertyType, 0, 4, func(m *Machine, a Args) (Value, error) {
		d := &descriptor{what: propertyKind, get: a.At(1), set: a.At(2), del: a.At(3), doc: a.At(4)}
		for name, to := range map[string]*Value{"fget": &d.get, "fset": &d.set, "fdel": &d.del, "doc": &d.doc} {
			if v := a.Name(name); v.Bound() {
				*to = v
			}
		}
		m.Spend(2 * SliceBytes)
		return d.value(), nil
	})
	with := func(change func(d *descriptor, fn Value)) NativeFunc {
		return func(m *Machine, a Args) (Value, error) {
			d := *a.v[0].descriptor()
			change(&d, a.v[1])
			m.Spend(2 * SliceBytes)
			c := &descriptor{what: d.what, get: d.get, set: d.set, del: d.del, doc: d.doc}
			return c.value(), nil
		}
	}
	r.method(propertyType, "getter", 2, 2, with(func(d *descriptor, fn Value) { d.get = fn }))
	r.method(propertyType, "setter", 2, 2, with(func(d *descriptor, fn Value) { d.set = fn }))
	r.method(propertyType, "deleter", 2, 2, with(func(d *descriptor, fn Value) { d.del = fn }))
	for name, get := range map[string]func(d *descriptor) Value{
		"fget": func(d *descriptor) Value { return d.get },
		"fset": func(d *descriptor) Value { return d.set },
		"fdel": func(d *descriptor) Value { return d.del },
	} {
		r.Property(propertyType, name, func(m *Machine, a Args) (Value, error) {
			d := a.v[0].descriptor()
			if d == nil || d.what != propertyKind {
				return Value{}, WrongReceiver(name, propertyType, a.v[0])
			}
			return OrNone(get(d)), nil
		})
	}
	r.Property(propertyType, "__doc__", propertyDoc)
	definePropertyHooks(r)
	wrap := func(what descriptorKind) NativeFunc {
		return func(m *Machine, a Args) (Value, error) {
			m.Spend(2 * SliceBytes)
			return (&descriptor{what: what, get: a.v[1]}).value(), nil
		}
	}
	r.maker(classMethType, 1, 1, wrap(classMethodKind))
	r.maker(staticMthType, 1, 1, wrap(staticMethodKind))
	for _, c := range []*Class{classMethType, staticMthType} {
		r.Property(c, "__func__", func(m *Machine, a Args) (Value, error) { return a.v[0].descriptor().get, nil })
	}
	r.maker(superType, 0, 2, func(m *Machine, a Args) (Value, error) {
		if a.Len() != 3 {
			return Value{}, raise.Runtime("super(): no arguments")
		}
		return m.newSuper(a.v[1], a.v[2])
	})
}

// definePropertyHooks gives properties the methods by which they work.
func definePropertyHooks(r *Registry) {
	r.method(propertyType, "__get__", 2, 3, func(m *Machine, a Args) (Value, error) {
		if a.v[1].IsNone() {
			return a.v[0], nil
		}
		return m.bindAttr(a.v[0], a.v[1], ClassOf(a.v[1]))
	})
	r.method(propertyType, "__set__", 3, 3, func(m *Machine, a Args) (Value, error) {
		return m.statement(m.setDescriptor(a.v[0], a.v[1], a.v[2]))
	})
	r.method(propertyType, "__delete__", 2, 2, func(m *Machine, a Args) (Value, error) {
		return m.statement(m.deleteProperty(a.v[0].descriptor(), a.v[1]))
	})
}

// propertyDoc is the text that a property was given, or that of its function.
func propertyDoc(m *Machine, a Args) (Value, error) {
	d := a.v[0].descriptor()
	if d == nil || d.what != propertyKind {
		return Value{}, WrongReceiver("__doc__", propertyType, a.v[0])
	}
	if d.doc.Bound() {
		return d.doc, nil
	}
	if f := d.get.function(); f != nil {
		doc, _ := f.attr(nameDoc)
		return doc, nil
	}
	return None, nil
}
