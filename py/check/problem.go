package check

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/glovebox-dev/glovebox/py/syntax"
)

// Level says what a problem stops.
type Level uint8

// The levels.
const (
	Finding Level = iota // the program compiles, and would fail when it comes here
	Refusal              // the program does not compile
	Warning              // the program runs, and its writer hardly meant this
)

// Code names one kind of problem. Codes are stable.
type Code string

// The codes.
const (
	InvalidSyntax Code = "syntax_error" // no Python, or a name that is used as Python forbids

	ForbiddenConstruct Code = "forbidden_construct" // the dialect does not have it
	ForbiddenImport    Code = "forbidden_import"    // of a module that is not bundled
	ForbiddenAttribute Code = "forbidden_attribute" // reflection

	UnknownName     Code = "unknown_name"     // nothing of that name is defined
	UnavailableName Code = "unavailable_name" // a built-in of Python that the sandbox does not have
	UnknownTool     Code = "unknown_tool"     // a call of something that is not defined
	NotGranted      Code = "not_granted"      // a clock or randomness that the program does not have
	UnknownMember   Code = "unknown_member"   // a bundled module has no such name
	WrongCall       Code = "wrong_call"       // too many, missing or unknown arguments
	WrongType       Code = "wrong_type"       // a value that certainly does not fit its declared type
	OpaqueHandle    Code = "opaque_handle"    // a look into a File, Dir or DataFrame
	MissingAwait    Code = "missing_await"    // a pending call is used as if it were its result
	NeedlessAwait   Code = "needless_await"   // await on what is no pending call
	Unreachable     Code = "unreachable"      // code that can never run
	MissingResult   Code = "missing_result"   // the program does not end with its result
	NeverCalled     Code = "never_called"     // the program ends with a function that nothing calls
)

// Problem is one thing that is wrong with a program. It addresses the author of the
// program, often a model: what, where, and the fix.
type Problem struct {
	Level     Level
	Code      Code
	Line      int    // from 1
	Column    int    // from 1, in code points
	Construct string // the name of a forbidden construct, or empty
	Message   string
	Hint      string // what to write instead; may be empty
}

// OfSyntax returns the problem of a source that is no Python.
func OfSyntax(e *syntax.Error) Problem {
	return Problem{
		Level: Refusal, Code: InvalidSyntax, Line: e.Pos.Line, Column: e.Pos.Column, Construct: e.Class, Message: e.Message,
	}
}

// String returns place, message and hint on one line.
func (p Problem) String() string {
	text := fmt.Sprintf("line %d, column %d: %s", p.Line, p.Column, p.Message)
	if p.Hint != "" {
		text += "; " + p.Hint
	}
	return text
}

// maxProblems bounds a report: more would stay unread, and a hostile program of
// megabytes has millions.
const maxProblems = 100

// Report is what was found in a program, in the order of the source.
type Report struct {
	Problems []Problem
	Omitted  int // problems beyond the first hundred
}

// names reports whether there is a problem at a place.
func (r *Report) names(line, column int) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Line == line && p.Column == column })
}

// omits reports whether the report is full, and counts a problem that it has
// no place for. Ask before composing a message.
func (r *Report) omits() bool {
	if r == nil || len(r.Problems) < maxProblems {
		return false
	}
	r.Omitted++
	return true
}

func (r *Report) sort() {
	slices.SortStableFunc(r.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
}
