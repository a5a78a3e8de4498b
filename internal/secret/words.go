package secret

import (
	"bytes"
	"unicode/utf8"
)

// Shorter values are not looked for, and shorter ones not in encoded forms.
const (
	minValue   = 4
	minEncoded = 8
)

// words returns what is looked for of one secret: the value, without the white
// space around it too, and of a value of several lines each line. What is not
// UTF-8 is looked for also as it becomes when it is made UTF-8.
func words(value []byte) [][]byte {
	all := wordsOf(value)
	if !utf8.Valid(value) {
		all = append(all, wordsOf([]byte(string([]rune(string(value)))))...)
	}
	return all
}

func wordsOf(value []byte) [][]byte {
	var all [][]byte
	trimmed := bytes.TrimSpace(value)
	for line := range bytes.Lines(trimmed) {
		if line = bytes.TrimSpace(line); len(line) >= minEncoded && !bytes.HasPrefix(line, []byte("-----")) {
			all = append(all, line)
		}
	}
	for _, word := range [][]byte{trimmed, value} {
		if len(word) >= minValue {
			all = append(all, word)
		}
	}
	return all
}

// lengthOf returns the sum of the lengths of ways that do not begin in the way
// of the word before, as a value begins with what is left without its newline.
func lengthOf(words [][]byte) int {
	var last []byte
	sum := 0
	for _, word := range words {
		if bytes.HasPrefix(word, last) {
			sum -= len(last)
		}
		sum += len(word)
		last = word
	}
	return sum
}
