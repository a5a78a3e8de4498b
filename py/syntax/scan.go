package syntax

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// CPython's limits of nested brackets and of nested blocks.
const (
	maxBrackets = 200
	maxIndents  = 100
)

// A margin is the width of an indentation, with tabs to multiples of eight
// and with tabs of one. Lines whose order depends on the choice are refused.
type margin struct{ wide, narrow int32 }

// scanner cuts a source into tokens. A copy of it is a place to come back to,
// see keep.
type scanner struct {
	src        string
	pos        int // where the next token is looked for
	tok        kind
	start, end int // of tok
	previous   int // the end of the token before
	lineStart  bool
	dedents    int // tokens that are still to come
	fields     int // f-string fields that are open

	depth    int      // open brackets
	brackets []int32  // where they are
	indents  []margin // of the blocks around, the outermost apart

	err *scanError
}

// scanError is an Error whose place is still an offset.
type scanError struct {
	class, message string
	at             int
	tok            kind // that the parser did not like
	final          bool // nothing further on says more
	reported       bool // by an f-string, whose own words it has
}

// fail ends the scan with an error; the first one stays. The token becomes one
// that no rule of the grammar accepts.
func (s *scanner) fail(class string, at int, message string) {
	if s.err == nil {
		s.err = &scanError{class: class, message: message, at: at, tok: s.tok}
	}
	s.tok = failed
}

// lexical fails with a SyntaxError of the scanner.
func (s *scanner) lexical(at int, format string, args ...any) {
	if s.err == nil {
		s.err = &scanError{class: "SyntaxError", message: fmt.Sprintf(format, args...), at: at, final: true}
	}
	s.tok = failed
}

// indentation fails with an error of the scanner about the indentation.
func (s *scanner) indentation(class, message string) {
	if s.err == nil {
		s.err = &scanError{class: class, message: message, at: s.pos, final: true}
	}
	s.tok = failed
}

// lineAt returns the number of the line of an offset.
func (s *scanner) lineAt(at int) int { return 1 + strings.Count(s.src[:at], "\n") }

// peek returns the byte at an offset, 0 beyond the end.
func (s *scanner) peek(at int) byte {
	if at < len(s.src) {
		return s.src[at]
	}
	return 0
}

// next moves to the next token.
func (s *scanner) next() {
	s.previous = s.end
	if s.err != nil {
		s.tok = failed
		return
	}
	if s.lineStart && !s.margin() {
		return
	}
	if s.dedents > 0 {
		s.dedents--
		s.emit(dedent, s.pos)
		return
	}
	for {
		for s.pos < len(s.src) && s.src[s.pos] == ' ' {
			s.pos++
		}
		s.start = s.pos
		if s.pos >= len(s.src) {
			s.finish()
			return
		}
		c := s.src[s.pos]
		switch {
		case classes[c]&wordStart != 0:
			s.word()
			return
		case c == '\n':
			s.pos++
			if s.depth > 0 {
				continue
			}
			s.lineStart = true
			s.emit(newline, s.pos)
			return
		case classes[c]&blank != 0:
			s.pos++
		case c == '#':
			if !s.comment() {
				return
			}
		case c == '\\':
			if !s.continuation() {
				return
			}
		case classes[c]&digit != 0, c == '.' && classes[s.peek(s.pos+1)]&digit != 0:
			s.number()
			return
		case c == '"', c == '\'':
			s.literal(s.pos, false)
			return
		default:
			s.operator(c)
			return
		}
	}
}

// emit makes a token that ends at an offset.
func (s *scanner) emit(k kind, end int) {
	s.tok, s.end = k, end
	s.pos = end
}

// comment skips a comment.
func (s *scanner) comment() bool {
	if s.fields > 0 {
		s.lexical(s.pos, "f-string expression part cannot include '#'")
		return false
	}
	if n := strings.IndexByte(s.src[s.pos:], '\n'); n >= 0 {
		s.pos += n
	} else {
		s.pos = len(s.src)
	}
	return true
}

// continuation skips a backslash at the end of a line.
func (s *scanner) continuation() bool {
	switch {
	case s.pos+1 >= len(s.src):
		s.lexical(s.pos, "unexpected EOF while parsing")
		return false
	case s.src[s.pos+1] != '\n':
		s.lexical(s.pos+1, "unexpected character after line continuation character")
		return false
	case s.pos+2 >= len(s.src):
		s.lexical(s.pos, "unexpected EOF while parsing")
		return false
	}
	s.pos += 2
	return true
}

// finish makes the tokens at the end of the source: the end of a line that has
// none, the dedents, the end of the file.
func (s *scanner) finish() {
	switch {
	case s.depth > 0:
		s.unclosed()
	case s.tok != newline && s.tok != dedent && s.tok != endOfFile:
		s.lineStart = true
		s.emit(newline, s.pos)
	default:
		s.emit(endOfFile, s.pos)
	}
}

