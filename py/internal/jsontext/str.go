package jsontext

import "unicode/utf8"

// str reads the string whose quote is at pos. One without escapes is a part of
// the source, any other is fresh and paid for.
func (d *Decoder) str() (s string, fresh bool, err error) {
	begin := d.pos
	start := begin + 1
	i, err := d.plain(begin, start)
	if err != nil {
		return "", false, err
	}
	if d.text[i] == '"' {
		d.pos = i + 1
		return d.text[start:i], false, nil
	}
	s, err = d.escaped(begin, i)
	return s, true, err
}

// plain returns the place of the quote or backslash that comes next.
func (d *Decoder) plain(begin, i int) (int, error) {
	for ; i < len(d.text); i++ {
		c := d.text[i]
		if c == '"' || c == '\\' {
			return i, nil
		}
		if c < ' ' && !d.Lenient {
			return 0, d.fail("Invalid control character at", i)
		}
		if i-d.paid > portion {
			if err := d.pay(i); err != nil {
				return 0, err
			}
		}
	}
	return 0, d.unterminated(begin)
}

func (d *Decoder) unterminated(begin int) error {
	return d.fail("Unterminated string starting at", begin)
}

// escaped reads a string on, from its first backslash.
func (d *Decoder) escaped(begin, i int) (string, error) {
	if err := d.m.Alloc(2 * (i - begin + 32)); err != nil {
		return "", err
	}
	out := make([]byte, 0, 2*(i-begin)+32)
	start := begin + 1
	for {
		var err error
		if out, err = d.grow(out, i-start+8); err != nil {
			return "", err
		}
		out = append(out, d.text[start:i]...)
		if d.text[i] == '"' {
			break
		}
		r, next, err := d.escape(begin, i)
		if err != nil {
			return "", err
		}
		out = appendRune(out, r)
		start = next
		if i, err = d.plain(begin, start); err != nil {
			return "", err
		}
	}
	d.pos = i + 1
	if err := d.m.Alloc(len(out)); err != nil {
		return "", err
	}
	return string(out), nil
}

// grow makes room for n more bytes and pays for it.
func (d *Decoder) grow(b []byte, n int) ([]byte, error) { return grow(d.m, b, n) }

// escape reads the escape whose backslash is at i and returns where it ends.
func (d *Decoder) escape(begin, i int) (rune, int, error) {
	switch d.at(i + 1) {
	case '"':
		return '"', i + 2, nil
	case '\\':
		return '\\', i + 2, nil
	case '/':
		return '/', i + 2, nil
	case 'b':
		return '\b', i + 2, nil
	case 'f':
		return '\f', i + 2, nil
	case 'n':
		return '\n', i + 2, nil
	case 'r':
		return '\r', i + 2, nil
	case 't':
		return '\t', i + 2, nil
	case 'u':
		return d.unicode(i + 1)
	}
	if i+1 >= len(d.text) {
		return 0, 0, d.unterminated(begin)
	}
	return 0, 0, d.fail(`Invalid \escape`, i)
}

// unicode reads four digits after the u at i, and the other half of a pair.
func (d *Decoder) unicode(i int) (rune, int, error) {
	r, ok := d.hex(i + 1)
	if !ok {
		return 0, 0, d.fail(`Invalid \uXXXX escape`, i)
	}
	i += 5
	if r>>10 == 0xD800>>10 && d.at(i) == '\\' && d.at(i+1) == 'u' {
		if low, ok := d.hex(i + 2); ok && low>>10 == 0xDC00>>10 {
			return 0x10000 + (r-0xD800)<<10 + (low - 0xDC00), i + 6, nil
		}
	}
	return r, i, nil
}

// hex reads four hexadecimal digits; CPython wants something to come after.
func (d *Decoder) hex(i int) (rune, bool) {
	if i+4 >= len(d.text) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(d.text[i : i+4]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// appendRune appends a code point, a surrogate too.
func appendRune(b []byte, r rune) []byte {
	if r >= 0xD800 && r < 0xE000 {
		return append(b, 0xED, 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	}
	return utf8.AppendRune(b, r)
}
