package machine

import (
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// writer builds text for repr, str and their like, paying as it grows.
type writer struct {
	m    *Machine
	b    strings.Builder
	open []*Object // containers that are being written
}

func (w *writer) text(s string) error {
	if w.b.Len()+len(s) > w.b.Cap() {
		if err := w.m.Alloc(max(64, w.b.Cap(), len(s))); err != nil {
			return err
		}
		w.b.Grow(max(64, w.b.Cap(), len(s)))
	}
	w.b.WriteString(s)
	return w.m.Work(len(s)/4 + 8)
}

var errDeepRepr = raise.New("RecursionError", "maximum recursion depth exceeded while getting the repr of an object")

// enter notes that a container is being written; again is true when it is
// inside itself.
func (w *writer) enter(v Value) (again bool, err error) {
	for _, o := range w.open {
		if o == v.o {
			return true, nil
		}
	}
	if len(w.open) > nesting {
		return false, errDeepRepr
	}
	w.open = append(w.open, v.o)
	return false, nil
}

func (w *writer) leave() { w.open = w.open[:len(w.open)-1] }

// ReprNative is repr(v). It returns errForeign when code of the program has a
// say.
func (m *Machine) ReprNative(v Value) (string, error) {
	switch v.Kind() {
	case KindInt, KindFloat, KindBool, KindNone:
		return m.PlainText(v)
	case KindStr:
		return text.Repr(m, v.Str().text())
	}
	w := writer{m: m}
	if err := w.repr(v); err != nil {
		return "", err
	}
	return w.b.String(), nil
}

func (w *writer) repr(v Value) error {
	switch o := v.Self().(type) {
	case nil:
		s, err := w.m.PlainText(v)
		if err != nil {
			return err
		}
		return w.text(s)
	case *bigInt:
		s, err := w.m.IntText(v)
		if err != nil {
			return err
		}
		return w.text(s)
	case *Str:
		return w.quoted(o.text())
	case *Bytes:
		return w.quoted(o.text())
	case *List:
		return w.sequence(v, "[", o.items, "]")
	case *Tuple:
		if len(o.items) == 1 {
			return w.sequence(v, "(", o.items, ",)")
		}
		return w.sequence(v, "(", o.items, ")")
	case *Dict:
		return w.dict(v, o)
	case *Set:
		return w.set(v, o)
	case *Instance:
		return w.instance(v, o)
	}
	return w.rare(v)
}

func (w *writer) quoted(s text.Str) error {
	q, err := text.Repr(w.m, s)
	if err != nil {
		return err
	}
	return w.text(q)
}

func (w *writer) sequence(v Value, open string, items []Value, end string) error {
	again, err := w.enter(v)
	if err != nil {
		return err
	}
	if again {
		return w.text(open + "..." + strings.TrimPrefix(end, ","))
	}
	defer w.leave()
	return w.items(open, items, end)
}

func (w *writer) items(open string, items []Value, end string) error {
	if err := w.text(open); err != nil {
		return err
	}
	for i := 0; i < len(items); i++ {
		if i > 0 {
			if err := w.text(", "); err != nil {
				return err
			}
		}
		if err := w.repr(items[i]); err != nil {
			return err
		}
	}
	return w.text(end)
}

func (w *writer) dict(v Value, d *Dict) error {
	again, err := w.enter(v)
	if err != nil {
		return err
	}
	if again {
		return w.text("{...}")
	}
	defer w.leave()
	if err := w.text("{"); err != nil {
		return err
	}
	first := true
	for i := d.Next(0); i >= 0; i = d.Next(i + 1) {
		if !first {
			if err := w.text(", "); err != nil {
				return err
			}
		}
		first = false
		if err := w.repr(d.entries[i].key); err != nil {
			return err
		}
		if err := w.text(": "); err != nil {
			return err
		}
		if err := w.repr(d.entries[i].value); err != nil {
			return err
		}
	}
	return w.text("}")
}

func (w *writer) set(v Value, s *Set) error {
	name := "set"
	if v.Kind() == KindFrozenSet {
		name = "frozenset"
	}
	if s.Len() == 0 {
		return w.text(name + "()")
	}
	again, err := w.enter(v)
	if err != nil {
		return err
	}
	if again {
		return w.text(name + "(...)")
	}
	defer w.leave()
	open, end := "{", "}"
	if name == "frozenset" {
		open, end = "frozenset({", "})"
	}
	return w.items(open, s.keys(), end)
}

// keys returns the items of a set.
func (s *Set) keys() []Value {
	keys := make([]Value, 0, s.Len())
	for i := s.Next(0); i >= 0; i = s.Next(i + 1) {
		keys = append(keys, s.entries[i].key)
	}
	return keys
}

func (w *writer) instance(v Value, o *Instance) error {
	fn, ok := w.m.Lookup(o.class, nameRepr)
	if ok && !isBuiltIn(fn) {
		return ErrForeign
	}
	if o.class.layout == KindException {
		return w.exception(v, o)
	}
	if !o.payload.Bound() {
		return w.text("<" + o.class.qualName + " object>")
	}
	if o.payload.Kind() == KindSet || o.payload.Kind() == KindFrozenSet {
		if o.payload.set().Len() == 0 {
			return w.text(o.class.name + "()")
		}
		return w.items(o.class.name+"({", o.payload.set().keys(), "})")
	}
	return w.repr(o.payload)
}

func (w *writer) exception(v Value, o *Instance) error {
	again, err := w.enter(v)
	if err != nil {
		return err
	}
	if again {
		return w.text(o.class.name + "(...)")
	}
	defer w.leave()
	t := o.payload.Tuple()
	if t == nil {
		return w.text(o.class.name + "()")
	}
	return w.items(o.class.name+"(", t.items, ")")
}

// rare writes the kinds that programs seldom print.
func (w *writer) rare(v Value) error {
	switch o := v.Self().(type) {
	case *rangeObject:
		s := "range(" + strconv.FormatInt(o.start, 10) + ", " + strconv.FormatInt(o.stop, 10)
		if o.step != 1 {
			s += ", " + strconv.FormatInt(o.step, 10)
		}
		return w.text(s + ")")
	case *sliceObject:
		return w.items("slice(", []Value{o.start, o.stop, o.step}, ")")
	case *singleton:
		return w.text(o.name)
	case *Class:
		return w.class(o)
	case *function:
		return w.text("<function " + o.qualName() + ">")
	case *Native:
		if strings.Contains(o.name, ".") {
			at := strings.LastIndexByte(o.name, '.')
			return w.text("<method '" + o.name[at+1:] + "' of '" + o.name[:at] + "' objects>")
		}
		return w.text("<built-in function " + o.name + ">")
	case *method:
		return w.method(o)
	case *view:
		return w.view(v, o)
	case *ModuleObject:
		return w.text("<module '" + o.name + "'>")
	case *toolObject:
		return w.text("<tool " + o.decl.Name + ">")
	case *Opaque:
		if _, ok := w.m.Lookup(o.class, nameRepr); ok {
			return ErrForeign
		}
	}
	return w.text("<" + TypeName(v) + " object>")
}

func (w *writer) class(c *Class) error {
	if c.meta != nil {
		if fn, ok := w.m.Lookup(c.meta, nameRepr); ok && fn.Kind() != KindNative {
			return ErrForeign
		}
	}
	if c.flags&shared != 0 {
		return w.text("<class '" + c.qualName + "'>")
	}
	return w.text("<class '" + w.m.moduleOf(c) + c.qualName + "'>")
}

func (w *writer) method(o *method) error {
	if n := o.fn.native(); n != nil {
		name := n.name[strings.LastIndexByte(n.name, '.')+1:]
		return w.text("<built-in method " + name + " of " + TypeName(o.self) + " object>")
	}
	name := "method"
	if f := o.fn.function(); f != nil {
		name = f.qualName()
	}
	if err := w.text("<bound method " + name + " of "); err != nil {
		return err
	}
	if err := w.repr(o.self); err != nil {
		return err
	}
	return w.text(">")
}

func (w *writer) view(v Value, o *view) error {
	items, _, err := w.m.Collect(v)
	if err != nil {
		return err
	}
	name := viewClasses[o.what].name
	again, err := w.enter(o.of)
	if err != nil {
		return err
	}
	if again {
		return w.text("...")
	}
	defer w.leave()
	return w.items(name+"([", items, "])")
}

// PlainText is str of None, a bool, an int or a float.
func (m *Machine) PlainText(v Value) (string, error) {
	switch v.Kind() {
	case KindNone:
		return "None", nil
	case KindBool:
		if v.n != 0 {
			return "True", nil
		}
		return "False", nil
	case KindInt:
		return strconv.FormatInt(int64(v.n), 10), nil
	case KindFloat:
		return text.FloatRepr(v.Float()), nil
	}
	return "", ErrMalformed
}

// IntText is str of an int.
func (m *Machine) IntText(v Value) (string, error) {
	if b := v.big(); b != nil {
		return text.IntText(m, text.Int{Big: b.v})
	}
	return strconv.FormatInt(int64(v.n), 10), nil
}

// strNative is str(v). It returns errForeign when code of the program has a
// say.
func (m *Machine) strNative(v Value) (string, error) {
	switch o := v.Self().(type) {
	case *Str:
		return o.s, nil
	case *Instance:
		return m.strInstance(o, v)
	case *Opaque:
		if _, ok := m.Lookup(o.class, nameStr); ok {
			return "", ErrForeign
		}
	}
	return m.ReprNative(v)
}

func (m *Machine) strInstance(o *Instance, v Value) (string, error) {
	fn, ok := m.Lookup(o.class, nameStr)
	if ok && !isBuiltIn(fn) {
		return "", ErrForeign
	}
	if o.class.layout == KindException {
		return m.strException(o)
	}
	if s := o.payload.Str(); s != nil {
		return s.s, nil
	}
	return m.ReprNative(v)
}

// strException is str of an exception: its argument, or all of them.
func (m *Machine) strException(o *Instance) (string, error) {
	t := o.payload.Tuple()
	switch {
	case o.class.IsSubclass(excBaseGroup):
		return m.strGroup(o)
	case t == nil || len(t.items) == 0:
		return "", nil
	case len(t.items) == 1 && o.class.IsSubclass(exceptions["KeyError"]):
		return m.ReprNative(t.items[0])
	case len(t.items) == 1:
		return m.strNative(t.items[0])
	case len(t.items) == 2 && o.class.IsSubclass(exceptions["OSError"]):
		return m.strOSError(t.items[0], t.items[1])
	case len(t.items) == 3 && o.class.IsSubclass(exceptions["OSError"]):
		return m.strFileError(t.items)
	}
	return m.ReprNative(o.payload)
}

func (m *Machine) strOSError(number, text Value) (string, error) {
	n, err := m.strNative(number)
	if err != nil {
		return "", err
	}
	s, err := m.strNative(text)
	if err != nil {
		return "", err
	}
	return "[Errno " + n + "] " + s, m.Alloc(len(n) + len(s))
}

// strFileError is that of an OSError which names its file.
func (m *Machine) strFileError(args []Value) (string, error) {
	s, err := m.strOSError(args[0], args[1])
	if err != nil {
		return "", err
	}
	file, err := m.ReprNative(args[2])
	if err != nil {
		return "", err
	}
	return s + ": " + file, m.Alloc(len(s) + len(file))
}

// moduleOf is the module that a class of the program shows in its repr.
func (m *Machine) moduleOf(c *Class) string {
	if i := c.attrs.findStr(nameModule); i >= 0 {
		if s := c.attrs.entries[i].value.Str(); s != nil {
			return s.s + "."
		}
	}
	return "__main__."
}

// repr is repr(v); it returns errEntered when code of the program works it out.
func (m *Machine) repr(v Value) (Value, error) {
	if v.IsInt() {
		return m.intStr(v.Int()), nil
	}
	s, err := m.ReprNative(v)
	if err == ErrForeign {
		return m.enter(m.Intrinsic("repr_of"), contStore, Value{}, v)
	}
	if err != nil {
		return Value{}, err
	}
	return m.Message(s), nil
}

// string is str(v); it returns errEntered when code of the program works it
// out.
func (m *Machine) string(v Value) (Value, error) {
	switch v.Kind() {
	case KindStr:
		return v, nil
	case KindInt:
		return m.intStr(v.Int()), nil
	}
	s, err := m.strNative(v)
	if err == ErrForeign {
		return m.enter(m.Intrinsic("str_of"), contStore, Value{}, v)
	}
	if err != nil {
		return Value{}, err
	}
	return m.Message(s), nil
}
