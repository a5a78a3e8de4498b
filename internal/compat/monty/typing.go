package monty

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/py"
)

// concise is the format of one line for each problem. All others get the full
// form, which is for people.
const concise = 2

// rules are the names that clients have for what the checker finds.
var rules = map[string]string{
	"unknown_name": "unresolved-reference", "unavailable_name": "unresolved-reference", "unknown_tool": "unresolved-reference",
	"unknown_member": "unresolved-attribute", "wrong_call": "invalid-call", "wrong_type": "invalid-argument-type",
	"missing_await": "missing-await",
}

// findings is what the checker says of a piece of code, or "".
func (s *session) findings(f feedRequest) string {
	names := []string{fileName}
	for _, in := range f.inputs {
		names = append(names, in.name)
	}
	var b strings.Builder
	lines := strings.Split(f.code, "\n")
	for _, p := range s.py.Check(f.code, names, s.config.stubs) {
		if s.config.format == concise {
			fmt.Fprintf(&b, "%s:%d:%d: error[%s] %s\n", s.config.script, p.Line, p.Column, rules[string(p.Code)], p.Message)
			continue
		}
		s.full(&b, p, lines)
	}
	return b.String()
}

// full writes a problem with its line.
func (s *session) full(b *strings.Builder, p py.Problem, lines []string) {
	margin := strings.Repeat(" ", len(fmt.Sprint(p.Line)))
	fmt.Fprintf(b, "error[%s]: %s\n%s--> %s:%d:%d\n%s |\n", rules[string(p.Code)], p.Message, margin, s.config.script, p.Line, p.Column, margin)
	if p.Line >= 1 && p.Line <= len(lines) {
		fmt.Fprintf(b, "%d | %s\n%s | %s^\n", p.Line, lines[p.Line-1], margin, strings.Repeat(" ", max(p.Column-1, 0)))
	}
	fmt.Fprintf(b, "%s |\n", margin)
	if p.Hint != "" {
		fmt.Fprintf(b, "%s = help: %s\n", margin, p.Hint)
	}
	b.WriteByte('\n')
}
