package syntax

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Error is what makes a source not Python.
type Error struct {
	Class   string // SyntaxError, IndentationError or TabError
	Message string // CPython's where it has one
	Pos     Position
}

// Error returns the place and the message.
func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Pos.Line, e.Pos.Column, e.Message)
}

// Position returns the line and the column of a place in the source.
func (f *File) Position(p Pos) Position {
	at := min(max(int(p), 0), len(f.Source))
	line, found := slices.BinarySearch(f.lines, int32(at))
	if !found {
		line--
	}
	begin := int(f.lines[line])
	return Position{Line: line + 1, Column: 1 + utf8.RuneCountInString(f.Source[begin:at])}
}

// Line returns the text of the n-th line, which counts from 1, without its
// line end. There is no text outside the source.
func (f *File) Line(n int) string {
	if n < 1 || n > len(f.lines) {
		return ""
	}
	rest := f.Source[f.lines[n-1]:]
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// lineTable returns the offsets at which the lines of a source begin.
func lineTable(source string) []int32 {
	lines := make([]int32, 1, 1+strings.Count(source, "\n"))
	for at := 0; ; {
		n := strings.IndexByte(source[at:], '\n')
		if n < 0 {
			return lines
		}
		at += n + 1
		lines = append(lines, int32(at))
	}
}
