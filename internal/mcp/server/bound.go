package server

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bounds of what goes to a model, in bytes.
const (
	maxText  = 24 << 10 // of one stream, or one page of something
	maxValue = 16 << 10 // of one value, as JSON
	maxImage = 1 << 20  // of one image
	maxError = 8 << 10  // of the words of an error
	maxRead  = 4 << 20  // of a resource, which the client may keep from the model
	maxLine  = 200      // of a line of progress
)

// cut keeps the beginning and the end of a text that is longer than most, and
// returns how many bytes between them it left out.
func cut(text []byte, most int) (kept string, left int) { return cutWithout(text, 0, most) }

// cutWithout cuts a text whose middle was dropped already, if it is longer than most.
func cutWithout(text []byte, dropped, most int) (kept string, left int) {
	if len(text) <= most {
		return valid(text), 0
	}
	head, tail := most/3, len(text)-(most-most/3)
	for head > 0 && !utf8.RuneStart(text[head]) {
		head--
	}
	for tail < len(text) && !utf8.RuneStart(text[tail]) {
		tail++
	}
	left = tail - head + dropped
	return fmt.Sprintf("%s\n[... %d bytes left out ...]\n%s", valid(text[:head]), left, valid(text[tail:])), left
}

// page returns the part of a text from an offset on, and where the next one is,
// 0 at the end.
func page(text []byte, from int64) (part string, next int64) {
	start := min(max(from, 0), int64(len(text)))
	end := min(start+maxText, int64(len(text)))
	for end < int64(len(text)) && end > start && !utf8.RuneStart(text[end]) {
		end--
	}
	if end < int64(len(text)) {
		next = end
	}
	return valid(text[start:end]), next
}

// valid makes UTF-8 of any bytes.
func valid(text []byte) string { return strings.ToValidUTF8(string(text), "\uFFFD") }
