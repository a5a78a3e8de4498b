package regex

import (
	"slices"
	"unicode"
)

// set is a set of characters. Those of ASCII are looked up in low, where
// negation and folding of case are already applied.
type set struct {
	low     [4]uint32
	ranges  []span
	classes []class
	negate  bool
	fold    folding
}

type span struct{ lo, hi rune }

// class is one of \d \s \w, or what they leave out.
type class struct {
	letter byte // 'd', 's' or 'w'
	ascii  bool
	negate bool
}

// folding says how case is ignored.
type folding uint8

const (
	foldNone folding = iota
	foldASCII
	foldUnicode
)

// seal sorts the ranges and fills the table of ASCII.
func (s *set) seal() *set {
	slices.SortFunc(s.ranges, func(a, b span) int { return int(a.lo - b.lo) })
	merged := s.ranges[:0]
	for _, r := range s.ranges {
		if n := len(merged); n > 0 && r.lo <= merged[n-1].hi+1 {
			merged[n-1].hi = max(merged[n-1].hi, r.hi)
			continue
		}
		merged = append(merged, r)
	}
	s.ranges = merged
	s.fill()
	return s
}

// fill makes the table of ASCII.
func (s *set) fill() {
	for _, r := range s.ranges {
		for c := r.lo; c <= min(r.hi, 127); c++ {
			s.mark(c)
		}
	}
	for _, r := range "ſ\u212aİı" { // the only ones that have a case in ASCII
		if s.fold == foldUnicode && s.holds(r) {
			s.mark(r)
		}
	}
	for c := rune(0); c < 128 && len(s.classes) > 0; c++ {
		if s.ofClass(c) {
			s.mark(c)
		}
	}
	if s.negate {
		for i := range s.low {
			s.low[i] = ^s.low[i]
		}
	}
}

// mark puts r and its other cases into the table, as far as they are ASCII.
func (s *set) mark(r rune) {
	for c := r; ; {
		if c < 128 {
			s.low[c>>5] |= 1 << (c & 31)
		}
		if s.fold == foldNone {
			return
		}
		if c = nextCase(c, s.fold); c == r {
			return
		}
	}
}

// has reports whether the set holds r.
func (s *set) has(r rune) bool {
	if r < 128 {
		return s.low[r>>5]>>(r&31)&1 != 0
	}
	return s.slow(r)
}

func (s *set) slow(r rune) bool {
	return s.member(r) != s.negate
}

// member looks r up in each of its cases.
func (s *set) member(r rune) bool {
	if s.holds(r) {
		return true
	}
	if s.fold == foldNone {
		return false
	}
	for c := nextCase(r, s.fold); c != r; c = nextCase(c, s.fold) {
		if s.holds(c) {
			return true
		}
	}
	return false
}

func (s *set) holds(r rune) bool {
	_, found := slices.BinarySearchFunc(s.ranges, r, func(sp span, r rune) int {
		switch {
		case sp.hi < r:
			return -1
		case sp.lo > r:
			return 1
		}
		return 0
	})
	return found || s.ofClass(r)
}

func (s *set) ofClass(r rune) bool {
	for _, c := range s.classes {
		if c.has(r) {
			return true
		}
	}
	return false
}

func (c class) has(r rune) bool {
	switch c.letter {
	case 'd':
		return isDigit(r, c.ascii) != c.negate
	case 's':
		return isSpace(r, c.ascii) != c.negate
	}
	return isWord(r, c.ascii) != c.negate
}

func isDigit(r rune, ascii bool) bool {
	if r < 128 || ascii {
		return '0' <= r && r <= '9'
	}
	return unicode.Is(unicode.Nd, r)
}

func isSpace(r rune, ascii bool) bool {
	if r == ' ' || '\t' <= r && r <= '\r' {
		return true
	}
	if ascii {
		return false
	}
	// Python counts the separators of ASCII as white space, Unicode does not.
	return 0x1c <= r && r <= 0x1f || unicode.IsSpace(r)
}

func isWord(r rune, ascii bool) bool {
	if r < 128 || ascii {
		return r < 128 && (r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z')
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// nextCase returns the next character of the cycle of those that are equal to
// r when case is ignored.
func nextCase(r rune, f folding) rune {
	if f == foldASCII {
		if 'a' <= r|0x20 && r|0x20 <= 'z' {
			return r ^ 0x20
		}
		return r
	}
	switch r { // Python joins the i of Turkish, for which Unicode has no simple folding
	case 'I':
		return 'i'
	case 'i':
		return 'İ'
	case 'İ':
		return 'ı'
	case 'ı':
		return 'I'
	}
	return unicode.SimpleFold(r)
}
