package check

import (
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// maxExcerpt is the longest piece of a program that a message quotes, in bytes.
const maxExcerpt = 60

// excerpt quotes the source of a construct, or returns "" where it is long,
// goes over several lines or adds nothing.
func excerpt(source string, node any) string {
	switch n := node.(type) {
	case *syntax.Class:
		return "class " + shorten(n.Name)
	case *syntax.Try, *syntax.Constant, *syntax.Clause:
		return ""
	case syntax.Stmt:
		return strings.TrimSuffix(span(source, n.Pos(), ""), ":")
	case *syntax.Yield:
		return span(source, n.Start, "")
	case syntax.Expr:
		return span(source, n.Pos(), ",:")
	}
	return ""
}

// span returns the source from a place to the end of the statement, of the
// brackets that it is in, or to one of the stops outside of brackets. It
// returns "" for what does not fit on one line of a message.
func span(source string, from syntax.Pos, stops string) string {
	end, ok := spanEnd(source, int(from), stops)
	if !ok || !utf8.ValidString(source[from:end]) {
		return ""
	}
	return strings.TrimSpace(source[from:end])
}

func spanEnd(source string, from int, stops string) (end int, ok bool) {
	depth := 0
	for i := from; i <= from+maxExcerpt; i++ {
		if i >= len(source) {
			return len(source), depth == 0
		}
		switch c := source[i]; {
		case c == '\\':
			return i, false
		case c == '\n' || c == '\r' || c == '#':
			return i, depth == 0
		case c == '"' || c == '\'':
			if i = stringEnd(source, i); i < 0 {
				return 0, false
			}
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth == 0 {
				return i, true
			}
			depth--
		case depth == 0 && (c == ';' || strings.IndexByte(stops, c) >= 0 && !walrusAt(source, i)):
			return i, true
		}
	}
	return 0, false
}

func walrusAt(source string, i int) bool {
	return source[i] == ':' && i+1 < len(source) && source[i+1] == '='
}

// stringEnd returns the place of the closing quote of a literal that begins at
// i and ends on the same line, or -1.
func stringEnd(source string, i int) int {
	quote := source[i]
	if strings.HasPrefix(source[i+1:], string([]byte{quote, quote})) {
		return -1
	}
	for j := i + 1; j < len(source) && j <= i+maxExcerpt; j++ {
		switch source[j] {
		case quote:
			return j
		case '\n', '\r':
			return -1
		case '\\':
			j++
		}
	}
	return -1
}

// shorten cuts a name of the program's to the size of a message.
func shorten(name string) string {
	if len(name) <= maxExcerpt {
		return name
	}
	return strings.ToValidUTF8(name[:maxExcerpt], "") + "..."
}
