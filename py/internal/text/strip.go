package text

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
)

// Side says which ends of a text an operation works on.
type Side uint8

// The sides of a text.
const (
	Left Side = 1 << iota
	Right
	Both = Left | Right
)

// StripSpace removes white space.
func StripSpace(m budget.Meter, s Str, side Side) (string, error) {
	return s.strip(m, side, func(e string) bool {
		flags, _ := Str{e, s.Flat, s.Raw}.first()
		return flags&space != 0
	})
}

// Strip removes the elements that set has.
func Strip(m budget.Meter, s Str, set string, side Side) (string, error) {
	if err := work(m, len(set)); err != nil {
		return "", err
	}
	if ASCII(set) || s.Flat {
		table := byteSet(set)
		return s.strip(m, side, func(e string) bool { return len(e) == 1 && table[e[0]] })
	}
	has := map[string]bool{}
	if err := alloc(m, times(64, Len(set))); err != nil {
		return "", err
	}
	for set != "" {
		_, size := DecodeRune(set)
		has[set[:size]] = true
		set = set[size:]
	}
	return s.strip(m, side, func(e string) bool { return has[e] })
}

func byteSet(set string) *[256]bool {
	var table [256]bool
	for i := 0; i < len(set); i++ {
		table[set[i]] = true
	}
	return &table
}

// strip removes the elements at the sides of s that drop is true of.
func (s Str) strip(m budget.Meter, side Side, drop func(string) bool) (string, error) {
	t := s.S
	p, err := pacing(m, len(t))
	for err == nil && side&Left != 0 && t != "" {
		n := s.width(t)
		if !drop(t[:n]) {
			break
		}
		t = t[n:]
		err = p.at(len(s.S) - len(t))
	}
	for err == nil && side&Right != 0 && t != "" {
		n := s.lastWidth(t)
		if !drop(t[len(t)-n:]) {
			break
		}
		t = t[:len(t)-n]
		err = p.at(len(s.S) - len(t))
	}
	if err != nil {
		return "", err
	}
	return ownPart(m, t, s.S)
}

// width returns the width of the first element of t, a part of s.
func (s Str) width(t string) int {
	if s.Flat {
		return 1
	}
	_, size := DecodeRune(t)
	return size
}

func (s Str) lastWidth(t string) int {
	if s.Flat {
		return 1
	}
	_, size := DecodeLastRune(t)
	return size
}

// ExpandTabs is expandtabs.
func ExpandTabs(m budget.Meter, s Str, size int) (string, error) {
	if !strings.Contains(s.S, "\t") {
		return s.S, work(m, len(s.S))
	}
	b := builder{m: m}
	if err := b.reserve(len(s.S)); err != nil {
		return "", err
	}
	column := 0
	for t := s.S; t != ""; {
		n := strings.IndexAny(t, "\t\n\r")
		if n < 0 {
			n = len(t)
		}
		if err := b.text(t[:n]); err != nil {
			return "", err
		}
		column += Str{S: t[:n], Flat: s.Flat}.Len()
		if t = t[n:]; t == "" {
			break
		}
		if err := b.tab(t[0], &column, size); err != nil {
			return "", err
		}
		t = t[1:]
	}
	return b.String(), nil
}

// tab writes c, a tab as the blanks up to the next multiple of size.
func (b *builder) tab(c byte, column *int, size int) error {
	if err := b.m.Work(4); err != nil {
		return err
	}
	if c != '\t' {
		*column = 0
		return b.text(string(rune(c)))
	}
	if size <= 0 {
		return nil
	}
	n := size - *column%size
	*column += n
	return b.fill(" ", n)
}
