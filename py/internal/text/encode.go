package text

import (
	"strconv"

	"github.com/glovebox-dev/glovebox/py/internal/budget"
	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// Encode is str.encode. It knows UTF-8, UTF-16 and UTF-32 in both orders, ASCII
// and Latin-1.
func Encode(m budget.Meter, s Str, encoding, errors string) (string, error) {
	c, err := codecFor(encoding)
	if err != nil {
		return "", err
	}
	if s.Flat && c.mark == "" && c.unit <= 1 {
		return s.S, nil
	}
	b := builder{m: m}
	if err := b.reserve(len(c.mark) + len(s.S)); err != nil {
		return "", err
	}
	b.WriteString(c.mark)
	p, err := pacing(m, len(s.S))
	if err != nil {
		return "", err
	}
	runes := 0 // up to offset i
	for i := 0; i < len(s.S); runes++ {
		if err := p.at(i); err != nil {
			return "", err
		}
		if err := b.reserve(4); err != nil {
			return "", err
		}
		r, size := DecodeRune(s.S[i:])
		if !c.put(&b, r) {
			if err := c.refuse(&b, s.S[i:], r, runes, errors); err != nil {
				return "", err
			}
		}
		i += size
	}
	return b.String(), nil
}

// refuse handles r, which begins s and has no bytes, by the named handler.
func (c codec) refuse(b *builder, s string, r rune, at int, handler string) error {
	switch handler {
	case "ignore":
		return nil
	case "replace":
		return c.ascii(b, "?")
	case "backslashreplace":
		e := builder{m: b.m}
		e.escape(r)
		return c.ascii(b, e.String())
	case "xmlcharrefreplace":
		return c.ascii(b, "&#"+strconv.Itoa(int(r))+";")
	case "surrogatepass":
		if c.unit > 0 {
			return c.pass(b, r)
		}
	case "surrogateescape":
		if 0xDC80 <= r && r <= 0xDCFF && c.unit <= 1 {
			b.WriteByte(byte(r))
			return nil
		}
	case "strict":
	default:
		return unknownHandler(handler)
	}
	return c.encodeError(b, s, r, at)
}

// ascii writes a replacement.
func (c codec) ascii(b *builder, s string) error {
	for _, r := range s {
		if err := b.reserve(4); err != nil {
			return err
		}
		c.put(b, r)
	}
	return nil
}

// pass writes a surrogate as if it were any code point.
func (c codec) pass(b *builder, r rune) error {
	if c.unit == 1 {
		return b.rune(r)
	}
	o := littleEndian
	if c.name[len(c.name)-2:] == "be" {
		o = bigEndian
	}
	o.append(b, uint32(r), c.unit)
	return nil
}

func unknownHandler(name string) error {
	return raise.New("LookupError", "unknown error handler name '%.400s'", name)
}

// encodeError names all that is wrong from the beginning of s on; the codecs of
// wide units stop at the first.
func (c codec) encodeError(b *builder, s string, first rune, at int) error {
	if err := work(b.m, times(4, len(s))); err != nil {
		return err
	}
	bad := 0
	scratch := builder{m: budget.Free}
	for s != "" {
		r, size := DecodeRune(s)
		scratch.Reset()
		if c.put(&scratch, r) {
			break
		}
		bad++
		s = s[size:]
	}
	if bad > 1 && c.unit <= 1 {
		return raise.New("UnicodeEncodeError", "'%s' codec can't encode characters in position %d-%d: %s",
			c.name, at, at+bad-1, c.why)
	}
	e := builder{m: b.m}
	e.escape(first)
	return raise.New("UnicodeEncodeError", "'%s' codec can't encode character '%s' in position %d: %s",
		c.name, e.String(), at, c.why)
}
