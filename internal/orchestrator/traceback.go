package orchestrator

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// Describe returns an exception with the lines of the code.
func Describe(file string, x *py.Exception) *api.Exception {
	return &api.Exception{Type: x.Class, Message: x.Message, Frames: frames(file, x), Traceback: traceback(file, x)}
}

func frames(file string, x *py.Exception) []api.Frame {
	all := make([]api.Frame, len(x.Lines))
	for i, l := range x.Lines {
		all[i] = api.Frame{File: file, Line: l.Line, Function: l.Function, Source: l.Text}
	}
	return all
}

// traceback is the text that Python would print.
func traceback(file string, x *py.Exception) string {
	var b strings.Builder
	if x.Cause != nil {
		b.WriteString(traceback(file, x.Cause))
		b.WriteString("\nThe above exception was the direct cause of the following exception:\n\n")
	}
	b.WriteString("Traceback (most recent call last):\n")
	for _, l := range x.Lines {
		fmt.Fprintf(&b, "  File \"%s\", line %d, in %s\n    %s\n", file, l.Line, l.Function, l.Text)
	}
	b.WriteString(x.Error() + "\n")
	return b.String()
}