// unclosed fails for the innermost open bracket.
func (s *scanner) unclosed() {
	at := int(s.brackets[s.depth-1])
	s.lexical(at, "'%c' was never closed", s.src[at])
}

// margin skips blank lines and compares the indentation of the next line with
// that of the block. It reports whether the scan continues; otherwise it has made
// a token or failed.
func (s *scanner) margin() bool {
	s.lineStart = false
	m, blankLine := s.measure()
	for blankLine {
		m, blankLine = s.measure()
	}
	if s.err != nil {
		return false
	}
	if s.pos >= len(s.src) {
		m = margin{}
	}
	return s.compareMargin(m)
}

// measure reads the indentation of a line. A line with nothing but blanks and
// a comment is skipped whole.
func (s *scanner) measure() (m margin, blankLine bool) {
	var joined margin
	for ; s.pos < len(s.src); s.pos++ {
		switch s.src[s.pos] {
		case ' ':
			m.wide, m.narrow = m.wide+1, m.narrow+1
		case '\t':
			m.wide, m.narrow = m.wide/8*8+8, m.narrow+1
		case '\f':
			m = margin{}
		case '\n':
			s.pos++
			return m, true
		case '#':
			s.comment()
			if s.pos < len(s.src) {
				s.pos++
				return m, true
			}
			return m, false
		case '\\':
			if joined == (margin{}) {
				joined = m
			}
			if !s.continuation() {
				return m, false
			}
			s.pos--
		default:
			if joined != (margin{}) {
				return joined, false
			}
			return m, false
		}
	}
	return m, false
}

// compareMargin makes the tokens that the indentation of a line asks for.
func (s *scanner) compareMargin(m margin) bool {
	top := s.block()
	s.start = s.pos
	switch {
	case m == top:
		return true
	case m.wide == top.wide, m.wide > top.wide && m.narrow <= top.narrow:
		s.indentation("TabError", "inconsistent use of tabs and spaces in indentation")
		return false
	case m.wide > top.wide:
		if len(s.indents)+2 > maxIndents {
			s.indentation("IndentationError", "too many levels of indentation")
			return false
		}
		s.indents = append(s.indents, m)
		s.emit(indent, s.pos)
		return false
	}
	for m.wide < s.block().wide {
		s.indents = s.indents[:len(s.indents)-1]
		s.dedents++
	}
	switch top = s.block(); {
	case m.wide != top.wide:
		s.indentation("IndentationError", "unindent does not match any outer indentation level")
	case m != top:
		s.indentation("TabError", "inconsistent use of tabs and spaces in indentation")
	default:
		return true
	}
	return false
}

// block returns the margin of the innermost block.
func (s *scanner) block() margin {
	if len(s.indents) == 0 {
		return margin{}
	}
	return s.indents[len(s.indents)-1]
}

// keep gives a copy of the scanner stacks of its own.
func (s *scanner) keep() {
	s.brackets = slices.Clone(s.brackets)
	s.indents = slices.Clone(s.indents)
}

// word scans a name, a keyword or the prefix of a literal.
func (s *scanner) word() {
	src, i := s.src, s.pos
	var wide byte
	for i < len(src) && classes[src[i]]&wordPart != 0 {
		wide |= src[i]
		i++
	}
	if i < len(src) && (src[i] == '\'' || src[i] == '"') && i-s.pos <= 2 {
		if ok, formatted := literalPrefix(src[s.pos:i]); ok {
			s.literal(i, formatted)
			return
		}
	}
	word := src[s.pos:i]
	if wide >= 0x80 && !s.validWord(word) {
		return
	}
	s.emit(keyword(word), i)
}

// validWord checks a word beyond ASCII. Names are not normalised: the tables
// for that are not in the standard library.
func (s *scanner) validWord(word string) bool {
	for i, r := range word {
		if r == '_' || unicode.In(r, unicode.L, unicode.Nl, unicode.Other_ID_Start) {
			continue
		}
		if i > 0 && unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) {
			continue
		}
		s.strange(s.pos+i, r)
		return false
	}
	return true
}

// strange fails for a character that has no place in a program.
func (s *scanner) strange(at int, r rune) {
	if unicode.IsPrint(r) {
		s.lexical(at, "invalid character '%c' (U+%04X)", r, r)
		return
	}
	s.lexical(at, "invalid non-printable character U+%04X", r)
}

// character returns the character at an offset.
func (s *scanner) character(at int) rune {
	r, _ := utf8.DecodeRuneInString(s.src[at:])
	return r
}
