package machine

import (
	"math"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// asciiStrs are the strs of one ASCII character, which all instances share.
var asciiStrs = func() (all [128]*str) {
	for i := range all {
		all[i] = newStr(string(rune(i)))
	}
	return all
}()

var emptyStr = newStr("")

// newStr makes a str that instances may share: everything that is worked out
// late is worked out now.
func newStr(s string) *str {
	o := &str{s: s, hash: uint32(hashString(s)), length: int32(text.Len(s))}
	o.flags = shared
	o.value()
	return o
}

// str pays for a str and makes it. The result must not be a part of a larger
// string that nothing else keeps.
func (m *Machine) str(s string) (Value, error) {
	if len(s) <= 1 {
		if s == "" {
			return emptyStr.ref(), nil
		}
		if s[0] < 0x80 {
			return asciiStrs[s[0]].ref(), nil
		}
	}
	if err := m.Alloc(strBytes + len(s)); err != nil {
		return Value{}, err
	}
	return (&str{s: s, length: -1}).value(), nil
}

// cut makes a str of a part of a string, without keeping the rest of it.
func (m *Machine) cut(s string) (Value, error) {
	if len(s) <= 1 {
		return m.str(s)
	}
	if err := m.Alloc(strBytes + len(s)); err != nil {
		return Value{}, err
	}
	return (&str{s: strings.Clone(s), length: -1}).value(), nil
}

// small makes a str of a few bytes.
func (m *Machine) small(s string) Value {
	m.spend(strBytes + len(s))
	return (&str{s: strings.Clone(s), length: -1}).value()
}

// text makes a str of a message of the machine.
func (m *Machine) text(s string) Value {
	m.spend(strBytes + len(s))
	return (&str{s: s, length: -1}).value()
}

// len is the number of code points.
func (s *str) len() int {
	if s.length < 0 {
		s.length = int32(text.Of(s.s).Len())
	}
	return int(s.length)
}

// flat reports whether every code point is one byte.
func (s *str) flat() bool { return s.len() == len(s.s) }

// text is s as the functions of package text take it.
func (s *str) text() text.Str { return text.Str{S: s.s, Flat: s.flat()} }

func (b *bytesObject) text() text.Str { return text.Bytes(b.b) }

func (m *Machine) bytes(b string) (Value, error) {
	if err := m.Alloc(bytesBytes + len(b)); err != nil {
		return Value{}, err
	}
	return (&bytesObject{b: b}).value(), nil
}

// growing is the length from which concatenation keeps room to grow, so that
// building a string in a loop is linear.
const growing = 64

// concat is x + y of strs.
func (m *Machine) concat(x, y *str) (Value, error) {
	if len(y.s) == 0 {
		return x.ref(), nil
	}
	if len(x.s) == 0 {
		return y.ref(), nil
	}
	n := len(x.s) + len(y.s)
	m.budget -= int64(len(y.s) / (16 * workPerStep))
	if n < growing {
		m.spend(strBytes + n)
		return (&str{s: x.s + y.s, length: joined(x, y)}).value(), nil
	}
	g := m.growingStr(x)
	grows, tail := g.of == x, g.tail // a trace may drop them
	if !grows {
		if err := m.Alloc(strBytes + n); err != nil {
			return Value{}, err
		}
		*g = grown{of: &str{s: x.s + y.s, length: joined(x, y)}}
		return g.of.value(), nil
	}
	if tail == nil || tail.Len() != len(x.s) || tail.Cap() < n {
		if err := m.Alloc(strBytes + 2*n); err != nil {
			return Value{}, err
		}
		tail = &strings.Builder{}
		tail.Grow(2 * n)
		tail.WriteString(x.s)
	} else if err := m.Alloc(strBytes + len(y.s)); err != nil {
		return Value{}, err
	}
	tail.WriteString(y.s)
	s := &str{s: tail.String(), length: joined(x, y)}
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
func (s *str) storage() int64 {
	return strBytes + int64(len(s.s)) + int64(len(s.s))*int64(s.room)/roomUnit
}

// grown is the str that a concatenation made last. When that one grows it gets
// storage with room, and the next concatenation writes there, unless the str has
// grown in another way since.
type grown struct {
	of   *str
	tail *strings.Builder
}

// growingStr returns the entry for x among the strs that grow, or the one to
// give up for it.
func (m *Machine) growingStr(x *str) *grown {
	for i := range m.grown {
		if m.grown[i].of == x {
			return &m.grown[i]
		}
	}
	m.grownNext = (m.grownNext + 1) % len(m.grown)
	return &m.grown[m.grownNext]
}

// joined is the length of x + y when both are known, else -1.
func joined(x, y *str) int32 {
	if x.length < 0 || y.length < 0 {
		return -1
	}
	return x.length + y.length
}

// joinParts joins the parts of an f-string.
func (m *Machine) joinParts(parts []Value) (Value, error) {
	n, length := 0, int32(0)
	for _, p := range parts {
		s := p.str()
		if s == nil {
			return Value{}, errCorrupt
		}
		n += len(s.s)
		if length >= 0 && s.length >= 0 {
			length += s.length
		} else {
			length = -1
		}
	}
	if err := m.Alloc(strBytes + n); err != nil {
		return Value{}, err
	}
	if err := m.Work(n/16 + 1); err != nil {
		return Value{}, err
	}
	var b strings.Builder
	b.Grow(n)
	for _, p := range parts {
		b.WriteString(p.str().s)
	}
	return (&str{s: b.String(), length: length}).value(), nil
}

func runeLen(s string) int {
	_, n := text.DecodeRune(s)
	return n
}

func itoa(n int) string { return strconv.Itoa(n) }

// repeat is s * n of a str or bytes object.
func (m *Machine) repeat(s string, n int64) (string, error) {
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

// wantStr returns the str that v is, or a TypeError.
func wantStr(v Value, format string, args ...any) (*str, error) {
	if s := plain(v).str(); s != nil {
		return s, nil
	}
	return nil, raise.Type(format, args...)
}

// plain returns the built-in part of an instance of a subclass of a built-in
// type, and any other value as it is.
func plain(v Value) Value {
	if o := v.instance(); o != nil && o.payload.bound() && o.class.layout != kindException {
		return o.payload
	}
	return v
}
