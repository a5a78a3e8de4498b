package api

import (
	"context"
	"encoding/json"
	"io"
	"iter"
	"time"

	"github.com/glovebox-dev/glovebox/value"
)

// Service is everything that Glovebox can be asked for. The engine in process
// and the client of a server both are one, and answer alike. Errors are *Error.
type Service interface {
	Runs
	Approvals
	Signals
	Evaluations
	Sessions
	Catalog
	Schedules
	Hooks
	Notifications
	Blobs
	Cache
	Images
	Secrets
	Workers
	Owners
	Nodes
	MCP
	Warm
	Maintenance
	// Close releases what the service holds. It interrupts runs under way in
	// this process; runs on a server continue.
	Close() error
}

// Runs starts runs and follows them.
type Runs interface {
	// Submit makes a run and returns when it is durable, usually before it
	// starts.
	Submit(ctx context.Context, s Submission) (*Run, error)
	// Wait waits for a run to end and returns its result, with files that can be
	// read on this host. The error is that of the run; then the result holds
	// what there is. Ending ctx ends the waiting, not the run.
	Wait(ctx context.Context, id string) (*Result, error)
	// Run returns a run, inputs and outputs included.
	Run(ctx context.Context, id string) (*Run, error)
	// RunTask returns the whole task of a run as it ran: code, tools, image and
	// policies. Secrets are in it by name only.
	RunTask(ctx context.Context, id string) (*Task, error)
	// Runs lists runs, the newest first, without inputs and outputs.
	Runs(ctx context.Context, q RunQuery) (RunPage, error)
	// Events yields the events of a run after number after, those to come
	// included, until the run has ended. It ends after an error.
	Events(ctx context.Context, id string, after int64) iter.Seq2[Event, error]
	// Logs yields what the run printed, from entry after+1 on; with follow also
	// what it is going to print, until it has ended. A negative after begins so many
	// entries before the end of what there is.
	Logs(ctx context.Context, id string, after int64, follow bool) iter.Seq2[LogEntry, error]
	// Cancel ends a run and the runs that it started. It returns when that is
	// asked for; Wait returns when it is done. Canceling a run that has ended
	// is a conflict.
	Cancel(ctx context.Context, id, reason string) error
	// Resume resumes a run that was interrupted, failed or was canceled. Calls
	// that succeeded are not executed again.
	Resume(ctx context.Context, id string, o ResumeOptions) (*Run, error)
	// Resolve records the outcome of a call in doubt, whose outcome is unknown,
	// and returns the run of the call, which then has ended so. Resume then
	// continues with the answer. A call that is not in doubt, or is under way,
	// is a conflict.
	Resolve(ctx context.Context, id string, o Resolution) (*Run, error)
	// Rerun makes a new run of an earlier one. Calls of the earlier one that
	// succeeded and that the new run makes in the same way are not done again.
	Rerun(ctx context.Context, id string, o RerunOptions) (*Run, error)
	// Check finds what would fail in an orchestrator, before anything runs.
	Check(ctx context.Context, task *Task) ([]Problem, error)
	// Prompt describes the dialect, the inputs and the tools of an orchestrator
	// to the author of its code, a person or a model. The code may be missing.
	Prompt(ctx context.Context, task *Task) (string, error)
}

// Submission asks for a run. Exactly one of Task and Name is set.
type Submission struct {
	Task *Task
	Name string // of a deployed task: NAME, or NAME@VERSION
	// Inputs by name. A value is one that its declared type accepts, see
	// Normalize; files name a path on this host, or a blob by SHA256.
	Inputs map[string]any
	// Checked are the inputs instead, if whoever submits has decoded them from
	// their JSON: they are not checked again.
	Checked value.Fields
	// IdempotencyKey makes a repeated submission return the run of the first.
	// With other contents it is a conflict.
	IdempotencyKey string
	// Parent is the run whose task asks for this one. It ends with its parent.
	Parent string
	// Group is a name, for people, of runs below one parent that belong together.
	Group string
	// Notify are the receivers that hear of the end of the run, beside those of its task. Only a run
	// without a parent has some.
	Notify []Notify
	// Labels are those of the run, laid over those of its task; RunLabels bounds both together.
	Labels map[string]string
	// NodeSelector are labels that the node of the run has to have, laid over those of
	// its task.
	NodeSelector map[string]string
	// Priority is that of the run; nil is that of its task. A run that another one starts has
	// none: it goes with that one.
	Priority *int
	// Trigger is what started the run, if no client did. Only this process can say
	// so: a client does not pass it on.
	Trigger *Trigger
	// Cache overrules the mode of the task, unless it is empty.
	Cache CacheMode
	// Clock and Random overrule those of an orchestrator, unless they are empty.
	Clock  Clock
	Random Random
	// Stdout and Stderr receive what the task prints while it runs, byte for
	// byte, with secrets redacted; Wait returns after the last of it. A slow
	// writer slows the task. Nil discards. The runs below it have logs of their
	// own. Logs keep a bounded copy in any case.
	Stdout, Stderr io.Writer
	// Progress receives the stages of the run. Nil ignores them.
	Progress func(Progress)
}

