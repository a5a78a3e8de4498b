package api

import "slices"

// Code names one kind of failure. Codes are stable: programs branch on them. A
// code is an error too, for errors.Is: it is every *Error that has it.
type Code string

// Error returns the code itself.
func (c Code) Error() string { return string(c) }

// The codes. The table below says what each means.
const (
	InvalidTask          Code = "invalid_task"
	InvalidType          Code = "invalid_type"
	InvalidInput         Code = "invalid_input"
	CheckFailed          Code = "check_failed"
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
	ApprovalRefused      Code = "approval_refused"
	Interrupted          Code = "interrupted"
	WorkerUnavailable    Code = "worker_unavailable"
	WorkerLost           Code = "worker_lost"
	ModelUnavailable     Code = "model_unavailable"
	ModelRefused         Code = "model_refused"
	MCPUnavailable       Code = "mcp_unavailable"
	MCPLost              Code = "mcp_lost"
	SessionEnded         Code = "session_ended"
	NotFound             Code = "not_found"
	Conflict             Code = "conflict"
	Overloaded           Code = "overloaded"
	Unauthorized         Code = "unauthorized"
	Forbidden            Code = "forbidden"
	RequestInvalid       Code = "request_invalid"
	RequestTooLarge      Code = "request_too_large"
	ServerUnavailable    Code = "server_unavailable"
	StorageCorrupt       Code = "storage_corrupt"
	StorageNewer         Code = "storage_newer"
	HomeBusy             Code = "home_busy"
	Canceled             Code = "canceled"
	Internal             Code = "internal"
)

// CodeInfo is the row of a code in the one table that makes the exit status, the
// HTTP status, the Go errors, the classes of the Python client and the page of
// the documentation.
type CodeInfo struct {
	Code      Code
	Exit      int // the exit status of the command line; -1 stands for that of the program
	Status    int // the HTTP status of a request that fails so
	Retryable bool
	Outcome   Outcome
	Python    PythonClass
	Meaning   string
	Hint      string // what to do, where an error has no better advice
}

// PythonClass says what is special about the class of a code in the Python
// client.
type PythonClass struct {
	Name string // where it does not follow from the code
	Base string // a class of Python's own that it is as well, or one of the client with more attributes
}

// Codes returns the table of all codes, in the order of a run's life.
func Codes() []CodeInfo { return slices.Clone(codes) }

// Info returns the row of c; an unknown code reads as Internal.
func (c Code) Info() CodeInfo {
	i := slices.IndexFunc(codes, func(row CodeInfo) bool { return row.Code == c })
	if i < 0 {
		return Internal.Info()
	}
	return codes[i]
}

