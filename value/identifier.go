package value

import "unicode"

// IsIdentifier reports whether Python takes s for a variable and stores it
// under exactly these characters. Python normalises identifiers to NFKC, so
// letters outside ASCII count only where that changes nothing.
func IsIdentifier(s string) bool {
	for i, r := range s {
		letter := r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || unicode.Is(stableLetters(), r)
		digit := i > 0 && '0' <= r && r <= '9'
		if !letter && !digit {
			return false
		}
	}
	return s != ""
}

// stableLetters are precomposed letters of common scripts that NFKC leaves
// alone, and that no neighbour in the set composes with.
func stableLetters() *unicode.RangeTable {
	return &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x00C0, Hi: 0x00D6, Stride: 1}, {Lo: 0x00D8, Hi: 0x00F6, Stride: 1}, {Lo: 0x00F8, Hi: 0x0131, Stride: 1}, // Latin
		{Lo: 0x0134, Hi: 0x013E, Stride: 1}, {Lo: 0x0141, Hi: 0x0148, Stride: 1}, {Lo: 0x014A, Hi: 0x017E, Stride: 1},
		{Lo: 0x0388, Hi: 0x038A, Stride: 1}, {Lo: 0x038E, Hi: 0x03A1, Stride: 1}, {Lo: 0x03A3, Hi: 0x03CE, Stride: 1}, // Greek
		{Lo: 0x0400, Hi: 0x0481, Stride: 1}, {Lo: 0x048A, Hi: 0x052F, Stride: 1}, // Cyrillic
		{Lo: 0x0531, Hi: 0x0556, Stride: 1}, {Lo: 0x0561, Hi: 0x0586, Stride: 1}, // Armenian
		{Lo: 0x05D0, Hi: 0x05EA, Stride: 1},                                      // Hebrew
		{Lo: 0x0621, Hi: 0x063A, Stride: 1}, {Lo: 0x0641, Hi: 0x064A, Stride: 1}, // Arabic
		{Lo: 0x10D0, Hi: 0x10F0, Stride: 1},                                      // Georgian
		{Lo: 0x3041, Hi: 0x3096, Stride: 1}, {Lo: 0x30A1, Hi: 0x30FA, Stride: 1}, // Kana
		{Lo: 0x4E00, Hi: 0x9FEF, Stride: 1}, {Lo: 0xAC00, Hi: 0xD7A3, Stride: 1}, // Han, Hangul
	}}
}
