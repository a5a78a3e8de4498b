package server

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// largeBody is the size from which the inputs are taken out of a body before
// the rest is decoded. What reads the inputs checks their grammar again, and
// encoding/json would go through them twice.
const largeBody = 64 << 10

// decodeLarge is decodeStrictly, but for the grammar of the inputs: that is
// judged by whoever reads them, see firstFault.
func (given *submission) decodeLarge(text []byte) error {
	start, end, ok := findInputs(text)
	if !ok || !utf8.Valid(text[start:end]) {
		return decodeStrictly(text, given)
	}
	rest := append(append(bytes.Clone(text[:start]), "{}"...), text[end:]...)
	if err := decodeStrictly(rest, given); err != nil {
		return err
	}
	given.Inputs = bytes.Clone(text[start:end]) // the text is in a buffer of the next request
	return nil
}

// firstFault returns what is wrong with the JSON of the inputs, else err.
func (given *submission) firstFault(err error) error {
	if len(given.Inputs) == 0 {
		return err
	}
	if wrong := decodeStrictly(given.Inputs, new(json.RawMessage)); wrong != nil {
		return wrong
	}
	return err
}

// findInputs finds the object that is the member inputs of an object. It does
// not check the grammar: ok says that brackets and strings close, that there is
// one such member and that no escapes hide another.
func findInputs(text []byte) (start, end int, ok bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			after := endOfString(text, i)
			if after < 0 {
				return 0, 0, false
			}
			if depth == 1 && nextByte(text, after) == ':' {
				key := string(text[i+1 : after-1])
				switch {
				case key == "inputs" && start == 0:
					start = after
				case strings.EqualFold(key, "inputs") || strings.ContainsRune(key, '\\'):
					return 0, 0, false
				}
			}
			i = after - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 1 && start > 0 && end == 0 {
				end = i + 1
			}
		case ',':
			if depth == 1 && start > 0 && end == 0 {
				return 0, 0, false // it is no object
			}
		}
	}
	if end == 0 || depth != 0 {
		return 0, 0, false
	}
	for start++; start < end && text[start-1] != '{'; start++ {
		if !strings.ContainsRune(": \t\r\n", rune(text[start-1])) {
			return 0, 0, false
		}
	}
	return start - 1, end, start < end
}

// endOfString returns where the string that begins at i has ended, or -1.
func endOfString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// nextByte returns the first byte from i that is no white space.
func nextByte(text []byte, i int) byte {
	if text = bytes.TrimLeft(text[i:], " \t\r\n"); len(text) == 0 {
		return 0
	}
	return text[0]
}