// RunQuery selects runs. Zero fields select all. A page goes through 5,000 runs at most, or
// 10,000 rows of an index where that tells enough; it may have fewer than Limit, and a Next.
type RunQuery struct {
	Status []Status
	Task   string // name
	Kind   TaskKind
	Parent string // calls of this run, in the order in which they began
	Root   string // the whole tree
	Top    bool   // only runs without a parent
	Owner  string // whose they are
	// Trigger is what started them, as Trigger.Name says it: schedule:NAME or
	// hook:NAME.
	Trigger string
	Labels  map[string]string // all of which they have
	// IDPrefix is the beginning of their ids, so that people need not write one
	// as a whole.
	IDPrefix string
	// Text is in the name of the task, in its own letters or others, or in the error.
	Text   string
	Since  time.Time
	Until  time.Time
	Limit  int    // 0 means 50, at most 1000
	Cursor string // RunPage.Next of the page before
}

// RunPage is one page of a list.
type RunPage struct {
	Runs []Run  `json:"runs"`
	Next string `json:"next,omitempty"` // cursor of the next page; empty at the end
	// Damaged are the ids of runs that belong to this page, and whose records
	// cannot be read because they are damaged.
	Damaged []string `json:"damaged,omitempty"`
}

// LogEntry is a piece of what a run printed.
type LogEntry struct {
	Seq int64 `json:"seq"` // from 1
	// Line is the number of the first line that begins in this entry, or would. Lines are
	// counted from 1 as they begin, over all streams; 0 in what an older Glovebox wrote.
	Line int64 `json:"line,omitempty"`
	// Continues says that the entry begins within a line of its stream that began before.
	Continues bool      `json:"continues,omitempty"`
	Time      time.Time `json:"time"`                               // when it was printed
	Stream    string    `json:"stream" enum:"stdout,stderr,system"` // stdout, stderr, or system for what Glovebox has to say
	Text      string    `json:"text,omitempty"`                     // what was printed, in UTF-8
	Data      []byte    `json:"data,omitempty"`                     // instead of Text, where the bytes are not UTF-8
	Cut       bool      `json:"cut,omitempty"`                      // the log ends here, although the run printed more
}

// Bytes returns what was printed, byte for byte.
func (e LogEntry) Bytes() []byte {
	if e.Data != nil {
		return e.Data
	}
	return []byte(e.Text)
}

// ResumeOptions say how a run is resumed.
type ResumeOptions struct {
	// RetryUnknown executes calls again whose outcome is unknown.
	RetryUnknown bool `json:"retry_unknown,omitempty"`
}

// Resolution is what a person found out about a call in doubt: either Value or
// Failed is there.
type Resolution struct {
	// Call is the call: its number in the run, or the id of the run that carried
	// it out. Empty means the only one in doubt, which may be the run itself.
	Call string `json:"call,omitempty"`
	// Value is what it gave, as the declared type of the output; of several
	// outputs a list of them in order, and null of none. Files are named by the
	// digest of their bytes.
	Value json.RawMessage `json:"value,omitempty"`
	// Failed says that the call was not executed, and why; at most 8 KiB. The
	// code that called it gets that once as the exception of a tool that
	// failed.
	Failed string `json:"failed,omitempty"`
	// Exception is the class of that exception, such as ValueError. Empty, or one
	// that is not built in, means RuntimeError.
	Exception string `json:"exception,omitempty"`
}

// RerunOptions say what is different this time.
type RerunOptions struct {
	// Task replaces the task; nil takes that of the earlier run.
	Task *Task `json:"task,omitempty"`
	// Code replaces only the code of the earlier task. It is not given together
	// with Task.
	Code string `json:"code,omitempty"`
	// Inputs replace inputs of the earlier run, by name.
	Inputs map[string]any `json:"-"`
	// From is the first call that is done again in any case; 0 reuses all that
	// match.
	From uint64 `json:"from,omitempty"`
	// Fresh reuses nothing: no call of the earlier run, and no result of the cache.
	Fresh bool `json:"fresh,omitempty"`
	// Cache overrules the mode of the task, unless it is empty. With Fresh it is
	// empty, or CacheOverride to keep the new result.
	Cache CacheMode `json:"cache,omitempty"`
	// SkipCheck starts the code of an orchestrator although the checker finds
	// that it would fail.
	SkipCheck bool `json:"skip_check,omitempty"`
}

