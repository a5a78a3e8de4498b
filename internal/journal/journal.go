// Package journal keeps what happens to runs: for each run an append-only list
// of events, and the record that follows from them. What is not in the journal
// did not happen. docs/JOURNAL.md describes it for people.
//
// The engine is the only writer of a run, and holds its fence. Whoever claims
// the run raises the fence, and from then on the earlier holder can write no
// more.
package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Journal stores runs. It is safe for concurrent use. Package journaltest has
// the suite that every implementation passes.
type Journal interface {
	Approvals
	Permits

	// Submit hands changes over, which become durable together or not at all.
	// Submissions are executed in their order, many at a time, with one sync of
	// the disk for all. Submit blocks while too much is waiting. The caller may
	// ignore the receipt, which reports when the changes are durable.
	Submit(changes ...Change) Receipt

	// Claim makes owner the owner of a run that has none, or whose owner is from,
	// and raises its fence. The changes of the record are kept with an
	// EventStarted or EventInterrupted that the caller submits next. It returns
	// ErrOwned, with the record, if the run belongs to somebody else.
	Claim(ctx context.Context, id, from, owner string) (*Record, error)

	// Take makes owner the owner of runs at the top that wait without one, in the order of
	// Choice, as Claim does, and returns their ids. Those that others are taking at the
	// same time are passed over.
	Take(ctx context.Context, owner string, w Wanted) ([]string, error)
	// HeldBy counts the runs that have not ended by their owners, "" for none.
	HeldBy(ctx context.Context) (map[string]int, error)

	// Load returns the record of a run, or ErrNotFound.
	Load(ctx context.Context, id string) (*Record, error)
	// Events returns up to limit events of a run after number after.
	Events(ctx context.Context, id string, after int64, limit int) ([]api.Event, error)
	// Calls returns the records of the calls of a run: every run whose parent it
	// is and whose Call is not 0, by that number, and of one number by Num.
	Calls(ctx context.Context, parent string) ([]*Record, error)
	// List returns records, the newest first unless q.Parent is set, without
	// their payloads, and the cursor of the next page. q.Since is the first
	// moment of creation that counts and q.Until the first that does not. A
	// cursor that is unreadable, or of another list, is ErrCursor. If some records
	// are damaged, the others come beside an error that wraps a *Damage.
	List(ctx context.Context, q api.RunQuery) ([]*Record, string, error)
	// Unfinished returns the ids, owners and statuses of all runs that have not
	// ended, the oldest first; calls come after the runs that made them. If some
	// are damaged, the others come beside an error that is ErrDamaged.
	Unfinished(ctx context.Context) ([]*Record, error)
	// ByKey returns the id of the run of an owner that was submitted with an
	// idempotency key, or ErrNotFound.
	ByKey(ctx context.Context, owner, key string) (string, error)

	// Task returns a definition that a change brought along, or ErrNotFound.
	Task(ctx context.Context, digest string) (json.RawMessage, error)

	// RequestCancel asks the owner of a run to cancel it, whichever process that
	// is. Asking twice is asking once.
	RequestCancel(ctx context.Context, id, reason string) error
	// CancelRequests returns the requests for runs of this owner that have not
	// ended, by run.
	CancelRequests(ctx context.Context, owner string) (map[string]string, error)

	// SaveSnapshot replaces the snapshot of an attempt, if the fence still
	// holds. It need not be durable. Snapshot returns the newest, or nil.
	SaveSnapshot(ctx context.Context, s Snapshot) error
	Snapshot(ctx context.Context, run string) (*Snapshot, error)

	// Prune deletes the trees of runs that all ended before a time, at most
	// p.Limit trees at a time, and returns the ids of the deleted runs. It also
	// deletes deliveries from before that time that do not wait any more.
	Prune(ctx context.Context, p Pruning) ([]string, error)
	// References calls f for the digest of every blob that a run refers to.
	References(ctx context.Context, f func(digest string) error) error

	Close() error
}

// Pruning says which trees of runs Prune deletes.
type Pruning struct {
	Before time.Time // all runs of a tree ended before
	Limit  int
	Task   string          // only trees that begin with a run of this task; empty is any
	Except []string        // no trees that begin with a run of these tasks
	Keep   map[string]bool // no trees that begin with these runs
}

// Receipt tells when a submission is durable.
type Receipt interface {
	// Wait returns nil when it is durable, and otherwise why it never will be:
	// ErrFenced, ErrExists, ErrSequence, ErrNotFound for a parent that is not
	// there, an *api.Error such as storage_full or internal, or the error of
	// ctx, which leaves it open.
	Wait(ctx context.Context) error
}

