package orchestrator

import (
	"slices"
	"strconv"
	"strings"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/py"
	"github.com/glovebox-dev/glovebox/value"
)

// EndsAttempt reports whether code cannot handle the failure of a call: the run
// cannot continue, or must not.
func EndsAttempt(e *api.Error) bool {
	return e.Code == api.OutcomeUnknown || e.Code == api.Canceled || e.Code == api.Interrupted
}

// maxMessage bounds the message of an exception that a tool raises.
const maxMessage = 8 << 10 // bytes

// raised is the exception that the failure of a call raises in the code.
func raised(e *api.Error) (class, message string) {
	switch {
	case e.Code == api.Timeout:
		return "TimeoutError", value.Shorten(e.Message, maxMessage)
	case e.Code == api.OutOfMemory:
		return "MemoryError", value.Shorten(e.Message, maxMessage)
	case e.Code == api.ApprovalRefused:
		return "PermissionError", value.Shorten(e.Message, maxMessage)
	case e.Code == api.PythonException && e.Details.Exception != nil:
		return raisedAgain(e.Details.Exception)
	}
	return "RuntimeError", value.Shorten(e.Message, maxMessage)
}

// raisedAgain raises an exception of a built-in class as what it is. One of
// another class, or of a class that steers the flow of the code, becomes a
// RuntimeError that names it.
func raisedAgain(x *api.Exception) (class, message string) {
	if x.Type == "KeyError" {
		return x.Type, value.Shorten(unquoted(x.Message), maxMessage)
	}
	if _, ok := slices.BinarySearch(passed(), x.Type); ok {
		return x.Type, value.Shorten(x.Message, maxMessage)
	}
	if x.Message == "" {
		return "RuntimeError", value.Shorten(x.Type, maxMessage)
	}
	return "RuntimeError", value.Shorten(x.Type+": "+x.Message, maxMessage)
}

// Answered is what code gets for an answer.
func Answered(answer api.Answer) py.Result {
	if answer.Err == nil {
		return py.Return(answer.ID, answer.Value)
	}
	class, message := raised(answer.Err)
	return raise(answer, class, message)
}

// raise gives the code the exception of a failed call. A KeyError by a number
// has the number for its key.
func raise(answer api.Answer, class, message string) py.Result {
	x := answer.Err.Details.Exception
	if class != "KeyError" || x == nil {
		return py.Raise(answer.ID, class, message)
	}
	if key, err := strconv.ParseInt(x.Message, 10, 64); err == nil {
		return py.RaiseWith(answer.ID, class, key)
	}
	return py.Raise(answer.ID, class, message)
}

// unquoted returns the key of a KeyError, whose message is the repr of it.
// Keys that are no plain text stay as they are.
func unquoted(message string) string {
	n := len(message)
	if n < 2 || message[0] != '\'' || message[n-1] != '\'' || strings.Contains(message, `\`) {
		return message
	}
	return message[1 : n-1]
}

// passed are the built-in exceptions that go from a tool to the code as they
// are, in order. What is missing means something to a running program, such as
// StopIteration and SystemExit, or has more than a message, such as
// UnicodeDecodeError.
func passed() []string {
	return []string{
		"ArithmeticError", "AssertionError", "AttributeError", "BlockingIOError", "BrokenPipeError", "BufferError",
		"ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "EOFError", "Exception",
		"FileExistsError", "FileNotFoundError", "FloatingPointError", "ImportError", "IndexError", "InterruptedError",
		"IsADirectoryError", "KeyError", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "NotADirectoryError",
		"NotImplementedError", "OSError", "OverflowError", "PermissionError", "ProcessLookupError", "RecursionError",
		"ReferenceError", "RuntimeError", "SyntaxError", "SystemError", "TimeoutError", "TypeError", "UnboundLocalError",
		"ValueError", "ZeroDivisionError",
	}
}

func failedCall(answer api.Answer, tool string) *api.FailedCall {
	return &api.FailedCall{ID: answer.ID, Tool: tool, Run: answer.Run, Error: answer.Err}
}

// badAnswer says that a tool gave what its task does not declare.
func badAnswer(answer api.Answer, tool string, err error) error {
	e := api.Errorf(api.BadOutput, "call %d of %s gave a wrong value: %w", answer.ID, tool, err)
	details := api.AsError(api.BadValue(api.BadOutput, "output", tool, err)).Details
	details.Call = failedCall(answer, tool)
	return e.WithHint("make the tool give what its task declares").WithDetails(details)
}
