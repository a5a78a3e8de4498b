package text

import "strings"

// order is the order of the bytes of a unit.
type order bool

const (
	littleEndian order = false
	bigEndian    order = true
)

func (o order) append(b *builder, unit uint32, width int) {
	for i := 0; i < width; i++ {
		shift := 8 * i
		if o == bigEndian {
			shift = 8 * (width - 1 - i)
		}
		b.WriteByte(byte(unit >> shift))
	}
}

func (o order) read(s string, width int) uint32 {
	var unit uint32
	for i := 0; i < width; i++ {
		if o == bigEndian {
			unit = unit<<8 | uint32(s[i])
		} else {
			unit |= uint32(s[i]) << (8 * i)
		}
	}
	return unit
}

// wideCodec finds UTF-16 and UTF-32, with a mark or with an order in the name.
func wideCodec(key string) (codec, bool) {
	rest, ok := strings.CutPrefix(key, "utf_")
	if !ok {
		if rest, ok = strings.CutPrefix(key, "u"); ok {
			rest = strings.TrimPrefix(rest, "tf")
		}
	}
	switch rest {
	case "16", "16_le", "16le", "16_be", "16be":
		return utf16Codec(rest), ok
	case "32", "32_le", "32le", "32_be", "32be":
		return utf32Codec(rest), ok
	}
	return codec{}, false
}

// suffix tells what follows the width in a name: the order, how errors of
// encoding call it, and whether there is a mark.
func suffix(rest string) (order, string, bool) {
	switch strings.TrimPrefix(rest[2:], "_") {
	case "le":
		return littleEndian, "-le", false
	case "be":
		return bigEndian, "-be", false
	}
	return littleEndian, "", true
}

func utf16Codec(rest string) codec {
	o, ending, marked := suffix(rest)
	c := codec{name: "utf-16" + ending, why: "surrogates not allowed", unit: 2}
	if marked {
		c.mark = "\xff\xfe"
	}
	c.put = func(b *builder, r rune) bool {
		switch {
		case Surrogate(r):
			return false
		case r < 0x10000:
			o.append(b, uint32(r), 2)
		default:
			o.append(b, uint32(0xD7C0+r>>10), 2)
			o.append(b, uint32(0xDC00|r&0x3FF), 2)
		}
		return true
	}
	c.take = o.take16
	return c
}

func (o order) take16(s string) (rune, int, string) {
	if len(s) < 2 {
		return 0, len(s), "truncated data"
	}
	r := rune(o.read(s, 2))
	switch {
	case !Surrogate(r):
		return r, 2, ""
	case r >= 0xDC00:
		return 0, 2, "illegal encoding"
	case len(s) < 4:
		return 0, len(s), "unexpected end of data"
	}
	low := rune(o.read(s[2:], 2))
	if low&^0x3FF != 0xDC00 {
		return 0, 2, "illegal UTF-16 surrogate"
	}
	return 0x10000 + (r&0x3FF)<<10 + low&0x3FF, 4, ""
}

func utf32Codec(rest string) codec {
	o, ending, marked := suffix(rest)
	c := codec{name: "utf-32" + ending, why: "surrogates not allowed", unit: 4}
	if marked {
		c.mark = "\xff\xfe\x00\x00"
	}
	c.put = func(b *builder, r rune) bool {
		if Surrogate(r) {
			return false
		}
		o.append(b, uint32(r), 4)
		return true
	}
	c.take = o.take32
	return c
}

func (o order) take32(s string) (rune, int, string) {
	if len(s) < 4 {
		return 0, len(s), "truncated data"
	}
	u := o.read(s, 4)
	switch {
	case u > 0x10FFFF:
		return 0, 4, "code point not in range(0x110000)"
	case Surrogate(rune(u)):
		return 0, 4, "code point in surrogate code point range(0xd800, 0xe000)"
	}
	return rune(u), 4, ""
}

// decodes returns the codec that reads s, and how many bytes of s are its mark.
func (c codec) decodes(s string) (codec, int) {
	switch {
	case c.mark == "":
		return c, 0
	case c.unit == 1:
		return c, len(s) - len(strings.TrimPrefix(s, c.mark))
	}
	name, swapped := "16", "\xfe\xff"
	if c.unit == 4 {
		name, swapped = "32", "\x00\x00\xfe\xff"
	}
	build := utf16Codec
	if c.unit == 4 {
		build = utf32Codec
	}
	switch {
	case strings.HasPrefix(s, c.mark):
		return build(name + "le"), len(c.mark)
	case strings.HasPrefix(s, swapped):
		return build(name + "be"), len(c.mark)
	}
	return build(name + "le"), 0
}
