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
	case v.isInt() && spec == "":
		return m.intStr(v.int()), nil
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
		s, err := m.reprNative(v)
		if err == errForeign {
			return m.enter(m.intrinsic("ascii_of"), contStore, Value{}, v)
		}
		if err != nil {
			return Value{}, err
		}
		if s, err = text.Escape(m, s); err != nil {
			return Value{}, err
		}
		return m.text(s), nil
	}
	return Value{}, errCorrupt
}

func (m *Machine) formatSpec(v, spec Value) (Value, error) {
	s := spec.str()
	if s == nil {
		return Value{}, raise.Type("format() argument 2 must be str, not %s", typeName(spec))
	}
	if v := m.formatQuick(v, s); v.bound() {
		return v, nil
	}
	return m.format(v, s.s)
}

// format is format(v, spec); it returns errEntered when code of the program
// works it out.
func (m *Machine) format(v Value, spec string) (Value, error) {
	s, err := m.formatNative(v, spec)
	if err == errForeign {
		return m.enter(m.intrinsic("format_of"), contStore, Value{}, v, m.text(spec))
	}
	if err != nil {
		return Value{}, err
	}
	return m.text(s), nil
}

// formatNative is format(v, spec). It returns errForeign when code of the
// program has a say.
func (m *Machine) formatNative(v Value, spec string) (string, error) {
	if o := v.instance(); o != nil {
		fn, ok := m.lookup(o.class, nameFormat)
		if ok && !isBuiltIn(fn) {
			return "", errForeign
		}
		if o.payload.bound() && o.class.layout != kindException && spec != "" {
			return m.formatNative(o.payload, spec)
		}
	}
	if o := v.opaque(); o != nil {
		if _, ok := m.lookup(o.class, nameFormat); ok {
			return "", errForeign
		}
	}
	if c := v.class(); c != nil && c.meta != nil {
		return "", errForeign
	}
	if spec == "" {
		return m.strNative(v)
	}
	switch v.kind() {
	case kindStr:
		return text.FormatStr(m, v.str().text(), spec, "str")
	case kindInt, kindBool:
		return text.FormatInt(m, text.Int{Small: v.int()}, spec, typeName(v))
	case kindBigInt:
		return text.FormatInt(m, text.Int{Big: v.big().v}, spec, "int")
	case kindFloat:
		return text.FormatFloat(m, v.float(), spec, "float")
	}
	return "", raise.Type("unsupported format string passed to %s.__format__", typeName(v))
}
