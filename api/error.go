package api

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Code names one kind of failure. Codes are stable: programs branch on them.
type Code string

// The codes. The table below says what each means; it is the only source for
// the exit status, the default hint and whether a retry can help.
const (
	InvalidTask          Code = "invalid_task"
	InvalidType          Code = "invalid_type"
	InvalidInput         Code = "invalid_input"
	SyntaxError          Code = "syntax_error"
	PythonException      Code = "python_exception"
	NonzeroExit          Code = "nonzero_exit"
	Signaled             Code = "signaled"
	Timeout              Code = "timeout"
	OutOfMemory          Code = "out_of_memory"
	MissingOutput        Code = "missing_output"
	BadOutput            Code = "bad_output"
	OutputTooLarge       Code = "output_too_large"
	CommandNotFound      Code = "command_not_found"
	PythonMissing        Code = "python_missing"
	InvalidPackage       Code = "invalid_package"
	ResolutionFailed     Code = "resolution_failed"
	BuildFailed          Code = "build_failed"
	IndexUnavailable     Code = "index_unavailable"
	ImageNotFound        Code = "image_not_found"
	ImageInvalid         Code = "image_invalid"
	RegistryDenied       Code = "registry_denied"
	RegistryUnavailable  Code = "registry_unavailable"
	BaseUnavailable      Code = "base_unavailable"
	SecretNotFound       Code = "secret_not_found"
	SecretUnreadable     Code = "secret_unreadable"
	IsolationUnavailable Code = "isolation_unavailable"
	StorageFull          Code = "storage_full"
	CellLost             Code = "cell_lost"
	CallFailed           Code = "call_failed"
	FunctionFailed       Code = "function_failed"
	LimitExceeded        Code = "limit_exceeded"
	ReplayMismatch       Code = "replay_mismatch"
	OutcomeUnknown       Code = "outcome_unknown"
	Interrupted          Code = "interrupted"
	WorkerUnavailable    Code = "worker_unavailable"
	WorkerLost           Code = "worker_lost"
	NotFound             Code = "not_found"
	Conflict             Code = "conflict"
	Overloaded           Code = "overloaded"
	Unauthorized         Code = "unauthorized"
	RequestInvalid       Code = "request_invalid"
	RequestTooLarge      Code = "request_too_large"
	ServerUnavailable    Code = "server_unavailable"
	StorageCorrupt       Code = "storage_corrupt"
	StorageNewer         Code = "storage_newer"
	HomeBusy             Code = "home_busy"
	Canceled             Code = "canceled"
	Internal             Code = "internal"
)

// CodeInfo describes a code. Exit is the exit status of the command line; -1
// stands for the program's own status.
type CodeInfo struct {
	Code      Code
	Exit      int
	Retryable bool
	Outcome   Outcome
	Meaning   string
	Hint      string
}

