package machine

import "strings"

// The quick forms stand before the methods of str, which are in strings.go,
// texts.go, textmethods.go, textsearch.go and, for format and %, in strformat.go
// and percent.go; those of quickmake.go stand before the makers of str, int and
// float. A quick form must give what its method gives, and TestQuickFormsAgree
// compares the two.

// quickBytes is the length up to which a str method has a quick form.
const quickBytes = 256

// quickArgument is the length up to which it takes a str: what is longer makes
// a search compare more than a character at each place.
const quickArgument = 32

// quickMethod is the quick form of a str method: of a short ASCII str, with
// arguments of the very types that it expects. It runs in bounded time, and
// returns no value for everything that it leaves to the method itself.
type quickMethod func(m *Machine, s *Str, a []Value) Value

// defineQuick gives methods of str their quick forms.
func defineQuick(r *Registry) {
	for _, all := range []map[string]quickMethod{quickChanges(), quickTests(), quickSearches(), quickCuts()} {
		for name, fn := range all {
			quicken(r.natives["str."+name].native(), fn)
		}
	}
}

// quicken puts the quick form before a method.
func quicken(n *Native, quick quickMethod) {
	general := n.fn
	n.quick = quick
	n.fn = func(m *Machine, a Args) (Value, error) {
		if len(a.v) > 0 && a.names == nil {
			if v := m.quickly(quick, a.v); v.Bound() {
				return v, nil
			}
		}
		return general(m, a)
	}
}

// quickly calls a quick form, or returns no value.
func (m *Machine) quickly(quick quickMethod, args []Value) Value {
	s := args[0].Str()
	if s == nil || len(s.s) > quickBytes || !s.Flat() {
		return Value{}
	}
	v := quick(m, s, args[1:])
	if v.Bound() {
		m.look(len(s.s))
	}
	return v
}

// quickBuffer is where a quick method writes its result.
type quickBuffer [quickBytes]byte

// ascii makes a str of a few ASCII bytes.
func (m *Machine) ascii(b []byte) Value {
	if len(b) <= 1 {
		if len(b) == 0 {
			return emptyStr.Ref()
		}
		return asciiStrs[b[0]].Ref()
	}
	m.Spend(StrBytes + len(b))
	return (&Str{s: string(b), length: int32(len(b))}).value()
}

// sharedBytes is the length up to which a str lends its bytes to its parts: to
// keep so few alive costs less than to copy them.
const sharedBytes = 64

// asciiPart makes a str of a part of an ASCII str of so many bytes.
func (m *Machine) asciiPart(s string, whole int) Value {
	if len(s) <= 1 {
		if s == "" {
			return emptyStr.Ref()
		}
		return asciiStrs[s[0]].Ref()
	}
	var slot **Str
	if len(s) <= recentBytes {
		if slot = m.recentSlot(s); *slot != nil && (*slot).s == s {
			return (*slot).Ref()
		}
	}
	m.Spend(StrBytes + len(s))
	if whole > sharedBytes {
		s = strings.Clone(s)
	}
	o := &Str{s: s, length: int32(len(s))}
	if slot != nil {
		*slot = o
	}
	return o.value()
}

// asciiArgument returns the only argument, when it is a short ASCII str.
func asciiArgument(a []Value) *Str {
	if len(a) != 1 {
		return nil
	}
	if s := a[0].Str(); s != nil && len(s.s) <= quickArgument && s.Flat() {
		return s
	}
	return nil
}

