package api

import (
	"context"
	"iter"
	"time"
)

// Sessions are cells that a client keeps: commands, code, files and ports, until
// they are killed or their time is over. A method that takes the id of a session
// returns not_found for one that there never was, session_ended for one that is
// over, and conflict for one whose state does not let it. A paused session whose
// AutoResume is set is resumed first.
type Sessions interface {
	// NewSession makes a session and returns when it is running.
	NewSession(ctx context.Context, spec SessionSpec) (*Session, error)
	// Session returns a session, also one that has ended.
	Session(ctx context.Context, id string) (*Session, error)
	// Sessions lists sessions, the newest first.
	Sessions(ctx context.Context, q SessionQuery) (SessionPage, error)
	// ChangeSession changes what is set of c, and returns the session.
	ChangeSession(ctx context.Context, id string, c SessionChange) (*Session, error)
	// KillSession ends a session and everything in it. A session that has ended
	// stays as it is.
	KillSession(ctx context.Context, id string) error
	// PauseSession saves a session, and ends its cell once all is kept. What fails
	// leaves the session running.
	PauseSession(ctx context.Context, id string, o PauseOptions) (*Session, error)
	// ResumeSession continues a paused session. A running one stays as it is.
	ResumeSession(ctx context.Context, id string) (*Session, error)
	// ForkSession makes sessions that continue from the state of a running or
	// paused one, which continues.
	ForkSession(ctx context.Context, id string, o ForkOptions) ([]Fork, error)
	// SessionEvents yields the events of a session after number after; with follow
	// also those to come, until it has ended.
	SessionEvents(ctx context.Context, id string, after int64, follow bool) iter.Seq2[SessionEvent, error]
	// SessionUsage returns samples of what a session used, the oldest first.
	SessionUsage(ctx context.Context, id string, since, until time.Time) ([]UsageSample, error)
	// SessionConnections returns the newest connections that the programs of a session
	// opened or tried to, and requests with withheld secrets; at most 1,000, the oldest first.
	SessionConnections(ctx context.Context, id string) ([]Connection, error)

	Snapshots
	Processes
	SessionFiles
	Ports
	Contexts
}

// SessionState is where a session is in its life.
type SessionState string

// The states.
const (
	SessionStarting SessionState = "starting"
	SessionRunning  SessionState = "running"
	SessionPausing  SessionState = "pausing"
	SessionPaused   SessionState = "paused"
	SessionResuming SessionState = "resuming"
	SessionOver     SessionState = "ended"
	SessionLost     SessionState = "lost" // its cell is gone, and nothing of it was saved
)

// UserOfImage is the user that the image of a session names, or root if it names
// none. The session, once it runs, has the name.
const UserOfImage = "image"

// SessionSpec asks for a session. Zero fields take the defaults.
type SessionSpec struct {
	Image ImageSpec `json:"image,omitzero"`
	// Snapshot is the id or the name of a snapshot to start from, in place of an
	// image. Resources of a snapshot with memory are those of its session.
	Snapshot  string            `json:"snapshot,omitempty"`
	Resources Resources         `json:"resources,omitzero"`
	Network   Network           `json:"network,omitzero"`
	Env       map[string]string `json:"env,omitempty"`     // of every command and context
	Secrets   []SecretRef       `json:"secrets,omitempty"` // stored secrets, as variables or files
	// Asks lets programs ask a model, without its key; nil lets them ask none.
	Asks   *Asks             `json:"asks,omitempty"`
	Dir    string            `json:"dir,omitempty"`    // where commands start; empty means that of the image, or /work
	User   string            `json:"user,omitempty"`   // whom commands run as: a name, a number, root, or UserOfImage; empty means 1000
	Labels map[string]string `json:"labels,omitempty"` // by name; for whoever lists sessions
	// Timeout is how long the session lives at most, from its start or the last
	// change; 0 means without bound.
	Timeout time.Duration `json:"timeout_ns,omitempty"`
	// Idle is how long it may be without a request and without a stream that
	// somebody follows; 0 means DefaultIdle, negative means without bound.
	Idle time.Duration `json:"idle_ns,omitempty"`
	// AtEnd is what happens when either time is over; empty means pause.
	AtEnd AtEnd `json:"at_end,omitempty" enum:"pause,kill"`
	// FilesOnly pauses without memory when a time is over.
	FilesOnly bool `json:"files_only,omitempty"`
	// NoAutoResume makes requests to the paused session fail, until it is resumed.
	NoAutoResume bool `json:"no_auto_resume,omitempty"`
}

