package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// defineBytes defines bytes.
func defineBytes(r *Registry) {
	r.maker(bytesType, 0, 3, makeBytes)
	d := textMethods{r, bytesType}
	defineCommon(d)
	d.kw("decode", 1, 3, decodeMethod)
	d.kw("hex", 1, 3, hexMethod)
	d.kw("translate", 2, 3, bytesTranslateMethod)
	r.classMethod(bytesType, "fromhex", 2, 2, fromHexMethod)
	r.staticMethod(bytesType, "maketrans", 2, 2, bytesMakeTransMethod)
}

// makeBytes is bytes(source, encoding, errors).
func makeBytes(m *Machine, a Args) (Value, error) {
	if err := a.Only("bytes", "source", "encoding", "errors"); err != nil {
		return Value{}, err
	}
	var args [3]Value
	for i, name := range []string{"source", "encoding", "errors"} {
		v, err := a.param(i+1, "bytes", name)
		if err != nil {
			return Value{}, err
		}
		args[i] = v
	}
	source, encoding, errors := args[0], args[1], args[2]
	switch {
	case source.Bound() && Plain(source).Kind() == KindStr:
		return m.encoded(Plain(source).Str(), encoding, errors)
	case encoding.Bound():
		return Value{}, raise.Type("encoding without a string argument")
	case errors.Bound():
		return Value{}, raise.Type("errors without a string argument")
	case !source.Bound():
		return m.Bytes("")
	}
	return m.bytesOf(source)
}

func (m *Machine) encoded(s *Str, encoding, errors Value) (Value, error) {
	if !encoding.Bound() {
		return Value{}, raise.Type("string argument without an encoding")
	}
	enc, policy, err := codecArgs(encoding, errors, "bytes")
	if err != nil {
		return Value{}, err
	}
	b, err := text.Encode(m, s.text(), enc, policy)
	if err != nil {
		return Value{}, err
	}
	return m.ownText(text.Str{Raw: true}, b), nil
}

// bytesOf is bytes(v) of what is no str.
func (m *Machine) bytesOf(v Value) (Value, error) {
	if m.hasMethod(v, nameBytes) {
		return m.Then(m.Intrinsic("bytes_from_method"), v)
	}
	if m.ForeignIndex(v) {
		return m.Then(m.Intrinsic("bytes_from_index"), v)
	}
	switch p := Plain(v); p.Kind() {
	case KindBytes:
		return p, nil
	case KindInt, KindBool:
		return m.zeroBytes(p.Int())
	case KindBigInt:
		return Value{}, raise.Overflow("cannot fit 'int' into an index-sized integer")
	}
	items, ok, err := m.Collect(v)
	if err != nil {
		return Value{}, err
	}
	if !ok {
		if m.CheckIterable(v) != nil {
			return Value{}, raise.Type("cannot convert '%s' object to bytes", TypeName(v))
		}
		return m.Then(m.Intrinsic("bytes_from_items"), v)
	}
	s, err := m.byteString(items)
	if err == ErrForeign {
		return m.Then(m.Intrinsic("bytes_from_items"), v)
	}
	if err != nil {
		return Value{}, err
	}
	return m.ownText(text.Str{Raw: true}, s), nil
}

// hasMethod reports whether v is an instance of a class of the program that
// has the method.
func (m *Machine) hasMethod(v Value, name *Str) bool {
	if v.Kind() != KindInstance && v.Kind() != KindOpaque {
		return false
	}
	fn, ok := m.Lookup(ClassOf(v), name)
	return ok && !isBuiltIn(fn)
}

func (m *Machine) zeroBytes(n int64) (Value, error) {
	if n < 0 {
		return Value{}, raise.Value("negative count")
	}
	s, err := m.Repeat("\x00", n)
	if err != nil {
		return Value{}, err
	}
	return m.ownText(text.Str{Raw: true}, s), nil
}

