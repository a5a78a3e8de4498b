package image

import (
	"slices"
	"strings"
)

// maxMarkerDepth bounds the parentheses of a marker.
const maxMarkerDepth = 32

// markerVariables are the environment markers of PEP 508.
var markerVariables = []string{
	"python_version", "python_full_version", "os_name", "sys_platform", "platform_release",
	"platform_system", "platform_version", "platform_machine", "platform_python_implementation",
	"implementation_name", "implementation_version", "extra",
}

// marker reads a marker up to the end of the text and gives it in one
// spelling; a non-empty second result says what is wrong.
func (s *scanner) marker() (string, string) {
	terms, problem := s.chain("or", func() (string, string) {
		return s.chain("and", s.comparison)
	})
	return terms, problem
}

// chain reads one or more terms with word between them.
func (s *scanner) chain(word string, term func() (string, string)) (string, string) {
	var terms []string
	for {
		text, problem := term()
		if problem != "" {
			return "", problem
		}
		terms = append(terms, text)
		s.spaces()
		if !s.takeWord(word) {
			return strings.Join(terms, " "+word+" "), ""
		}
	}
}

func (s *scanner) comparison() (string, string) {
	s.spaces()
	if s.take("(") {
		return s.group()
	}
	left, problem := s.operand()
	if problem != "" {
		return "", problem
	}
	s.spaces()
	op := s.markerOperator()
	if op == "" {
		return "", "the marker needs a comparison before " + quoteStart(s.rest)
	}
	s.spaces()
	right, problem := s.operand()
	if problem != "" {
		return "", problem
	}
	return left + " " + op + " " + right, ""
}

func (s *scanner) group() (string, string) {
	if s.depth++; s.depth > maxMarkerDepth {
		return "", "the marker is nested too deeply"
	}
	inner, problem := s.marker()
	if problem != "" {
		return "", problem
	}
	s.depth--
	s.spaces()
	if !s.take(")") {
		return "", "a parenthesis of the marker is not closed"
	}
	return "(" + inner + ")", ""
}

func (s *scanner) markerOperator() string {
	if op := s.takeOne("===", "==", "~=", "!=", "<=", ">=", "<", ">"); op != "" {
		return op
	}
	if s.takeWord("in") {
		return "in"
	}
	if !s.takeWord("not") {
		return ""
	}
	s.spaces()
	if !s.takeWord("in") {
		return ""
	}
	return "not in"
}

// operand reads a variable or a quoted string.
func (s *scanner) operand() (string, string) {
	for _, quote := range []string{"'", `"`} {
		if s.take(quote) {
			return s.quoted(quote)
		}
	}
	word := s.while(func(c byte) bool { return isAlnum(c) || c == '_' })
	if !slices.Contains(markerVariables, word) {
		return "", "the marker has an unknown variable " + quoteStart(word+s.rest)
	}
	return word, ""
}

func (s *scanner) quoted(quote string) (string, string) {
	text := s.while(func(c byte) bool { return c != quote[0] && c >= ' ' && c < 0x7f && c != '\\' })
	if !s.take(quote) {
		return "", "a string of the marker is not closed"
	}
	if strings.Contains(text, `"`) {
		return "'" + text + "'", ""
	}
	return `"` + text + `"`, ""
}

// takeWord consumes word if it stands alone.
func (s *scanner) takeWord(word string) bool {
	rest, ok := strings.CutPrefix(s.rest, word)
	if !ok || rest != "" && (isAlnum(rest[0]) || rest[0] == '_') {
		return false
	}
	s.rest = rest
	return true
}
