package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// textMethod is a method that str and bytes have in common. It returns
// errForeign when an argument that must be an int has an __index__ of the
// program.
type textMethod func(m *Machine, t text.Str, a Args) (Value, error)

// textMethods defines methods of str or bytes.
type textMethods struct {
	r *Registry
	c *Class
}

// def defines a method; the counts include self.
func (d textMethods) def(name string, min, max int, fn textMethod) *Native {
	var n *Native
	n = d.r.method(d.c, name, min, max, func(m *Machine, a Args) (Value, error) {
		t, ok := textOf(a)
		if !ok || t.Raw != (d.c == bytesType) {
			return Value{}, d.wrongSelf(name, a)
		}
		if !t.Flat && !t.Raw {
			m.look(len(t.S)) // its code points may have to be counted
		}
		v, err := fn(m, t, a)
		if err == ErrForeign {
			return m.indexed(Value{o: &n.Object}, a)
		}
		return v, err
	})
	return n
}

func (d textMethods) kw(name string, min, max int, fn textMethod) {
	d.def(name, min, max, fn).keywords = true
}

func (d textMethods) wrongSelf(name string, a Args) error {
	if a.Len() == 0 {
		return raise.Type("unbound method %s.%s() needs an argument", d.c.name, name)
	}
	return raise.Type("descriptor '%s' for '%s' objects doesn't apply to a '%s' object", name, d.c.name, TypeName(a.v[0]))
}

// textOf returns self, when it is a str or bytes.
func textOf(a Args) (text.Str, bool) {
	if a.Len() == 0 {
		return text.Str{}, false
	}
	return textual(a.v[0])
}

// textual returns what a str or bytes object holds.
func textual(v Value) (text.Str, bool) {
	switch o := Plain(v).Self().(type) {
	case *Str:
		return o.text(), true
	case *Bytes:
		return o.text(), true
	}
	return text.Str{}, false
}

// indexed asks for a call of fn with its arguments, where the first one that
// has an __index__ of the program is replaced by what that gives.
func (m *Machine) indexed(fn Value, a Args) (Value, error) {
	for i, v := range a.v {
		if !m.ForeignIndex(v) {
			continue
		}
		args, err := m.NewList(a.v)
		if err != nil {
			return Value{}, err
		}
		names := None
		if a.names != nil {
			names = a.names.ref()
		}
		return m.Then(m.Intrinsic("apply_index"), fn, Int(int64(i)), args, names)
	}
	return Value{}, ErrMalformed
}

// param returns the argument that is number i, or called name.
func (a Args) param(i int, fn, name string) (Value, error) {
	v := a.Name(name)
	if v.Bound() && i < a.Len() {
		return Value{}, raise.Type("argument for %s() given by name ('%s') and position (%d)", fn, name, i)
	}
	if v.Bound() {
		return v, nil
	}
	return a.At(i), nil
}

// made returns the text that a method made of t: self when nothing changed.
// The text is paid for, and has no other owner.
func (m *Machine) made(self Value, t text.Str, s string) Value {
	if len(s) == len(t.S) && s == t.S && self.Kind() != KindInstance {
		return self
	}
	return m.ownText(t, s)
}

// ownText makes a str or bytes object, as t is one, of text that is paid for.
func (m *Machine) ownText(t text.Str, s string) Value {
	if !sharedText(t, s) {
		m.Spend(StrBytes)
	}
	return textValue(t, s)
}

// sharedText reports whether textValue makes no object.
func sharedText(t text.Str, s string) bool {
	return !t.Raw && (len(s) == 0 || len(s) == 1 && s[0] < 0x80)
}

// textValue is ownText of an object that is paid for too.
func textValue(t text.Str, s string) Value {
	if t.Raw {
		return (&Bytes{b: s}).value()
	}
	if len(s) == 0 {
		return emptyStr.Ref()
	}
	if len(s) == 1 && s[0] < 0x80 {
		return asciiStrs[s[0]].Ref()
	}
	return (&Str{s: s, length: -1}).value()
}