// Problem is one place of a program that would fail.
type Problem struct {
	Level     string `json:"level" enum:"refusal,error,warning"` // refusal, error or warning
	Code      string `json:"code"`                               // what is wrong, in a word; programs branch on it
	Line      int    `json:"line"`                               // from 1
	Column    int    `json:"column"`                             // from 1
	Construct string `json:"construct,omitempty"`                // the part of the language that it is about
	Message   string `json:"message"`                            // one sentence
}

// Catalog keeps deployed tasks. A version never changes.
type Catalog interface {
	// Deploy makes a version of every task, unless the newest one is the same
	// already, which then becomes the current one, and one of the environment if
	// it is named. An orchestrator may lack the clock and the randomness that it
	// reads, which a start can grant: that is a warning. Schedules and hooks are stored after
	// the tasks: if that fails, deploy again.
	Deploy(ctx context.Context, d Deployment) ([]TaskVersion, error)
	// Tasks lists the current version of every task.
	Tasks(ctx context.Context) ([]TaskVersion, error)
	// Task returns NAME or NAME@VERSION with the whole task.
	Task(ctx context.Context, ref string) (*TaskVersion, error)
	// Versions lists all versions of a task, the newest first.
	Versions(ctx context.Context, name string) ([]TaskVersion, error)
	// Rollback makes an older version the current one.
	Rollback(ctx context.Context, name string, version int) (*TaskVersion, error)
	// RemoveTask takes a task off the list: its name alone means nothing until it
	// is deployed or rolled back again. Its versions stay, for the runs and
	// environments that name them, and the next one has the next number.
	RemoveTask(ctx context.Context, name string) error
	// Environments lists the current version of every environment.
	Environments(ctx context.Context) ([]Environment, error)
	// Environment returns NAME or NAME@VERSION.
	Environment(ctx context.Context, ref string) (*Environment, error)
}

// Deployment asks for versions of tasks that belong together.
type Deployment struct {
	Environment string `json:"environment,omitempty"` // a name for all of them together; may be empty
	Tasks       []Task `json:"tasks" required:"true" minItems:"1"`
	// Schedules start tasks by time: those of this deployment, or earlier ones. Of
	// a named environment, earlier schedules that are not among them are removed.
	Schedules []ScheduleSpec `json:"schedules,omitempty"`
	// Hooks start tasks by signed calls; the same holds for them.
	Hooks  []HookSpec `json:"hooks,omitempty"`
	Source string     `json:"source,omitempty"` // the text of the file that they come from, for people
}

// TaskVersion is an immutable version of a task.
type TaskVersion struct {
	Name        string    `json:"name"`    // of the task
	Version     int       `json:"version"` // from 1
	Digest      string    `json:"digest"`  // of the task, "sha256:..."
	Kind        TaskKind  `json:"kind"`
	Signature   Signature `json:"signature"`
	Doc         string    `json:"doc,omitempty"`         // what the task does
	Current     bool      `json:"current"`               // what NAME alone means
	Created     time.Time `json:"created"`               // when it was deployed
	Environment string    `json:"environment,omitempty"` // NAME@VERSION that it was deployed with
	Unchanged   bool      `json:"unchanged,omitempty"`   // from Deploy: it was there already
	Restored    bool      `json:"restored,omitempty"`    // from Deploy: it was there, and is current again in the place of an older one
	Warnings    []string  `json:"warnings,omitempty"`    // from Deploy: what a start of it has to grant
	Task        *Task     `json:"task,omitempty"`        // left out in lists
}

// Environment is an immutable version of tasks that were deployed together.
type Environment struct {
	Name    string    `json:"name"`             // without a version
	Version int       `json:"version"`          // from 1
	Current bool      `json:"current"`          // what NAME alone means
	Created time.Time `json:"created"`          // when it was deployed
	Tasks   []string  `json:"tasks"`            // NAME@VERSION
	Source  string    `json:"source,omitempty"` // the text of the file that its tasks come from
}

// Blobs keeps bytes by their content.
type Blobs interface {
	// PutBlob stores bytes and returns their digest, SHA-256 in hexadecimal, and
	// their size.
	PutBlob(ctx context.Context, r io.Reader) (digest string, size int64, err error)
	// OpenBlob returns the bytes and their size. Bytes that were damaged are an
	// error at the end of the stream at the latest. The reader of an engine in
	// process is an io.Seeker too; what is read of a part is not verified.
	OpenBlob(ctx context.Context, digest string) (io.ReadCloser, int64, error)
	// PutTree stores a directory of this host.
	PutTree(ctx context.Context, path string) (value.Dir, error)
	// ExportTree writes a stored directory to a path of this host that is not
	// there yet.
	ExportTree(ctx context.Context, d value.Dir, path string) error
}

