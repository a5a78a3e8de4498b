package machine

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// pattern is re.Pattern.
type pattern struct {
	re       *regex.Pattern
	source   Value // a str or bytes object
	template string
	parsed   *regex.Template // of template: the one that was used last
}

// Size estimates the compiled pattern and the template.
func (p *pattern) Size() int { return p.re.Size() + 8*len(p.template) + 2*sliceBytes }

// Each visits the source.
func (p *pattern) Each(visit func(Value)) { visit(p.source) }

// Save returns the source and the flags.
func (p *pattern) Save() (string, []Value) {
	return "re.Pattern", []Value{p.source, Int(int64(p.re.Flags))}
}

func loadPattern(m *Machine, fields []Value) (Boxed, error) {
	if len(fields) != 2 || !fields[1].isInt() {
		return nil, errCorrupt
	}
	source, isBytes, ok := subjectText(fields[0])
	if !ok {
		return nil, errCorrupt
	}
	re, err := regex.Compile(m, source, isBytes, regex.Flags(fields[1].n)&knownFlags)
	if err != nil {
		return nil, errCorrupt
	}
	return &pattern{re: re, source: fields[0]}, nil
}

func patternOf(v Value) *pattern {
	if o := v.opaque(); o != nil {
		p, _ := o.box.(*pattern)
		return p
	}
	return nil
}

// search is the body of a function that looks for matches; self is p.
type search func(m *Machine, p *pattern, self, subject, pos, end Value) (Value, error)

// searches are those that take a text, and as methods where to look.
var searches = map[string]search{
	"search": find(regex.Search), "match": find(regex.Match), "fullmatch": find(regex.Fullmatch),
	"findall": (*Machine).findAll, "finditer": (*Machine).findIter,
}

func definePattern(r *registry) {
	c := patternType
	method := func(name string, fn func(m *Machine, p *pattern, self Value, a Args) (Value, error)) {
		r.methodKw(c, name, 1, -1, func(m *Machine, a Args) (Value, error) {
			p := patternOf(a.v[0])
			if p == nil {
				return Value{}, wrongReceiver(name, c, a.v[0])
			}
			return fn(m, p, a.v[0], Args{a.v[1:], a.names})
		})
	}
	for name, do := range searches {
		method(name, func(m *Machine, p *pattern, self Value, a Args) (Value, error) {
			v, err := a.bind(name, 1, "string", "pos", "endpos")
			if err != nil {
				return Value{}, err
			}
			return do(m, p, self, v[0], v[1], v[2])
		})
	}
	method("split", func(m *Machine, p *pattern, self Value, a Args) (Value, error) {
		v, err := a.bind("split", 1, "string", "maxsplit")
		if err != nil {
			return Value{}, err
		}
		return m.splitPattern(p, self, v[0], v[1])
	})
	for name, counted := range map[string]bool{"sub": false, "subn": true} {
		method(name, func(m *Machine, p *pattern, self Value, a Args) (Value, error) {
			v, err := a.bind(name, 2, "repl", "string", "count")
			if err != nil {
				return Value{}, err
			}
			return m.substitute(p, self, v[0], v[1], v[2], counted)
		})
	}
	method("__repr__", func(m *Machine, p *pattern, self Value, a Args) (Value, error) { return m.patternRepr(p) })
	definePatternFields(r)
}

