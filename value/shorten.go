package value

import (
	"fmt"
	"strconv"
	"strings"
)

// maxQuoted is how much of a text a message needs to show.
const maxQuoted = 60 // bytes

// Quote quotes s for a message, cut to what fits into one.
func Quote(s string) string {
	if len(s) <= maxQuoted {
		return strconv.Quote(s)
	}
	return fmt.Sprintf("%q... (%d bytes)", strings.ToValidUTF8(s[:maxQuoted], ""), len(s))
}

// Shorten cuts s to at most this many bytes of whole characters, and says so.
func Shorten(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}
