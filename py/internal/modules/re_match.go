package modules

import (
	"slices"
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// place is a byte offset of a text and the index that belongs to it.
type place struct{ offset, index int }

// match is re.Match.
type match struct {
	self   machine.Value // the pattern
	re     *pattern
	sub    subject
	groups []int // byte offsets
	known  place // from which indexes are counted
}

// Size is the match without its text and its pattern.
func (o *match) Size() int { return 160 + 8*len(o.groups) }

// Each visits the pattern and the text.
func (o *match) Each(visit func(machine.Value)) {
	visit(o.self)
	visit(o.sub.value)
}

// Save returns the pattern, the text, where was looked, and the groups.
func (o *match) Save() (string, []machine.Value) {
	fields := []machine.Value{o.self, o.sub.value, machine.Int(int64(o.sub.pos)), machine.Int(int64(o.sub.end))}
	for _, at := range o.groups {
		fields = append(fields, machine.Int(int64(at)))
	}
	return "re.Match", fields
}

func loadMatch(m *machine.Machine, fields []machine.Value) (machine.Boxed, error) {
	sub, p, err := loadSubject(fields)
	if err != nil || len(fields) != 4+2*(p.re.Groups+1) {
		return nil, machine.ErrMalformed
	}
	o := &match{self: fields[0], re: p, sub: sub}
	for i := 4; i < len(fields); i += 2 {
		start, end := fields[i], fields[i+1]
		if !start.IsInt() || !end.IsInt() || !sub.spans(start.Int(), end.Int()) {
			return nil, machine.ErrMalformed
		}
		o.groups = append(o.groups, int(start.Int()), int(end.Int()))
	}
	if o.groups[0] < 0 {
		return nil, machine.ErrMalformed
	}
	return o, nil
}

// loadSubject reads a pattern, a text, and from where to where to look in it.
func loadSubject(fields []machine.Value) (subject, *pattern, error) {
	if len(fields) < 4 || !fields[2].IsInt() || !fields[3].IsInt() {
		return subject{}, nil, machine.ErrMalformed
	}
	p := patternOf(fields[0])
	s, raw, ok := subjectText(fields[1])
	if p == nil || !ok || raw != p.re.Bytes || fields[1].Kind() == machine.KindInstance {
		return subject{}, nil, machine.ErrMalformed
	}
	sub := subject{value: fields[1], text: s, raw: raw, flat: raw || fields[1].Str().Flat()}
	if fields[2].Int() < 0 || !sub.spans(fields[2].Int(), fields[3].Int()) {
		return subject{}, nil, machine.ErrMalformed
	}
	sub.pos, sub.end = int(fields[2].Int()), int(fields[3].Int())
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

func newMatch(m *machine.Machine, self machine.Value, p *pattern, sub subject, groups []int, known place) (machine.Value, error) {
	if err := m.Alloc(8 * len(groups)); err != nil {
		return machine.Value{}, err
	}
	return m.NewBoxed(matchType, &match{self: self, re: p, sub: sub, groups: slices.Clone(groups), known: known})
}

func matchOf(v machine.Value) *match {
	if o := v.Opaque(); o != nil {
		x, _ := o.Box().(*match)
		return x
	}
	return nil
}

// index turns a byte offset into an index.
func (o *match) index(m *machine.Machine, offset int) (int, error) {
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
func (o *match) group(v machine.Value) (int, error) {
	switch v = machine.Plain(v); v.Kind() {
	case machine.KindInt, machine.KindBool:
		if n := v.Int(); n >= 0 && n <= int64(o.re.re.Groups) {
			return int(n), nil
		}
	case machine.KindStr:
		if n, ok := o.re.re.Group(v.Str().Text()); ok {
			return n, nil
		}
	}
	return 0, raise.Index("no such group")
}

// text returns the text of group i, or missing.
func (o *match) text(m *machine.Machine, i int, missing machine.Value) (machine.Value, error) {
	if o.groups[2*i] < 0 {
		return missing, nil
	}
	return m.Cut(o.sub.text[o.groups[2*i]:o.groups[2*i+1]], o.sub.raw)
}

// span returns the indexes at which group i starts and ends.
func (o *match) span(m *machine.Machine, i int) (start, end int, err error) {
	if start, err = o.index(m, o.groups[2*i]); err != nil {
		return 0, 0, err
	}
	end, err = o.index(m, o.groups[2*i+1])
	return start, end, err
}

func defineMatch(r *machine.Registry) {
	method := func(name string, fn func(m *machine.Machine, o *match, a machine.Args) (machine.Value, error)) {
		r.MethodKw(matchType, name, 1, -1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			o := matchOf(a.Arg(0))
			if o == nil {
				return machine.Value{}, machine.WrongReceiver(name, matchType, a.Arg(0))
			}
			return fn(m, o, a.Rest())
		})
	}
	method("group", matchGroup)
	method("__getitem__", func(m *machine.Machine, o *match, a machine.Args) (machine.Value, error) {
		if a.Len() != 1 {
			return machine.Value{}, raise.Type("expected 1 argument, got %d", a.Len())
		}
		return matchGroup(m, o, a)
	})
	method("groups", matchGroups)
	method("groupdict", matchGroupDict)
	method("start", spanMethod("start", func(m *machine.Machine, start, end int) machine.Value { return machine.Int(int64(start)) }))
	method("end", spanMethod("end", func(m *machine.Machine, start, end int) machine.Value { return machine.Int(int64(end)) }))
	method("span", spanMethod("span", func(m *machine.Machine, start, end int) machine.Value {
		return m.Pair(machine.Int(int64(start)), machine.Int(int64(end)))
	}))
	method("expand", matchExpand)
	method("__repr__", matchRepr)
	defineMatchFields(r)
}

func defineMatchFields(r *machine.Registry) {
	property := func(name string, get func(m *machine.Machine, o *match) (machine.Value, error)) {
		r.Property(matchType, name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			o := matchOf(a.Arg(0))
			if o == nil {
				return machine.Value{}, machine.WrongReceiver(name, matchType, a.Arg(0))
			}
			return get(m, o)
		})
	}
	property("re", func(m *machine.Machine, o *match) (machine.Value, error) { return o.self, nil })
	property("string", func(m *machine.Machine, o *match) (machine.Value, error) { return o.sub.value, nil })
	property("pos", func(m *machine.Machine, o *match) (machine.Value, error) {
		i, err := o.index(m, o.sub.pos)
		return machine.Int(int64(i)), err
	})
	property("endpos", func(m *machine.Machine, o *match) (machine.Value, error) {
		i, err := o.index(m, o.sub.end)
		return machine.Int(int64(i)), err
	})
	property("lastindex", func(m *machine.Machine, o *match) (machine.Value, error) {
		if i := o.re.re.LastIndex(o.groups); i > 0 {
			return machine.Int(int64(i)), nil
		}
		return machine.None, nil
	})
	property("lastgroup", func(m *machine.Machine, o *match) (machine.Value, error) {
		last := o.re.re.LastIndex(o.groups)
		for _, n := range o.re.re.Names {
			if n.Group == last {
				return m.SmallStr(n.Name), nil
			}
		}
		return machine.None, nil
	})
	property("regs", func(m *machine.Machine, o *match) (machine.Value, error) {
		spans := make([]machine.Value, 0, len(o.groups)/2)
		for i := range len(o.groups) / 2 {
			start, end, err := o.span(m, i)
			if err != nil {
				return machine.Value{}, err
			}
			spans = append(spans, m.Pair(machine.Int(int64(start)), machine.Int(int64(end))))
		}
		return m.NewTuple(spans)
	})
}

func matchGroup(m *machine.Machine, o *match, a machine.Args) (machine.Value, error) {
	if a.Named() > 0 {
		return machine.Value{}, raise.Type("re.Match.group() takes no keyword arguments")
	}
	if a.Len() == 0 {
		return o.text(m, 0, machine.None)
	}
	if err := m.Alloc(a.Len() * machine.ValueBytes); err != nil {
		return machine.Value{}, err
	}
	texts := make([]machine.Value, a.Len())
	for i, v := range a.All() {
		n, err := o.group(v)
		if err != nil {
			return machine.Value{}, err
		}
		if texts[i], err = o.text(m, n, machine.None); err != nil {
			return machine.Value{}, err
		}
	}
	if len(texts) == 1 {
		return texts[0], nil
	}
	return m.NewTuple(texts)
}

func matchGroups(m *machine.Machine, o *match, a machine.Args) (machine.Value, error) {
	v, err := a.Bind("groups", 0, "default")
	if err != nil {
		return machine.Value{}, err
	}
	missing := machine.OrNone(v[0])
	n := o.re.re.Groups
	if err := m.Alloc(n * machine.ValueBytes); err != nil {
		return machine.Value{}, err
	}
	texts := make([]machine.Value, n)
	for i := range texts {
		if texts[i], err = o.text(m, i+1, missing); err != nil {
			return machine.Value{}, err
		}
	}
	return m.NewTuple(texts)
}

func matchGroupDict(m *machine.Machine, o *match, a machine.Args) (machine.Value, error) {
	v, err := a.Bind("groupdict", 0, "default")
	if err != nil {
		return machine.Value{}, err
	}
	missing := machine.OrNone(v[0])
	d := m.NewDict()
	for _, n := range o.re.re.Names {
		s, err := o.text(m, n.Group, missing)
		if err != nil {
			return machine.Value{}, err
		}
		if err := m.SetItem(d, m.SmallStr(n.Name), s); err != nil {
			return machine.Value{}, err
		}
	}
	return d.Ref(), nil
}

// spanMethod makes start, end or span.
func spanMethod(name string, result func(m *machine.Machine, start, end int) machine.Value) func(m *machine.Machine, o *match, a machine.Args) (machine.Value, error) {
	return func(m *machine.Machine, o *match, a machine.Args) (machine.Value, error) {
		if a.Named() > 0 {
			return machine.Value{}, raise.Type("re.Match.%s() takes no keyword arguments", name)
		}
		if a.Len() > 1 {
			return machine.Value{}, raise.Type("%s expected at most 1 argument, got %d", name, a.Len())
		}
		i := 0
		if a.Len() == 1 {
			n, err := o.group(a.Arg(0))
			if err != nil {
				return machine.Value{}, err
			}
			i = n
		}
		start, end, err := o.span(m, i)
		if err != nil {
			return machine.Value{}, err
		}
		return result(m, start, end), nil
	}
}

func matchExpand(m *machine.Machine, o *match, a machine.Args) (machine.Value, error) {
	v, err := a.Bind("expand", 1, "template")
	if err != nil {
		return machine.Value{}, err
	}
	source, raw, ok := subjectText(v[0])
	if !ok {
		return machine.Value{}, raise.Type("decoding to str: need a bytes-like object, %s found", machine.TypeName(v[0]))
	}
	if raw != o.sub.raw {
		return machine.Value{}, wrongFragment(0, machine.Plain(v[0]), o.sub.raw)
	}
	t, err := regex.ParseTemplate(m, o.re.re, source)
	if err != nil {
		return machine.Value{}, regexErrorOf(m, err, machine.Plain(v[0]))
	}
	out, err := t.Append(m, nil, o.sub.text, o.groups)
	if err != nil {
		return machine.Value{}, err
	}
	if err := m.Alloc(len(out)); err != nil {
		return machine.Value{}, err
	}
	return m.PaidText(string(out), raw), nil
}

func matchRepr(m *machine.Machine, o *match, _ machine.Args) (machine.Value, error) {
	start, end, err := o.span(m, 0)
	if err != nil {
		return machine.Value{}, err
	}
	whole, err := o.text(m, 0, machine.None)
	if err != nil {
		return machine.Value{}, err
	}
	shown, err := shortRepr(m, whole, 50)
	if err != nil {
		return machine.Value{}, err
	}
	return m.Message("<re.Match object; span=(" + strconv.Itoa(start) + ", " + strconv.Itoa(end) + "), match=" + shown + ">"), nil
}