func (m *Machine) byteString(items []Value) (string, error) {
	if err := m.Alloc(len(items)); err != nil {
		return "", err
	}
	if err := m.Work(2 * len(items)); err != nil {
		return "", err
	}
	var b strings.Builder
	b.Grow(len(items))
	for _, v := range items {
		p := Plain(v)
		switch {
		case p.Kind() == KindBigInt || IsIntegral(p) && p.n > 255:
			return "", raise.Value("bytes must be in range(0, 256)")
		case IsIntegral(p):
			b.WriteByte(byte(p.n))
		case m.ForeignIndex(v):
			return "", ErrForeign
		default:
			return "", raise.Type("'%s' object cannot be interpreted as an integer", TypeName(v))
		}
	}
	return b.String(), nil
}

func decodeMethod(m *Machine, t text.Str, a Args) (Value, error) {
	encoding, errors, err := codecMethod(a, "decode")
	if err != nil {
		return Value{}, err
	}
	s, err := text.Decode(m, t.S, encoding, errors)
	if err != nil {
		return Value{}, err
	}
	return m.ownText(text.Str{}, s), nil
}

func hexMethod(m *Machine, t text.Str, a Args) (Value, error) {
	if err := a.Only("hex", "sep", "bytes_per_sep"); err != nil {
		return Value{}, err
	}
	sep, err := a.param(1, "hex", "sep")
	if err != nil {
		return Value{}, err
	}
	v, err := a.param(2, "hex", "bytes_per_sep")
	if err != nil {
		return Value{}, err
	}
	group, err := m.sizeOr(v, 1)
	if err != nil {
		return Value{}, err
	}
	var between *string
	if sep.Bound() {
		o, ok := textual(sep)
		if !ok {
			return Value{}, raise.Type("object of type '%s' has no len()", TypeName(sep))
		}
		between = &o.S
	}
	s, err := text.Hex(m, t.S, between, group)
	if err != nil {
		return Value{}, err
	}
	return m.ownText(text.Str{}, s), nil
}

func fromHexMethod(m *Machine, a Args) (Value, error) {
	if a.Named() > 0 {
		return Value{}, raise.Type("bytes.fromhex() takes no keyword arguments")
	}
	s := Plain(a.v[1]).Str()
	if s == nil {
		return Value{}, raise.Type("fromhex() argument must be str, not %s", argumentName(a.v[1]))
	}
	b, err := text.FromHex(m, s.s)
	if err != nil {
		return Value{}, err
	}
	v := m.ownText(text.Str{Raw: true}, b)
	if c := a.v[0].Class(); c != nil && c != bytesType {
		return m.Then(a.v[0], v)
	}
	return v, nil
}

func bytesTranslateMethod(m *Machine, t text.Str, a Args) (Value, error) {
	if err := a.Only("translate", "delete"); err != nil {
		return Value{}, err
	}
	var table *string
	if !a.v[1].IsNone() {
		s, err := like(t, a.v[1], "")
		if err != nil {
			return Value{}, err
		}
		table = &s
	}
	remove := ""
	v, err := a.param(2, "translate", "delete")
	if err != nil {
		return Value{}, err
	}
	if v.Bound() {
		if remove, err = like(t, v, ""); err != nil {
			return Value{}, err
		}
	}
	return m.changed(t, a)(text.BytesTranslate(m, t.S, table, remove))
}

func bytesMakeTransMethod(m *Machine, a Args) (Value, error) {
	if a.Named() > 0 {
		return Value{}, raise.Type("maketrans() takes no keyword arguments")
	}
	raw := text.Str{Raw: true}
	from, err := like(raw, a.v[0], "")
	if err != nil {
		return Value{}, err
	}
	to, err := like(raw, a.v[1], "")
	if err != nil {
		return Value{}, err
	}
	m.look(16 * len(from))
	table, err := text.BytesMakeTrans(from, to)
	if err != nil {
		return Value{}, err
	}
	return m.Bytes(table)
}
