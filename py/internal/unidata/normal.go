package unidata

import (
	"slices"
	"strings"
	"sync"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/text"
)

// Form is a normal form of Unicode.
type Form struct {
	compatible, composed bool
}

// Forms are the normal forms by their names.
var Forms = map[string]Form{
	"NFD": {}, "NFC": {composed: true}, "NFKD": {compatible: true}, "NFKC": {compatible: true, composed: true},
}

// runeWork is about the work that a code point takes.
const runeWork = 200

// Normalize returns s in a normal form.
func (f Form) Normalize(m budget.Meter, s string) (string, error) {
	if isASCII(s) {
		return s, nil
	}
	n := len(s)
	for chunk := n; chunk > 0; chunk -= 4096 {
		if err := m.Work(runeWork * min(chunk, 4096)); err != nil {
			return "", err
		}
	}
	if err := m.Alloc(8 * n); err != nil {
		return "", err
	}
	marks := make([]mark, 0, n)
	for rest := s; rest != ""; {
		r, size := text.DecodeRune(rest)
		rest = rest[size:]
		before := cap(marks)
		marks = f.decompose(marks, r)
		if grown := cap(marks) - before; grown > 0 {
			if err := m.Alloc(8 * grown); err != nil {
				return "", err
			}
		}
	}
	order(marks)
	if f.composed {
		marks = compose(marks)
	}
	if err := m.Alloc(4 * len(marks)); err != nil {
		return "", err
	}
	b := make([]byte, 0, n)
	for _, k := range marks {
		b = text.AppendRune(b, k.r)
	}
	return string(b), nil
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// mark is a code point and its combining class.
type mark struct {
	r     rune
	class int32
}

// decompose adds what r is made of.
func (f Form) decompose(to []mark, r rune) []mark {
	if r < 0x80 {
		return append(to, mark{r, 0})
	}
	if parts, ok := hangulParts(r); ok {
		for _, p := range parts {
			to = append(to, mark{p, 0})
		}
		return to
	}
	rec := Find(r)
	parts := rec.Decomposition
	if strings.HasPrefix(parts, "<") {
		_, parts, _ = strings.Cut(parts, " ")
		if !f.compatible {
			parts = ""
		}
	}
	if parts == "" {
		return append(to, mark{r, int32(rec.Combining)})
	}
	for p := range strings.FieldsSeq(parts) {
		to = f.decompose(to, codePoint(p))
	}
	return to
}

// order sorts each run of marks that combine by their classes.
func order(marks []mark) {
	for i := 0; i < len(marks); i++ {
		if marks[i].class == 0 {
			continue
		}
		end := i
		for end < len(marks) && marks[end].class != 0 {
			end++
		}
		slices.SortStableFunc(marks[i:end], func(a, b mark) int { return int(a.class - b.class) })
		i = end
	}
}

// pairs are the code points that two others make together.
var pairs = sync.OnceValue(func() map[[2]rune]rune {
	all := map[[2]rune]rune{}
	for _, s := range stretches() {
		if rec := parse(s.rest); rec.composes {
			a, b, _ := strings.Cut(rec.Decomposition, " ")
			all[[2]rune{codePoint(a), codePoint(b)}] = s.first
		}
	}
	return all
})

func together(a, b rune) (rune, bool) {
	if r, ok := hangulPair(a, b); ok {
		return r, true
	}
	r, ok := pairs()[[2]rune{a, b}]
	return r, ok
}

// compose puts marks together with what they stand on, where nothing between
// blocks them.
func compose(marks []mark) []mark {
	out := marks[:0]
	base := -1
	last := int32(0) // class of what stands between the base and the next mark
	for _, k := range marks {
		if base >= 0 {
			free := len(out) == base+1 || last != 0 && last < k.class
			if r, ok := together(out[base].r, k.r); ok && free {
				out[base].r = r
				continue
			}
		}
		out = append(out, k)
		if k.class == 0 {
			base = len(out) - 1
		}
		last = k.class
	}
	return out
}
