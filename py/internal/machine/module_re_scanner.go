package machine

import (
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// scanner goes from match to match for the functions of the prelude.
type scanner struct {
	self  Value // the pattern
	re    *pattern
	sub   subject
	next  regex.Scanner
	last  int   // where the match before the last one ended, in bytes
	done  int   // where the last one ended
	known place // where the last one started
}

// Size is the scanner without its text and its pattern.
func (o *scanner) Size() int { return 240 }

// Each visits the pattern and the text.
func (o *scanner) Each(visit func(Value)) {
	visit(o.self)
	visit(o.sub.value)
}

// Save returns the pattern, the text, where was looked, and how far it is.
func (o *scanner) Save() (string, []Value) {
	return "re.Scanner", []Value{o.self, o.sub.value, Int(int64(o.sub.pos)), Int(int64(o.sub.end)),
		Int(int64(o.next.Pos)), Bool(o.next.Advance), Bool(o.next.Tired), Int(int64(o.last)), Int(int64(o.done))}
}

func loadScanner(m *Machine, fields []Value) (Boxed, error) {
	sub, p, err := loadSubject(fields)
	if err != nil || len(fields) != 9 || !fields[4].isInt() || !fields[7].isInt() || !fields[8].isInt() {
		return nil, errCorrupt
	}
	pos, last, done := fields[4].int(), fields[7].int(), fields[8].int()
	if pos < 0 || pos > int64(sub.end)+1 || pos <= int64(sub.end) && !sub.begins(int(pos)) || last < 0 || !sub.spans(last, done) {
		return nil, errCorrupt
	}
	return &scanner{
		self: fields[0], re: p, sub: sub, last: int(last), done: int(done),
		next: regex.Scanner{Pattern: p.re, Text: sub.text, Pos: int(pos), End: sub.end, Advance: fields[5].n != 0, Tired: fields[6].n != 0},
	}, nil
}

func (m *Machine) newScanner(p *pattern, self, v, pos, end Value) (Value, error) {
	sub, err := m.newSubject(p, v, pos, end)
	if err != nil {
		return Value{}, err
	}
	return m.box(scannerType, &scanner{
		self: self, re: p, sub: sub, last: 0,
		next: regex.Scanner{Pattern: p.re, Text: sub.text, Pos: sub.pos, End: sub.end},
	})
}

// advance returns the next match or None.
func (o *scanner) advance(m *Machine) (Value, error) {
	groups, err := o.next.Next(m, &m.patterns.scratch)
	if err != nil || groups == nil {
		return None, err
	}
	if !o.sub.flat && groups[0] >= o.known.offset {
		if err := m.Work((groups[0] - o.known.offset) / 4); err != nil {
			return Value{}, err
		}
		o.known = place{groups[0], o.known.index + text.Len(o.sub.text[o.known.offset:groups[0]])}
	}
	o.last, o.done = o.done, groups[1]
	return m.newMatch(o.self, o.re, o.sub, groups, o.known)
}

// defineScanner defines what the prelude does with a scanner.
func defineScanner(r *registry) {
	define := func(name string, fn func(m *Machine, o *scanner, a Args) (Value, error)) {
		r.staticIntrinsic(name, func(m *Machine, a Args) (Value, error) {
			if b := a.at(0).opaque(); b != nil {
				if o, ok := b.box.(*scanner); ok {
					return fn(m, o, a)
				}
			}
			return Value{}, errCorrupt
		})
	}
	define("_re_next", func(m *Machine, o *scanner, a Args) (Value, error) { return o.advance(m) })
	define("_re_gap", func(m *Machine, o *scanner, a Args) (Value, error) {
		x := matchOf(a.at(1))
		if x == nil || x.groups[0] < o.last {
			return Value{}, errCorrupt
		}
		return m.cutFragment(o.sub.text[o.last:x.groups[0]], o.sub.raw)
	})
	define("_re_rest", func(m *Machine, o *scanner, a Args) (Value, error) {
		return m.cutFragment(o.sub.text[o.done:], o.sub.raw)
	})
	define("_re_text", func(m *Machine, o *scanner, a Args) (Value, error) { return o.sub.value, nil })
	define("_re_join", func(m *Machine, o *scanner, a Args) (Value, error) {
		parts := a.at(1).list()
		if parts == nil {
			return Value{}, errCorrupt
		}
		return m.joinFragments(parts.items, o.sub.raw)
	})
}

// joinFragments joins what sub puts together.
func (m *Machine) joinFragments(parts []Value, raw bool) (Value, error) {
	n := 0
	for i, p := range parts {
		s, isBytes, ok := subjectText(p)
		if !ok || isBytes != raw {
			return Value{}, wrongFragment(i, p, raw)
		}
		n += len(s)
	}
	if err := m.Alloc(n); err != nil {
		return Value{}, err
	}
	if err := m.Work(n/16 + 4*len(parts)); err != nil {
		return Value{}, err
	}
	out := make([]byte, 0, n)
	for _, p := range parts {
		s, _, _ := subjectText(p)
		out = append(out, s...)
	}
	if err := m.Alloc(n); err != nil {
		return Value{}, err
	}
	return m.fragment(string(out), raw), nil
}

func wrongFragment(i int, v Value, raw bool) error {
	if raw {
		return raise.Type("sequence item %d: expected a bytes-like object, %s found", i, typeName(v))
	}
	return raise.Type("sequence item %d: expected str instance, %s found", i, typeName(v))
}
