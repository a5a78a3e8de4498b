package calendar

import "unicode"

// digitValue returns the value of a decimal digit of any script, or -1.
// Scripts have their digits in runs of ten, each beginning with its zero.
func digitValue(r rune) int {
	if '0' <= r && r <= '9' {
		return int(r - '0')
	}
	if r < 0x80 || !unicode.Is(unicode.Nd, r) {
		return -1
	}
	for _, t := range unicode.Nd.R16 {
		if lo := rune(t.Lo); lo <= r && r <= rune(t.Hi) {
			return int(r-lo) % 10
		}
	}
	for _, t := range unicode.Nd.R32 {
		if lo := rune(t.Lo); lo <= r && r <= rune(t.Hi) {
			return int(r-lo) % 10
		}
	}
	return -1
}
