// Package regex matches the patterns of Python's re module in time that grows
// with the text only.
//
// A pattern is parsed as CPython parses it, with CPython's messages, and
// compiled to a program of Thompson's kind. Two engines run it and agree on
// every result but the rounds of loops that match nothing: a backtracker, which is the quickest on what people write, and
// Pike's machine, which keeps all alternatives in step. The backtracker gives
// up as soon as it has done more work than the other would have, so that no
// pattern is exponential. An assertion about what follows may read to the end of
// the text at every place, so with those the time can grow with the square.
// Go's regexp is not used because it can neither be
// interrupted, nor start in the middle of a text and look back, nor express
// Python's $ and Unicode \b.
//
// Texts are strings of UTF-8 in which a lone surrogate is its three-byte
// encoding, or bytes. Positions are byte offsets, except in errors, where they
// count code points as Python does.
package regex

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Flags are the flags of a pattern, with the values of Python's re.RegexFlag.
type Flags uint16

// The flags that patterns know.
const (
	IgnoreCase Flags = 1 << 1
	Locale     Flags = 1 << 2
	Multiline  Flags = 1 << 3
	DotAll     Flags = 1 << 4
	Unicode    Flags = 1 << 5
	Verbose    Flags = 1 << 6
	ASCII      Flags = 1 << 8
)

// Limits of a pattern.
const (
	maxPattern = 1 << 16 // bytes
	maxDepth   = 100     // groups in groups
	maxProgram = 50_000  // instructions, after counted repeats are written out
	maxGroups  = 1000
	maxRepeat  = 1<<32 - 2
)

// Name is a named group.
type Name struct {
	Name  string
	Group int
}

// Pattern is a compiled pattern. It does not change and may be shared.
type Pattern struct {
	Flags  Flags  // those given and those written in the pattern
	Groups int    // capturing groups, the whole match not counted
	Names  []Name // in the order of their groups
	Bytes  bool   // matches bytes, not code points

	program []inst
	closing []int  // group to the order in which its closing parenthesis comes
	prefix  string // every match begins with it
	first   *[256]bool
	start   anchor
	slots   int // that a match needs while it is under way
}

// Compile translates a pattern. Errors are *Error, exceptions of package raise
// or those of the meter.
func Compile(m budget.Meter, pattern string, bytes bool, flags Flags) (*Pattern, error) {
	if len(pattern) > maxPattern {
		return nil, &Error{Msg: "pattern is too long", Pos: -1}
	}
	if err := payPattern(m, len(pattern)); err != nil {
		return nil, err
	}
	flags, err := typeFlags(flags, bytes)
	if err != nil {
		return nil, err
	}
	ps := newParser(pattern, bytes, flags)
	tree, err := ps.parse()
	if err != nil {
		return nil, err
	}
	p := &Pattern{Flags: ps.global, Groups: ps.groups, Names: ps.names, Bytes: bytes, closing: ps.closing}
	if !bytes && p.Flags&ASCII == 0 {
		p.Flags |= Unicode
	}
	return p, p.assemble(m, tree)
}

// payPattern pays for parsing, whose dearest part is the tables of sets.
func payPattern(m budget.Meter, size int) error {
	if err := m.Alloc(256 * (size + 1)); err != nil {
		return err
	}
	for done := 0; done <= size; done += 1000 {
		if err := m.Work(1000 * min(1000, size-done+1)); err != nil {
			return err
		}
	}
	return nil
}

// typeFlags refuses combinations of flags that do not fit the type of pattern.
func typeFlags(f Flags, bytes bool) (Flags, error) {
	switch {
	case !bytes && f&Locale != 0:
		return 0, raise.Value("cannot use LOCALE flag with a str pattern")
	case !bytes && f&ASCII != 0 && f&Unicode != 0:
		return 0, raise.Value("ASCII and UNICODE flags are incompatible")
	case bytes && f&Unicode != 0:
		return 0, raise.Value("cannot use UNICODE flag with a bytes pattern")
	case bytes && f&Locale != 0 && f&ASCII != 0:
		return 0, raise.Value("ASCII and LOCALE flags are incompatible")
	}
	return f, nil
}

// LastIndex returns the group that was closed last, as Match.lastindex, or 0.
func (p *Pattern) LastIndex(groups []int) int {
	last, end := 0, -1
	for g := 1; g <= p.Groups; g++ {
		e := groups[2*g+1]
		if e > end || e == end && e >= 0 && p.closing[g] > p.closing[last] {
			last, end = g, e
		}
	}
	return last
}

// Group returns the number of a named group.
func (p *Pattern) Group(name string) (int, bool) {
	for _, n := range p.Names {
		if n.Name == name {
			return n.Group, true
		}
	}
	return 0, false
}

// Size estimates what p occupies, in bytes.
func (p *Pattern) Size() int {
	return instSize*len(p.program) + 64*len(p.Names) + 8*len(p.closing) + len(p.prefix) + 512
}