// Codes is the table of all codes, in the order of a run's life.
var Codes = []CodeInfo{
	{InvalidTask, 2, false, NotStarted, "the description of the task contradicts itself or has a field that cannot be right", "correct the named field"},
	{InvalidType, 2, false, NotStarted, "a declared type is not one that can cross the boundary", "use int, float, str, bool, bytes, datetime, timedelta, None, File, Dir, DataFrame, list[T], dict[str, T], tuple[...], Optional[T], Union[...] or Any"},
	{InvalidInput, 2, false, NotStarted, "an input is missing, unknown or does not fit its declared type", "pass exactly the declared inputs with values of their types"},
	{SecretNotFound, 2, false, NotStarted, "a secret that the task names is not stored", "store it with: glovebox secret set NAME"},
	{SecretUnreadable, 125, false, NotStarted, "the store of secrets is damaged, or open to other users", "store the secret again with: glovebox secret set NAME"},
	{IsolationUnavailable, 125, false, NotStarted, "the host cannot enforce an isolation or a limit that the run asks for", "run: glovebox doctor"},
	{InvalidPackage, 125, false, NotStarted, "a package does not exist, has no such version, or is not a valid requirement", "check the name and the version of the package"},
	{ResolutionFailed, 125, false, NotStarted, "the packages exist but their requirements contradict each other", "loosen or remove one of the pins that the resolver names"},
	{BuildFailed, 125, false, NotStarted, "a step of the image build failed", "read the last lines of the step's output"},
	{IndexUnavailable, 125, true, NotStarted, "a package index or mirror could not be reached", "check the network and the index settings, then try again"},
	{ImageNotFound, 125, false, NotStarted, "the image does not exist where it was looked for", "check the reference, or leave it out to have an image built"},
	{ImageInvalid, 125, false, NotStarted, "the image is damaged, too large or not made for this platform", "use another image"},
	{RegistryDenied, 125, false, NotStarted, "the registry refused the credentials or the access", "log in to the registry or name a secret with credentials"},
	{RegistryUnavailable, 125, true, NotStarted, "the registry could not be reached", "check the network, then try again"},
	{BaseUnavailable, 125, false, NotStarted, "no base image could be had: no registry, no image on disk, no Debian mirror", "name a base (--base, or Image.from_base in Python), or run: glovebox doctor"},
	{StorageFull, 125, true, NotStarted, "the disk of the host is full", "free space, for example with: glovebox prune"},
	{PythonMissing, 125, false, Failed, "the image has no Python, and the mode needs one", "use an image with python3, or run a command"},
	{CommandNotFound, 127, false, Failed, "the command does not exist in the image or cannot be executed", "check the command, or install its package with --apt"},
	{SyntaxError, 1, false, Failed, "the code is not valid Python", "correct the line that the error shows"},
	{PythonException, 1, false, Failed, "the code raised an exception that it did not catch", "read the traceback; its lines are those of your code"},
	{NonzeroExit, -1, false, Failed, "the program ended with a status other than 0", "read the last lines of its standard error"},
	{Signaled, -1, false, Failed, "the program was ended by a signal of its own", "read the last lines of its standard error"},
	{Timeout, 124, false, Failed, "the run took longer than its time limit and was killed", "raise the time limit or do less in one run"},
	{OutOfMemory, 137, false, Failed, "the run needed more memory than its limit and was killed", "raise the memory limit above the measured peak"},
	{MissingOutput, 125, false, Failed, "the program ended well but a declared output is not there", "assign the variable, or write the file, of that name"},
	{BadOutput, 125, false, Failed, "a declared output is there but does not fit its type", "make the value fit the declared type, or change the declaration"},
	{OutputTooLarge, 125, false, Failed, "the outputs are larger than their limit", "write less, or raise the output limit"},
	{CellLost, 125, true, Unknown, "the cell ended without a report", "try again; if it happens again, run: glovebox doctor"},
	{FunctionFailed, 1, false, Failed, "the function returned an error", "read the message; it is that of the function"},
	{CallFailed, 1, false, Failed, "a tool that the code called failed, and the code did not handle it", "read the error of the call; resume the run when its cause is gone"},
	{LimitExceeded, 125, false, Failed, "the code did more than its limits allow", "do less in one run, or raise the limit that the error names"},
	{ReplayMismatch, 125, false, Failed, "the code or its arguments differ from what the journal of the run holds", "run the old code again, or start a new run from this one with: glovebox rerun"},
	{OutcomeUnknown, 125, false, Unknown, "nobody knows whether a call that was under way was carried out, and its task is not declared idempotent", "find out whether it was done; then resume the run with --retry-unknown (retry_unknown=True in Python), or start anew"},
	{Interrupted, 125, true, Unknown, "the process that carried out the run ended before the run did", "go on with: glovebox resume RUN"},
	{WorkerUnavailable, 125, true, NotStarted, "no process offers the function", "start the process that offers it, then try again"},
	{WorkerLost, 125, true, Unknown, "the process that carried out the function ended or fell silent", "start the process again; declare the task idempotent if it may be repeated"},
	{NotFound, 125, false, NotStarted, "there is nothing of that name or id", "list what there is"},
	{Conflict, 125, false, NotStarted, "what was asked for contradicts what is there already", "look at what is there, then ask again"},
	{Overloaded, 125, true, NotStarted, "too much is waiting already", "wait, then try again"},
	{Unauthorized, 125, false, NotStarted, "the server did not accept the token, or does not do that for who asks", "set GLOVEBOX_TOKEN to the token of the server"},
	{RequestInvalid, 125, false, NotStarted, "the server could not understand the request", "correct the field that the error names"},
	{RequestTooLarge, 125, false, NotStarted, "the request is larger than the server accepts", "send large data as files"},
	{ServerUnavailable, 125, true, Unknown, "the server could not be reached, or did not answer", "check GLOVEBOX_URL and whether the server runs, then try again"},
	{StorageCorrupt, 125, false, NotStarted, "what is stored is damaged", "restore the file that the error names from a copy, or move it away to begin anew"},
	{StorageNewer, 125, false, NotStarted, "what is stored was written by a newer version of Glovebox", "use that version"},
	{HomeBusy, 125, true, NotStarted, "another process uses the home directory in a way that admits no other", "stop that process, or use another GLOVEBOX_HOME"},
	{Canceled, 130, false, Unknown, "the caller cancelled the run", "start it again if that was not meant"},
	{Internal, 125, false, Unknown, "Glovebox itself failed", "this is a defect: please report it with the whole message"},
}

