package text

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// parts collects the pieces of a text, each paid for and its own.
type parts struct {
	m    budget.Meter
	list []string
	err  error
}

// add appends a piece and reports whether to continue.
func (p *parts) add(s string) bool {
	if len(p.list) == cap(p.list) {
		n := max(8, 2*len(p.list))
		if p.err = alloc(p.m, times(element, n)); p.err != nil {
			return false
		}
		p.list = append(make([]string, 0, n), p.list...)
	}
	if p.err = p.m.Work(8); p.err != nil {
		return false
	}
	s, p.err = own(p.m, s)
	p.list = append(p.list, s)
	return p.err == nil
}

// done returns the pieces.
func (p *parts) done() ([]string, error) {
	if p.err != nil {
		return nil, p.err
	}
	return p.list, nil
}

// reversed returns the pieces, of which the last was added first.
func (p *parts) reversed() ([]string, error) {
	for i, j := 0, len(p.list)-1; i < j; i, j = i+1, j-1 {
		p.list[i], p.list[j] = p.list[j], p.list[i]
	}
	return p.done()
}

func noSeparator() error { return raise.Value("empty separator") }

// Split is split with a separator; a negative limit is none.
func Split(m budget.Meter, s, sep string, limit int) ([]string, error) {
	if sep == "" {
		return nil, noSeparator()
	}
	p := parts{m: m}
	for ; limit != 0; limit-- {
		i, err := index(m, s, sep)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			break
		}
		if !p.add(s[:i]) {
			return p.done()
		}
		s = s[i+len(sep):]
	}
	p.add(s)
	return p.done()
}

// RSplit is rsplit with a separator; a negative limit is none.
func RSplit(m budget.Meter, s, sep string, limit int) ([]string, error) {
	if sep == "" {
		return nil, noSeparator()
	}
	p := parts{m: m}
	for ; limit != 0; limit-- {
		i, err := lastIndex(m, s, sep)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			break
		}
		if !p.add(s[i+len(sep):]) {
			return p.done()
		}
		s = s[:i]
	}
	p.add(s)
	return p.reversed()
}

// SplitSpace is split at runs of white space; a negative limit is none.
func SplitSpace(m budget.Meter, s Str, limit int) ([]string, error) {
	pieces := parts{m: m}
	p, err := pacing(m, len(s.S))
	if err != nil {
		return nil, err
	}
	for i := 0; ; limit-- {
		if i, err = s.skip(&p, i, true); err != nil {
			return nil, err
		}
		if i == len(s.S) {
			return pieces.done()
		}
		if limit == 0 {
			pieces.add(s.S[i:])
			return pieces.done()
		}
		from := i
		if i, err = s.skip(&p, i, false); err != nil {
			return nil, err
		}
		if !pieces.add(s.S[from:i]) {
			return pieces.done()
		}
	}
}

// RSplitSpace is rsplit at runs of white space; a negative limit is none.
func RSplitSpace(m budget.Meter, s Str, limit int) ([]string, error) {
	pieces := parts{m: m}
	p, err := pacing(m, len(s.S))
	if err != nil {
		return nil, err
	}
	for i := len(s.S); ; limit-- {
		if i, err = s.skipBack(&p, i, true); err != nil {
			return nil, err
		}
		if i == 0 {
			return pieces.reversed()
		}
		if limit == 0 {
			pieces.add(s.S[:i])
			return pieces.reversed()
		}
		end := i
		if i, err = s.skipBack(&p, i, false); err != nil {
			return nil, err
		}
		if !pieces.add(s.S[i:end]) {
			return pieces.done()
		}
	}
}

// skip returns where the elements end, from offset i on, that are white space,
// or that are not.
func (s Str) skip(p *pace, i int, white bool) (int, error) {
	for i < len(s.S) {
		if err := p.at(i); err != nil {
			return 0, err
		}
		if c := s.S[i]; '!' <= c && c < 0x7F { // the fast way for most text
			if white {
				break
			}
			i++
			continue
		}
		flags, size := Str{s.S[i:], s.Flat, s.Raw}.first()
		if (flags&space != 0) != white {
			break
		}
		i += size
	}
	return i, nil
}

// skipBack is skip towards the beginning.
func (s Str) skipBack(p *pace, i int, white bool) (int, error) {
	for i > 0 {
		flags, size := Str{s.S[:i], s.Flat, s.Raw}.last()
		if (flags&space != 0) != white {
			break
		}
		if err := p.at(len(s.S) - i); err != nil {
			return 0, err
		}
		i -= size
	}
	return i, nil
}

// SplitLines is splitlines.
func SplitLines(m budget.Meter, s Str, keepEnds bool) ([]string, error) {
	pieces := parts{m: m}
	p, err := pacing(m, len(s.S))
	if err != nil {
		return nil, err
	}
	from := 0
	for i := 0; i < len(s.S); {
		if err := p.at(i); err != nil {
			return nil, err
		}
		n := s.lineEnd(i)
		if n == 0 {
			i++
			continue
		}
		line := s.S[from:i]
		if keepEnds {
			line = s.S[from : i+n]
		}
		if !pieces.add(line) {
			return pieces.done()
		}
		i += n
		from = i
	}
	if from < len(s.S) {
		pieces.add(s.S[from:])
	}
	return pieces.done()
}

// lineEnd returns the width of the line end at offset i, 0 when there is none.
func (s Str) lineEnd(i int) int {
	switch c := s.S[i]; {
	case c == '\r' && i+1 < len(s.S) && s.S[i+1] == '\n':
		return 2
	case c == '\n' || c == '\r':
		return 1
	case s.Raw:
		return 0
	case c == '\v' || c == '\f' || 0x1C <= c && c <= 0x1E:
		return 1
	case c == 0xC2 || c == 0xE2:
		if r, size := DecodeRune(s.S[i:]); r == 0x85 || r == 0x2028 || r == 0x2029 {
			return size
		}
	}
	return 0
}

// Partition is partition: what is before the first sep, sep, what is after.
func Partition(m budget.Meter, s, sep string) ([3]string, error) {
	if sep == "" {
		return [3]string{}, noSeparator()
	}
	i, err := index(m, s, sep)
	if err != nil || i < 0 {
		return [3]string{s}, err
	}
	return cut(m, s, sep, i)
}

// RPartition is rpartition: what is before the last sep, sep, what is after.
func RPartition(m budget.Meter, s, sep string) ([3]string, error) {
	if sep == "" {
		return [3]string{}, noSeparator()
	}
	i, err := lastIndex(m, s, sep)
	if err != nil || i < 0 {
		return [3]string{2: s}, err
	}
	return cut(m, s, sep, i)
}

func cut(m budget.Meter, s, sep string, i int) ([3]string, error) {
	before, err := own(m, s[:i])
	if err != nil {
		return [3]string{}, err
	}
	after, err := own(m, s[i+len(sep):])
	return [3]string{before, sep, after}, err
}
