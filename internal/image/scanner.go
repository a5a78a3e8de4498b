package image

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner walks over the text of one requirement.
type scanner struct {
	rest  string
	depth int // of parentheses in a marker
}

func (s *scanner) spaces() { s.rest = strings.TrimLeft(s.rest, " \t") }

// take consumes prefix if it comes next.
func (s *scanner) take(prefix string) bool {
	rest, ok := strings.CutPrefix(s.rest, prefix)
	s.rest = rest
	return ok
}

// takeOne consumes the first of the words that comes next; longer ones first.
func (s *scanner) takeOne(words ...string) string {
	for _, w := range words {
		if s.take(w) {
			return w
		}
	}
	return ""
}

// while consumes bytes as long as ok holds.
func (s *scanner) while(ok func(byte) bool) string {
	n := 0
	for n < len(s.rest) && ok(s.rest[n]) {
		n++
	}
	text := s.rest[:n]
	s.rest = s.rest[n:]
	return text
}

// identifier reads a name that starts and ends with a letter or a digit.
func (s *scanner) identifier() (string, bool) {
	n := 0
	for n < len(s.rest) && (isAlnum(s.rest[n]) || strings.IndexByte("-_.", s.rest[n]) >= 0) {
		n++
	}
	if n == 0 || !isAlnum(s.rest[0]) || !isAlnum(s.rest[n-1]) {
		return "", false
	}
	name := s.rest[:n]
	s.rest = s.rest[n:]
	return name, true
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func isVersionByte(c byte) bool { return isAlnum(c) || strings.IndexByte("-_.*+!", c) >= 0 }

// plainText refuses what no name, version or command line word may hold.
func plainText(text string) error {
	if len(text) > maxRequirement {
		return errors.New("it is longer than " + strconv.Itoa(maxRequirement) + " bytes")
	}
	if !utf8.ValidString(text) {
		return errors.New("it is not UTF-8")
	}
	for _, r := range text {
		if r == '\n' || r == '\r' {
			return errors.New("it holds a line break")
		}
		if r < ' ' && r != '\t' || r == 0x7f {
			return errors.New("it holds a control character")
		}
	}
	return nil
}

func quoteStart(text string) string {
	if len(text) > 40 {
		text = text[:40]
	}
	return strconv.Quote(text)
}