// quickChanges are the methods that return a str of about the same length.
func quickChanges() map[string]quickMethod {
	return map[string]quickMethod{
		"lower": func(m *Machine, s *Str, a []Value) Value { return m.turned(s, 'A', 'Z') },
		"upper": func(m *Machine, s *Str, a []Value) Value { return m.turned(s, 'a', 'z') },
		"title": func(m *Machine, s *Str, a []Value) Value {
			var b quickBuffer
			inWord := false
			for i := range len(s.s) {
				c := s.s[i]
				letter := asciiLetter(c)
				if letter && inWord {
					c |= 0x20
				} else if letter {
					c &^= 0x20
				}
				b[i], inWord = c, letter
			}
			return m.word(b[:len(s.s)])
		},
		"capitalize": func(m *Machine, s *Str, a []Value) Value {
			var b quickBuffer
			for i := range len(s.s) {
				c := s.s[i]
				if asciiLetter(c) && i == 0 {
					c &^= 0x20
				} else if asciiLetter(c) {
					c |= 0x20
				}
				b[i] = c
			}
			return m.word(b[:len(s.s)])
		},
		"replace": func(m *Machine, s *Str, a []Value) Value {
			if len(a) != 2 {
				return Value{}
			}
			from, to := asciiArgument(a[:1]), asciiArgument(a[1:])
			if from == nil || to == nil || from.s == "" {
				return Value{}
			}
			return m.replaced(s, from.s, to.s)
		},
		"ljust": func(m *Machine, s *Str, a []Value) Value { return m.justified(s, a, false) },
		"rjust": func(m *Machine, s *Str, a []Value) Value { return m.justified(s, a, true) },
		"zfill": func(m *Machine, s *Str, a []Value) Value {
			if len(a) != 1 || !quickWidth(a[0]) {
				return Value{}
			}
			lack, sign := int(a[0].Int())-len(s.s), 0
			if lack <= 0 {
				return s.Ref()
			}
			if s.s != "" && (s.s[0] == '-' || s.s[0] == '+') {
				sign = 1
			}
			var b quickBuffer
			copy(b[:], s.s[:sign])
			fillBytes(b[sign:sign+lack], '0')
			copy(b[sign+lack:], s.s[sign:])
			return m.ascii(b[:len(s.s)+lack])
		},
	}
}

// turned is s with the letters from first to last in the other case.
func (m *Machine) turned(s *Str, first, last byte) Value {
	i := 0
	for i < len(s.s) && (s.s[i] < first || last < s.s[i]) {
		i++
	}
	if i == len(s.s) {
		return s.Ref()
	}
	var b quickBuffer
	copy(b[:], s.s)
	for ; i < len(s.s); i++ {
		if c := b[i]; first <= c && c <= last {
			b[i] = c ^ 0x20
		}
	}
	return m.word(b[:len(s.s)])
}

// replaced is s with all of one text replaced by another, when that is short.
func (m *Machine) replaced(s *Str, from, to string) Value {
	i := strings.Index(s.s, from)
	if i < 0 {
		return s.Ref()
	}
	var buffer quickBuffer
	b, rest := buffer[:0], s.s
	for ; i >= 0; i = strings.Index(rest, from) {
		if len(b)+i+len(to) > quickBytes {
			return Value{}
		}
		b = append(append(b, rest[:i]...), to...)
		rest = rest[i+len(from):]
	}
	if len(b)+len(rest) > quickBytes {
		return Value{}
	}
	return m.ascii(append(b, rest...))
}

// justified is s with blanks on one side.
func (m *Machine) justified(s *Str, a []Value, right bool) Value {
	if len(a) != 1 || !quickWidth(a[0]) {
		return Value{}
	}
	lack := int(a[0].Int()) - len(s.s)
	if lack <= 0 {
		return s.Ref()
	}
	var b quickBuffer
	if right {
		fillBytes(b[:lack], ' ')
		copy(b[lack:], s.s)
	} else {
		copy(b[:], s.s)
		fillBytes(b[len(s.s):len(s.s)+lack], ' ')
	}
	return m.ascii(b[:len(s.s)+lack])
}

// quickWidth reports whether v is a width that leaves a text in a quickBuffer
// and from which its length can be taken.
func quickWidth(v Value) bool {
	return v.IsInt() && -quickBytes <= v.Int() && v.Int() <= quickBytes
}

func fillBytes(b []byte, c byte) {
	for i := range b {
		b[i] = c
	}
}

func asciiLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func asciiDigit(c byte) bool  { return '0' <= c && c <= '9' }
func asciiSpace(c byte) bool  { return c == ' ' || '\t' <= c && c <= '\r' || 0x1C <= c && c <= 0x1F }
