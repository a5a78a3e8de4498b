package modules

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// pattern is re.Pattern.
type pattern struct {
	re       *regex.Pattern
	source   machine.Value // a str or bytes object
	template string
	parsed   *regex.Template // of template: the one that was used last
}

// Size estimates the compiled pattern and the template.
func (p *pattern) Size() int { return p.re.Size() + 8*len(p.template) + 2*machine.SliceBytes }

// Each visits the source.
func (p *pattern) Each(visit func(machine.Value)) { visit(p.source) }

// Save returns the source and the flags.
func (p *pattern) Save() (string, []machine.Value) {
	return "re.Pattern", []machine.Value{p.source, machine.Int(int64(p.re.Flags))}
}

func loadPattern(m *machine.Machine, fields []machine.Value) (machine.Boxed, error) {
	if len(fields) != 2 || !fields[1].IsInt() {
		return nil, machine.ErrMalformed
	}
	source, isBytes, ok := subjectText(fields[0])
	if !ok {
		return nil, machine.ErrMalformed
	}
	re, err := regex.Compile(m, source, isBytes, regex.Flags(fields[1].Int())&knownFlags)
	if err != nil {
		return nil, machine.ErrMalformed
	}
	return &pattern{re: re, source: fields[0]}, nil
}

func patternOf(v machine.Value) *pattern {
	if o := v.Opaque(); o != nil {
		p, _ := o.Box().(*pattern)
		return p
	}
	return nil
}

// search is the body of a function that looks for matches; self is p.
type search func(m *machine.Machine, p *pattern, self, subject, pos, end machine.Value) (machine.Value, error)

// searches are those that take a text, and as methods where to look.
var searches = map[string]search{
	"search": find(regex.Search), "match": find(regex.Match), "fullmatch": find(regex.Fullmatch),
	"findall": findAll, "finditer": findIter,
}

func definePattern(r *machine.Registry) {
	c := patternType
	method := func(name string, fn func(m *machine.Machine, p *pattern, self machine.Value, a machine.Args) (machine.Value, error)) {
		r.MethodKw(c, name, 1, -1, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			p := patternOf(a.Arg(0))
			if p == nil {
				return machine.Value{}, machine.WrongReceiver(name, c, a.Arg(0))
			}
			return fn(m, p, a.Arg(0), a.Rest())
		})
	}
	for name, do := range searches {
		method(name, func(m *machine.Machine, p *pattern, self machine.Value, a machine.Args) (machine.Value, error) {
			v, err := a.Bind(name, 1, "string", "pos", "endpos")
			if err != nil {
				return machine.Value{}, err
			}
			return do(m, p, self, v[0], v[1], v[2])
		})
	}
	method("split", func(m *machine.Machine, p *pattern, self machine.Value, a machine.Args) (machine.Value, error) {
		v, err := a.Bind("split", 1, "string", "maxsplit")
		if err != nil {
			return machine.Value{}, err
		}
		return splitPattern(m, p, self, v[0], v[1])
	})
	for name, counted := range map[string]bool{"sub": false, "subn": true} {
		method(name, func(m *machine.Machine, p *pattern, self machine.Value, a machine.Args) (machine.Value, error) {
			v, err := a.Bind(name, 2, "repl", "string", "count")
			if err != nil {
				return machine.Value{}, err
			}
			return substitute(m, p, self, v[0], v[1], v[2], counted)
		})
	}
	method("__repr__", func(m *machine.Machine, p *pattern, self machine.Value, a machine.Args) (machine.Value, error) {
		return patternRepr(m, p)
	})
	definePatternFields(r)
}

func definePatternFields(r *machine.Registry) {
	property := func(name string, get func(m *machine.Machine, p *pattern) (machine.Value, error)) {
		r.Property(patternType, name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			p := patternOf(a.Arg(0))
			if p == nil {
				return machine.Value{}, machine.WrongReceiver(name, patternType, a.Arg(0))
			}
			return get(m, p)
		})
	}
	property("pattern", func(m *machine.Machine, p *pattern) (machine.Value, error) { return p.source, nil })
	property("flags", func(m *machine.Machine, p *pattern) (machine.Value, error) {
		return machine.Int(int64(p.re.Flags)), nil
	})
	property("groups", func(m *machine.Machine, p *pattern) (machine.Value, error) {
		return machine.Int(int64(p.re.Groups)), nil
	})
	property("groupindex", func(m *machine.Machine, p *pattern) (machine.Value, error) {
		d := m.NewDict()
		for _, n := range p.re.Names {
			if err := m.SetItem(d, m.SmallStr(n.Name), machine.Int(int64(n.Group))); err != nil {
				return machine.Value{}, err
			}
		}
		return d.Ref(), nil
	})
}

