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
	p := quickPercenter{out: buffer[:0], args: args, flat: f.Flat()}
	if !p.run(f.s) {
		return Value{}
	}
	m.look(16 * len(p.out))
	return m.writtenStr(p.out, p.flat)
}

// writtenStr makes a str of a few bytes.
func (m *Machine) writtenStr(b []byte, flat bool) Value {
	if flat {
		return m.ascii(b)
	}
	m.Spend(StrBytes + len(b))
	return (&Str{s: string(b), length: -1}).value()
}

// quickPercenter writes one result.
type quickPercenter struct {
	out  []byte
	args []Value
	flat bool // whether the result is ASCII
}

// run writes what the format says and reports whether it could.
func (p *quickPercenter) run(format string) bool {
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 {
			p.out = append(p.out, format...)
			return len(p.args) == 0
		}
		p.out = append(p.out, format[:i]...)
		format = format[i+1:]
		if strings.HasPrefix(format, "%") {
			p.out = append(p.out, '%')
			format = format[1:]
			continue
		}
		n := p.directive(format)
		if n == 0 || len(p.out) > quickBytes {
			return false
		}
		format = format[n:]
	}
}

// directive writes the next argument by the directive that a format begins with
// and returns the length of that, or 0.
func (p *quickPercenter) directive(format string) int {
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
	if i == len(format) || len(p.args) == 0 {
		return 0
	}
	v := p.args[0]
	p.args = p.args[1:]
	if format[i] == 's' {
		zeros = false
	}
	if !p.value(v, format[i], text.Padding(width, left, zeros), precision) {
		return 0
	}
	return i + 1
}

// shortNumber reads a number of up to three digits.
func shortNumber(s string) (number, size int) {
	for size < len(s) && size < 3 && asciiDigit(s[size]) {
		number = 10*number + int(s[size]-'0')
		size++
	}
	return number, size
}

// value writes v as the type of a directive and the rest of it say.
func (p *quickPercenter) value(v Value, kind byte, spec text.Spec, precision int) (ok bool) {
	switch {
	case kind == 'f' && v.IsFloat():
		spec = spec.Fixed(precision)
		p.out, ok = spec.AppendFloat(p.out, v.Float())
	case precision >= 0:
	case v.IsInt() && (kind == 'd' || kind == 'x'):
		spec = spec.Based(kind)
		p.out, ok = spec.AppendInt(p.out, v.Int())
	case v.IsInt() && kind == 's':
		p.out, ok = spec.AppendInt(p.out, v.Int())
	case v.Kind() == KindStr && kind == 's':
		return p.str(v.Str(), spec)
	}
	return ok
}

// str writes a str.
func (p *quickPercenter) str(s *Str, spec text.Spec) (ok bool) {
	if len(s.s) > quickBytes || !s.Flat() {
		return false
	}
	p.out, ok = spec.AppendStr(p.out, s.s)
	return ok
}
