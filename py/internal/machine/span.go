package machine

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/py/internal/code"
)

// Span is the expression at which a frame stood, as tracebacks show it.
type Span struct {
	Start, End Position // End is the first place behind it
	Source     string   // its line; of more than one what a traceback shows
	Raised     bool     // what a raise statement names
}

// Position is a place in a source.
type Position struct {
	Line, Column int // from 1; in characters
}

// The bounds of an expression that has a Span: others are shown by their line.
const (
	maxSpan      = 4000 // bytes
	maxSpanLine  = 1000 // bytes
	maxSpanLines = 3    // more are not shown
)

// spotAt is the spot of the instruction that ends at pc or before it, whose words
// of data may have been passed.
func (u *unit) spotAt(pc int) (s code.Spot, at int, ok bool) {
	for back := 1; back <= maxWords && pc >= back; back++ {
		s, ok := u.code.SpotAt(pc - back)
		if !ok {
			continue
		}
		return s, pc - back, u.code.Instrs[pc-back].Op().Length() >= back
	}
	return s, 0, false
}

// maxWords is the length of the longest instruction.
const maxWords = 3

// span is the expression of a line of a traceback, or nil.
func (l traceLine) span() *Span {
	spot, at, ok := l.unit.spotAt(int(l.pc) + 1)
	source := l.unit.mod.code.Source
	start, end := int(spot.Start), int(spot.End)
	if !ok || start < 0 || end < start || end > len(source) {
		return nil
	}
	from, last := lineStart(source, start), lineStart(source, end)
	to := len(source)
	if n := strings.IndexByte(source[end:], '\n'); n >= 0 {
		to = end + n
	}
	if start-from > maxSpanLine || to-last > maxSpanLine || end-start > maxSpan {
		return nil
	}
	line := 1 + strings.Count(source[:from], "\n")
	return &Span{
		Start:  Position{line, 1 + utf8.RuneCountInString(source[from:start])},
		End:    Position{line + strings.Count(source[from:end], "\n"), 1 + utf8.RuneCountInString(source[last:end])},
		Source: shown(strings.Split(source[from:to], "\n")),
		Raised: l.unit.code.Instrs[at].Op() == code.OpRaise,
	}
}

func lineStart(source string, at int) int { return strings.LastIndexByte(source[:at], '\n') + 1 }

// shown is what a traceback shows of the lines of an expression: one as it
// stands, and of more the first and the last, without what both are indented by.
func shown(lines []string) string {
	n := len(lines)
	if n == 1 {
		return lines[0]
	}
	between := lines[1 : n-1]
	if n > maxSpanLines {
		between = []string{fmt.Sprintf("...<%d lines>...", n-2)}
	}
	indent := commonIndent(lines[0], lines[n-1])
	all := []string{lines[0][indent:]}
	for _, line := range between {
		all = append(all, line[min(indent, commonIndent(lines[0], line)):])
	}
	return strings.Join(append(all, lines[n-1][indent:]), "\n")
}

// commonIndent is how many spaces and tabs both lines begin with.
func commonIndent(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] && (a[n] == ' ' || a[n] == '\t') {
		n++
	}
	return n
}