// flagNames are in the order in which CPython's repr shows them.
var flagNames = []struct {
	flag regex.Flags
	name string
}{
	{regex.IgnoreCase, "re.IGNORECASE"}, {regex.Locale, "re.LOCALE"}, {regex.Multiline, "re.MULTILINE"},
	{regex.DotAll, "re.DOTALL"}, {regex.Unicode, "re.UNICODE"}, {regex.Verbose, "re.VERBOSE"}, {regex.ASCII, "re.ASCII"},
}

func patternRepr(m *machine.Machine, p *pattern) (machine.Value, error) {
	source, err := shortRepr(m, p.source, 200)
	if err != nil {
		return machine.Value{}, err
	}
	flags := p.re.Flags
	if !p.re.Bytes && flags&(regex.Locale|regex.Unicode|regex.ASCII) == regex.Unicode {
		flags &^= regex.Unicode
	}
	var names []string
	for _, f := range flagNames {
		if flags&f.flag != 0 {
			names = append(names, f.name)
		}
	}
	if names != nil {
		source += ", " + strings.Join(names, "|")
	}
	return m.Message("re.compile(" + source + ")"), nil
}

// shortRepr is the first n code points of the repr of a str or bytes object.
func shortRepr(m *machine.Machine, v machine.Value, n int) (string, error) {
	s, err := m.ReprNative(v)
	if err != nil {
		return "", err
	}
	return strings.Clone(s[:text.Offset(s, n)]), nil
}

// subject is a text in which something is looked for.
type subject struct {
	value    machine.Value // a str or bytes object
	text     string
	raw      bool // a bytes object
	flat     bool // offsets are indexes
	pos, end int  // byte offsets
}

// newSubject fits a text to p and the indexes to the text.
func newSubject(m *machine.Machine, p *pattern, v, pos, end machine.Value) (subject, error) {
	value := machine.Plain(v)
	s, raw, ok := subjectText(value)
	switch {
	case !ok:
		return subject{}, raise.Type("expected string or bytes-like object, got '%s'", machine.TypeName(v))
	case raw && !p.re.Bytes:
		return subject{}, raise.Type("cannot use a string pattern on a bytes-like object")
	case !raw && p.re.Bytes:
		return subject{}, raise.Type("cannot use a bytes pattern on a string-like object")
	}
	sub := subject{value: value, text: s, raw: raw, flat: raw || value.Str().Flat(), end: len(s)}
	if pos.Bound() || end.Bound() {
		return fitSubject(m, sub, pos, end)
	}
	return sub, m.Work(1)
}

func fitSubject(m *machine.Machine, sub subject, pos, end machine.Value) (subject, error) {
	first, err := m.OptionalInt(pos, 0)
	if err != nil {
		return subject{}, err
	}
	last, err := m.OptionalInt(end, int64(len(sub.text)))
	if err != nil {
		return subject{}, err
	}
	if err := m.Work(len(sub.text) / 4); err != nil {
		return subject{}, err
	}
	sub.end = sub.offset(last)
	sub.pos = min(sub.offset(first), sub.end)
	return sub, nil
}

// offset returns where the element number i begins, in bytes.
func (s *subject) offset(i int64) int {
	i = max(0, min(i, int64(len(s.text))))
	if s.flat {
		return int(i)
	}
	return text.Offset(s.text, int(i))
}

func find(mode regex.Mode) search {
	return func(m *machine.Machine, p *pattern, self, v, pos, end machine.Value) (machine.Value, error) {
		sub, err := newSubject(m, p, v, pos, end)
		if err != nil {
			return machine.Value{}, err
		}
		groups, err := p.re.Find(m, &patternsOf(m).scratch, sub.text, sub.pos, sub.end, mode)
		if err != nil || groups == nil {
			return machine.None, err
		}
		return newMatch(m, self, p, sub, groups, place{})
	}
}

func findAll(m *machine.Machine, p *pattern, self, v, pos, end machine.Value) (machine.Value, error) {
	sub, err := newSubject(m, p, v, pos, end)
	if err != nil {
		return machine.Value{}, err
	}
	sc := regex.Scanner{Pattern: p.re, Text: sub.text, Pos: sub.pos, End: sub.end}
	m.Spend(machine.ListBytes)
	found := new(machine.List)
	for {
		groups, err := sc.Next(m, &patternsOf(m).scratch)
		if err != nil {
			return machine.Value{}, err
		}
		if groups == nil {
			return found.Value(), nil
		}
		item, err := foundIn(m, &sub, groups)
		if err != nil {
			return machine.Value{}, err
		}
		if err := m.GrowList(found, 1); err != nil {
			return machine.Value{}, err
		}
		found.Add(item)
	}
}

