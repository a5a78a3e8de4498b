package api

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/glovebox-dev/glovebox/value"
)

// Approval has a person decide before a task is executed. A run of the task, or a
// call of it as a tool, waits durably until somebody approves or refuses it.
type Approval struct {
	// Deadline is after how long a run that waits is refused; 0 waits for ever.
	Deadline time.Duration `json:"deadline_ns,omitempty"`
	// Notice is after how long the journal records that it still waits, so that
	// somebody else can be asked; 0 never does.
	Notice time.Duration `json:"notice_ns,omitempty"`
}

// maxDeadline bounds the waiting for a decision.
const maxDeadline = 10 * 365 * 24 * time.Hour

// Check returns invalid_task for times that cannot be.
func (a *Approval) Check() error {
	if a == nil {
		return nil
	}
	expected := fmt.Sprintf("a duration of at most %d days, or none", maxDeadline/(24*time.Hour))
	switch {
	case a.Deadline < 0 || a.Deadline > maxDeadline:
		return WrongField("approval.deadline", a.Deadline.String(), expected)
	case a.Notice < 0 || a.Notice > maxDeadline:
		return WrongField("approval.notice", a.Notice.String(), expected)
	case a.Deadline > 0 && a.Notice >= a.Deadline:
		return WrongField("approval.notice", a.Notice.String(), "a time before the deadline of "+a.Deadline.String())
	}
	return nil
}

// Asked is the question of a run whether it may be executed, and the answer.
type Asked struct {
	Since    time.Time `json:"since"`              // when it was asked
	Line     int       `json:"line,omitempty"`     // of the code that called it; 0 where none did
	Deadline time.Time `json:"deadline,omitzero"`  // when it is refused
	Notice   time.Time `json:"notice,omitzero"`    // when a second notice is due
	Noticed  time.Time `json:"noticed,omitzero"`   // when that was recorded
	Decision *Decision `json:"decision,omitempty"` // nil while it waits
}

// Waiting reports whether the decision is still missing.
func (a *Asked) Waiting() bool { return a != nil && a.Decision == nil }

// DecidedFrom is the way that a decision came.
type DecidedFrom string

// The ways.
const (
	FromAPI      DecidedFrom = "api"
	FromCLI      DecidedFrom = "cli"
	FromPage     DecidedFrom = "page"
	FromHook     DecidedFrom = "hook"
	FromCallback DecidedFrom = "callback" // a program that asks its user
	FromDeadline DecidedFrom = "deadline" // nobody decided in time
)

// Decision is what a person said about a run that asks for approval.
type Decision struct {
	Approved bool   `json:"approved"`         // or refused
	Reason   string `json:"reason,omitempty"` // at most 8 KiB; of a refusal, the code that called gets it
	// Arguments replace inputs of the run, by name; those that are left out stay.
	// As it is kept, it has all of them, and is left out if nothing was changed. Of a
	// signal they are its outputs, all of them.
	Arguments json.RawMessage `json:"arguments,omitempty" shape:"object"`
	By        string          `json:"by,omitempty"` // who decided, as the client says
	// Identity is who decided as far as the server knows, and From the way.
	Identity string      `json:"identity,omitempty"`
	From     DecidedFrom `json:"from,omitempty" enum:"api,cli,page,hook,callback,deadline"`
	Time     time.Time   `json:"time,omitzero"` // when it was recorded
	// Key makes a repetition of the same decision no conflict.
	Key string `json:"key,omitempty"`
}

// Verdict says what was decided, in a word.
func (d *Decision) Verdict() string {
	if d.Approved {
		return "approved"
	}
	return "refused"
}

// Author names who decided, as well as it is known.
func (d *Decision) Author() string {
	switch {
	case d.From == FromDeadline:
		return "its deadline"
	case d.By != "" && d.Identity != "":
		return d.By + " (" + d.Identity + ")"
	case d.By != "":
		return d.By
	case d.Identity != "":
		return d.Identity
	}
	return "somebody without a name"
}

// Bounds of a decision, in bytes.
const (
	maxReason = 8 << 10
	maxBy     = 256
	maxKey    = 64
)

