package text

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Center is center. The fill is one element.
func Center(m budget.Meter, s Str, width int, fill string) (string, error) {
	margin, err := s.margin(width, fill)
	if err != nil || margin <= 0 {
		return s.S, err
	}
	left := margin/2 + margin&width&1
	return surround(m, s.S, fill, left, margin-left)
}

// LJust is ljust. The fill is one element.
func LJust(m budget.Meter, s Str, width int, fill string) (string, error) {
	margin, err := s.margin(width, fill)
	if err != nil || margin <= 0 {
		return s.S, err
	}
	return surround(m, s.S, fill, 0, margin)
}

// RJust is rjust. The fill is one element.
func RJust(m budget.Meter, s Str, width int, fill string) (string, error) {
	margin, err := s.margin(width, fill)
	if err != nil || margin <= 0 {
		return s.S, err
	}
	return surround(m, s.S, fill, margin, 0)
}

// margin returns how many elements s lacks to be of the width.
func (s Str) margin(width int, fill string) (int, error) {
	if s.Raw && len(fill) != 1 || !s.Raw && !single(fill) {
		return 0, raise.Type("The fill character must be exactly one character long")
	}
	return max(width, 0) - s.Len(), nil
}

// single reports whether s is one code point.
func single(s string) bool {
	_, size := DecodeRune(s)
	return s != "" && size == len(s)
}

// surround returns s between left and right times fill.
func surround(m budget.Meter, s, fill string, left, right int) (string, error) {
	size := len(s) + times(len(fill), left)
	if size > maxSize {
		return "", alloc(m, size)
	}
	size += times(len(fill), right)
	b := builder{m: m}
	if err := b.reserve(size); err != nil {
		return "", err
	}
	for _, step := range []struct {
		text  string
		count int
	}{{fill, left}, {s, 1}, {fill, right}} {
		if err := b.fill(step.text, step.count); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// ZFill is zfill.
func ZFill(m budget.Meter, s Str, width int) (string, error) {
	lack := max(width, 0) - s.Len()
	if lack <= 0 {
		return s.S, nil
	}
	sign, digits := "", s.S
	if digits != "" && (digits[0] == '+' || digits[0] == '-') {
		sign, digits = digits[:1], digits[1:]
	}
	b := builder{m: m}
	if err := b.reserve(len(s.S) + lack); err != nil {
		return "", err
	}
	b.WriteString(sign)
	if err := b.fill("0", lack); err != nil {
		return "", err
	}
	b.WriteString(digits)
	return b.String(), nil
}

// Join is sep.join of texts.
func Join(m budget.Meter, sep string, list []string) (string, error) {
	if len(list) == 1 {
		return list[0], nil
	}
	size := times(len(sep), max(0, len(list)-1))
	for _, s := range list {
		if size += len(s); size > maxSize {
			break
		}
	}
	if err := work(m, 4*len(list)); err != nil {
		return "", err
	}
	b := builder{m: m}
	if err := b.reserve(size); err != nil {
		return "", err
	}
	for i, s := range list {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(s)
	}
	return b.String(), nil
}
