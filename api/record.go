package api

import (
	"encoding/json"
	"strconv"
	"time"
)

// Status is where a run stands.
type Status string

// The statuses of a run.
const (
	StatusQueued      Status = "queued"      // it waits for its turn
	StatusRunning     Status = "running"     // an attempt is under way, or the next one is awaited
	StatusInterrupted Status = "interrupted" // the process that ran it is gone; it can be resumed
	StatusSucceeded   Status = "succeeded"
	StatusFailed      Status = "failed"
	StatusCanceled    Status = "canceled"
)

// Ended reports whether nothing more will happen by itself. An interrupted run
// has not ended.
func (s Status) Ended() bool {
	return s == StatusSucceeded || s == StatusFailed || s == StatusCanceled
}

// Run is what is known of one execution of a task.
type Run struct {
	ID         string   `json:"id"`                // ids sort by the time of creation
	Task       string   `json:"task"`              // its name
	Kind       TaskKind `json:"kind"`              // of the task
	TaskDigest string   `json:"task_digest"`       // of the whole task, "sha256:..."
	Version    string   `json:"version,omitempty"` // NAME@VERSION, if it was started from the catalog
	Status     Status   `json:"status"`

	Parent  string `json:"parent,omitempty"`   // the run that started it
	Group   string `json:"group,omitempty"`    // what the program that started it calls it and others together
	Call    uint64 `json:"call,omitempty"`     // the number of the call in the parent; 0 if it was no tool call
	Line    int    `json:"line,omitempty"`     // of the code of the parent, that made the call; 0 if it is not known
	Root    string `json:"root"`               // the run at the top of the tree: itself if it has no parent
	RerunOf string `json:"rerun_of,omitempty"` // the run that it repeats
	// Owner is whose run it is; empty for the home itself, which all is that is
	// started without a server of several owners.
	Owner string `json:"owner,omitempty"`
	// Trigger is what started it, if no client did.
	Trigger *Trigger `json:"trigger,omitempty"`
	// Labels are those of its task and its own, by name.
	Labels map[string]string `json:"labels,omitempty"`
	// NodeSelector are the labels that its node has to have: those of its task, of the
	// tasks that it may call, and its own.
	NodeSelector map[string]string `json:"node_selector,omitempty"`
	// Priority is its place among runs that wait: the higher is first.
	Priority int `json:"priority,omitempty"`
	// Waiting says why nothing of it is executed yet, when it was asked for; nil in lists,
	// and of a call unless it waits for others of its task or label.
	Waiting *Waiting `json:"waiting,omitempty"`

	// Signature is that of the task, so that clients can read and replace
	// inputs and outputs; nil in lists.
	Signature *Signature      `json:"signature,omitempty"`
	Inputs    json.RawMessage `json:"inputs,omitempty" shape:"object"`  // an object by name, each as its declared type; null in lists
	Outputs   json.RawMessage `json:"outputs,omitempty" shape:"object"` // the same
	Error     *Error          `json:"error,omitempty"`

	Created time.Time `json:"created"`          // when it was durable
	Started time.Time `json:"started,omitzero"` // of the first attempt
	Ended   time.Time `json:"ended,omitzero"`   // when nothing more could happen by itself
	// Resolved is when a person reported the outcome, which was unknown before.
	Resolved time.Time `json:"resolved,omitzero"`
	// SleepsUntil is when its code resumes at the latest, if it waits for a
	// time.
	SleepsUntil time.Time `json:"sleeps_until,omitzero"`
	// Approval is the question whether it may be executed, if its task asks that.
	Approval *Asked `json:"approval,omitempty"`
	// Awaits is what its code waits for alone, if that is people.
	Awaits *Awaited `json:"awaits,omitempty"`

	Attempts  int    `json:"attempts"`             // that were begun
	Calls     int    `json:"calls,omitempty"`      // that it started
	Cached    bool   `json:"cached,omitempty"`     // answered without an attempt
	CachedRun string `json:"cached_run,omitempty"` // by the result of this run
	ExitCode  int    `json:"exit_code"`            // of a program; without one 0, and -1 if the run failed
	Image     string `json:"image,omitempty"`      // of its cell: the digest of the lock
	// IdempotencyKey is the one that the run was submitted with.
	IdempotencyKey string       `json:"idempotency_key,omitempty"`
	Timings        Timings      `json:"timings"`
	Usage          Usage        `json:"usage"`
	Network        []Connection `json:"network,omitempty"`
	// Report is what its program wrote for people, if its task has a report.
	Report *Report `json:"report,omitempty"`
}