// DefaultIdle is how long a session may be idle that says nothing of it.
const DefaultIdle = 30 * time.Minute

// AtEnd is what happens to a session whose time is over.
type AtEnd string

// The choices of AtEnd.
const (
	AtEndPause AtEnd = "pause"
	AtEndKill  AtEnd = "kill"
)

// Session is what everybody may see of a session.
type Session struct {
	ID       string       `json:"id"` // lower-case letters and digits
	State    SessionState `json:"state" enum:"starting,running,pausing,paused,resuming,ended,lost"`
	Spec     SessionSpec  `json:"spec"`               // with the defaults; secrets are in it by name only
	Image    string       `json:"image"`              // the digest of its lock, "sha256:..."
	Owner    string       `json:"owner,omitempty"`    // whose it is; empty for the home itself
	Parent   string       `json:"parent,omitempty"`   // the session that it was forked from
	Snapshot string       `json:"snapshot,omitempty"` // the id of the snapshot that it was started from
	Created  time.Time    `json:"created"`            // when it was asked for
	Started  time.Time    `json:"started,omitzero"`   // of the cell that it has now, or had last
	Ends     time.Time    `json:"ends,omitzero"`      // when Timeout is over
	Ended    time.Time    `json:"ended,omitzero"`     // when it ended or was lost
	Memory   bool         `json:"memory,omitempty"`   // of a paused one: its memory is saved too
	Warm     bool         `json:"warm,omitempty"`     // its first cell was ready when it was asked for
	Reason   string       `json:"reason,omitempty"`   // why it ended, was lost or was paused
	Ports    []Port       `json:"ports,omitempty"`    // that are open
	Saved    int64        `json:"saved,omitempty"`    // bytes that its saved state takes
	Error    *Error       `json:"error,omitempty"`    // of the last change that failed
}

// SessionQuery selects sessions. Zero fields select all.
type SessionQuery struct {
	State  []SessionState
	Labels map[string]string // all of which it has
	Parent string
	Owner  string    // whose they are
	Since  time.Time // created then or later
	Oldest bool      // the oldest first
	Limit  int       // 0 means 50, at most 1000
	Cursor string    // SessionPage.Next of the page before
}

// SessionPage is one page of a list.
type SessionPage struct {
	Sessions []Session `json:"sessions"`
	Next     string    `json:"next,omitempty"` // cursor of the next page; empty at the end
}

// SessionChange says what to change. Nil fields stay.
type SessionChange struct {
	Timeout *time.Duration    `json:"timeout_ns,omitempty"` // from now; 0 means without bound
	Ends    *time.Time        `json:"ends,omitempty"`       // instead of Timeout: when its time is over
	Idle    *time.Duration    `json:"idle_ns,omitempty"`
	AtEnd   *AtEnd            `json:"at_end,omitempty"`
	Network *Network          `json:"network,omitempty"` // of new connections
	Labels  map[string]string `json:"labels,omitempty"`  // to set; an empty value removes one
}

// PauseOptions say how a session is paused.
type PauseOptions struct {
	FilesOnly bool   `json:"files_only,omitempty"` // its processes end; otherwise they continue when it is resumed
	Reason    string `json:"reason,omitempty"`     // for people
}