// ownPart is ownText of a part of t.
func (m *Machine) ownPart(t text.Str, s string) Value {
	if !sharedText(t, s) {
		m.Spend(StrBytes)
	}
	return partValue(t, s)
}

// partValue is textValue of a part of t, of which the length is known when t is
// flat.
func partValue(t text.Str, s string) Value {
	v := textValue(t, s)
	if o, ok := v.o.self.(*Str); ok && t.Flat && o.flags&shared == 0 {
		o.length = int32(len(s))
	}
	return v
}

// ownList makes a list of the parts of t.
func (m *Machine) ownList(t text.Str, parts []string, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	objects := 0
	for _, s := range parts {
		if !sharedText(t, s) {
			objects++
		}
	}
	if err := m.Alloc(ListBytes + len(parts)*ValueBytes + objects*StrBytes); err != nil {
		return Value{}, err
	}
	if err := m.Work(len(parts) * WorkPerStep); err != nil {
		return Value{}, err
	}
	l := &List{items: make([]Value, len(parts))}
	for i, s := range parts {
		l.items[i] = partValue(t, s)
	}
	return l.Value(), nil
}

// threeOf makes a tuple of three parts of t.
func (m *Machine) threeOf(t text.Str, parts [3]string, err error) (Value, error) {
	if err != nil {
		return Value{}, err
	}
	items := make([]Value, len(parts))
	for i, s := range parts {
		items[i] = m.ownPart(t, s)
	}
	m.Spend(TupleBytes + len(items)*ValueBytes)
	return (&Tuple{items: items}).value(), nil
}

// size is an argument that is a number of elements.
func (m *Machine) size(v Value) (int, error) {
	switch p := Plain(v); p.Kind() {
	case KindInt, KindBool:
		return int(p.n), nil
	case KindBigInt:
		return 0, raise.Overflow("Python int too large to convert to C ssize_t")
	}
	if m.ForeignIndex(v) {
		return 0, ErrForeign
	}
	return 0, raise.Type("'%s' object cannot be interpreted as an integer", TypeName(v))
}

// intSize is sizeOr of an argument that CPython takes as a C int.
func (m *Machine) intSize(v Value, missing int) (int, error) {
	n, err := m.sizeOr(v, missing)
	if v.Kind() == KindBigInt || err == nil && int64(int32(n)) != int64(n) {
		return 0, raise.Overflow("Python int too large to convert to C int")
	}
	return n, err
}

// sizeOr is size of an argument that may be missing.
func (m *Machine) sizeOr(v Value, missing int) (int, error) {
	if !v.Bound() {
		return missing, nil
	}
	return m.size(v)
}

// span is the start and end of a search, from argument i on.
func (m *Machine) span(a Args, i int) (start, end int, err error) {
	end = text.End
	if v := a.At(i); v.Bound() {
		n, err := m.sliceIndex(v, 0)
		if err != nil {
			return 0, 0, err
		}
		start = int(n)
	}
	if v := a.At(i + 1); v.Bound() && !v.IsNone() {
		n, err := m.sliceIndex(v, 0)
		if err != nil {
			return 0, 0, err
		}
		end = int(n)
	}
	return start, end, nil
}

// like returns argument v as what t is: a str for a str, bytes for bytes. The
// words are CPython's for a str, with the name of the class to follow.
func like(t text.Str, v Value, words string) (string, error) {
	o, ok := textual(v)
	switch {
	case ok && o.Raw == t.Raw:
		return o.S, nil
	case t.Raw:
		return "", raise.Type("a bytes-like object is required, not '%s'", TypeName(v))
	}
	return "", raise.Type("%s %s", words, TypeName(v))
}

// likeArgument is like with an error that calls None None.
func likeArgument(t text.Str, v Value, words string) (string, error) {
	if v.IsNone() && !t.Raw {
		return "", raise.Type("%s None", words)
	}
	return like(t, v, words)
}

// argumentName is how errors about the type of an argument that is checked by
// its position call it: None is None there.
func argumentName(v Value) string {
	if v.IsNone() {
		return "None"
	}
	return TypeName(v)
}