// Awaited are calls that wait for approval while nothing else of a run is under way.
type Awaited struct {
	Calls []AwaitedCall `json:"calls"` // the first of them
	Total int           `json:"total"` // how many
}

// AwaitedCall is a call that waits for approval.
type AwaitedCall struct {
	Call uint64 `json:"call"`           // its number among the calls of the run
	Run  string `json:"run"`            // the run that it is, by which it is decided
	Tool string `json:"tool"`           // the name of its task
	Line int    `json:"line,omitempty"` // of the code that made the call
}

// String says what is awaited, for people.
func (a *Awaited) String() string {
	if len(a.Calls) == 0 {
		return "approval"
	}
	text := "approval of " + a.Calls[0].Tool
	if line := a.Calls[0].Line; line > 0 {
		text += " in line " + strconv.Itoa(line)
	}
	if a.Total > 1 {
		text += " and " + strconv.Itoa(a.Total-1) + " more"
	}
	return text
}

// WaitsFor says which people the run waits for, or "".
func (r *Run) WaitsFor() string {
	switch {
	case r.Status.Ended():
		return ""
	case r.Approval.Waiting():
		return "approval"
	case r.Awaits != nil:
		return r.Awaits.String()
	}
	return ""
}

// EventKind names what happened to a run.
type EventKind string

// The kinds of events. All but the last are kept in the journal; docs/JOURNAL.md
// describes the payload of each.
const (
	EventCreated         EventKind = "created"
	EventStarted         EventKind = "started"          // a process took the run on; again after an interruption
	EventAttemptStarted  EventKind = "attempt_started"  //
	EventAttemptEnded    EventKind = "attempt_ended"    // with its error, if it failed
	EventCallStarted     EventKind = "call_started"     // the intent of a call of a tool
	EventCallEnded       EventKind = "call_ended"       // its outcome
	EventSleepStarted    EventKind = "sleep_started"    // the code waits for a time, or for what ends before
	EventSleepEnded      EventKind = "sleep_ended"      // the time came first
	EventCancelRequested EventKind = "cancel_requested" //
	EventInterrupted     EventKind = "interrupted"      // its process was found gone
	EventResolved        EventKind = "resolved"         // a person said what became of it
	EventApprovalAsked   EventKind = "approval_asked"   // it waits for a person to decide
	EventApprovalNoticed EventKind = "approval_noticed" // it still waits, and a second notice was due
	EventApprovalDecided EventKind = "approval_decided" // by whom, and how
	EventApprovalAwaited EventKind = "approval_awaited" // the code waits for people alone
	EventReported        EventKind = "reported"         // the program wrote its report, in place of what it wrote before
	EventEnded           EventKind = "ended"            // with outputs or the error
	EventProgress        EventKind = "progress"         // a Progress; not kept, and without a number
)

// Event is one thing that happened to a run.
type Event struct {
	Run  string          `json:"run"`           // the run that it happened to
	Seq  int64           `json:"seq,omitempty"` // from 1 in each run; 0 for what is not kept
	Time time.Time       `json:"time"`          // when it happened
	Kind EventKind       `json:"kind"`
	Data json.RawMessage `json:"data,omitempty" shape:"object"` // the payload of its kind; docs/JOURNAL.md describes each
}