// Change is what one submission does to one run: further events, and the record
// as it is after them. A run begins with EventCreated; what the record then
// says of its place (parent, call, root), owner, task, creation, idempotency key, node
// selector, priority, limits, needs and InputsPayload stays, and later changes may leave InputsPayload out.
type Change struct {
	// Record after the events. Its Seq is that of the last of them.
	Record Record
	Events []api.Event
	// Tasks are definitions that the record refers to, by digest. Those that are
	// there already are skipped. Prune deletes those that are no TaskDigest of
	// any run.
	Tasks map[string]json.RawMessage
	// Deliveries are the messages to receivers about the events.
	Deliveries []DeliveryRecord
	// Blobs are digests of blobs that the events refer to, and that must be kept
	// as long as the run.
	Blobs []string
}

// Record is a run as it is stored: what everybody may see of it, and what only
// the engine needs. Its payloads hold either JSON or name a blob.
type Record struct {
	api.Run // Inputs and Outputs are empty; the payloads below count

	InputsPayload  Payload `json:"inputs_payload,omitzero"`
	OutputsPayload Payload `json:"outputs_payload,omitzero"`
	// InputsDigest identifies the inputs by content, "sha256:...".
	InputsDigest string `json:"inputs_digest,omitempty"`
	// Key tells what is called that it is called for the same thing: that of the
	// earlier run that tried it. Empty means the id of this one.
	Key string `json:"key,omitempty"`
	// Deaths counts how often its process died with it since it last got on.
	Deaths int `json:"deaths,omitempty"`
	// Owed says that a person resolved the run as failed, and that the code that
	// called it has not got that failure yet.
	Owed bool `json:"owed,omitempty"`
	// Reuse names the run whose calls this one need not make again.
	Reuse *Reuse `json:"reuse,omitempty"`
	// Fresh says that neither the run nor any below it is answered from the cache.
	Fresh bool `json:"fresh,omitempty"`
	// Notify are the receivers that hear of its end: those of its task, and its own.
	Notify []api.Notify `json:"notify,omitempty"`
	// Cache is how the run met the cache.
	Cache *api.CacheExplanation `json:"cache,omitempty"`
	// Limits bound how many runs work at the same time, this one among them. It has a permit
	// of each while it works.
	Limits []Limit `json:"limits,omitempty"`
	// Needs is what the process that carries it out must have.
	Needs Needs `json:"needs,omitzero"`

	Num    int64  `json:"-"` // rises in the order in which runs were created; given by the journal
	Holder string `json:"-"` // the process that runs it; empty without one
	Fence  int64  `json:"-"` // raised by each Claim; 1 at first
	Seq    int64  `json:"-"` // of the last event
}

// Reuse names calls of an earlier run.
type Reuse struct {
	Run    string `json:"run"`
	Before uint64 `json:"before,omitempty"` // only calls with a lower number; 0 is all
}

// Payload is a JSON text, or the digest of the blob that holds it if it is long.
type Payload struct {
	Inline json.RawMessage `json:"inline,omitempty"`
	Blob   string          `json:"blob,omitempty"` // SHA-256 in hexadecimal
}

// MaxInline bounds the JSON that is kept in the journal itself.
const MaxInline = 64 << 10 // bytes

// Snapshot is the state of an orchestrator between two answers.
type Snapshot struct {
	Run      string
	Fence    int64
	Attempt  int
	Started  uint64 // calls that it had begun
	Answered int    // answers that it had been given, in the order of the journal
	Data     []byte
}

// Damage names the runs that are left out of a list because their records are
// damaged. It is ErrDamaged.
type Damage struct{ Runs []string }

func (d *Damage) Error() string {
	return fmt.Sprintf("%v: run %s", ErrDamaged, strings.Join(d.Runs, ", run "))
}

// Unwrap returns ErrDamaged.
func (d *Damage) Unwrap() error { return ErrDamaged }

// The errors of a Journal.
var (
	ErrNotFound = errors.New("not in the journal")
	ErrExists   = errors.New("in the journal already")            // the id of a new run, or its idempotency key
	ErrFenced   = errors.New("another process has taken it over") // the fence is not that of the run
	ErrSequence = errors.New("an earlier event is missing")       // an earlier submission of the run failed
	ErrOwned    = errors.New("it belongs to another process")
	ErrDamaged  = errors.New("a row does not have the sum that was stored with it") // what it says is not known
	ErrCursor   = errors.New("the cursor is not one of this list")
)
