package text

import (
	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Decode is bytes.decode. It knows what Encode knows.
func Decode(m budget.Meter, s, encoding, errors string) (string, error) {
	c, err := codecFor(encoding)
	if err != nil {
		return "", err
	}
	c, i := c.decodes(s)
	if err := work(m, len(s)/4); err != nil {
		return "", err
	}
	if c.unit <= 1 && ASCII(s) {
		return s[i:], nil
	}
	b := builder{m: m}
	if err := b.reserve(len(s)); err != nil {
		return "", err
	}
	p, err := pacing(m, len(s))
	if err != nil {
		return "", err
	}
	for i < len(s) {
		if err := p.at(i); err != nil {
			return "", err
		}
		if err := b.reserve(4); err != nil {
			return "", err
		}
		r, size, why := c.take(s[i:])
		if why != "" {
			if size, err = c.repair(&b, s, i, size, why, errors); err != nil {
				return "", err
			}
		} else {
			b.write(r)
		}
		i += size
	}
	return b.String(), nil
}

// repair handles the n bytes at offset i that mean nothing, by the named
// handler, and returns how many it has dealt with.
func (c codec) repair(b *builder, s string, i, n int, why, handler string) (int, error) {
	wrong := s[i : i+n]
	switch handler {
	case "ignore":
		return n, nil
	case "replace":
		return n, b.rune('\uFFFD')
	case "backslashreplace":
		for k := 0; k < n; k++ {
			if err := b.reserve(longestEscape); err != nil {
				return 0, err
			}
			b.escape(rune(wrong[k]))
		}
		return n, nil
	case "surrogatepass":
		if r, size, ok := c.surrogate(s[i:]); ok {
			return size, b.rune(r)
		}
	case "surrogateescape":
		return c.escapeBytes(b, s, i, n, why)
	case "xmlcharrefreplace":
		return 0, raise.Type("don't know how to handle UnicodeDecodeError in error callback")
	case "strict":
	default:
		return 0, unknownHandler(handler)
	}
	return 0, c.decodeError(wrong, i, why)
}

// surrogate reads a surrogate that is alone.
func (c codec) surrogate(s string) (rune, int, bool) {
	if c.unit == 1 {
		if !surrogateAt(s) {
			return 0, 0, false
		}
		r, size := DecodeRune(s)
		return r, size, true
	}
	if c.unit == 0 || len(s) < c.unit {
		return 0, 0, false
	}
	o := littleEndian
	if c.name[len(c.name)-2:] == "be" {
		o = bigEndian
	}
	r := rune(o.read(s, c.unit))
	return r, c.unit, Surrogate(r)
}

// escapeBytes makes low surrogates of bytes beyond ASCII, up to the first within.
func (c codec) escapeBytes(b *builder, s string, i, n int, why string) (int, error) {
	done := 0
	for done < n && s[i+done] >= 0x80 {
		if err := b.rune(0xDC00 | rune(s[i+done])); err != nil {
			return 0, err
		}
		done++
	}
	if done == 0 {
		return 0, c.decodeError(s[i:i+n], i, why)
	}
	return done, nil
}

func (c codec) decodeError(wrong string, at int, why string) error {
	if len(wrong) == 1 {
		return raise.New("UnicodeDecodeError", "'%s' codec can't decode byte 0x%02x in position %d: %s",
			c.name, wrong[0], at, why)
	}
	return raise.New("UnicodeDecodeError", "'%s' codec can't decode bytes in position %d-%d: %s",
		c.name, at, at+len(wrong)-1, why)
}
