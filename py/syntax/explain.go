package syntax

import (
	"fmt"
	"strings"
)

// An explainer finds what is wrong with the field of an f-string in the way of
// CPython 3.11, which looks for the end of each expression by its brackets and
// quotes before it parses the expression. It runs after an error only.
type explainer struct {
	src   string // up to the closing quotes
	at    int
	quote string // that an inner string began with
	open  []byte // brackets
}

const unendedField = "f-string: expecting '}'"

// field returns what is wrong with the field that begins at the current place,
// or nothing.
func (e *explainer) field(level int) string {
	if level >= 2 {
		return "f-string: expressions nested too deeply"
	}
	e.at++
	begin := e.at
	if message := e.expression(); message != "" {
		return message
	}
	if e.at >= len(e.src) {
		return unendedField
	}
	c := e.src[e.at]
	if strings.TrimSpace(e.src[begin:e.at]) == "" {
		if c == '!' || c == ':' || c == '=' {
			return fmt.Sprintf("f-string: expression required before '%c'", c)
		}
		return "f-string: empty expression not allowed"
	}
	return e.rest(level)
}

// expression skips the expression of a field.
func (e *explainer) expression() string {
	e.quote, e.open = "", nil
	for ; e.at < len(e.src); e.at++ {
		c := e.src[e.at]
		switch {
		case c == '\\':
			return "f-string expression part cannot include a backslash"
		case e.quote != "":
			if strings.HasPrefix(e.src[e.at:], e.quote) {
				e.at += len(e.quote) - 1
				e.quote = ""
			}
		case c == '\'' || c == '"':
			e.quote = e.src[e.at : e.at+quoteWidth(e.src, e.at)]
			e.at += len(e.quote) - 1
		case c == '(' || c == '[' || c == '{':
			e.open = append(e.open, c)
		case c == '#':
			return "f-string expression part cannot include '#'"
		case len(e.open) == 0 && strings.IndexByte("!:=<>}", c) >= 0:
			if e.ends(c) {
				return ""
			}
		case c == ')' || c == ']' || c == '}':
			if message := e.close(c); message != "" {
				return message
			}
		}
	}
	switch {
	case e.quote != "":
		return "f-string: unterminated string"
	case len(e.open) > 0:
		return fmt.Sprintf("f-string: unmatched '%c'", e.open[len(e.open)-1])
	}
	return ""
}

// ends reports whether a character outside brackets ends the expression, and
// skips a comparison operator.
func (e *explainer) ends(c byte) bool {
	if c != ':' && c != '}' && e.at+1 < len(e.src) && e.src[e.at+1] == '=' {
		e.at++
		return false
	}
	return c != '<' && c != '>'
}

// close takes a closing bracket.
func (e *explainer) close(c byte) string {
	if len(e.open) == 0 {
		return fmt.Sprintf("f-string: unmatched '%c'", c)
	}
	opened := e.open[len(e.open)-1]
	e.open = e.open[:len(e.open)-1]
	if closing(opened) != c {
		return fmt.Sprintf("f-string: closing parenthesis '%c' does not match opening parenthesis '%c'", c, opened)
	}
	return ""
}

// closing returns the bracket that closes another.
func closing(open byte) byte {
	return map[byte]byte{'(': ')', '[': ']', '{': '}'}[open]
}

// rest checks what follows the expression of a field.
func (e *explainer) rest(level int) string {
	if e.src[e.at] == '=' {
		e.at++
		e.at += len(e.src[e.at:]) - len(strings.TrimLeft(e.src[e.at:], " \t\n\f\r\v"))
	}
	if e.at < len(e.src) && e.src[e.at] == '!' {
		e.at++
		if e.at >= len(e.src) {
			return unendedField
		}
		if strings.IndexByte("sra", e.src[e.at]) < 0 {
			return "f-string: invalid conversion character: expected 's', 'r', or 'a'"
		}
		e.at++
	}
	if e.at < len(e.src) && e.src[e.at] == ':' {
		if message := e.format(level); message != "" {
			return message
		}
	}
	if e.at >= len(e.src) || e.src[e.at] != '}' {
		return unendedField
	}
	e.at++
	return ""
}

// format checks the fields of a format.
func (e *explainer) format(level int) string {
	for e.at < len(e.src) && e.src[e.at] != '}' {
		if e.src[e.at] != '{' {
			e.at++
			continue
		}
		if message := e.field(level + 1); message != "" {
			return message
		}
	}
	return ""
}