func definePatternFields(r *registry) {
	property := func(name string, get func(m *Machine, p *pattern) (Value, error)) {
		r.property(patternType, name, func(m *Machine, a Args) (Value, error) {
			p := patternOf(a.v[0])
			if p == nil {
				return Value{}, wrongReceiver(name, patternType, a.v[0])
			}
			return get(m, p)
		})
	}
	property("pattern", func(m *Machine, p *pattern) (Value, error) { return p.source, nil })
	property("flags", func(m *Machine, p *pattern) (Value, error) { return Int(int64(p.re.Flags)), nil })
	property("groups", func(m *Machine, p *pattern) (Value, error) { return Int(int64(p.re.Groups)), nil })
	property("groupindex", func(m *Machine, p *pattern) (Value, error) {
		d := m.newDict()
		for _, n := range p.re.Names {
			if err := m.putKey(&d.table, m.small(n.Name), Int(int64(n.Group))); err != nil {
				return Value{}, err
			}
		}
		return d.ref(), nil
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

func (m *Machine) patternRepr(p *pattern) (Value, error) {
	source, err := m.shortRepr(p.source, 200)
	if err != nil {
		return Value{}, err
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
	return m.text("re.compile(" + source + ")"), nil
}

// shortRepr is the first n code points of the repr of a str or bytes object.
func (m *Machine) shortRepr(v Value, n int) (string, error) {
	s, err := m.reprNative(v)
	if err != nil {
		return "", err
	}
	return strings.Clone(s[:text.Offset(s, n)]), nil
}

// subject is a text in which something is looked for.
type subject struct {
	value    Value // a str or bytes object
	text     string
	raw      bool // a bytes object
	flat     bool // offsets are indexes
	pos, end int  // byte offsets
}

// newSubject fits a text to p and the indexes to the text.
func (m *Machine) newSubject(p *pattern, v, pos, end Value) (subject, error) {
	value := plain(v)
	s, raw, ok := subjectText(value)
	switch {
	case !ok:
		return subject{}, raise.Type("expected string or bytes-like object, got '%s'", typeName(v))
	case raw && !p.re.Bytes:
		return subject{}, raise.Type("cannot use a string pattern on a bytes-like object")
	case !raw && p.re.Bytes:
		return subject{}, raise.Type("cannot use a bytes pattern on a string-like object")
	}
	sub := subject{value: value, text: s, raw: raw, flat: raw || value.str().flat(), end: len(s)}
	if pos.bound() || end.bound() {
		return m.fitSubject(sub, pos, end)
	}
	return sub, m.Work(1)
}

func (m *Machine) fitSubject(sub subject, pos, end Value) (subject, error) {
	first, err := m.boundInt(pos, 0)
	if err != nil {
		return subject{}, err
	}
	last, err := m.boundInt(end, int64(len(sub.text)))
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
	return func(m *Machine, p *pattern, self, v, pos, end Value) (Value, error) {
		sub, err := m.newSubject(p, v, pos, end)
		if err != nil {
			return Value{}, err
		}
		groups, err := p.re.Find(m, &m.patterns.scratch, sub.text, sub.pos, sub.end, mode)
		if err != nil || groups == nil {
			return None, err
		}
		return m.newMatch(self, p, sub, groups, place{})
	}
}

func (m *Machine) findAll(p *pattern, self, v, pos, end Value) (Value, error) {
	sub, err := m.newSubject(p, v, pos, end)
	if err != nil {
		return Value{}, err
	}
	sc := regex.Scanner{Pattern: p.re, Text: sub.text, Pos: sub.pos, End: sub.end}
	m.spend(listBytes)
	found := &list{}
	for {
		groups, err := sc.Next(m, &m.patterns.scratch)
		if err != nil {
			return Value{}, err
		}
		if groups == nil {
			return found.value(), nil
		}
		item, err := m.found(&sub, groups)
		if err != nil {
			return Value{}, err
		}
		if err := m.growList(found, 1); err != nil {
			return Value{}, err
		}
		found.items = append(found.items, item)
	}
}

// found is what findall gives for a match: the match, its group, or a tuple of
// its groups.
func (m *Machine) found(sub *subject, groups []int) (Value, error) {
	switch len(groups) {
	case 2:
		return m.cutFragment(sub.text[groups[0]:groups[1]], sub.raw)
	case 4:
		return m.groupOrEmpty(sub, groups[2:])
	}
	n := len(groups)/2 - 1
	if err := m.Alloc(tupleBytes + n*valueBytes); err != nil {
		return Value{}, err
	}
	t := &tuple{items: make([]Value, n)}
	for i := range t.items {
		v, err := m.groupOrEmpty(sub, groups[2*i+2:])
		if err != nil {
			return Value{}, err
		}
		t.items[i] = v
	}
	return t.value(), nil
}

func (m *Machine) groupOrEmpty(sub *subject, at []int) (Value, error) {
	if at[0] < 0 {
		return m.cutFragment("", sub.raw)
	}
	return m.cutFragment(sub.text[at[0]:at[1]], sub.raw)
}

func (m *Machine) findIter(p *pattern, self, v, pos, end Value) (Value, error) {
	sc, err := m.newScanner(p, self, v, pos, end)
	if err != nil {
		return Value{}, err
	}
	return m.then(m.intrinsic("re_matches"), sc)
}

// splitPattern is split(subject, limit).
func (m *Machine) splitPattern(p *pattern, self, v, limit Value) (Value, error) {
	sub, err := m.newSubject(p, v, Value{}, Value{})
	if err != nil {
		return Value{}, err
	}
	most, err := m.boundInt(limit, 0)
	if err != nil {
		return Value{}, err
	}
	sc := regex.Scanner{Pattern: p.re, Text: sub.text, End: sub.end}
	m.spend(listBytes)
	parts := &list{}
	last := 0
	for n := int64(0); most == 0 || n < most; n++ {
		groups, err := sc.Next(m, &m.patterns.scratch)
		if err != nil {
			return Value{}, err
		}
		if groups == nil {
			break
		}
		if err := m.appendPart(parts, &sub, last, groups); err != nil {
			return Value{}, err
		}
		last = groups[1]
	}
	rest, err := m.cutFragment(sub.text[last:], sub.raw)
	if err != nil {
		return Value{}, err
	}
	return parts.value(), m.appendAll(parts, []Value{rest})
}

// appendPart adds what is between last and a match, and the groups of it.
func (m *Machine) appendPart(parts *list, sub *subject, last int, groups []int) error {
	if err := m.growList(parts, len(groups)/2); err != nil {
		return err
	}
	v, err := m.cutFragment(sub.text[last:groups[0]], sub.raw)
	if err != nil {
		return err
	}
	parts.items = append(parts.items, v)
	for i := 2; i < len(groups); i += 2 {
		v := None
		if groups[i] >= 0 {
			if v, err = m.cutFragment(sub.text[groups[i]:groups[i+1]], sub.raw); err != nil {
				return err
			}
		}
		parts.items = append(parts.items, v)
	}
	return nil
}

// substitute is sub and, when counted, subn.
func (m *Machine) substitute(p *pattern, self, repl, v, limit Value, counted bool) (Value, error) {
	most, err := m.boundInt(limit, 0)
	if err != nil {
		return Value{}, err
	}
	template, raw, isText := subjectText(repl)
	if !isText && m.isCallable(repl) {
		sc, err := m.newScanner(p, self, v, Value{}, Value{})
		if err != nil {
			return Value{}, err
		}
		return m.then(m.intrinsic("re_sub"), sc, repl, Int(most), Bool(counted))
	}
	if !isText {
		return Value{}, raise.Type("decoding to str: need a bytes-like object, %s found", typeName(repl))
	}
	sub, err := m.newSubject(p, v, Value{}, Value{})
	if err != nil {
		return Value{}, err
	}
	if raw != sub.raw {
		return Value{}, wrongFragment(0, plain(repl), sub.raw)
	}
	t, err := m.template(p, template, repl)
	if err != nil {
		return Value{}, err
	}
	out, n := sub.value, 0
	if most >= 0 {
		s, count, err := p.re.Sub(m, &m.patterns.scratch, t, sub.text, int(most))
		if err != nil {
			return Value{}, err
		}
		if n = count; n > 0 {
			out = m.fragment(s, raw)
		}
	}
	if counted {
		return m.pair(out, Int(int64(n))), nil
	}
	return out, nil
}

// template returns the parsed form of what re.sub puts in the place of matches.
func (m *Machine) template(p *pattern, source string, repl Value) (*regex.Template, error) {
	if p.parsed != nil && p.template == source {
		return p.parsed, nil
	}
	t, err := regex.ParseTemplate(m, p.re, source)
	if err != nil {
		return nil, m.regexError(err, plain(repl))
	}
	p.template, p.parsed = source, t
	return t, nil
}