var codes = []CodeInfo{
	{InvalidTask, 2, 422, false, NotStarted, PythonClass{Base: "ValueError"},
		"the description of the task contradicts itself or has a field that cannot be right",
		"correct the named field"},
	{InvalidType, 2, 422, false, NotStarted, PythonClass{Base: "TypeError"},
		"a declared type is not one that can cross the boundary",
		"use int, float, str, bool, bytes, datetime, timedelta, None, File, Dir, DataFrame, list[T], dict[str, T], tuple[...], Optional[T], Union[...] or Any"},
	{InvalidInput, 2, 422, false, NotStarted, PythonClass{Base: "ValueError"},
		"an input is missing, unknown or does not fit its declared type",
		"pass exactly the declared inputs with values of their types"},
	{SecretNotFound, 2, 404, false, NotStarted, PythonClass{Base: "LookupError"},
		"a secret that the task names is not stored",
		"store it with: glovebox secret set NAME"},
	{SecretUnreadable, 125, 500, false, NotStarted, PythonClass{},
		"the store of secrets is damaged, or open to other users",
		"store the secret again with: glovebox secret set NAME"},
	{IsolationUnavailable, 125, 503, false, NotStarted, PythonClass{},
		"the host cannot enforce an isolation or a limit that the run asks for",
		"run: glovebox doctor"},
	{InvalidPackage, 125, 422, false, NotStarted, PythonClass{Base: "PackageError"},
		"a package does not exist, has no such version, or is not a valid requirement",
		"check the name and the version of the package"},
	{ResolutionFailed, 125, 422, false, NotStarted, PythonClass{},
		"the packages exist but their requirements contradict each other",
		"loosen or remove one of the pins that the resolver names"},
	{BuildFailed, 125, 422, false, NotStarted, PythonClass{},
		"a step of the image build failed",
		"read the last lines of the step's output"},
	{IndexUnavailable, 125, 502, true, NotStarted, PythonClass{},
		"a package index or mirror could not be reached",
		"check the network and the index settings, then try again"},
	{ImageNotFound, 125, 404, false, NotStarted, PythonClass{Base: "LookupError"},
		"the image does not exist where it was looked for",
		"check the reference, or leave it out to have an image built"},
	{ImageInvalid, 125, 422, false, NotStarted, PythonClass{},
		"the image is damaged, too large or not made for this platform",
		"use another image"},
	{RegistryDenied, 125, 502, false, NotStarted, PythonClass{},
		"the registry refused the credentials or the access",
		"log in to the registry or name a secret with credentials"},
	{RegistryUnavailable, 125, 502, true, NotStarted, PythonClass{},
		"the registry could not be reached",
		"check the network, then try again"},
	{BaseUnavailable, 125, 502, false, NotStarted, PythonClass{},
		"no base image was found: no registry, no image on disk, no Debian mirror",
		"name a base (--base, or Image.from_base in Python), or run: glovebox doctor"},
	{StorageFull, 125, 507, true, NotStarted, PythonClass{},
		"the disk of the host is full",
		"free space, for example with: glovebox prune"},
	{PythonMissing, 125, 422, false, Failed, PythonClass{},
		"the image has no Python, and the mode needs one",
		"use an image with python3, or run a command"},
	{CommandNotFound, 127, 422, false, Failed, PythonClass{},
		"the command does not exist in the image or cannot be executed",
		"check the command, or install its package with --apt"},
	{CheckFailed, 1, 422, false, NotStarted, PythonClass{},
		"the code of an orchestrator would fail, as the checker found before it was started",
		"correct the lines that it names; to start it all the same, skip the check (--no-check, skip_check: true, check=False in Python)"},
	{SyntaxError, 1, 422, false, Failed, PythonClass{Name: "CodeSyntaxError", Base: "SourceError"},
		"the code is not valid Python",
		"correct the line that the error shows"},
	{PythonException, 1, 422, false, Failed, PythonClass{},
		"the code raised an exception that it did not catch",
		"read the traceback; its lines are those of your code"},
	{NonzeroExit, -1, 422, false, Failed, PythonClass{},
		"the program ended with a status other than 0",
		"read the last lines of its standard error"},
	{Signaled, -1, 422, false, Failed, PythonClass{},
		"the program was ended by a signal of its own",
		"read the last lines of its standard error"},
	{Timeout, 124, 504, false, Failed, PythonClass{Name: "TaskTimeoutError", Base: "TimeoutError"},
		"the run took longer than its time limit and was killed",
		"raise the time limit or do less in one run"},
	{OutOfMemory, 137, 422, false, Failed, PythonClass{Name: "OOMError"},
		"the run needed more memory than its limit and was killed",
		"raise the memory limit above the measured peak"},
	{MissingOutput, 125, 422, false, Failed, PythonClass{},
		"the program ended well but a declared output is not there",
		"assign the variable, or write the file, of that name"},
	{BadOutput, 125, 422, false, Failed, PythonClass{},
		"a declared output is there but does not fit its type",
		"make the value fit the declared type, or change the declaration"},
	{OutputTooLarge, 125, 422, false, Failed, PythonClass{},
		"the outputs are larger than their limit",
		"write less, or raise the output limit"},
	{CellLost, 125, 500, true, Unknown, PythonClass{},
		"the cell ended without a report",
		"try again; if it happens again, run: glovebox doctor"},
	{FunctionFailed, 1, 422, false, Failed, PythonClass{},
		"the function returned an error",
		"read the message; it is that of the function"},
	{CallFailed, 1, 422, false, Failed, PythonClass{},
		"a tool that the code called failed, and the code did not handle it",
		"read the error of the call; resume the run when its cause is gone"},
	{LimitExceeded, 125, 422, false, Failed, PythonClass{},
		"the code did more than its limits allow",
		"do less in one run, or raise the limit that the error names"},
	{ReplayMismatch, 125, 409, false, Failed, PythonClass{},
		"the code or its arguments differ from what the journal of the run holds",
		"run the old code again, or start a new run from this one with: glovebox rerun"},
	{OutcomeUnknown, 125, 409, false, Unknown, PythonClass{},
		"it is unknown whether a call that was under way took effect, and its task is not declared idempotent",
		"find out whether it was done, and say so with: glovebox resolve (run.resolve in Python); or do it again with: glovebox resume --retry-unknown (retry_unknown=True)"},
	{ApprovalRefused, 125, 403, false, NotStarted, PythonClass{Base: "PermissionError"},
		"a person refused what asks for approval, or nobody decided before its deadline",
		"read the reason; ask those who decide, then start it again"},
	{Interrupted, 125, 503, true, Unknown, PythonClass{Name: "TaskInterruptedError"},
		"the process that executed the run ended before the run did",
		"continue with: glovebox resume RUN"},
	{WorkerUnavailable, 125, 503, true, NotStarted, PythonClass{},
		"no process offers the function",
		"start the process that offers it, then try again"},
	{WorkerLost, 125, 503, true, Unknown, PythonClass{},
		"the process that executed the function ended or stopped answering",
		"start the process again; declare the task idempotent if it may be repeated"},
	{ModelUnavailable, 125, 502, true, Failed, PythonClass{},
		"the provider of a model could not be reached, is overloaded, or failed",
		"try again later, or name another model"},
	{ModelRefused, 125, 422, false, Failed, PythonClass{},
		"the provider of a model refused the request, as for its key, its name or its size",
		"correct what the provider's message names"},
	{MCPUnavailable, 125, 502, true, NotStarted, PythonClass{},
		"an MCP server could not be reached, did not start, or does not speak the protocol",
		"check that the server runs and how it is reached, then try again"},
	{MCPLost, 125, 502, true, Unknown, PythonClass{},
		"an MCP server ended, fell silent or spoke nonsense during a call",
		"look at what the server did; declare the task idempotent if it may be repeated"},
	{SessionEnded, 125, 410, false, NotStarted, PythonClass{},
		"the session is over: it was killed, its time was over, or it was lost with the process that held it",
		"make a new session, from a snapshot if there is one"},
	{NotFound, 125, 404, false, NotStarted, PythonClass{Base: "LookupError"},
		"there is nothing of that name or id",
		"list what there is"},
	{Conflict, 125, 409, false, NotStarted, PythonClass{},
		"what was asked for contradicts what is there already",
		"look at what is there, then ask again"},
	{Overloaded, 125, 429, true, NotStarted, PythonClass{},
		"too much is waiting already",
		"wait, then try again"},
	{Unauthorized, 125, 401, false, NotStarted, PythonClass{},
		"the server did not accept the token, or refuses this caller",
		"set GLOVEBOX_TOKEN to the token of the server"},
	{Forbidden, 125, 403, false, NotStarted, PythonClass{},
		"the token is one of the server, and is not good for this",
		"ask whoever has the server for a token with the scope that the error names"},
	{RequestInvalid, 125, 422, false, NotStarted, PythonClass{},
		"the server could not understand the request",
		"correct the field that the error names"},
	{RequestTooLarge, 125, 413, false, NotStarted, PythonClass{},
		"the request is larger than the server accepts",
		"send large data as files"},
	{ServerUnavailable, 125, 503, true, Unknown, PythonClass{Base: "ConnectionError"},
		"the server could not be reached, or did not answer",
		"check GLOVEBOX_URL and whether the server runs, then try again"},
	{StorageCorrupt, 125, 500, false, NotStarted, PythonClass{},
		"what is stored is damaged",
		"restore the file that the error names from a copy, or move it away to begin anew"},
	{StorageNewer, 125, 500, false, NotStarted, PythonClass{},
		"what is stored was written by a newer version of Glovebox",
		"use that version"},
	{HomeBusy, 125, 503, true, NotStarted, PythonClass{},
		"another process uses the home directory in a way that admits no other",
		"stop that process, or use another GLOVEBOX_HOME"},
	{Canceled, 130, 409, false, Unknown, PythonClass{},
		"the caller cancelled the run",
		"continue with: glovebox resume RUN (run.resume in Python), if that was not meant"},
	{Internal, 125, 500, false, Unknown, PythonClass{},
		"Glovebox itself failed",
		"this is a defect: please report it with the whole message"},
}
