package machine

import (
	"math"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// asciiStrs are the strs of one ASCII character, which all instances share.
var asciiStrs = func() (all [128]*Str) {
	for i := range all {
		all[i] = SharedStr(string(rune(i)))
	}
	return all
}()

var emptyStr = SharedStr("")

// SharedStr makes a str that instances may share: everything that is worked out
// late is worked out now.
func SharedStr(s string) *Str {
	o := &Str{s: s, hash: uint32(hashString(s)), length: int32(text.Len(s))}
	o.flags = shared
	o.value()
	return o
}

// Str pays for a str and makes it. The result must not be a part of a larger
// string that nothing else keeps.
func (m *Machine) Str(s string) (Value, error) {
	if len(s) <= 1 {
		if s == "" {
			return emptyStr.Ref(), nil
		}
		if s[0] < 0x80 {
			return asciiStrs[s[0]].Ref(), nil
		}
	}
	if err := m.Alloc(StrBytes + len(s)); err != nil {
		return Value{}, err
	}
	return (&Str{s: s, length: -1}).value(), nil
}

// CutStr makes a str of a part of a string, without keeping the rest of it.
func (m *Machine) CutStr(s string) (Value, error) {
	if len(s) <= 1 {
		return m.Str(s)
	}
	if err := m.Alloc(StrBytes + len(s)); err != nil {
		return Value{}, err
	}
	return (&Str{s: strings.Clone(s), length: -1}).value(), nil
}

// SmallStr makes a str of a few bytes.
func (m *Machine) SmallStr(s string) Value {
	m.Spend(StrBytes + len(s))
	return (&Str{s: strings.Clone(s), length: -1}).value()
}

// character is the first code point of s, which is none of ASCII, as a str.
func (m *Machine) character(s string) Value {
	_, n := text.DecodeRune(s)
	return m.recent(s[:n], 1)
}

// Message makes a str of a message of the machine.
func (m *Machine) Message(s string) Value {
	m.Spend(StrBytes + len(s))
	return (&Str{s: s, length: -1}).value()
}

// len is the number of code points.
func (s *Str) len() int {
	if s.length >= 0 {
		return int(s.length)
	}
	return s.count()
}

// count is len for the first time.
func (s *Str) count() int {
	s.length = int32(text.Of(s.s).Len())
	return int(s.length)
}

// Flat reports whether every code point is one byte.
func (s *Str) Flat() bool { return s.len() == len(s.s) }

// text is s as the functions of package text take it.
func (s *Str) text() text.Str { return text.Str{S: s.s, Flat: s.Flat()} }

func (b *Bytes) text() text.Str { return text.Bytes(b.b) }

// Bytes pays for a bytes object and makes it.
func (m *Machine) Bytes(b string) (Value, error) {
	if err := m.Alloc(bytesBytes + len(b)); err != nil {
		return Value{}, err
	}
	return (&Bytes{b: b}).value(), nil
}

// growing is the length from which concatenation keeps room to grow, so that
// building a string in a loop is linear.
const growing = 64

// concat is x + y of strs.
func (m *Machine) concat(x, y *Str) (Value, error) {
	if len(y.s) == 0 {
		return x.Ref(), nil
	}
	if len(x.s) == 0 {
		return y.Ref(), nil
	}
	n := len(x.s) + len(y.s)
	m.budget -= int64(len(y.s) / (16 * WorkPerStep))
	if n < growing {
		m.Spend(StrBytes + n)
		var b [growing]byte // cheaper than x.s + y.s, which is made for more
		copy(b[copy(b[:], x.s):], y.s)
		return (&Str{s: string(b[:n]), length: joined(x, y)}).value(), nil
	}
	g := m.growingStr(x)
	grows, tail := g.of == x, g.tail // a trace may drop them
	if !grows {
		if err := m.Alloc(StrBytes + n); err != nil {
			return Value{}, err
		}
		*g = grown{of: &Str{s: x.s + y.s, length: joined(x, y)}}
		return g.of.value(), nil
	}
	if tail == nil || tail.Len() != len(x.s) || tail.Cap() < n {
		if err := m.Alloc(StrBytes + 2*n); err != nil {
			return Value{}, err
		}
		tail = &strings.Builder{}
		tail.Grow(2 * n)
		tail.WriteString(x.s)
	} else if err := m.Alloc(StrBytes + len(y.s)); err != nil {
		return Value{}, err
	}
	tail.WriteString(y.s)
	s := &Str{s: tail.String(), length: joined(x, y)}
	s.room = roomOf(tail.Cap(), n)
	if g.of = s; g.tail != tail { // a pointer that stays costs the collector nothing
		g.tail = tail
	}
	return s.value(), nil
}

// roomOf is how much of its storage a str of n bytes leaves unused, in parts of
// roomUnit of n, rounded up.
func roomOf(capacity, n int) uint8 {
	return uint8(min((capacity-n)*roomUnit/n+1, math.MaxUint8))
}

const roomUnit = 64

// storage is the bytes that s keeps alive.
func (s *Str) storage() int64 {
	return StrBytes + int64(len(s.s)) + int64(len(s.s))*int64(s.room)/roomUnit
}

// grown is the str that a concatenation made last. When that one grows it gets
// storage with room, and the next concatenation writes there, unless the str has
// grown in another way since.
type grown struct {
	of   *Str
	tail *strings.Builder
}

// growingStr returns the entry for x among the strs that grow, or the one to
// give up for it.
func (m *Machine) growingStr(x *Str) *grown {
	for i := range m.grown {
		if m.grown[i].of == x {
			return &m.grown[i]
		}
	}
	m.grownNext = (m.grownNext + 1) % len(m.grown)
	return &m.grown[m.grownNext]
}

// joined is the length of x + y when both are known, otherwise -1.
func joined(x, y *Str) int32 {
	if x.length < 0 || y.length < 0 {
		return -1
	}
	return x.length + y.length
}

// joinParts joins the parts of an f-string.
func (m *Machine) joinParts(parts []Value) (Value, error) {
	n, length := 0, int32(0)
	for _, p := range parts {
		s := p.Str()
		if s == nil {
			return Value{}, ErrMalformed
		}
		n += len(s.s)
		if length >= 0 && s.length >= 0 {
			length += s.length
		} else {
			length = -1
		}
	}
	if err := m.Alloc(StrBytes + n); err != nil {
		return Value{}, err
	}
	if err := m.Work(n/16 + 1); err != nil {
		return Value{}, err
	}
	var b strings.Builder
	b.Grow(n)
	for _, p := range parts {
		b.WriteString(p.Str().s)
	}
	return (&Str{s: b.String(), length: length}).value(), nil
}

func itoa(n int) string { return strconv.Itoa(n) }

// Repeat is s * n of a str or bytes object.
func (m *Machine) Repeat(s string, n int64) (string, error) {
	if n <= 0 || s == "" {
		return "", nil
	}
	if n > int64(1<<40)/int64(len(s)) {
		return "", m.limit(MemoryLimit)
	}
	size := int(n) * len(s)
	if err := m.Alloc(size); err != nil {
		return "", err
	}
	if err := m.Work(size / 16); err != nil {
		return "", err
	}
	return strings.Repeat(s, int(n)), nil
}

// WantStr returns the str that v is, or a TypeError.
func WantStr(v Value, format string, args ...any) (*Str, error) {
	if s := Plain(v).Str(); s != nil {
		return s, nil
	}
	return nil, raise.Type(format, args...)
}

// Plain returns the built-in part of an instance of a subclass of a built-in
// type, and any other value as it is.
func Plain(v Value) Value {
	if o := v.Instance(); o != nil && o.payload.Bound() && o.class.layout != KindException {
		return o.payload
	}
	return v
}

// ConstantOr returns the str of that text among the constants of the program,
// where most keys are that it asks for, or a new one. The text is paid for.
func (m *Machine) ConstantOr(s string) *Str {
	if o, ok := m.program.Main.strs[s]; ok {
		return o
	}
	return m.PaidText(s, false).Str()
}

// PaidText makes a str or bytes object of text that is paid for.
func (m *Machine) PaidText(s string, isBytes bool) Value {
	m.Spend(StrBytes)
	if isBytes {
		return (&Bytes{b: s}).value()
	}
	return (&Str{s: s, length: -1}).value()
}

// Cut makes a str or bytes object of a part of a text.
func (m *Machine) Cut(s string, isBytes bool) (Value, error) {
	if isBytes {
		return m.Bytes(strings.Clone(s))
	}
	return m.CutStr(s)
}
