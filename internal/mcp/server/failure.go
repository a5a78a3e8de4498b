package server

import (
	"fmt"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
)

// failure is an error as JSON.
type failure struct {
	Code    string `json:"code" jsonschema:"what went wrong, in a word"`
	Message string `json:"message" jsonschema:"what went wrong"`
	Hint    string `json:"hint,omitempty" jsonschema:"what to do next"`
}

func failureOf(e *api.Error) *failure {
	if e == nil {
		return nil
	}
	message, _ := cut([]byte(e.Message), maxError)
	return &failure{Code: string(e.Code), Message: message, Hint: hintOf(e)}
}

// maxProblems is how many problems of a program an error names.
const maxProblems = 20

// explain says for a model what went wrong, and what to do next.
func explain(e *api.Error) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", e.Code, e.Message)
	for i, p := range e.Details.Problems {
		if i == maxProblems {
			fmt.Fprintf(&b, "and %d more\n", len(e.Details.Problems)-i)
			break
		}
		if strings.Contains(e.Message, p.Message) {
			continue // it is the first, which the message names
		}
		fmt.Fprintf(&b, "line %d, column %d: %s\n", p.Line, p.Column, p.Message)
	}
	if log := e.Details.Log; log != "" {
		fmt.Fprintf(&b, "%s\n", strings.TrimSpace(log))
	}
	text, _ := cut([]byte(strings.TrimSpace(b.String())), maxError)
	if hint := hintOf(e); hint != "" {
		text += "\nhint: " + hint
	}
	return text
}

// hintOf leaves out what only people at a command line can do.
func hintOf(e *api.Error) string {
	if e.Code == api.CheckFailed {
		return "correct the lines that it names; nothing was called"
	}
	return e.Hint
}
