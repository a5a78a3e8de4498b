package machine

import (
	"slices"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// place is a byte offset of a text and the index that belongs to it.
type place struct{ offset, index int }

// match is re.Match.
type match struct {
	self   Value // the pattern
	re     *pattern
	sub    subject
	groups []int // byte offsets
	known  place // from which indexes are counted
}

// Size is the match without its text and its pattern.
func (o *match) Size() int { return 160 + 8*len(o.groups) }

// Each visits the pattern and the text.
func (o *match) Each(visit func(Value)) {
	visit(o.self)
	visit(o.sub.value)
}

// Save returns the pattern, the text, where was looked, and the groups.
func (o *match) Save() (string, []Value) {
	fields := []Value{o.self, o.sub.value, Int(int64(o.sub.pos)), Int(int64(o.sub.end))}
	for _, at := range o.groups {
		fields = append(fields, Int(int64(at)))
	}
	return "re.Match", fields
}

func loadMatch(m *Machine, fields []Value) (Boxed, error) {
	sub, p, err := loadSubject(fields)
	if err != nil || len(fields) != 4+2*(p.re.Groups+1) {
		return nil, errCorrupt
	}
	o := &match{self: fields[0], re: p, sub: sub}
	for i := 4; i < len(fields); i += 2 {
		start, end := fields[i], fields[i+1]
		if !start.isInt() || !end.isInt() || !sub.spans(start.int(), end.int()) {
			return nil, errCorrupt
		}
		o.groups = append(o.groups, int(start.int()), int(end.int()))
	}
	if o.groups[0] < 0 {
		return nil, errCorrupt
	}
	return o, nil
}

// loadSubject reads a pattern, a text, and from where to where to look in it.
func loadSubject(fields []Value) (subject, *pattern, error) {
	if len(fields) < 4 || !fields[2].isInt() || !fields[3].isInt() {
		return subject{}, nil, errCorrupt
	}
	p := patternOf(fields[0])
	s, raw, ok := subjectText(fields[1])
	if p == nil || !ok || raw != p.re.Bytes || fields[1].kind() == kindInstance {
		return subject{}, nil, errCorrupt
	}
	sub := subject{value: fields[1], text: s, raw: raw, flat: raw || fields[1].str().flat()}
	if fields[2].int() < 0 || !sub.spans(fields[2].int(), fields[3].int()) {
		return subject{}, nil, errCorrupt
	}
	sub.pos, sub.end = int(fields[2].int()), int(fields[3].int())
	return sub, p, nil
}

// spans reports whether start and end can be those of a group.
func (s *subject) spans(start, end int64) bool {
	if start == -1 && end == -1 {
		return true
	}
	return 0 <= start && start <= end && end <= int64(len(s.text)) && s.begins(int(start)) && s.begins(int(end))
}

// begins reports whether an element begins at offset, or the text ends there.
func (s *subject) begins(offset int) bool {
	return s.flat || offset == len(s.text) || s.text[offset]&0xc0 != 0x80
}

func (m *Machine) newMatch(self Value, p *pattern, sub subject, groups []int, known place) (Value, error) {
	if err := m.Alloc(8 * len(groups)); err != nil {
		return Value{}, err
	}
	return m.box(matchType, &match{self: self, re: p, sub: sub, groups: slices.Clone(groups), known: known})
}

func matchOf(v Value) *match {
	if o := v.opaque(); o != nil {
		x, _ := o.box.(*match)
		return x
	}
	return nil
}

// index turns a byte offset into an index.
func (o *match) index(m *Machine, offset int) (int, error) {
	if o.sub.flat || offset < 0 {
		return offset, nil
	}
	if offset < o.known.offset {
		o.known = place{}
	}
	if err := m.Work((offset - o.known.offset) / 4); err != nil {
		return 0, err
	}
	o.known = place{offset, o.known.index + text.Len(o.sub.text[o.known.offset:offset])}
	return o.known.index, nil
}

// group returns the number of the group that v names, by number or name.
func (o *match) group(v Value) (int, error) {
	switch v = plain(v); v.kind() {
	case kindInt, kindBool:
		if n := int64(v.n); n >= 0 && n <= int64(o.re.re.Groups) {
			return int(n), nil
		}
	case kindStr:
		if n, ok := o.re.re.Group(v.str().s); ok {
			return n, nil
		}
	}
	return 0, raise.Index("no such group")
}

// text returns the text of group i, or missing.
func (o *match) text(m *Machine, i int, missing Value) (Value, error) {
	if o.groups[2*i] < 0 {
		return missing, nil
	}
	return m.cutFragment(o.sub.text[o.groups[2*i]:o.groups[2*i+1]], o.sub.raw)
}

// span returns the indexes at which group i starts and ends.
func (o *match) span(m *Machine, i int) (start, end int, err error) {
	if start, err = o.index(m, o.groups[2*i]); err != nil {
		return 0, 0, err
	}
	end, err = o.index(m, o.groups[2*i+1])
	return start, end, err
}

func defineMatch(r *registry) {
	method := func(name string, fn func(m *Machine, o *match, a Args) (Value, error)) {
		r.methodKw(matchType, name, 1, -1, func(m *Machine, a Args) (Value, error) {
			o := matchOf(a.v[0])
			if o == nil {
				return Value{}, wrongReceiver(name, matchType, a.v[0])
			}
			return fn(m, o, Args{a.v[1:], a.names})
		})
	}
	method("group", matchGroup)
	method("__getitem__", func(m *Machine, o *match, a Args) (Value, error) {
		if a.len() != 1 {
			return Value{}, raise.Type("expected 1 argument, got %d", a.len())
		}
		return matchGroup(m, o, a)
	})
	method("groups", matchGroups)
	method("groupdict", matchGroupDict)
	method("start", spanMethod("start", func(m *Machine, start, end int) Value { return Int(int64(start)) }))
	method("end", spanMethod("end", func(m *Machine, start, end int) Value { return Int(int64(end)) }))
	method("span", spanMethod("span", func(m *Machine, start, end int) Value { return m.pair(Int(int64(start)), Int(int64(end))) }))
	method("expand", matchExpand)
	method("__repr__", matchRepr)
	defineMatchFields(r)
}

func defineMatchFields(r *registry) {
	property := func(name string, get func(m *Machine, o *match) (Value, error)) {
		r.property(matchType, name, func(m *Machine, a Args) (Value, error) {
			o := matchOf(a.v[0])
			if o == nil {
				return Value{}, wrongReceiver(name, matchType, a.v[0])
			}
			return get(m, o)
		})
	}
	property("re", func(m *Machine, o *match) (Value, error) { return o.self, nil })
	property("string", func(m *Machine, o *match) (Value, error) { return o.sub.value, nil })
	property("pos", func(m *Machine, o *match) (Value, error) {
		i, err := o.index(m, o.sub.pos)
		return Int(int64(i)), err
	})
	property("endpos", func(m *Machine, o *match) (Value, error) {
		i, err := o.index(m, o.sub.end)
		return Int(int64(i)), err
	})
	property("lastindex", func(m *Machine, o *match) (Value, error) {
		if i := o.re.re.LastIndex(o.groups); i > 0 {
			return Int(int64(i)), nil
		}
		return None, nil
	})
	property("lastgroup", func(m *Machine, o *match) (Value, error) {
		last := o.re.re.LastIndex(o.groups)
		for _, n := range o.re.re.Names {
			if n.Group == last {
				return m.small(n.Name), nil
			}
		}
		return None, nil
	})
	property("regs", func(m *Machine, o *match) (Value, error) {
		spans := make([]Value, 0, len(o.groups)/2)
		for i := range len(o.groups) / 2 {
			start, end, err := o.span(m, i)
			if err != nil {
				return Value{}, err
			}
			spans = append(spans, m.pair(Int(int64(start)), Int(int64(end))))
		}
		return m.newTupleCopy(spans)
	})
}

func matchGroup(m *Machine, o *match, a Args) (Value, error) {
	if a.named() > 0 {
		return Value{}, raise.Type("re.Match.group() takes no keyword arguments")
	}
	if a.len() == 0 {
		return o.text(m, 0, None)
	}
	if err := m.Alloc(a.len() * valueBytes); err != nil {
		return Value{}, err
	}
	texts := make([]Value, a.len())
	for i, v := range a.v {
		n, err := o.group(v)
		if err != nil {
			return Value{}, err
		}
		if texts[i], err = o.text(m, n, None); err != nil {
			return Value{}, err
		}
	}
	if len(texts) == 1 {
		return texts[0], nil
	}
	return m.newTupleCopy(texts)
}

func matchGroups(m *Machine, o *match, a Args) (Value, error) {
	v, err := a.bind("groups", 0, "default")
	if err != nil {
		return Value{}, err
	}
	missing := orNone(v[0])
	n := o.re.re.Groups
	if err := m.Alloc(n * valueBytes); err != nil {
		return Value{}, err
	}
	texts := make([]Value, n)
	for i := range texts {
		if texts[i], err = o.text(m, i+1, missing); err != nil {
			return Value{}, err
		}
	}
	return m.newTupleCopy(texts)
}

func matchGroupDict(m *Machine, o *match, a Args) (Value, error) {
	v, err := a.bind("groupdict", 0, "default")
	if err != nil {
		return Value{}, err
	}
	missing := orNone(v[0])
	d := m.newDict()
	for _, n := range o.re.re.Names {
		s, err := o.text(m, n.Group, missing)
		if err != nil {
			return Value{}, err
		}
		if err := m.putKey(&d.table, m.small(n.Name), s); err != nil {
			return Value{}, err
		}
	}
	return d.ref(), nil
}

// spanMethod makes start, end or span.
func spanMethod(name string, result func(m *Machine, start, end int) Value) func(m *Machine, o *match, a Args) (Value, error) {
	return func(m *Machine, o *match, a Args) (Value, error) {
		if a.named() > 0 {
			return Value{}, raise.Type("re.Match.%s() takes no keyword arguments", name)
		}
		if a.len() > 1 {
			return Value{}, raise.Type("%s expected at most 1 argument, got %d", name, a.len())
		}
		i := 0
		if a.len() == 1 {
			n, err := o.group(a.v[0])
			if err != nil {
				return Value{}, err
			}
			i = n
		}
		start, end, err := o.span(m, i)
		if err != nil {
			return Value{}, err
		}
		return result(m, start, end), nil
	}
}

func matchExpand(m *Machine, o *match, a Args) (Value, error) {
	v, err := a.bind("expand", 1, "template")
	if err != nil {
		return Value{}, err
	}
	source, raw, ok := subjectText(v[0])
	if !ok {
		return Value{}, raise.Type("decoding to str: need a bytes-like object, %s found", typeName(v[0]))
	}
	if raw != o.sub.raw {
		return Value{}, wrongFragment(0, plain(v[0]), o.sub.raw)
	}
	t, err := regex.ParseTemplate(m, o.re.re, source)
	if err != nil {
		return Value{}, m.regexError(err, plain(v[0]))
	}
	out, err := t.Append(m, nil, o.sub.text, o.groups)
	if err != nil {
		return Value{}, err
	}
	if err := m.Alloc(len(out)); err != nil {
		return Value{}, err
	}
	return m.fragment(string(out), raw), nil
}

func matchRepr(m *Machine, o *match, _ Args) (Value, error) {
	start, end, err := o.span(m, 0)
	if err != nil {
		return Value{}, err
	}
	whole, err := o.text(m, 0, None)
	if err != nil {
		return Value{}, err
	}
	shown, err := m.shortRepr(whole, 50)
	if err != nil {
		return Value{}, err
	}
	return m.text("<re.Match object; span=(" + itoa(start) + ", " + itoa(end) + "), match=" + shown + ">"), nil
}
