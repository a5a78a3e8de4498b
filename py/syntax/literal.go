package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// literalPrefix reports whether a word in front of a quote is the prefix of a
// literal, and of an f-string.
func literalPrefix(word string) (ok, formatted bool) {
	switch strings.ToLower(word) {
	case "r", "b", "u", "br", "rb":
		return true, false
	case "f", "fr", "rf":
		return true, true
	}
	return false, false
}

// literal scans a string, whose opening quote is at an offset. Of an f-string
// it scans only the opening quote.
func (s *scanner) literal(quote int, formatted bool) {
	width := quoteWidth(s.src, quote)
	if formatted {
		s.emit(fstring, quote+width)
		return
	}
	end, ok := literalEnd(s.src, quote, width)
	if !ok {
		s.unterminated(end, width)
		return
	}
	s.emit(text, end)
}

// unterminated fails for a string that ends nowhere; end is where the search
// for its end gave up.
func (s *scanner) unterminated(end, width int) {
	last := s.lineAt(end)
	if end == len(s.src) && s.src[end-1] == '\n' {
		last--
	}
	if width == 3 {
		s.lexical(s.start, "unterminated triple-quoted string literal (detected at line %d)", last)
		return
	}
	s.lexical(s.start, "unterminated string literal (detected at line %d)", last)
}

// quoteWidth returns how many quotes open a literal: 1 or 3.
func quoteWidth(src string, quote int) int {
	if quote+2 < len(src) && src[quote+1] == src[quote] && src[quote+2] == src[quote] {
		return 3
	}
	return 1
}

// literalEnd returns the end of a literal, or where the search for it ended.
func literalEnd(src string, quote, width int) (end int, ok bool) {
	q := src[quote]
	for i := quote + width; i < len(src); i++ {
		switch c := src[i]; {
		case c == '\\':
			i++
		case c == '\n' && width == 1:
			return i, false
		case c != q:
		case width == 1:
			return i + 1, true
		case quoteWidth(src, i) == 3:
			return i + 3, true
		}
	}
	return len(src), false
}

// A quoted is a literal taken apart.
type quoted struct {
	body       string
	raw, bytes bool
}

// unquote takes the prefix and the quotes off a literal.
func unquote(literal string) quoted {
	var q quoted
	i := 0
	for ; literal[i] != '\'' && literal[i] != '"'; i++ {
		switch literal[i] | 0x20 {
		case 'r':
			q.raw = true
		case 'b':
			q.bytes = true
		}
	}
	width := 1
	if len(literal)-i >= 6 {
		width = quoteWidth(literal, i)
	}
	q.body = literal[i+width : len(literal)-width]
	return q
}

// value returns the string that a literal stands for, or what is wrong with it.
func (q quoted) value() (value, problem string) {
	if q.bytes {
		for i := 0; i < len(q.body); i++ {
			if q.body[i] >= 0x80 {
				return "", "bytes can only contain ASCII literal characters"
			}
		}
	}
	if q.raw || strings.IndexByte(q.body, '\\') < 0 {
		return q.body, ""
	}
	u := unescaper{in: q.body, bytes: q.bytes}
	u.run()
	return string(u.out), u.problem
}

// An unescaper replaces the escape sequences of a literal.
type unescaper struct {
	in      string
	bytes   bool
	out     []byte
	at      int // place in in
	wide    int // what characters and escapes before at add to the places that CPython tells
	problem string
}

func (u *unescaper) run() {
	u.out = make([]byte, 0, len(u.in))
	for u.problem == "" {
		n := strings.IndexByte(u.in[u.at:], '\\')
		if n < 0 {
			u.out = append(u.out, u.in[u.at:]...)
			return
		}
		u.plain(u.in[u.at : u.at+n])
		u.at += n
		u.escape()
	}
}

// plain copies text without escapes. CPython counts each character beyond
// ASCII as the ten bytes of its escape.
func (u *unescaper) plain(s string) {
	u.out = append(u.out, s...)
	if n := utf8.RuneCountInString(s); n < len(s) {
		for _, r := range s {
			if r >= utf8.RuneSelf {
				u.wide += 10 - utf8.RuneLen(r)
			}
		}
	}
}

