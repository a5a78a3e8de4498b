package text

import (
	"strings"

	"github.com/glovebox-dev/glovebox/py/internal/raise"
)

// codec turns str into bytes and back.
type codec struct {
	name string // as errors write it
	// put appends r, or reports that it has no bytes.
	put func(b *builder, r rune) bool
	// why says why put refuses.
	why string
	// take decodes the first code point of s. Of bytes that are wrong it returns
	// how many and why.
	take func(s string) (r rune, size int, why string)
	// mark is written first, and read when it comes first.
	mark string
	// unit is the width of what take reads from unpaired surrogates, 0 when the
	// codec has none.
	unit int
}

// codecFor finds a codec by the name a program gives. Python's aliases of the
// names are known.
func codecFor(name string) (codec, error) {
	if name == "utf-8" {
		return utf8Codec, nil
	}
	if len(name) > 64 {
		return codec{}, raise.New("LookupError", "unknown encoding: %.400s", name)
	}
	key := strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "-", "_"), " ", "_")
	switch key {
	case "utf_8", "utf8", "u8", "utf", "cp65001", "utf8_ucs2", "utf8_ucs4":
		return utf8Codec, nil
	case "utf_8_sig":
		c := utf8Codec
		c.mark = "\xef\xbb\xbf"
		return c, nil
	case "ascii", "us_ascii", "646", "ansi_x3.4_1968", "cp367", "ibm367", "iso646_us", "us", "ansi_x3_4_1968":
		return asciiCodec, nil
	case "latin_1", "latin1", "latin", "l1", "iso_8859_1", "iso8859_1", "8859", "iso8859", "cp819":
		return latin1Codec, nil
	}
	if c, ok := wideCodec(key); ok {
		return c, nil
	}
	return codec{}, raise.New("LookupError", "unknown encoding: %.400s", name)
}

var (
	utf8Codec = codec{name: "utf-8", put: putUTF8, why: "surrogates not allowed", take: takeUTF8, unit: 1}

	asciiCodec = codec{name: "ascii", put: putByte(0x80), why: "ordinal not in range(128)", take: takeByte(0x80)}

	latin1Codec = codec{name: "latin-1", put: putByte(0x100), why: "ordinal not in range(256)", take: takeByte(0x100)}
)

func putUTF8(b *builder, r rune) bool {
	if Surrogate(r) {
		return false
	}
	b.write(r)
	return true
}

func putByte(limit rune) func(*builder, rune) bool {
	return func(b *builder, r rune) bool {
		if r >= limit {
			return false
		}
		b.WriteByte(byte(r))
		return true
	}
}

func takeByte(limit rune) func(string) (rune, int, string) {
	return func(s string) (rune, int, string) {
		if r := rune(s[0]); r < limit {
			return r, 1, ""
		}
		return 0, 1, "ordinal not in range(128)"
	}
}

// takeUTF8 finds how much of a wrong sequence is one error, as Unicode
// recommends: the longest beginning of a right one.
func takeUTF8(s string) (rune, int, string) {
	if r, size := DecodeRune(s); size > 1 && !Surrogate(r) || size == 1 && s[0] < 0x80 {
		return r, size, ""
	}
	lo, hi, n := byte(0x80), byte(0xBF), 0
	switch c := s[0]; {
	case 0xC2 <= c && c <= 0xDF:
		n = 2
	case 0xE0 <= c && c <= 0xEF:
		n = 3
	case 0xF0 <= c && c <= 0xF4:
		n = 4
	default:
		return 0, 1, "invalid start byte"
	}
	switch s[0] {
	case 0xE0:
		lo = 0xA0
	case 0xED:
		hi = 0x9F
	case 0xF0:
		lo = 0x90
	case 0xF4:
		hi = 0x8F
	}
	for i := 1; i < n; i++ {
		if i == len(s) {
			return 0, i, "unexpected end of data"
		}
		if s[i] < lo || hi < s[i] {
			return 0, i, "invalid continuation byte"
		}
		lo, hi = 0x80, 0xBF
	}
	return 0, n, "invalid continuation byte"
}
