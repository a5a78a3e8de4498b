package text

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// shortNeedle is the length up to which strings.Index is linear enough: beyond
// it crafted texts make its comparisons quadratic.
const shortNeedle = 32

// chunk is how much of a text is searched between two payments.
const chunk = 1 << 17

// index returns the offset of the first sub in s, or -1.
func index(m budget.Meter, s, sub string) (int, error) {
	if len(sub) > shortNeedle {
		return indexLong(m, s, sub)
	}
	for at := 0; ; at += chunk {
		part := s[at:min(len(s), at+chunk+len(sub))]
		i := strings.Index(part, sub)
		if i >= 0 {
			return at + i, m.Work(1 + i/2)
		}
		if err := m.Work(1 + len(part)/2); err != nil {
			return 0, err
		}
		if at+len(part) == len(s) {
			return -1, nil
		}
	}
}

// lastIndex returns the offset of the last sub in s, or -1.
func lastIndex(m budget.Meter, s, sub string) (int, error) {
	if len(sub) > shortNeedle {
		return lastIndexLong(m, s, sub)
	}
	for end := len(s); ; end -= chunk {
		lo := max(0, end-chunk-len(sub))
		i := strings.LastIndex(s[lo:end], sub)
		if i >= 0 {
			return lo + i, m.Work(2 * (end - lo - i))
		}
		if err := m.Work(2 * (end - lo)); err != nil {
			return 0, err
		}
		if lo == 0 {
			return -1, nil
		}
	}
}

// Contains reports whether sub is in s.
func Contains(m budget.Meter, s, sub string) (bool, error) {
	i, err := index(m, s, sub)
	return i >= 0, err
}

// Find returns the index of the first sub between start and end, or -1.
func Find(m budget.Meter, s Str, sub string, start, end int) (int, error) {
	return find(m, s, sub, start, end, index)
}

// RFind returns the index of the last sub between start and end, or -1.
func RFind(m budget.Meter, s Str, sub string, start, end int) (int, error) {
	return find(m, s, sub, start, end, lastIndex)
}

type indexer func(m budget.Meter, s, sub string) (int, error)

func find(m budget.Meter, s Str, sub string, start, end int, f indexer) (int, error) {
	w, err := s.window(m, start, end)
	if err != nil || !w.ok {
		return -1, err
	}
	i, err := f(m, w.text, sub)
	if err != nil || i < 0 {
		return -1, err
	}
	if s.Flat {
		return w.first + i, nil
	}
	return w.first + Len(w.text[:i]), work(m, i)
}

// NotFound is the error of index and rindex.
func (s Str) NotFound() error {
	if s.Raw {
		return raise.Value("subsection not found")
	}
	return raise.Value("substring not found")
}

// Count returns how many times sub is in s between start and end, not
// overlapping.
func Count(m budget.Meter, s Str, sub string, start, end int) (int, error) {
	w, err := s.window(m, start, end)
	if err != nil || !w.ok {
		return 0, err
	}
	if sub == "" {
		return Str{S: w.text, Flat: s.Flat}.Len() + 1, work(m, len(w.text))
	}
	return count(m, w.text, sub, len(w.text))
}

// count counts sub in s, up to limit.
func count(m budget.Meter, s, sub string, limit int) (int, error) {
	n := 0
	for ; n < limit; n++ {
		i, err := index(m, s, sub)
		if err != nil || i < 0 {
			return n, err
		}
		s = s[i+len(sub):]
	}
	return n, nil
}

// StartsWith reports whether s has prefix at start, and ends not before it.
func StartsWith(m budget.Meter, s Str, prefix string, start, end int) (bool, error) {
	w, err := s.window(m, start, end)
	if err != nil || !w.ok {
		return false, err
	}
	return strings.HasPrefix(w.text, prefix), m.Work(1 + len(prefix)/16)
}

// EndsWith reports whether s has suffix at end, and begins not after it.
func EndsWith(m budget.Meter, s Str, suffix string, start, end int) (bool, error) {
	w, err := s.window(m, start, end)
	if err != nil || !w.ok {
		return false, err
	}
	return strings.HasSuffix(w.text, suffix), m.Work(1 + len(suffix)/16)
}

// RemovePrefix returns s without prefix.
func RemovePrefix(m budget.Meter, s, prefix string) (string, error) {
	return ownPart(m, strings.TrimPrefix(s, prefix), s)
}

// RemoveSuffix returns s without suffix.
func RemoveSuffix(m budget.Meter, s, suffix string) (string, error) {
	return ownPart(m, strings.TrimSuffix(s, suffix), s)
}
