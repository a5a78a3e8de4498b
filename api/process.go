package api

import (
	"context"
	"iter"
	"time"
)

// Processes runs commands in sessions. They live in the cell and not in the
// request: a command continues when whoever started it stops listening, and anybody
// may listen again. A process is found by its number, or by its tag.
type Processes interface {
	// StartProcess starts a command and yields what happens to it: first
	// ProcessStarted, then what it writes, last ProcessExited, or an error. Ending
	// the iteration ends the listening alone.
	StartProcess(ctx context.Context, session string, spec ProcessSpec) iter.Seq2[ProcessEvent, error]
	// FollowProcess yields the same of a process that was started before, from a
	// place in its output on; a negative place is what comes from now on. It works
	// for some time after the process has ended.
	FollowProcess(ctx context.Context, session string, p ProcessRef, from int64) iter.Seq2[ProcessEvent, error]
	// Processes lists the commands that run, and those that have ended lately.
	Processes(ctx context.Context, session string) ([]Process, error)
	// WriteInput writes to the standard input of a process or to its terminal, and
	// returns when all is taken.
	WriteInput(ctx context.Context, session string, p ProcessRef, data []byte) error
	// CloseInput ends the standard input of a process.
	CloseInput(ctx context.Context, session string, p ProcessRef) error
	// SignalProcess sends a signal to a process; with tree also to all that it
	// started.
	SignalProcess(ctx context.Context, session string, p ProcessRef, signal string, tree bool) error
	// ResizeTerminal changes the size of the terminal of a process.
	ResizeTerminal(ctx context.Context, session string, p ProcessRef, size TerminalSize) error
}

// ProcessSpec asks for a command.
type ProcessSpec struct {
	Argv []string          `json:"argv" required:"true" minItems:"1"` // found in PATH
	Env  map[string]string `json:"env,omitempty"`                     // in addition to that of the session
	Dir  string            `json:"dir,omitempty"`                     // empty means that of the session
	User string            `json:"user,omitempty"`                    // a name, a number, or root; empty means that of the session
	Tag  string            `json:"tag,omitempty"`                     // a name for it, of at most 128 bytes
	// Stdin keeps the standard input open for WriteInput; otherwise it is empty.
	Stdin bool `json:"stdin,omitempty"`
	// Terminal gives it a terminal (PTY) in place of three streams.
	Terminal *TerminalSize `json:"terminal,omitempty"`
	// Timeout ends it and everything that it started; 0 means without bound.
	Timeout time.Duration `json:"timeout_ns,omitempty"`
}

// TerminalSize is the size of a terminal in characters.
type TerminalSize struct {
	Columns int `json:"columns" minimum:"1" maximum:"10000"` // characters in a line
	Rows    int `json:"rows" minimum:"1" maximum:"10000"`    // lines
}

// ProcessRef names a process of a session: by number, or by tag.
type ProcessRef struct {
	PID int    `json:"pid,omitempty"`
	Tag string `json:"tag,omitempty"`
}

// Process is a command of a session.
type Process struct {
	PID     int          `json:"pid"` // its number in the cell
	Spec    ProcessSpec  `json:"spec"`
	Started time.Time    `json:"started"`        // when it was started
	Offset  int64        `json:"offset"`         // bytes that it has written
	Exit    *ProcessExit `json:"exit,omitempty"` // if it has ended
}

// The types of ProcessEvent.
const (
	ProcessStarted = "started"
	ProcessOutput  = "output"
	ProcessExited  = "exited"
)

// ProcessEvent is something that happens to a process.
type ProcessEvent struct {
	Type   string       `json:"type" enum:"started,output,exited"`              // what happened
	PID    int          `json:"pid,omitempty"`                                  // of started
	Stream string       `json:"stream,omitempty" enum:"stdout,stderr,terminal"` // of output
	Data   []byte       `json:"data,omitempty"`                                 // of output
	Offset int64        `json:"offset"`                                         // where to follow from to get what comes next
	Lost   int64        `json:"lost,omitempty"`                                 // bytes before Data that nobody listened to and that are no longer kept
	Exit   *ProcessExit `json:"exit,omitempty"`                                 // of exited
}

// ProcessExit is how a process ended.
type ProcessExit struct {
	Code     int    `json:"code"`                // 0 to 255; -1 when a signal ended it
	Signal   string `json:"signal,omitempty"`    // such as SIGKILL
	Status   int    `json:"status"`              // the end as a shell counts it: Code, or 128 and the number of the signal
	TimedOut bool   `json:"timed_out,omitempty"` // it was ended because its time was over
}
