package machine

import "strings"

// recentStrs are short strs that the machine made, by their places: the words and
// characters of a text come again and again, and to find one costs less than to
// make it. A machine forgets them when it waits, so that what a program sees of
// identities does not depend on whether it was saved then.
type recentStrs [1 << recentBits]*Str

const (
	recentBits       = 8
	recentBytes      = 16 // of the longest
	recentTableBytes = 8 << recentBits
)

// recent returns the str of a few bytes and so many code points, or makes it of a copy.
func (m *Machine) recent(s string, length int) Value {
	slot := m.recentSlot(s)
	if o := *slot; o == nil || o.s != s {
		m.Spend(StrBytes + len(s))
		o = &Str{s: strings.Clone(s), length: int32(length)}
		o.value()
		*slot = o
	}
	return (*slot).Ref()
}

// word is ascii for what texts are made of.
func (m *Machine) word(b []byte) Value {
	if len(b) < 2 || len(b) > recentBytes {
		return m.ascii(b)
	}
	return m.recent(string(b), len(b))
}

// recentSlot is where a str of 2 to recentBytes bytes is, if it is there at all.
// The place depends on nothing but the bytes: it is the same in each process.
func (m *Machine) recentSlot(s string) **Str {
	if m.recents == nil {
		m.Spend(recentTableBytes)
		m.recents = new(recentStrs)
	}
	var a, b uint64
	switch n := len(s); {
	case n >= 8:
		a, b = eightBytes(s), eightBytes(s[n-8:])
	case n >= 4:
		a, b = fourBytes(s), fourBytes(s[n-4:])
	default:
		a, b = uint64(s[0]), uint64(s[n-1])<<8|uint64(s[n/2])
	}
	const odd = 0x9E3779B97F4A7C15
	return &m.recents[(a*odd^b)*odd>>(64-recentBits)]
}

func fourBytes(s string) uint64 {
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24
}

func eightBytes(s string) uint64 { return fourBytes(s) | fourBytes(s[4:])<<32 }

// traceRecents counts the strs and the table.
func (m *Machine) traceRecents(t *tracer) {
	if m.workspace == nil || m.recents == nil {
		return
	}
	t.bytes += recentTableBytes
	for _, s := range m.recents {
		if s != nil {
			t.value(s.Ref())
		}
	}
}
