package orchestrator

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// maxFrames bounds the frames of an exception that are told: the outermost
// half and the innermost half of them.
const maxFrames = 100

// describe returns an exception with the lines of the code.
func describe(file string, x *py.Exception) *api.Exception {
	return &api.Exception{Type: x.Class, Message: x.Message, Frames: frames(file, x), Traceback: traceback(file, x)}
}

func frames(file string, x *py.Exception) []api.Frame {
	head, tail, _ := split(x.Lines)
	told := make([]api.Frame, 0, len(head)+len(tail))
	for _, l := range append(head[:len(head):len(head)], tail...) {
		told = append(told, api.Frame{File: file, Line: l.Line, Function: l.Function, Source: l.Text})
	}
	return told
}

// split leaves out the middle of a long traceback.
func split[T any](lines []T) (head, tail []T, omitted int) {
	if len(lines) <= maxFrames {
		return lines, nil, 0
	}
	const half = maxFrames / 2
	return lines[:half], lines[len(lines)-half:], len(lines) - maxFrames
}

// traceback is the text that Python would print.
func traceback(file string, x *py.Exception) string {
	var b strings.Builder
	if x.Cause != nil {
		b.WriteString(traceback(file, x.Cause))
		b.WriteString("\nThe above exception was the direct cause of the following exception:\n\n")
	}
	b.WriteString("Traceback (most recent call last):\n")
	head, tail, omitted := split(x.Lines)
	for _, l := range head {
		fmt.Fprintf(&b, "  File \"%s\", line %d, in %s\n    %s\n", file, l.Line, l.Function, l.Text)
	}
	if omitted > 0 {
		fmt.Fprintf(&b, "  [%d frames left out]\n", omitted)
	}
	for _, l := range tail {
		fmt.Fprintf(&b, "  File \"%s\", line %d, in %s\n    %s\n", file, l.Line, l.Function, l.Text)
	}
	b.WriteString(x.Error() + "\n")
	return b.String()
}