// Cache answers runs by earlier ones.
type Cache interface {
	// ExplainCache says why a run was or was not answered from the cache.
	ExplainCache(ctx context.Context, run string) (*CacheExplanation, error)
	// ClearCache forgets results: those of one task by name, or all. It returns
	// how many.
	ClearCache(ctx context.Context, task string) (int, error)
}

// CacheExplanation says how a run met the cache.
type CacheExplanation struct {
	Run     string      `json:"run"` // the run that is explained
	Mode    CacheMode   `json:"mode"`
	Verdict string      `json:"verdict" enum:"hit,miss,stored,override,disabled,joined"` // hit, miss, stored, override, disabled, joined
	Reason  string      `json:"reason"`                                                  // one sentence
	Key     string      `json:"key,omitempty"`                                           // what identical runs have in common, "sha256:..."
	Source  string      `json:"source,omitempty"`                                        // the run whose result it got
	Parts   []CachePart `json:"parts,omitempty"`                                         // what the key is made of
	Nearest string      `json:"nearest,omitempty"`                                       // of a miss: the cached run of the same task that differs least
	Differs []CachePart `json:"differs,omitempty"`                                       // in what; Was is the nearest one's
}

// CachePart is one part of a cache key.
type CachePart struct {
	Name  string `json:"name"`          // such as code, image, input x
	Value string `json:"value"`         // what it is, or a digest of it
	Was   string `json:"was,omitempty"` // what it was in the nearest cached run
}

// Images keeps the images of cells.
type Images interface {
	// BuildImage builds or pulls an image ahead of a run. Progress may be nil.
	BuildImage(ctx context.Context, spec ImageSpec, progress func(Progress)) (*ImageInfo, error)
	Images(ctx context.Context) ([]ImageInfo, error)
	// Image finds an image by its id, a unique beginning of it, or a name.
	Image(ctx context.Context, image string) (*ImageInfo, error)
	RemoveImage(ctx context.Context, image string) error
	// PushImage pushes an image to a registry and returns its reference there,
	// by digest: NAME@sha256:...
	PushImage(ctx context.Context, image, ref, secret string, progress func(Progress)) (string, error)
}

// ImageInfo is what is known of an image.
type ImageInfo struct {
	ID      string          `json:"id"`                              // the digest of its lock, "sha256:..."
	Name    string          `json:"name"`                            // for people; empty if it has none
	Python  string          `json:"python,omitempty"`                // the version of its Python; empty if it has none
	Size    int64           `json:"size"`                            // bytes of the root file system
	Created time.Time       `json:"created"`                         // when it was built or pulled
	Record  json.RawMessage `json:"record,omitempty" shape:"object"` // with the lock; left out in lists
}

// Secrets keeps secrets. Their values never come out again.
type Secrets interface {
	SetSecret(ctx context.Context, name string, value []byte) error
	Secrets(ctx context.Context) ([]string, error)
	RemoveSecret(ctx context.Context, name string) error
}

// Workers are the processes that offer functions.
type Workers interface {
	Workers(ctx context.Context) ([]Worker, error)
}

// Worker is a process that offers functions.
type Worker struct {
	ID        string    `json:"id"`        // given by the server
	Name      string    `json:"name"`      // given by the process
	Functions []string  `json:"functions"` // ids
	Capacity  int       `json:"capacity"`  // calls at the same time
	Active    int       `json:"active"`    // calls under way
	Connected bool      `json:"connected"` // whether it can be called now
	Since     time.Time `json:"since"`     // when it came
	Seen      time.Time `json:"seen"`      // when it said something last
}

// CompleteInputs returns the inputs of a submission, checked against the
// parameters of its task and their choices. It returns invalid_input.
func (s *Submission) CompleteInputs(params []value.Param) (f value.Fields, err error) {
	if s.Checked.Len() > 0 {
		f, err = s.Checked.Complete(params)
	} else {
		f, err = value.Check(params, s.Inputs)
	}
	if err == nil {
		err = f.CheckChoices(params)
	}
	if err != nil {
		return f, AsError(err)
	}
	return f, nil
}

// Given returns the inputs by name, in whichever form they are given.
func (s *Submission) Given() map[string]any {
	if s.Checked.Len() > 0 {
		return s.Checked.Map()
	}
	return s.Inputs
}
