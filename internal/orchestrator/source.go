package orchestrator

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// maxListed bounds the problems of a source that an error lists.
const maxListed = 20

// sourceError says what is wrong with a source: syntax_error, or invalid_task
// for what is Python but not of the dialect. Its frames are the places.
func sourceError(file, code string, err error) error {
	var source *py.SourceError
	if !errors.As(err, &source) {
		return err
	}
	first := source.Problems[0]
	kind, class := api.InvalidTask, "SyntaxError"
	if first.Code == "syntax_error" {
		kind, class = api.SyntaxError, syntaxClass(first)
	}
	listed := source.Problems[:min(maxListed, len(source.Problems))]
	more := len(source.Problems) - len(listed) + source.Omitted
	e := api.Errorf(kind, "%s", describeProblems(file, listed, more))
	e.Outcome = api.NotStarted
	if hint := cmp.Or(first.Hint, syntaxHint(code, first)); hint != "" {
		e = e.WithHint("%s", hint)
	}
	return e.WithDetails(api.Details{Field: "code", Problems: problemsOf(source.Problems), Exception: &api.Exception{
		Type: class, Message: first.Message, Frames: places(file, code, listed),
	}})
}

// checkError returns what would fail in a program, or nil. Warnings do not keep
// a program from starting.
func checkError(file string, problems []py.Problem) error {
	failing := slices.DeleteFunc(problems, func(p py.Problem) bool { return p.Level == py.Warning })
	if len(failing) == 0 {
		return nil
	}
	listed := failing[:min(maxListed, len(failing))]
	e := api.Errorf(api.CheckFailed, "%s", describeProblems(file, listed, len(failing)-len(listed)))
	return e.WithDetails(api.Details{Field: "code", Problems: problemsOf(failing)})
}

// syntaxClass is SyntaxError or the subclass of it that Python would raise.
func syntaxClass(p py.Problem) string {
	if p.Construct == "" {
		return "SyntaxError"
	}
	return p.Construct
}

func describeProblems(file string, problems []py.Problem, more int) string {
	lines := make([]string, len(problems))
	for i, p := range problems {
		lines[i] = file + ", " + p.String()
	}
	if more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

func places(file, code string, problems []py.Problem) []api.Frame {
	frames := make([]api.Frame, len(problems))
	for i, p := range problems {
		frames[i] = api.Frame{File: file, Line: p.Line, Column: p.Column, Source: lineOf(code, p.Line)}
	}
	return frames
}

// lineOf returns line n of a source, without the blanks around it and bounded.
func lineOf(code string, n int) string {
	for ; n > 1; n-- {
		_, rest, ok := strings.Cut(code, "\n")
		if !ok {
			return ""
		}
		code = rest
	}
	line, _, _ := strings.Cut(code, "\n")
	return value.Shorten(strings.TrimSpace(line), 200)
}