// ForkOptions say how a session is forked.
type ForkOptions struct {
	Count     int               `json:"count,omitempty" minimum:"0" maximum:"100"` // 0 means 1, at most MaxForks
	FilesOnly bool              `json:"files_only,omitempty"`                      // without processes and memory
	Timeout   time.Duration     `json:"timeout_ns,omitempty"`                      // of the forks; 0 means that of the session
	Labels    map[string]string `json:"labels,omitempty"`                          // in addition to those of the session
}

// MaxForks bounds the forks of one request.
const MaxForks = 100

// Fork is one fork that was asked for: a session, or why there is none.
type Fork struct {
	Session *Session `json:"session,omitempty"`
	Error   *Error   `json:"error,omitempty"`
}

// SessionEvent is one change in the life of a session.
type SessionEvent struct {
	Seq    int64        `json:"seq"`  // from 1
	Time   time.Time    `json:"time"` // when it happened
	Type   string       `json:"type"` // a state, or changed, failed, forked, snapshot, port_opened, port_closed
	State  SessionState `json:"state"`
	Detail string       `json:"detail,omitempty"` // such as the id of a fork, or the reason
	Error  *Error       `json:"error,omitempty"`
}

// UsageSample is what a session uses at one time.
type UsageSample struct {
	Time        time.Time     `json:"time"`         // when it was taken
	CPUs        float64       `json:"cpus"`         // cores that it may use
	CPU         time.Duration `json:"cpu_ns"`       // processor time since its cell started
	CPUPercent  float64       `json:"cpu_percent"`  // of its cores, since the sample before
	Memory      int64         `json:"memory"`       // bytes in use
	MemoryLimit int64         `json:"memory_limit"` // bytes
	Disk        int64         `json:"disk"`         // bytes that it has written and keeps
	DiskLimit   int64         `json:"disk_limit"`   // bytes
}

// Snapshots are saved states of sessions that outlive them.
type Snapshots interface {
	// NewSnapshot saves the state of a session, which continues.
	NewSnapshot(ctx context.Context, session string, o SnapshotOptions) (*Snapshot, error)
	// Snapshot returns a snapshot by its id or name.
	Snapshot(ctx context.Context, ref string) (*Snapshot, error)
	// Snapshots lists snapshots, the newest first; of one session unless that is
	// empty.
	Snapshots(ctx context.Context, session string) ([]Snapshot, error)
	// SnapshotImage makes an image of a snapshot: the image of its session, with what
	// that has changed of the files as one more layer. Memory is no part of it, nor are
	// file systems in memory, such as /tmp.
	SnapshotImage(ctx context.Context, ref string, o SnapshotImageOptions) (*ImageInfo, error)
	// RemoveSnapshot removes a snapshot by its id or name. Sessions that were
	// started from it stay.
	RemoveSnapshot(ctx context.Context, ref string) error
}

// SnapshotOptions say what to save.
type SnapshotOptions struct {
	Name   string `json:"name,omitempty" pattern:"^([A-Za-z0-9][A-Za-z0-9._/:-]{0,199})?$"` // letters, digits, '.', '_', '-', '/' and ':'; it moves from an older snapshot
	Memory bool   `json:"memory,omitempty"`                                                 // processes too
}

// SnapshotImageOptions say how the image of a snapshot is called.
type SnapshotImageOptions struct {
	Name string `json:"name,omitempty"` // of the image; empty means one made of its content
}

// Snapshot is the saved state of a session.
type Snapshot struct {
	ID      string    `json:"id"`             // given by the server
	Name    string    `json:"name,omitempty"` // that it was given
	Session string    `json:"session"`        // that it was taken of
	Image   string    `json:"image"`          // below it, the digest of its lock
	Memory  bool      `json:"memory"`         // processes are in it too
	Size    int64     `json:"size"`           // bytes
	Created time.Time `json:"created"`        // when it was taken
}
