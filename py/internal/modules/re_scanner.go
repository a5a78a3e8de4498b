package modules

import (
	"github.com/glovebox-dev/glovebox/py/internal/machine"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
	"github.com/glovebox-dev/glovebox/py/internal/regex"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// scanner goes from match to match for the functions of the prelude.
type scanner struct {
	self  machine.Value // the pattern
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
func (o *scanner) Each(visit func(machine.Value)) {
	visit(o.self)
	visit(o.sub.value)
}

// Save returns the pattern, the text, where was looked, and how far it is.
func (o *scanner) Save() (string, []machine.Value) {
	return "re.Scanner", []machine.Value{o.self, o.sub.value, machine.Int(int64(o.sub.pos)), machine.Int(int64(o.sub.end)),
		machine.Int(int64(o.next.Pos)), machine.Bool(o.next.Advance), machine.Bool(o.next.Tired), machine.Int(int64(o.last)), machine.Int(int64(o.done))}
}

func loadScanner(m *machine.Machine, fields []machine.Value) (machine.Boxed, error) {
	sub, p, err := loadSubject(fields)
	if err != nil || len(fields) != 9 || !fields[4].IsInt() || !fields[7].IsInt() || !fields[8].IsInt() {
		return nil, machine.ErrMalformed
	}
	pos, last, done := fields[4].Int(), fields[7].Int(), fields[8].Int()
	if pos < 0 || pos > int64(sub.end)+1 || pos <= int64(sub.end) && !sub.begins(int(pos)) || last < 0 || !sub.spans(last, done) {
		return nil, machine.ErrMalformed
	}
	return &scanner{
		self: fields[0], re: p, sub: sub, last: int(last), done: int(done),
		next: regex.Scanner{Pattern: p.re, Text: sub.text, Pos: int(pos), End: sub.end, Advance: fields[5].Int() != 0, Tired: fields[6].Int() != 0},
	}, nil
}

func newScanner(m *machine.Machine, p *pattern, self, v, pos, end machine.Value) (machine.Value, error) {
	sub, err := newSubject(m, p, v, pos, end)
	if err != nil {
		return machine.Value{}, err
	}
	return m.NewBoxed(scannerType, &scanner{
		self: self, re: p, sub: sub, last: 0,
		next: regex.Scanner{Pattern: p.re, Text: sub.text, Pos: sub.pos, End: sub.end},
	})
}

// advance returns the next match or None.
func (o *scanner) advance(m *machine.Machine) (machine.Value, error) {
	groups, err := o.next.Next(m, &patternsOf(m).scratch)
	if err != nil || groups == nil {
		return machine.None, err
	}
	if !o.sub.flat && groups[0] >= o.known.offset {
		if err := m.Work((groups[0] - o.known.offset) / 4); err != nil {
			return machine.Value{}, err
		}
		o.known = place{groups[0], o.known.index + text.Len(o.sub.text[o.known.offset:groups[0]])}
	}
	o.last, o.done = o.done, groups[1]
	return newMatch(m, o.self, o.re, o.sub, groups, o.known)
}

// defineScanner defines what the prelude does with a scanner.
func defineScanner(r *machine.Registry) {
	define := func(name string, fn func(m *machine.Machine, o *scanner, a machine.Args) (machine.Value, error)) {
		r.Intrinsic(name, func(m *machine.Machine, a machine.Args) (machine.Value, error) {
			if b := a.At(0).Opaque(); b != nil {
				if o, ok := b.Box().(*scanner); ok {
					return fn(m, o, a)
				}
			}
			return machine.Value{}, machine.ErrMalformed
		})
	}
	define("_re_next", func(m *machine.Machine, o *scanner, a machine.Args) (machine.Value, error) { return o.advance(m) })
	define("_re_gap", func(m *machine.Machine, o *scanner, a machine.Args) (machine.Value, error) {
		x := matchOf(a.At(1))
		if x == nil || x.groups[0] < o.last {
			return machine.Value{}, machine.ErrMalformed
		}
		return m.Cut(o.sub.text[o.last:x.groups[0]], o.sub.raw)
	})
	define("_re_rest", func(m *machine.Machine, o *scanner, a machine.Args) (machine.Value, error) {
		return m.Cut(o.sub.text[o.done:], o.sub.raw)
	})
	define("_re_text", func(m *machine.Machine, o *scanner, a machine.Args) (machine.Value, error) { return o.sub.value, nil })
	define("_re_join", func(m *machine.Machine, o *scanner, a machine.Args) (machine.Value, error) {
		parts := a.At(1).List()
		if parts == nil {
			return machine.Value{}, machine.ErrMalformed
		}
		return joinFragments(m, parts.Items(), o.sub.raw)
	})
}

// joinFragments joins what sub puts together.
func joinFragments(m *machine.Machine, parts []machine.Value, raw bool) (machine.Value, error) {
	n := 0
	for i, p := range parts {
		s, isBytes, ok := subjectText(p)
		if !ok || isBytes != raw {
			return machine.Value{}, wrongFragment(i, p, raw)
		}
		n += len(s)
	}
	if err := m.Alloc(n); err != nil {
		return machine.Value{}, err
	}
	if err := m.Work(n/16 + 4*len(parts)); err != nil {
		return machine.Value{}, err
	}
	out := make([]byte, 0, n)
	for _, p := range parts {
		s, _, _ := subjectText(p)
		out = append(out, s...)
	}
	if err := m.Alloc(n); err != nil {
		return machine.Value{}, err
	}
	return m.PaidText(string(out), raw), nil
}

func wrongFragment(i int, v machine.Value, raw bool) error {
	if raw {
		return raise.Type("sequence item %d: expected a bytes-like object, %s found", i, machine.TypeName(v))
	}
	return raise.Type("sequence item %d: expected str instance, %s found", i, machine.TypeName(v))
}
