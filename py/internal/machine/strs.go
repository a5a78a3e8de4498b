package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// defineStrings defines str.
func defineStrings(r *Registry) {
	r.maker(strType, 0, 3, makeStr)
	d := textMethods{r, strType}
	defineCommon(d)
	d.change("casefold", text.CaseFold)
	d.property("isdecimal", text.Decimal)
	d.property("isnumeric", text.Numeric)
	d.property("isprintable", text.Printable)
	d.test("isidentifier", text.IsIdentifier)
	d.kw("encode", 1, 3, encodeMethod)
	d.kw("format", 1, -1, formatMethod)
	d.def("translate", 2, 2, translateMethod)
	r.staticMethod(strType, "maketrans", 1, 3, makeTransMethod)
	d.def("format_map", 2, 2, formatMapMethod)
	defineQuick(r)
	defineQuickMakers()
}

// makeStr is str(object) and str(bytes, encoding, errors).
func makeStr(m *Machine, a Args) (Value, error) {
	if err := a.Only("str", "object", "encoding", "errors"); err != nil {
		return Value{}, err
	}
	var args [3]Value
	for i, name := range []string{"object", "encoding", "errors"} {
		v, err := a.param(i+1, "str", name)
		if err != nil {
			return Value{}, err
		}
		args[i] = v
	}
	if args[1].Bound() || args[2].Bound() {
		return m.decoded(args[0], args[1], args[2], "str")
	}
	if !args[0].Bound() {
		return emptyStr.Ref(), nil
	}
	if args[0].Kind() == KindStr {
		return args[0], nil
	}
	s, err := m.strNative(args[0])
	if err == ErrForeign {
		return m.Then(m.Intrinsic("str_of"), args[0])
	}
	if err != nil {
		return Value{}, err
	}
	return m.Message(s), nil
}

// decoded is str(v, encoding, errors) of bytes.
func (m *Machine) decoded(v, encoding, errors Value, fn string) (Value, error) {
	enc, policy, err := codecArgs(encoding, errors, fn)
	if err != nil {
		return Value{}, err
	}
	t, ok := text.Str{}, true
	if v.Bound() {
		t, ok = textual(v)
	}
	switch {
	case ok && v.Bound() && !t.Raw:
		return Value{}, raise.Type("decoding str is not supported")
	case !ok:
		return Value{}, raise.Type("decoding to str: need a bytes-like object, %s found", TypeName(v))
	}
	s, err := text.Decode(m, t.S, enc, policy)
	if err != nil {
		return Value{}, err
	}
	return m.ownText(text.Str{}, s), nil
}

// codecArgs are the encoding and the error handler of encode and decode.
func codecArgs(encoding, errors Value, fn string) (string, string, error) {
	enc, policy := "utf-8", "strict"
	if encoding.Bound() {
		s := Plain(encoding).Str()
		if s == nil {
			return "", "", raise.Type("%s() argument 'encoding' must be str, not %s", fn, argumentName(encoding))
		}
		enc = s.s
	}
	if errors.Bound() {
		s := Plain(errors).Str()
		if s == nil {
			return "", "", raise.Type("%s() argument 'errors' must be str, not %s", fn, argumentName(errors))
		}
		policy = s.s
	}
	return enc, policy, nil
}

// codecMethod reads the arguments of encode and decode.
func codecMethod(a Args, fn string) (string, string, error) {
	if err := a.Only(fn, "encoding", "errors"); err != nil {
		return "", "", err
	}
	encoding, err := a.param(1, fn, "encoding")
	if err != nil {
		return "", "", err
	}
	errors, err := a.param(2, fn, "errors")
	if err != nil {
		return "", "", err
	}
	return codecArgs(encoding, errors, fn)
}

func encodeMethod(m *Machine, t text.Str, a Args) (Value, error) {
	encoding, errors, err := codecMethod(a, "encode")
	if err != nil {
		return Value{}, err
	}
	b, err := text.Encode(m, t, encoding, errors)
	if err != nil {
		return Value{}, err
	}
	return m.ownText(text.Str{Raw: true}, b), nil
}
