package api

import (
	"context"
	"io"
	"time"

	"github.com/glovebox-dev/glovebox/value"
)

// Request asks the runner of a kind for one attempt of a run.
type Request struct {
	Task   *Task
	Inputs value.Fields
	// Root is the run at the top of the tree that the run is in; it may be the run
	// itself. It is empty for what is no run.
	Root string
	// Parent is the run that called this one, or empty.
	Parent string
	// IdempotencyKey is the same for every attempt to do the same thing, so
	// that what is called can tell a repetition.
	IdempotencyKey string
	// Caller runs the tools of an orchestrator. It is nil for other kinds.
	Caller Caller
	// Stdout and Stderr receive what the program prints, as it prints it, with
	// secrets redacted. Nil discards; the tail is kept in the result all the same.
	Stdout, Stderr io.Writer
	// Progress receives the stages of the run. Nil ignores them.
	Progress func(Progress)
	// Report keeps a page as the report of the run, in place of the page before. Last
	// says that no other one follows in this attempt. It is nil unless the task has a
	// report.
	Report func(ctx context.Context, page io.Reader, last bool) error
}

// Progress is one step on the way to a result, for people who wait.
type Progress struct {
	Stage   string `json:"stage"`             // resolve, base, build, start, run, collect, retry
	Message string `json:"message,omitempty"` // one line
	Done    int64  `json:"done,omitempty"`    // bytes or steps done, 0 where it is not known
	Total   int64  `json:"total,omitempty"`   // of how many, 0 where it is not known
}

// Result is what one run gave. On failure it is returned beside the error,
// with what there is.
type Result struct {
	RunID    string
	Outputs  []Output // in declaration order
	Stdout   []byte   // bounded by RunLimits.Logs; the end is kept
	Stderr   []byte
	ExitCode int
	Image    string // the name of the image: the digest of its lock
	Cached   bool
	NotKept  bool // the same task may do better another time, so this is no result for the cache
	Attempts int
	Timings  Timings
	Usage    Usage
	Samples  []RunSample  // what a cell used over time, if it ran longer than a second
	Network  []Connection // the audit: one entry per connection that was tried
	// Of an evaluation, which has no run, what it called in that order, at most
	// MaxMadeCalls of them, and how many calls it made.
	Calls     []MadeCall
	CallsMade int
}

// Output is a named, typed value.
type Output struct {
	Name  string
	Type  value.Type
	Value any
}

// Timings are the stages of the last attempt, and Total of the whole run.
type Timings struct {
	Queue   time.Duration `json:"queue_ns"`   // until the first attempt, the image not counted
	Image   time.Duration `json:"image_ns"`   // finding or building the image
	Start   time.Duration `json:"start_ns"`   // from the driver's first step to a running cell
	Guest   time.Duration `json:"guest_ns"`   // until the guest answered
	Inputs  time.Duration `json:"inputs_ns"`  // files and values into the cell
	Exec    time.Duration `json:"exec_ns"`    // the program itself
	Collect time.Duration `json:"collect_ns"` // outputs out of the cell
	Destroy time.Duration `json:"destroy_ns"` // until nothing is left
	Total   time.Duration `json:"total_ns"`
}

// Usage is what an attempt consumed.
type Usage struct {
	CPU        time.Duration `json:"cpu_ns"`
	PeakMemory int64         `json:"peak_memory"`     // bytes
	BytesIn    int64         `json:"bytes_in"`        // from the network
	BytesOut   int64         `json:"bytes_out"`       // to the network
	Warm       bool          `json:"warm,omitempty"`  // the cell was started ahead of the run
	Models     ModelUsage    `json:"models,omitzero"` // of the questions to models, those of calls included
}

// RunSample is what an attempt in a cell had used at a time, and held then.
type RunSample struct {
	At     time.Duration `json:"at_ns"`  // since the program began
	CPU    time.Duration `json:"cpu_ns"` // in all until then
	Memory int64         `json:"memory"` // bytes
}

// Connection is a line of the network audit.
type Connection struct {
	Time     time.Time `json:"time"`              // when it was asked for
	Host     string    `json:"host"`              // as the program named it
	Port     int       `json:"port"`              // of TCP
	Address  string    `json:"address,omitempty"` // as it was resolved and dialled
	Allowed  bool      `json:"allowed"`           // whether the policy of the task allows it
	Reason   string    `json:"reason,omitempty"`  // why it was refused or failed
	BytesIn  int64     `json:"bytes_in"`          // to the program
	BytesOut int64     `json:"bytes_out"`         // from the program

	// Of a request to a host of a withheld secret; BytesIn and BytesOut are those of its
	// bodies then.
	Method  string   `json:"method,omitempty"`
	Path    string   `json:"path,omitempty"`    // without the query
	Status  int      `json:"status,omitempty"`  // of the answer, that of a refusal included
	Secrets []string `json:"secrets,omitempty"` // the names of those that were put in
}
