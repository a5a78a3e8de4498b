package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// quickPercent is format % values of a short result, when the directives are
// the usual ones and the values are strs, ints and floats. It returns no value
// for everything else, with nothing done.
func (m *Machine) quickPercent(format, values Value) Value {
	f := format.Str()
	if f == nil || len(f.s) > quickBytes {
		return Value{}
	}
	args := []Value{values}
	if t := values.Tuple(); t != nil {
		args = t.items
	}
	var buffer [2 * (quickBytes + text.ShortResult)]byte
	out, ok := quickPercenter(args).run(buffer[:0], f.s)
	if !ok {
		return Value{}
	}
	m.look(16 * len(out))
	return m.writtenStr(out, f.Flat())
}

// writtenStr makes a str of a few bytes.
func (m *Machine) writtenStr(b []byte, flat bool) Value {
	if flat {
		return m.ascii(b)
	}
	m.Spend(StrBytes + len(b))
	return (&Str{s: string(b), length: -1}).value()
}

// quickPercenter writes one result of the values that are left. What is written
// is handed from call to call, so that it can be on the stack.
type quickPercenter []Value

// run writes what the format says and reports whether it could.
func (p quickPercenter) run(out []byte, format string) ([]byte, bool) {
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			return append(out, format...), len(p) == 0
		}
		out = append(out, format[:i]...)
		format = format[i+1:]
		if strings.HasPrefix(format, "%") {
			out = append(out, '%')
			format = format[1:]
			continue
		}
		if len(p) == 0 {
			return out, false
		}
		var n int
		if out, n = directive(out, format, p[0]); n == 0 || len(out) > quickBytes {
			return out, false
		}
		p, format = p[1:], format[n:]
	}
}

// directive writes v by the directive that a format begins with and returns the
// length of that, or 0.
func directive(out []byte, format string, v Value) ([]byte, int) {
	i, left, zeros := 0, false, false
	for ; i < len(format) && (format[i] == '-' || format[i] == '0'); i++ {
		left = left || format[i] == '-'
		zeros = zeros || format[i] == '0'
	}
	width, n := shortNumber(format[i:])
	i += n
	precision := -1
	if i < len(format) && format[i] == '.' {
		precision, n = shortNumber(format[i+1:])
		i += n + 1
	}
	if i == len(format) {
		return out, 0
	}
	if format[i] == 's' {
		zeros = false
	}
	out, ok := appendDirected(out, v, format[i], text.Padding(width, left, zeros), precision)
	if !ok {
		return out, 0
	}
	return out, i + 1
}

// shortNumber reads a number of up to three digits.
func shortNumber(s string) (number, size int) {
	for size < len(s) && size < 3 && asciiDigit(s[size]) {
		number = 10*number + int(s[size]-'0')
		size++
	}
	return number, size
}

// appendDirected writes v as the type of a directive and the rest of it say.
func appendDirected(out []byte, v Value, kind byte, spec text.Spec, precision int) ([]byte, bool) {
	switch {
	case kind == 'f' && v.IsFloat():
		spec = spec.Fixed(precision)
		return spec.AppendFloat(out, v.Float())
	case precision >= 0:
	case v.IsInt() && (kind == 'd' || kind == 'x'):
		spec = spec.Based(kind)
		return spec.AppendInt(out, v.Int())
	case v.IsInt() && kind == 's':
		return spec.AppendInt(out, v.Int())
	case v.Kind() == KindStr && kind == 's':
		if s := v.Str(); len(s.s) <= quickBytes && s.Flat() {
			return spec.AppendStr(out, s.s)
		}
	}
	return out, false
}