// Check returns request_invalid for a decision that contradicts itself.
func (d *Decision) Check() error {
	wrong := func(field, expected, got string) error {
		return Errorf(RequestInvalid, "%s: expected %s, got %s", field, expected, got).
			WithDetails(Details{Field: field, Expected: expected, Got: got})
	}
	switch {
	case len(d.Reason) > maxReason:
		return wrong("reason", fmt.Sprintf("at most %d bytes", maxReason), fmt.Sprintf("%d bytes", len(d.Reason)))
	case len(d.By) > maxBy || !printable(d.By):
		return wrong("by", fmt.Sprintf("a name of at most %d bytes in one line", maxBy), value.Quote(value.Shorten(d.By, maxBy)))
	case len(d.Key) > maxKey:
		return wrong("key", fmt.Sprintf("at most %d bytes", maxKey), fmt.Sprintf("%d bytes", len(d.Key)))
	case !d.Approved && len(d.Arguments) > 0:
		return wrong("arguments", "none beside a refusal", "arguments")
	case d.From == FromDeadline:
		return wrong("from", "api, cli, page, hook or callback", string(d.From))
	}
	return d.From.check()
}

// printable reports whether a text is one line that a person can read.
func printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

func (f DecidedFrom) check() error {
	switch f {
	case "", FromAPI, FromCLI, FromPage, FromHook, FromCallback, FromDeadline:
		return nil
	}
	return Errorf(RequestInvalid, "from: expected api, cli, page, hook or callback, got %s", value.Quote(value.Shorten(string(f), maxBy))).
		WithDetails(Details{Field: "from", Expected: "api, cli, page, hook or callback", Got: value.Quote(value.Shorten(string(f), maxBy))})
}

// Approvals has people decide about runs that ask for it.
type Approvals interface {
	// Approvals lists runs that ask for approval, those that ask for longest first.
	Approvals(ctx context.Context, q ApprovalQuery) (ApprovalPage, error)
	// Approval returns what a run asks, with its arguments.
	Approval(ctx context.Context, run string) (*PendingApproval, error)
	// Decide approves or refuses a run that waits. The first decision counts: a
	// later one that differs is a conflict, which says who decided.
	Decide(ctx context.Context, run string, d Decision) (*PendingApproval, error)
}

// ApprovalState selects approvals.
type ApprovalState string

// The states.
const (
	ApprovalWaiting ApprovalState = "waiting" // for a decision
	ApprovalDecided ApprovalState = "decided"
	ApprovalClosed  ApprovalState = "closed" // the run ended before there was one
)

// ApprovalQuery selects approvals. Zero fields select all that wait.
type ApprovalQuery struct {
	State  ApprovalState // empty means those that wait
	Task   string        // name
	Owner  string        // whose they are
	Root   string        // those of one tree of runs
	Limit  int           // 0 means 50, at most 1000
	Cursor string        // ApprovalPage.Next of the page before
}

// ApprovalPage is one page of a list.
type ApprovalPage struct {
	Approvals []PendingApproval `json:"approvals"`
	Next      string            `json:"next,omitempty"` // cursor of the next page; empty at the end
	Waiting   int               `json:"waiting"`        // how many wait in all, counted to 1000
}

// PendingApproval is a run that asks for approval, or did.
type PendingApproval struct {
	Run    string        `json:"run"` // its id, by which it is decided
	State  ApprovalState `json:"state" enum:"waiting,decided,closed"`
	Task   string        `json:"task"`             // what is to be executed
	Doc    string        `json:"doc,omitempty"`    // what that does
	Kind   TaskKind      `json:"kind"`             // of the task
	Root   string        `json:"root"`             // the run at the top of the tree
	Asks   string        `json:"asks,omitempty"`   // the task at the top, whose code or model asks
	Parent string        `json:"parent,omitempty"` // the run that called it
	Call   uint64        `json:"call,omitempty"`   // the number of the call in it
	Status Status        `json:"status"`           // of the run
	Asked
	Signature *Signature      `json:"signature,omitempty"`
	Arguments json.RawMessage `json:"inputs,omitempty" shape:"object"` // as the code gave them, by name; left out where they are too long for a list
}
