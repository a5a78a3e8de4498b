package machine

import "strings"

// quickCuts are the methods that take a str apart.
func quickCuts() map[string]quickMethod {
	return map[string]quickMethod{
		"strip":  func(m *Machine, s *Str, a []Value) Value { return m.stripped(s, a, true, true) },
		"lstrip": func(m *Machine, s *Str, a []Value) Value { return m.stripped(s, a, true, false) },
		"rstrip": func(m *Machine, s *Str, a []Value) Value { return m.stripped(s, a, false, true) },
		"removeprefix": func(m *Machine, s *Str, a []Value) Value {
			if x := asciiArgument(a); x != nil {
				return m.partOf(s, strings.TrimPrefix(s.s, x.s))
			}
			return Value{}
		},
		"removesuffix": func(m *Machine, s *Str, a []Value) Value {
			if x := asciiArgument(a); x != nil {
				return m.partOf(s, strings.TrimSuffix(s.s, x.s))
			}
			return Value{}
		},
		"split": quickSplit,
	}
}

// stripped is s without white space, or without the characters of the
// argument, at its ends.
func (m *Machine) stripped(s *Str, a []Value, left, right bool) Value {
	drop := whiteSpace
	if len(a) > 0 && !a[0].IsNone() {
		set := asciiArgument(a)
		if set == nil {
			return Value{}
		}
		drop = set.s
	}
	t := s.s
	for left && t != "" && strings.IndexByte(drop, t[0]) >= 0 {
		t = t[1:]
	}
	for right && t != "" && strings.IndexByte(drop, t[len(t)-1]) >= 0 {
		t = t[:len(t)-1]
	}
	return m.partOf(s, t)
}

const whiteSpace = " \n\r\t\v\f\x1c\x1d\x1e\x1f"

// partOf is a part of s, which may be all of it.
func (m *Machine) partOf(s *Str, part string) Value {
	if len(part) == len(s.s) {
		return s.Ref()
	}
	return m.asciiPart(part, len(s.s))
}

// cuts are the offsets in front of which and at which the parts of a str end.
type cuts struct {
	at [2 * (quickBytes/2 + 1)]uint16
	n  int
}

func (c *cuts) add(from, to int) {
	c.at[c.n], c.at[c.n+1] = uint16(from), uint16(to)
	c.n += 2
}

// quickSplit is split without a limit.
func quickSplit(m *Machine, s *Str, a []Value) Value {
	limit := len(s.s) + 1
	if len(a) == 2 && a[1].IsInt() {
		if n := a[1].Int(); n >= 0 {
			limit = int(min(n, int64(limit)))
		}
		a = a[:1]
	}
	var c cuts
	switch sep := asciiArgument(a); {
	case sep != nil && sep.s != "":
		if !c.split(s.s, sep.s, limit) {
			return Value{}
		}
	case len(a) == 0 || len(a) == 1 && a[0].IsNone():
		c.fields(s.s, limit)
	default:
		return Value{}
	}
	return m.listOfCuts(s, &c)
}

// split cuts at each separator; it gives up when there are too many.
func (c *cuts) split(s, sep string, limit int) bool {
	from := 0
	for ; limit > 0; limit-- {
		i := strings.Index(s[from:], sep)
		if i < 0 {
			break
		}
		if c.n+4 > len(c.at) {
			return false
		}
		c.add(from, from+i)
		from += i + len(sep)
	}
	c.add(from, len(s))
	return true
}

// fields cuts at runs of white space, of which there are at most half as many
// as characters.
func (c *cuts) fields(s string, limit int) {
	for i := 0; ; limit-- {
		for i < len(s) && asciiSpace(s[i]) {
			i++
		}
		if i == len(s) {
			return
		}
		from := i
		if limit == 0 {
			c.add(from, len(s))
			return
		}
		for i < len(s) && !asciiSpace(s[i]) {
			i++
		}
		c.add(from, i)
	}
}

// listOfCuts makes the parts of s.
func (m *Machine) listOfCuts(s *Str, c *cuts) Value {
	n := c.n / 2
	m.Spend(ListBytes + n*ValueBytes)
	l := &List{items: make([]Value, n)}
	for i := range l.items {
		l.items[i] = m.partOf(s, s.s[c.at[2*i]:c.at[2*i+1]])
	}
	return l.Value()
}
