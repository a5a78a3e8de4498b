package server

import (
	"fmt"
	"strconv"
	"unicode/utf16"

	"github.com/glovebox-dev/glovebox/internal/lazyregexp"
)

// byteRange are bytes of a file: from an offset on, or the last ones.
type byteRange struct {
	offset, limit int64 // limit 0 means up to the end
	last          int64
}

var oneRange = lazyregexp.New(`^bytes=[ \t]*([0-9]{0,18})-([0-9]{0,18})[ \t]*$`)

// parseRange reads the header Range. What is no range of bytes, or several ones,
// is ignored, as RFC 9110 has it.
func parseRange(header string) (part byteRange, ok bool) {
	m := oneRange().FindStringSubmatch(header)
	if m == nil || m[1] == "" && m[2] == "" {
		return byteRange{}, false
	}
	start, _ := strconv.ParseInt(m[1], 10, 64) // they have the form
	end, _ := strconv.ParseInt(m[2], 10, 64)
	switch {
	case m[1] == "":
		return byteRange{last: end}, end > 0
	case m[2] == "":
		return byteRange{offset: start}, true
	case end < start:
		return byteRange{}, false
	}
	return byteRange{offset: start, limit: end - start + 1}, true
}

// escaped writes a character as JSON can in ASCII.
func escaped(r rune) string {
	if high, low := utf16.EncodeRune(r); r > 0xffff {
		return fmt.Sprintf(`\u%04x\u%04x`, high, low)
	}
	return fmt.Sprintf(`\u%04x`, r)
}
