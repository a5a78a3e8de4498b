package regex

import (
	"fmt"
	"strings"
)

// Error is Python's re.error: something is wrong with a pattern or a template.
type Error struct {
	Msg     string
	Pattern string
	Pos     int // in code points, or -1 where it is not known
	Line    int // from 1; 0 when Pos is -1
	Column  int // from 1
}

// Error returns the message as str() of the exception does.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	s := fmt.Sprintf("%s at position %d", e.Msg, e.Pos)
	if strings.Contains(e.Pattern, "\n") {
		s += fmt.Sprintf(" (line %d, column %d)", e.Line, e.Column)
	}
	return s
}

// newError locates a message in a pattern that was taken apart into runes.
func newError(msg, pattern string, runes []rune, pos int) *Error {
	e := &Error{Msg: msg, Pattern: pattern, Pos: pos, Line: 1, Column: 1}
	for _, r := range runes[:max(0, min(pos, len(runes)))] {
		e.Column++
		if r == '\n' {
			e.Line++
			e.Column = 1
		}
	}
	return e
}

// asciiMessage shows the bytes of a pattern that are not ASCII by their numbers.
func asciiMessage(msg string) string {
	var b strings.Builder
	for _, r := range msg {
		if r < 0x80 {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\x%02x`, r)
	}
	return b.String()
}
