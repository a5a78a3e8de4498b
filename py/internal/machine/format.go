package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// formatValue is format(v after the conversion, spec): a replacement field of
// an f-string.
func (m *Machine) formatValue(v Value, conversion uint8, spec string) (Value, error) {
	switch {
	case conversion != 0 && spec == "":
		return m.convert(v, conversion)
	case v.IsInt() && spec == "":
		return m.intStr(v.Int()), nil
	}
	return m.format(v, spec)
}

// convert is !s, !r or !a.
func (m *Machine) convert(v Value, conversion uint8) (Value, error) {
	switch conversion {
	case 's':
		return m.string(v)
	case 'r':
		return m.repr(v)
	case 'a':
		s, err := m.ReprNative(v)
		if err == ErrForeign {
			return m.enter(m.Intrinsic("ascii_of"), contStore, Value{}, v)
		}
		if err != nil {
			return Value{}, err
		}
		if s, err = text.Escape(m, s); err != nil {
			return Value{}, err
		}
		return m.Message(s), nil
	}
	return Value{}, ErrMalformed
}

func (m *Machine) formatSpec(v, spec Value) (Value, error) {
	s := spec.Str()
	if s == nil {
		return Value{}, raise.Type("format() argument 2 must be str, not %s", TypeName(spec))
	}
	if v := m.formatQuick(v, s); v.Bound() {
		return v, nil
	}
	return m.format(v, s.s)
}

// format is format(v, spec); it returns errEntered when code of the program
// works it out.
func (m *Machine) format(v Value, spec string) (Value, error) {
	s, err := m.formatNative(v, spec)
	if err == ErrForeign {
		return m.enter(m.Intrinsic("format_of"), contStore, Value{}, v, m.Message(spec))
	}
	if err != nil {
		return Value{}, err
	}
	return m.Message(s), nil
}

// formatNative is format(v, spec). It returns errForeign when code of the
// program has a say.
func (m *Machine) formatNative(v Value, spec string) (string, error) {
	if o := v.Instance(); o != nil {
		fn, ok := m.Lookup(o.class, nameFormat)
		if ok && !isBuiltIn(fn) {
			return "", ErrForeign
		}
		if o.payload.Bound() && o.class.layout != KindException && spec != "" {
			return m.formatNative(o.payload, spec)
		}
	}
	if o := v.Opaque(); o != nil {
		if _, ok := m.Lookup(o.class, nameFormat); ok {
			return "", ErrForeign
		}
	}
	if c := v.Class(); c != nil && c.meta != nil {
		return "", ErrForeign
	}
	if spec == "" {
		return m.strNative(v)
	}
	switch v.Kind() {
	case KindStr:
		return text.FormatStr(m, v.Str().text(), spec, "str")
	case KindInt, KindBool:
		return text.FormatInt(m, text.Int{Small: v.Int()}, spec, TypeName(v))
	case KindBigInt:
		return text.FormatInt(m, text.Int{Big: v.big().v}, spec, "int")
	case KindFloat:
		return text.FormatFloat(m, v.Float(), spec, "float")
	}
	return "", raise.Type("unsupported format string passed to %s.__format__", TypeName(v))
}