// escape replaces the escape sequence at the current place.
func (u *unescaper) escape() {
	c := u.in[u.at+1] // a backslash is never last: it would have escaped the quote
	switch c {
	case '\n':
	case '\\', '\'', '"':
		u.out = append(u.out, c)
	case 'a', 'b', 'f', 'n', 'r', 't', 'v':
		u.out = append(u.out, simpleEscape(c))
	case '0', '1', '2', '3', '4', '5', '6', '7':
		u.octal()
		return
	case 'x':
		u.hex(2, `truncated \xXX escape`)
		return
	case 'u', 'U', 'N':
		if !u.bytes {
			u.unicode(c)
			return
		}
		u.out = append(u.out, '\\', c)
	default:
		u.unknown(c)
		return
	}
	u.at += 2
}

// unknown keeps a backslash that escapes nothing.
func (u *unescaper) unknown(c byte) {
	u.out = append(u.out, '\\')
	u.at++
	if c >= utf8.RuneSelf {
		u.wide += 5
	}
}

func simpleEscape(c byte) byte {
	switch c {
	case 'a':
		return '\a'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return '\v'
}

// octal replaces up to three octal digits.
func (u *unescaper) octal() {
	n := rune(0)
	i := u.at + 1
	for ; i < len(u.in) && i < u.at+4 && u.in[i] >= '0' && u.in[i] <= '7'; i++ {
		n = n*8 + rune(u.in[i]-'0')
	}
	u.at = i
	u.character(n)
}

// unicode replaces \u, \U and \N.
func (u *unescaper) unicode(c byte) {
	switch c {
	case 'u':
		u.hex(4, `truncated \uXXXX escape`)
	case 'U':
		u.hex(8, `truncated \UXXXXXXXX escape`)
	default:
		u.named()
	}
}

// hex replaces an escape of that many hexadecimal digits.
func (u *unescaper) hex(digits int, truncated string) {
	n := rune(0)
	i := u.at + 2
	for ; i < u.at+2+digits; i++ {
		if i >= len(u.in) || classes[u.in[i]]&hexDigit == 0 {
			u.broken(i, truncated)
			return
		}
		d := u.in[i] & 0xf
		if u.in[i] > '9' {
			d += 9
		}
		n = n<<4 | rune(d)
	}
	if n < 0 || n > utf8.MaxRune {
		u.broken(i, "illegal Unicode character")
		return
	}
	u.at = i
	u.character(n)
}

// named refuses a character by its name: the table of names is not in the
// standard library.
func (u *unescaper) named() {
	end := strings.IndexByte(u.in[u.at:], '}')
	if u.at+2 >= len(u.in) || u.in[u.at+2] != '{' || end < 0 {
		end := len(u.in)
		if u.at+2 >= end || u.in[u.at+2] != '{' {
			end = u.at + 2
		}
		u.broken(end, `malformed \N character escape`)
		return
	}
	u.problem = `\N{...} is not supported: write the character itself or its \u escape`
}

// broken ends the replacement with CPython's message.
func (u *unescaper) broken(end int, reason string) {
	first, last := u.at+u.wide, end+u.wide-1
	switch {
	case u.bytes:
		u.problem = fmt.Sprintf(`(value error) invalid \x escape at position %d`, u.at)
	case first == last:
		u.problem = fmt.Sprintf("(unicode error) 'unicodeescape' codec can't decode byte 0x5c in position %d: %s",
			first, reason)
	default:
		u.problem = fmt.Sprintf("(unicode error) 'unicodeescape' codec can't decode bytes in position %d-%d: %s",
			first, last, reason)
	}
}

// character appends a code point: one byte in a bytes literal, UTF-8 in
// which a lone surrogate has its three bytes.
func (u *unescaper) character(r rune) {
	switch {
	case u.bytes:
		u.out = append(u.out, byte(r))
	case r >= 0xD800 && r <= 0xDFFF:
		u.out = append(u.out, 0xE0|byte(r>>12), 0x80|byte(r>>6&0x3F), 0x80|byte(r&0x3F))
	default:
		u.out = utf8.AppendRune(u.out, r)
	}
}
