package api

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/value"
)

// Signature declares the inputs and outputs of a task, in order.
type Signature struct {
	Inputs  []value.Param `json:"inputs,omitempty"`
	Outputs []value.Param `json:"outputs,omitempty"`
	// Async says that orchestrators call the task like an async function: a
	// call is awaited, and several can be under way at the same time. Nothing
	// else changes.
	Async bool `json:"async,omitempty"`
}

// Check validates names and types; identifier says that the names become
// Python variables. It returns invalid_task or invalid_type.
func (s Signature) Check(identifier bool) error {
	if err := checkParams("input", s.Inputs, identifier); err != nil {
		return err
	}
	return checkParams("output", s.Outputs, identifier)
}

func checkParams(role string, params []value.Param, identifier bool) error {
	seen := map[string]string{}
	for _, p := range params {
		if err := CheckName(p.Name, identifier); err != nil {
			e := AsError(err)
			e.Message = role + " " + e.Message
			return e
		}
		if _, err := value.ParseType(p.Type.String()); err != nil {
			e := AsError(err)
			e.Message = role + " " + p.Name + ": " + e.Message
			e.Details.Field = p.Name
			return e
		}
		if err := checkChoices(role, p); err != nil {
			return err
		}
		folded := p.Name
		if !identifier {
			folded = strings.ToLower(folded)
		}
		if other, ok := seen[folded]; ok {
			return duplicate(role, p.Name, other)
		}
		seen[folded] = p.Name
	}
	return nil
}

func checkChoices(role string, p value.Param) error {
	if len(p.Choices) > 0 && role != "input" {
		return Errorf(InvalidTask, "%s %s has choices, which only inputs have", role, value.Quote(p.Name)).WithDetails(Details{Field: p.Name})
	}
	if _, err := p.WithChoices(p.Choices); err != nil {
		return BadValue(InvalidTask, "choices of input", p.Name, err)
	}
	return nil
}

func duplicate(role, name, other string) *Error {
	d := Details{Field: name, Expected: "names that are all different", Got: value.Quote(name)}
	if name == other {
		return Errorf(InvalidTask, "%s %s is declared twice", role, value.Quote(name)).WithDetails(d)
	}
	return Errorf(InvalidTask, "%s %s differs from %s only in case; both are file names", role, value.Quote(name), value.Quote(other)).WithDetails(d)
}

// CheckName validates the name of an input or output. As identifier it must be
// usable as a Python variable; in every case it must be safe as a file name.
// It returns invalid_task.
func CheckName(name string, identifier bool) error {
	problem := fileNameProblem(name)
	if problem == "" && identifier {
		problem = identifierProblem(name)
	}
	if problem == "" {
		return nil
	}
	expected := "a file name"
	if identifier {
		expected = "a Python identifier"
	}
	return Errorf(InvalidTask, "name %s %s", value.Quote(name), problem).
		WithDetails(Details{Field: name, Expected: expected, Got: value.Quote(name)})
}

const maxNameLength = 255 // bytes, the bound of Linux file systems

func fileNameProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > maxNameLength:
		return "is longer than 255 bytes"
	case !utf8.ValidString(name):
		return "is not valid UTF-8"
	case name == "." || name == "..":
		return "is a directory"
	case name[0] == '-':
		return `starts with "-", which commands take for an option`
	case strings.ContainsRune(name, '/'):
		return `contains "/"`
	case strings.ContainsFunc(name, unicode.IsControl):
		return "contains a control character"
	}
	return ""
}

func identifierProblem(name string) string {
	switch {
	case isKeyword(name):
		return "is a Python keyword"
	case strings.HasPrefix(name, "__"):
		return `starts with "__", which Python reserves`
	case !value.IsIdentifier(name):
		return "is not a Python identifier: use letters, digits and _, and do not start with a digit"
	}
	return ""
}

func isKeyword(name string) bool {
	switch name {
	case "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
		"elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
		"not", "or", "pass", "raise", "return", "try", "while", "with", "yield":
		return true
	}
	return false
}