// foundIn is what findall gives for a match: the match, its group, or a tuple of
// its groups.
func foundIn(m *machine.Machine, sub *subject, groups []int) (machine.Value, error) {
	switch len(groups) {
	case 2:
		return m.Cut(sub.text[groups[0]:groups[1]], sub.raw)
	case 4:
		return groupOrEmpty(m, sub, groups[2:])
	}
	n := len(groups)/2 - 1
	if err := m.Alloc(machine.TupleBytes + n*machine.ValueBytes); err != nil {
		return machine.Value{}, err
	}
	items := make([]machine.Value, n)
	for i := range items {
		v, err := groupOrEmpty(m, sub, groups[2*i+2:])
		if err != nil {
			return machine.Value{}, err
		}
		items[i] = v
	}
	return machine.TupleWith(items), nil
}

func groupOrEmpty(m *machine.Machine, sub *subject, at []int) (machine.Value, error) {
	if at[0] < 0 {
		return m.Cut("", sub.raw)
	}
	return m.Cut(sub.text[at[0]:at[1]], sub.raw)
}

func findIter(m *machine.Machine, p *pattern, self, v, pos, end machine.Value) (machine.Value, error) {
	sc, err := newScanner(m, p, self, v, pos, end)
	if err != nil {
		return machine.Value{}, err
	}
	return m.Then(m.Intrinsic("re_matches"), sc)
}

// splitPattern is split(subject, limit).
func splitPattern(m *machine.Machine, p *pattern, self, v, limit machine.Value) (machine.Value, error) {
	sub, err := newSubject(m, p, v, machine.Value{}, machine.Value{})
	if err != nil {
		return machine.Value{}, err
	}
	most, err := m.OptionalInt(limit, 0)
	if err != nil {
		return machine.Value{}, err
	}
	sc := regex.Scanner{Pattern: p.re, Text: sub.text, End: sub.end}
	m.Spend(machine.ListBytes)
	parts := new(machine.List)
	last := 0
	for n := int64(0); most == 0 || n < most; n++ {
		groups, err := sc.Next(m, &patternsOf(m).scratch)
		if err != nil {
			return machine.Value{}, err
		}
		if groups == nil {
			break
		}
		if err := appendPart(m, parts, &sub, last, groups); err != nil {
			return machine.Value{}, err
		}
		last = groups[1]
	}
	rest, err := m.Cut(sub.text[last:], sub.raw)
	if err != nil {
		return machine.Value{}, err
	}
	return parts.Value(), m.Extend(parts, []machine.Value{rest})
}

// appendPart adds what is between last and a match, and the groups of it.
func appendPart(m *machine.Machine, parts *machine.List, sub *subject, last int, groups []int) error {
	if err := m.GrowList(parts, len(groups)/2); err != nil {
		return err
	}
	v, err := m.Cut(sub.text[last:groups[0]], sub.raw)
	if err != nil {
		return err
	}
	parts.Add(v)
	for i := 2; i < len(groups); i += 2 {
		v := machine.None
		if groups[i] >= 0 {
			if v, err = m.Cut(sub.text[groups[i]:groups[i+1]], sub.raw); err != nil {
				return err
			}
		}
		parts.Add(v)
	}
	return nil
}

// substitute is sub and, when counted, subn.
func substitute(m *machine.Machine, p *pattern, self, repl, v, limit machine.Value, counted bool) (machine.Value, error) {
	most, err := m.OptionalInt(limit, 0)
	if err != nil {
		return machine.Value{}, err
	}
	template, raw, isText := subjectText(repl)
	if !isText && m.IsCallable(repl) {
		sc, err := newScanner(m, p, self, v, machine.Value{}, machine.Value{})
		if err != nil {
			return machine.Value{}, err
		}
		return m.Then(m.Intrinsic("re_sub"), sc, repl, machine.Int(most), machine.Bool(counted))
	}
	if !isText {
		return machine.Value{}, raise.Type("decoding to str: need a bytes-like object, %s found", machine.TypeName(repl))
	}
	sub, err := newSubject(m, p, v, machine.Value{}, machine.Value{})
	if err != nil {
		return machine.Value{}, err
	}
	if raw != sub.raw {
		return machine.Value{}, wrongFragment(0, machine.Plain(repl), sub.raw)
	}
	t, err := templateOf(m, p, template, repl)
	if err != nil {
		return machine.Value{}, err
	}
	out, n := sub.value, 0
	if most >= 0 {
		s, count, err := p.re.Sub(m, &patternsOf(m).scratch, t, sub.text, int(most))
		if err != nil {
			return machine.Value{}, err
		}
		if n = count; n > 0 {
			out = m.PaidText(s, raw)
		}
	}
	if counted {
		return m.Pair(out, machine.Int(int64(n))), nil
	}
	return out, nil
}

// templateOf returns the parsed form of what re.sub puts in the place of matches.
func templateOf(m *machine.Machine, p *pattern, source string, repl machine.Value) (*regex.Template, error) {
	if p.parsed != nil && p.template == source {
		return p.parsed, nil
	}
	t, err := regex.ParseTemplate(m, p.re, source)
	if err != nil {
		return nil, regexErrorOf(m, err, machine.Plain(repl))
	}
	p.template, p.parsed = source, t
	return t, nil
}
