package value

import "strconv"

// copy appends the canonical JSON of the value that comes next, which it checks
// against t: what typed and appendTyped do, in one pass and without the value.
// Kinds that are rarely large go through the value.
func (r *jsonReader) copy(b []byte, t Type) ([]byte, error) {
	switch t.Kind {
	case KindAny, KindUnion, KindNone, KindBool, KindInt, KindFloat, KindStr, KindList, KindTuple, KindDict:
	default:
		return r.copyValue(b, t)
	}
	if t.Kind == KindDict && t.keyKind() != KindStr {
		return r.copyValue(b, t)
	}
	inner, optional := t.Optional()
	if t.Kind == KindUnion && !optional || t.Kind == KindAny && r.describesItself() {
		return r.copyValue(b, t)
	}
	if err := r.charge(1); err != nil {
		return b, err
	}
	if optional {
		if r.word("null") {
			return append(b, "null"...), nil
		}
		return r.copy(b, inner)
	}
	return r.copyCharged(b, t)
}

// copyValue appends the canonical JSON of a value that it decodes.
func (r *jsonReader) copyValue(b []byte, t Type) ([]byte, error) {
	v, err := r.typed(t)
	if err != nil {
		return b, err
	}
	if v, err = natural(v, r.depth); err != nil {
		return b, err
	}
	if v, err = fit(t, v, fitting{}); err != nil {
		return b, err
	}
	r.files = r.files || !eachFile(v, func(FileRef) bool { return false })
	return appendTyped(b, t, v), nil
}

// describesItself reports whether the value that comes next is an object whose
// first key is a tag, or may be one.
func (r *jsonReader) describesItself() bool {
	if r.peek() != '{' {
		return false
	}
	ahead := jsonReader{data: r.data, pos: r.pos + 1}
	if ahead.peek() != '"' || ahead.pos+1 >= len(r.data) {
		return false
	}
	return r.data[ahead.pos+1] == '$' || r.data[ahead.pos+1] == '\\'
}

func (r *jsonReader) copyCharged(b []byte, t Type) ([]byte, error) {
	switch c := r.peek(); {
	case c == '[' && (t.Kind == KindList || t.Kind == KindTuple || t.Kind == KindAny):
		return r.copyItems(b, t)
	case c == '{' && (t.Kind == KindDict || t.Kind == KindAny):
		return r.copyDict(b, t.elem())
	case c == '"' && (t.Kind == KindStr || t.Kind == KindAny):
		if text, ok := r.plainString(); ok {
			return append(b, text...), nil
		}
	case c == '-' || c >= '0' && c <= '9':
		if out, ok := r.copyNumber(b, t.Kind); ok {
			return out, nil
		}
	}
	v, err := r.charged(t)
	if err != nil {
		return b, err
	}
	return appendTyped(b, t, v), nil
}

func (r *jsonReader) copyItems(b []byte, t Type) ([]byte, error) {
	count := 0
	b = append(b, '[')
	err := r.items(func(i int) (err error) {
		elem := t.elem()
		if t.Kind == KindTuple {
			if elem, err = t.itemOrEnd(i); err != nil {
				return err
			}
		}
		if count = i + 1; i > 0 {
			b = append(b, ',')
		}
		b, err = r.copy(b, elem)
		return err
	})
	if err == nil && t.Kind == KindTuple && !t.unbounded() && count != len(t.Args) {
		err = mismatch(t, make(Tuple, count))
	}
	return append(b, ']'), err
}

func (r *jsonReader) copyDict(b []byte, elem Type) ([]byte, error) {
	b = append(b, '{')
	first := true
	err := r.fields(func(k string) (err error) {
		if err := checkKey(k); err != nil {
			return err
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b, err = r.copy(append(appendQuoted(b, k), ':'), elem)
		return err
	})
	return append(b, '}'), err
}

// plainString returns a string with its quotes if it needs no escapes and is
// ASCII; ok is false for any other, which it does not read.
func (r *jsonReader) plainString() (text []byte, ok bool) {
	for i := r.pos + 1; i < len(r.data); i++ {
		switch c := r.data[i]; {
		case c == '"':
			text = r.data[r.pos : i+1]
			r.pos = i + 1
			return text, true
		case c < ' ' || c == '\\' || c >= 0x7F:
			return nil, false
		}
	}
	return nil, false
}

// exactDigits is how many digits an int has at most that is a float, and an
// int64, without a loss.
const exactDigits = 15

// copyNumber appends a number as JSON of a kind; ok is false, and nothing is
// read, where more than the digits decides.
func (r *jsonReader) copyNumber(b []byte, k Kind) (out []byte, ok bool) {
	start := r.pos
	literal, integral, err := r.numeral()
	switch {
	case err != nil:
	case integral && len(literal) <= exactDigits && string(literal) != "-0" && (k == KindInt || k == KindAny):
		return append(b, literal...), true
	case k == KindFloat, !integral && k == KindAny:
		if f, ok := plainFloat(literal, integral); ok {
			return appendFinite(b, f), true
		}
	}
	r.pos = start
	return b, false
}

// plainFloat reads a number that is a float without a loss; ok is false where more
// than the digits decides.
func plainFloat(literal []byte, integral bool) (f float64, ok bool) {
	if integral && (len(literal) > exactDigits || string(literal) == "-0") {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(literal), 64)
	return f, err == nil
}

// appendFinite is appendFloat of a number without a string of its own.
func appendFinite(b []byte, f float64) []byte {
	start := len(b)
	b = strconv.AppendFloat(b, f, 'g', -1, 64)
	for _, c := range b[start:] {
		if c == '.' || c == 'e' {
			return b
		}
	}
	return append(b, ".0"...)
}
