package api

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Outcome says how far a failed run got, so that a caller knows whether a
// second attempt could do something twice.
type Outcome string

// The outcomes.
const (
	NotStarted Outcome = "not_started" // the user's code never ran
	Failed     Outcome = "failed"      // it ran and is known to have failed
	Unknown    Outcome = "unknown"     // it may or may not have had its effects
)

// Error is the one error type of Glovebox. It compares by code: errors.Is(err,
// &Error{Code: Timeout}) is true for every time-out.
type Error struct {
	Code      Code    `json:"code"`
	Message   string  `json:"message"`        // what went wrong, for people
	Hint      string  `json:"hint,omitempty"` // what to do next
	Retryable bool    `json:"retryable"`      // whether the same can succeed later
	Outcome   Outcome `json:"outcome"`
	// Attempts is how often the run was tried, 0 where it was not counted.
	Attempts int     `json:"attempts,omitempty"`
	Details  Details `json:"details,omitzero"`

	cause error
}

// Details carries what a code has to say beyond its message. Fields that do
// not apply are zero.
type Details struct {
	Field      string        `json:"field,omitempty"`      // the input, output or field at fault
	Expected   string        `json:"expected,omitempty"`   // the type or form that was expected
	Got        string        `json:"got,omitempty"`        // what came instead
	Errno      string        `json:"errno,omitempty"`      // what Linux said of a file or a command, such as EISDIR
	Package    string        `json:"package,omitempty"`    // the package at fault
	Suggestion string        `json:"suggestion,omitempty"` // a near name that exists
	Log        string        `json:"log,omitempty"`        // the words of the resolver, of apt or of the build step
	ExitCode   int           `json:"exit_code,omitempty"`  // of the program
	Signal     string        `json:"signal,omitempty"`     // such as SIGSEGV
	Stderr     string        `json:"stderr,omitempty"`     // the last lines
	Exception  *Exception    `json:"exception,omitempty"`
	Limit      int64         `json:"limit,omitempty"` // bytes, or a count
	Peak       int64         `json:"peak,omitempty"`  // bytes, or a count
	Duration   time.Duration `json:"duration_ns,omitempty"`
	Run        string        `json:"run,omitempty"`      // the run at fault, where it is another one
	Call       *FailedCall   `json:"call,omitempty"`     // the call of a tool at fault
	Problems   []Problem     `json:"problems,omitempty"` // of the code, as Check finds them; at most a hundred
}

// FailedCall is a call of a tool that ended an orchestrator.
type FailedCall struct {
	ID    uint64 `json:"id"`              // in the order of the calls, from 1
	Tool  string `json:"tool"`            // its name
	Run   string `json:"run,omitempty"`   // that carried it out
	Error *Error `json:"error,omitempty"` // of the run of the tool
}

// Exception is an uncaught Python exception, with frames of the user's code
// only, outermost first.
type Exception struct {
	Type    string  `json:"type"`             // the name of its class
	Message string  `json:"message"`          // str() of the exception
	Frames  []Frame `json:"frames,omitempty"` // the outermost first
	// Traceback is the text that Python would print, without frames that are
	// not the user's.
	Traceback string `json:"traceback,omitempty"`
}

// Frame is a place in the user's code. Line counts from 1; Column too, and is
// 0 where it is not known.
type Frame struct {
	File     string `json:"file"`               // the name of the source
	Line     int    `json:"line"`               // from 1
	Column   int    `json:"column,omitempty"`   // from 1; 0 where it is not known
	Function string `json:"function,omitempty"` // the name of the function, or <module>
	Source   string `json:"source,omitempty"`   // the text of the line
}

// Errorf makes an error with the defaults of its code. A %w verb keeps the
// cause for errors.Is and errors.As. Internal becomes the code of what the host
// lacks, if the cause says that it lacks something: that is no defect.
func Errorf(code Code, format string, args ...any) *Error {
	wrapped := fmt.Errorf(format, args...)
	info := code.Info()
	if code == Internal {
		info = ofHost(wrapped, info)
		code = info.Code
	}
	return &Error{
		Code: code, Message: wrapped.Error(), Hint: info.Hint,
		Retryable: info.Retryable, Outcome: info.Outcome, cause: errors.Unwrap(wrapped),
	}
}

// WithHint replaces the hint.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithDetails replaces the details.
func (e *Error) WithDetails(d Details) *Error {
	e.Details = d
	return e
}

// Error returns the code and the message, and the count of attempts when there
// was more than one.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Code, e.Message)
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	return b.String()
}

// Unwrap returns the cause, if any: of a call that failed, the error of the
// tool.
func (e *Error) Unwrap() error {
	if call := e.Details.Call; e.cause == nil && call != nil && call.Error != nil {
		return call.Error
	}
	return e.cause
}

// Is reports whether target is the code of e, or an *Error of the same code.
func (e *Error) Is(target error) bool {
	if code, ok := target.(Code); ok {
		return code == e.Code
	}
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// AsError returns err as an *Error: what FindError finds, or a new one of the
// Code that err is or wraps, or of code Internal.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := FindError(err); ok {
		return e
	}
	var code Code
	if errors.As(err, &code) {
		return Errorf(code, "%s", code.Info().Meaning)
	}
	return Errorf(Internal, "%w", err)
}

// FindError returns the *Error that err is or wraps. An error of package value
// that needs nothing from its caller to become one counts as one.
func FindError(err error) (e *Error, ok bool) {
	if errors.As(err, &e) {
		return e, true
	}
	return ofValue(err)
}
