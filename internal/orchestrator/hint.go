package orchestrator

import (
	"slices"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
)

// fixable are the problems of the checker, by its codes, that come true as an
// exception.
var fixable = map[string][]string{
	"NameError":      {"unknown_name", "unknown_tool", "unavailable_name"},
	"TypeError":      {"wrong_call", "wrong_type", "missing_await"},
	"AttributeError": {"unknown_member", "opaque_handle", "missing_await"},
	"RuntimeError":   {"not_granted"},
}

// fix returns what the checker says about the line that raised an exception:
// the name that was meant, or how a tool is called. The author, often a model,
// can repair the code with it. It is "" if the checker finds nothing.
func fix(task *api.Task, x *py.Exception) string {
	codes := fixable[x.Class]
	if len(codes) == 0 || len(x.Lines) == 0 {
		return ""
	}
	line := x.Lines[len(x.Lines)-1].Line
	return advice(task, func(p py.Problem) bool { return p.Line == line && slices.Contains(codes, string(p.Code)) })
}

// ending is what the checker says to a program that has no result; "" if it
// has one.
func ending(task *api.Task) string {
	return advice(task, func(p py.Problem) bool { return p.Code == "missing_result" || p.Code == "never_called" })
}

// advice is the hint of the first problem of a task that fits and has one.
func advice(task *api.Task, fits func(py.Problem) bool) string {
	o, err := options(task)
	if err != nil {
		return ""
	}
	problems, err := check(task.Code, o)
	if err != nil {
		return ""
	}
	if i := slices.IndexFunc(problems, func(p py.Problem) bool { return p.Hint != "" && fits(p) }); i >= 0 {
		return problems[i].Hint
	}
	return ""
}

// syntaxHint says what to write instead where models often slip; "" elsewhere.
func syntaxHint(code string, p py.Problem) string {
	switch {
	case strings.HasPrefix(strings.TrimSpace(lineOf(code, p.Line)), "```"):
		return "give the code alone, without the ``` around it"
	case p.Message == "'return' outside function":
		return "the value of the last expression is the result: end with the expression, without return"
	}
	return ""
}
