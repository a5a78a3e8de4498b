// Package contexts runs code in stateful interpreters of a session, one process
// each: a driver, which this package brings as text, around Python, around IPython
// where the image has it, around bash, Node, R or Java.
//
// A driver reads requests from its standard input, and says on its standard
// output what comes of them. It is started with nothing else, so whatever starts
// processes in cells can start one; the session does, as a Starter.
//
//	            Start             first Run            end of the code
//	(nothing) ─────────▶ ready ─────────────▶ busy ─────────────────▶ ready
//	                       ▲                   │ it dies, says what no driver
//	                       │                   │ says, does not end when it is
//	                       │    next Run       ▼ interrupted, or Restart
//	                       └──────────────── gone
//
// Code shares the process with the driver, so all that a driver says is hostile.
// Its lines, its bytes and the forms of its results are bounded. Each execution
// has an id that was not known before, and whatever has another id is dropped: code
// can forge its own end, and never that of a later execution. A driver that says
// something else is killed, and a new one starts with the next execution.
package contexts

import (
	"context"
	"io"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// A Starter starts drivers in a cell.
type Starter interface {
	// StartDriver starts a program, whose standard input stays open.
	StartDriver(ctx context.Context, c Command) (Process, error)
}

// Command is a driver to start.
type Command struct {
	Argv           []string // found in PATH
	Env            map[string]string
	Dir            string    // "" is where commands of the session start
	Stdout, Stderr io.Writer // each is written to by one goroutine; an error of theirs ends the writing alone
}

// Process is a driver that was started.
type Process interface {
	io.Writer // to its standard input
	// Interrupt sends SIGINT to it and to all that it started.
	Interrupt() error
	// Kill ends it and all that it started, and does not wait.
	Kill()
	// Wait returns when it has ended and all that it wrote was passed on, and says
	// how it ended, such as "exit status 1".
	Wait() string
}

// Options are what a session may set for its contexts. Zero fields take the
// defaults.
type Options struct {
	// Patience is how long code may take to end after it was interrupted, before
	// its interpreter is killed; 0 means 5 seconds.
	Patience time.Duration
	// StartTime is how long an interpreter may take to start; 0 means a minute.
	StartTime time.Duration

	generation string // the file that says when the session was forked
}

// The defaults, and what bounds a driver.
const (
	patience   = 5 * time.Second
	startTime  = time.Minute
	generation = "/run/glovebox/generation"

	maxLine     = 16 << 20 // bytes of one event
	maxOutput   = 64 << 20 // bytes of all events of an execution; further ones are dropped
	maxBetween  = 1 << 20  // bytes of text between two executions that the next one gets; further ones are dropped
	maxBytes    = 1 << 30  // that a driver may say it has dropped
	maxForms    = 32       // of a result
	maxRequests = 8        // that a driver has not read
	maxTail     = 4 << 10  // bytes that are kept of what a driver says when it dies
)

func (o Options) withDefaults() Options {
	if o.Patience == 0 {
		o.Patience = patience
	}
	if o.StartTime == 0 {
		o.StartTime = startTime
	}
	if o.generation == "" {
		o.generation = generation
	}
	return o
}

// restarting is the name of a failure that is not of the code: its interpreter is
// gone, and its state with it.
const restarting = "ContextRestarting"

func gone(why string) *api.CodeFailure {
	return &api.CodeFailure{Name: restarting, Value: why + "; it starts again, without its state"}
}
