package calendar

import (
	"strconv"
	"strings"
)

// quote shows a text as repr does, for messages.
func quote(s string) string {
	q := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		q = '"'
	}
	b := []byte{q}
	for _, r := range s {
		switch {
		case r == '\\' || r == rune(q):
			b = append(b, '\\', byte(r))
		case r == '\n' || r == '\t' || r == '\r':
			e := strconv.QuoteRune(r)
			b = append(b, e[1:3]...)
		case r < ' ' || 0x7f <= r && r < 0xa0 || r == 0xad:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'x', hex[r>>4], hex[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return string(append(b, q))
}
