package text

import (
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Hex is bytes.hex: with a separator between groups of that many bytes, counted
// from the right, or from the left when negative. A separator of nil is none.
func Hex(m budget.Meter, s string, sep *string, group int) (string, error) {
	mark, err := hexMark(sep)
	if err != nil {
		return "", err
	}
	if sep == nil || group == 0 {
		group = End
	}
	size := max(group, -group)
	n := 2 * len(s)
	if len(s) > 0 {
		n += (len(s) - 1) / size
	}
	b := builder{m: m}
	if err := b.reserve(n); err != nil {
		return "", err
	}
	if err := work(m, n); err != nil {
		return "", err
	}
	for i := 0; i < len(s); i++ {
		before := i
		if group > 0 {
			before = len(s) - i
		}
		if i > 0 && before%size == 0 {
			b.WriteByte(mark)
		}
		b.hex(rune(s[i]), 2)
	}
	return b.String(), nil
}

func hexMark(sep *string) (byte, error) {
	if sep == nil {
		return 0, nil
	}
	if !single(*sep) {
		return 0, raise.Value("sep must be length 1.")
	}
	if !ASCII(*sep) {
		return 0, raise.Value("sep must be ASCII.")
	}
	return (*sep)[0], nil
}

// FromHex is bytes.fromhex.
func FromHex(m budget.Meter, s string) (string, error) {
	b := builder{m: m}
	if err := b.reserve(len(s) / 2); err != nil {
		return "", err
	}
	if err := work(m, times(2, len(s))); err != nil {
		return "", err
	}
	if i := strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }); i >= 0 {
		return "", notHex(s, i)
	}
	for i := 0; i < len(s); {
		if flags, _ := Bytes(s[i:]).first(); flags&space != 0 {
			i++
			continue
		}
		hi, ok := digitOf(s[i])
		if !ok || hi > 15 {
			return "", notHex(s, i)
		}
		if i+1 == len(s) {
			return "", notHex(s, i+1)
		}
		lo, ok := digitOf(s[i+1])
		if !ok || lo > 15 {
			return "", notHex(s, i+1)
		}
		b.WriteByte(byte(hi<<4 | lo))
		i += 2
	}
	return b.String(), nil
}

func notHex(s string, at int) error {
	return raise.Value("non-hexadecimal number found in fromhex() arg at position %d", Len(s[:at]))
}

// digitOf returns the value of an ASCII digit or letter: 'a' and 'A' are 10.
func digitOf(c byte) (int, bool) {
	switch c = lowerByte(c); {
	case '0' <= c && c <= '9':
		return int(c - '0'), true
	case 'a' <= c && c <= 'z':
		return int(c-'a') + 10, true
	}
	return 0, false
}
