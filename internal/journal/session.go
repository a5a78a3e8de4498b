package journal

import (
	"context"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Sessions stores sessions and their snapshots. It is safe for concurrent use.
// Package journaltest has the suite that every implementation passes.
type Sessions interface {
	// ChangeSession keeps a session as it is after a change, together with the
	// event of the change, and returns when both are durable. The Seq of the record
	// is that of the event, and one more than the one kept before: otherwise
	// somebody else has changed the session, which is ErrSequence. A session begins
	// with 1, and one that is there is ErrExists.
	ChangeSession(ctx context.Context, r *SessionRecord, e api.SessionEvent) error
	// LoadSession returns a session, or ErrNotFound.
	LoadSession(ctx context.Context, id string) (*SessionRecord, error)
	// ListSessions returns a page of sessions, and the cursor of the next one.
	ListSessions(ctx context.Context, q api.SessionQuery) ([]*SessionRecord, string, error)
	// LiveSessions returns the sessions that have neither ended nor are lost, the
	// oldest first.
	LiveSessions(ctx context.Context) ([]*SessionRecord, error)
	// SessionEvents returns up to limit events of a session after number after.
	SessionEvents(ctx context.Context, id string, after int64, limit int) ([]api.SessionEvent, error)

	// Keeps reports whether a session or a snapshot has kept as its saved state.
	Keeps(ctx context.Context, kept string) (bool, error)
	// PruneSessions forgets sessions that ended before a time, at most limit, and
	// returns how many.
	PruneSessions(ctx context.Context, before time.Time, limit int) (int, error)

	// KeepSnapshot keeps a snapshot. Its name, if it has one, is taken from the
	// snapshot that had it.
	KeepSnapshot(ctx context.Context, s *SessionSnapshot) error
	// SessionSnapshot returns a snapshot by its id or name, or ErrNotFound.
	SessionSnapshot(ctx context.Context, ref string) (*SessionSnapshot, error)
	// SessionSnapshots returns snapshots, the newest first; of one session unless
	// that is empty.
	SessionSnapshots(ctx context.Context, session string) ([]*SessionSnapshot, error)
	// RemoveSnapshot removes a snapshot by its id, or returns ErrNotFound.
	RemoveSnapshot(ctx context.Context, id string) error
}

// SessionRecord is a session as it is stored: what everybody may see of it, and
// what only its service needs.
type SessionRecord struct {
	api.Session
	// Kept is where what was saved of a session lies, below the directory of saved
	// states; empty if nothing is.
	Kept string `json:"kept,omitempty"`
	// Generation counts the times that it was forked or resumed with memory, its
	// ancestors' included.
	Generation int `json:"generation,omitempty"`
	// Lineage is what sessions have in common that continue each other: their programs
	// trust the same authority. Older records have none, and no withheld secrets.
	Lineage string `json:"lineage,omitempty"`
	// Host and Machine tell a fork from the session that it was made of: its host
	// name and its machine id. They are empty for others.
	Host    string `json:"host,omitempty"`
	Machine string `json:"machine,omitempty"`
	// Contexts are the interpreters in the memory that is saved.
	Contexts []SavedContext `json:"contexts,omitempty"`

	Holder string `json:"-"` // the process that has its cell; empty without one
	Seq    int64  `json:"-"` // of the last event
}

// SavedContext is an interpreter in the saved memory of a session.
type SavedContext struct {
	api.Context
	PID    int   `json:"pid"`
	Offset int64 `json:"offset"` // of its output, all of which was read until there
	// ByLanguage says that it is the one of its language for code that names none.
	ByLanguage bool `json:"by_language,omitempty"`
}

// SessionSnapshot is a snapshot as it is stored.
type SessionSnapshot struct {
	api.Snapshot
	Spec       api.SessionSpec `json:"spec"` // of the session
	Kept       string          `json:"kept"` // as that of a SessionRecord
	Lineage    string          `json:"lineage,omitempty"`
	Generation int             `json:"generation,omitempty"`
	Contexts   []SavedContext  `json:"contexts,omitempty"`
}
