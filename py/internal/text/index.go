package text

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// Offset returns where code point number i of s begins, in bytes: len(s) when s
// is shorter.
func Offset(s string, i int) int {
	for at := 0; at < len(s); at++ {
		if s[at]&0xC0 == 0x80 {
			continue
		}
		if i == 0 {
			return at
		}
		i--
	}
	return len(s)
}

// Clamp makes of start and end, as find and startswith take them, positions in a
// sequence of n elements; start may be beyond the end then.
func Clamp(start, end, n int) (int, int) {
	if end > n {
		end = n
	} else if end < 0 {
		end = max(end+n, 0)
	}
	if start < 0 {
		start = max(start+n, 0)
	}
	return start, end
}

// window is the part of a text that a search looks at.
type window struct {
	text  string
	first int // the index of the first element
	ok    bool
}

// window finds the part of s from element start to element end, and not ok when
// start is beyond the end.
func (s Str) window(m budget.Meter, start, end int) (window, error) {
	if !s.Flat {
		if start == 0 && end == End {
			return window{s.S, 0, true}, nil
		}
		if err := work(m, len(s.S)); err != nil {
			return window{}, err
		}
	}
	start, end = Clamp(start, end, s.Len())
	if start > end {
		return window{}, nil
	}
	if s.Flat {
		return window{s.S[start:end], start, true}, nil
	}
	lo := Offset(s.S, start)
	hi := lo + Offset(s.S[lo:], end-start)
	return window{s.S[lo:hi], start, true}, nil
}

// Slice returns the elements start, start+step, ... of s, count of them: what is
// left of a slice when it has been fitted to the length, as slice.indices does.
func Slice(m budget.Meter, s Str, start, step, count int) (string, error) {
	switch {
	case count <= 0:
		return "", nil
	case step == 1:
		return sliceRun(m, s, start, count)
	case s.Flat:
		return sliceBytes(m, s.S, start, step, count)
	case step == -1:
		return reversedRunes(m, s.S, start, count)
	}
	return sliceRunes(m, s.S, start, step, count)
}

func sliceRun(m budget.Meter, s Str, start, count int) (string, error) {
	if s.Flat {
		return ownPart(m, s.S[start:start+count], s.S)
	}
	if err := work(m, len(s.S)); err != nil {
		return "", err
	}
	lo := Offset(s.S, start)
	hi := lo + Offset(s.S[lo:], count)
	return ownPart(m, s.S[lo:hi], s.S)
}

func sliceBytes(m budget.Meter, s string, start, step, count int) (string, error) {
	b := builder{m: m}
	if err := b.reserve(count); err != nil {
		return "", err
	}
	p, err := pacing(m, count)
	if err != nil {
		return "", err
	}
	for i := 0; i < count; i++ {
		if err := p.at(i); err != nil {
			return "", err
		}
		b.WriteByte(s[start+i*step])
	}
	return b.String(), nil
}

// reversedRunes walks over s backwards and takes every code point.
func reversedRunes(m budget.Meter, s string, start, count int) (string, error) {
	if err := work(m, len(s)); err != nil {
		return "", err
	}
	end := Offset(s, start+1)
	first := back(s, end, count)
	b := builder{m: m}
	if err := b.reserve(end - first); err != nil {
		return "", err
	}
	p, err := pacing(m, end-first)
	if err != nil {
		return "", err
	}
	for at := end; at > first; {
		if err := p.at(end - at); err != nil {
			return "", err
		}
		from := back(s, at, 1)
		b.WriteString(s[from:at])
		at = from
	}
	return b.String(), nil
}

// sliceRunes walks over s once, forwards or backwards, and takes every
// step-th code point.
func sliceRunes(m budget.Meter, s string, start, step, count int) (string, error) {
	if err := work(m, len(s)); err != nil {
		return "", err
	}
	at := Offset(s, start)
	b := builder{m: m}
	p, err := pacing(m, len(s))
	if err != nil {
		return "", err
	}
	for done := 0; ; {
		if err := p.at(done); err != nil {
			return "", err
		}
		r, size := DecodeRune(s[at:])
		if err := b.rune(r); err != nil {
			return "", err
		}
		if count--; count == 0 {
			return b.String(), nil
		}
		from := at
		if step > 0 {
			at += size + Offset(s[at+size:], step-1)
		} else {
			at = back(s, at, -step)
		}
		done += max(at-from, from-at)
	}
}

// back returns where the code point begins that is n before the one at offset at.
func back(s string, at, n int) int {
	for ; n > 0 && at > 0; n-- {
		at--
		for at > 0 && s[at]&0xC0 == 0x80 {
			at--
		}
	}
	return at
}