// Info returns the row of c in the table; an unknown code reads as Internal.
func (c Code) Info() CodeInfo {
	for _, row := range Codes {
		if row.Code == c {
			return row
		}
	}
	return Internal.Info()
}

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
	Message   string  `json:"message"`
	Hint      string  `json:"hint,omitempty"`
	Retryable bool    `json:"retryable"`
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
	Package    string        `json:"package,omitempty"`    // the package at fault
	Suggestion string        `json:"suggestion,omitempty"` // a near name that exists
	Log        string        `json:"log,omitempty"`        // the words of the resolver, of apt or of the build step
	ExitCode   int           `json:"exit_code,omitempty"`
	Signal     string        `json:"signal,omitempty"` // such as SIGSEGV
	Stderr     string        `json:"stderr,omitempty"` // the last lines
	Exception  *Exception    `json:"exception,omitempty"`
	Limit      int64         `json:"limit,omitempty"` // bytes, or a count
	Peak       int64         `json:"peak,omitempty"`  // bytes, or a count
	Duration   time.Duration `json:"duration_ns,omitempty"`
	Run        string        `json:"run,omitempty"`  // the run at fault, where it is another one
	Call       *FailedCall   `json:"call,omitempty"` // the call of a tool at fault
}

// FailedCall is a call of a tool that ended an orchestrator.
type FailedCall struct {
	ID    uint64 `json:"id"` // in the order of the calls, from 1
	Tool  string `json:"tool"`
	Run   string `json:"run,omitempty"`
	Error *Error `json:"error,omitempty"` // of the run of the tool
}

// Exception is an uncaught Python exception, with frames of the user's code
// only, outermost first.
type Exception struct {
	Type    string  `json:"type"`
	Message string  `json:"message"`
	Frames  []Frame `json:"frames,omitempty"`
	// Traceback is the text that Python would print, without frames that are
	// not the user's.
	Traceback string `json:"traceback,omitempty"`
}

// Frame is a place in the user's code. Line counts from 1; Column too, and is
// 0 where it is not known.
type Frame struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column,omitempty"`
	Function string `json:"function,omitempty"`
	Source   string `json:"source,omitempty"`
}

// Errorf makes an error with the defaults of its code. A %w verb keeps the
// cause for errors.Is and errors.As.
func Errorf(code Code, format string, args ...any) *Error {
	info := code.Info()
	wrapped := fmt.Errorf(format, args...)
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

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is an *Error of the same code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code
}

// AsError returns err as an *Error: itself if it is one or wraps one, else a
// new one of code Internal.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Errorf(Internal, "%w", err)
}