// The payloads of events, by kind.
type (
	// CreatedData belongs to EventCreated.
	CreatedData struct {
		Run Run `json:"run"` // as it was then
	}
	// StartedData belongs to EventStarted.
	StartedData struct {
		Owner string `json:"owner"` // the process
		Fence int64  `json:"fence"` // grows each time that another process takes the run on
		// Resumed says that an interrupted run continues, Again that a failed
		// or canceled run is attempted once more.
		Resumed bool `json:"resumed,omitempty"`
		Again   bool `json:"again,omitempty"`
		// RetryUnknown says that calls in doubt are done again.
		RetryUnknown bool `json:"retry_unknown,omitempty"`
	}
	// AttemptStartedData belongs to EventAttemptStarted.
	AttemptStartedData struct {
		Attempt int    `json:"attempt"`        // from 1
		Seed    []byte `json:"seed,omitempty"` // the randomness of the run, if its task has it real
	}
	// AttemptEndedData belongs to EventAttemptEnded.
	AttemptEndedData struct {
		Attempt int    `json:"attempt"`
		Error   *Error `json:"error,omitempty"`
		// Samples are what its cell used over time, at most 120, if it ran longer
		// than a second.
		Samples []RunSample `json:"samples,omitempty"`
	}
	// CallStartedData belongs to EventCallStarted.
	CallStartedData struct {
		Call       uint64 `json:"call"`
		Attempt    int    `json:"attempt"`
		Tool       string `json:"tool"`
		TaskDigest string `json:"task_digest"`      // of the tool
		Inputs     string `json:"inputs"`           // digest of the inputs of the call, "sha256:..."
		Run        string `json:"run"`              // the run that carries it out
		Reused     bool   `json:"reused,omitempty"` // answered by an earlier run, which Run names
	}
	// CallEndedData belongs to EventCallEnded. The outcome itself is in the run
	// of the call.
	CallEndedData struct {
		Call   uint64 `json:"call"`
		Run    string `json:"run"`
		Status Status `json:"status"`
		Code   Code   `json:"code,omitempty"` // of the error
	}
	// SleepStartedData belongs to EventSleepStarted. A sleep that another one
	// follows, or the end, was called off.
	SleepStartedData struct {
		Attempt int       `json:"attempt"`
		Until   time.Time `json:"until"`
	}
	// SleepEndedData belongs to EventSleepEnded.
	SleepEndedData struct {
		Attempt int       `json:"attempt"`
		Until   time.Time `json:"until"`
	}
	// CancelRequestedData belongs to EventCancelRequested.
	CancelRequestedData struct {
		Reason string `json:"reason,omitempty"`
	}
	// InterruptedData belongs to EventInterrupted.
	InterruptedData struct {
		Owner string `json:"owner"` // the process that is gone
	}
	// ResolvedData belongs to EventResolved. The EventEnded after it has the
	// outcome.
	ResolvedData struct {
		Status Status `json:"status"`         // succeeded or failed
		Code   Code   `json:"code,omitempty"` // of the error that it had before
	}
	// ApprovalAskedData belongs to EventApprovalAsked and EventApprovalNoticed.
	ApprovalAskedData struct {
		Approval Asked `json:"approval"`
	}
	// ApprovalDecidedData belongs to EventApprovalDecided.
	ApprovalDecidedData struct {
		Decision Decision `json:"decision"`
	}
	// ApprovalAwaitedData belongs to EventApprovalAwaited.
	ApprovalAwaitedData struct {
		Attempt int     `json:"attempt"`
		Awaits  Awaited `json:"awaits"`
	}
	// ReportedData belongs to EventReported.
	ReportedData struct {
		Attempt int    `json:"attempt"`
		Report  Report `json:"report"`
	}
	// EndedData belongs to EventEnded.
	EndedData struct {
		Run Run `json:"run"` // as it ended; inputs left out
	}
)
