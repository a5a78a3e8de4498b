// Package cache remembers the results of runs by everything that could change
// them.
package cache

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/glovebox-dev/glovebox/api"
)

// Store keeps entries. It is safe for concurrent use, also by several
// processes.
type Store interface {
	// Lookup returns the entry of a key and counts it as used now, or
	// ErrNotFound, or ErrDamaged.
	Lookup(ctx context.Context, key string) (*Entry, error)
	// Put stores an entry, in place of an earlier one of the same key.
	Put(ctx context.Context, e Entry) error
	// Forget deletes the entry of a key. One that is not there is no error.
	Forget(ctx context.Context, key string) error
	// Recent returns up to limit entries of a task, the last stored first, without
	// those that are damaged.
	Recent(ctx context.Context, task string, limit int) ([]Entry, error)
	// Clear deletes the entries of a task, or all with an empty name, and says
	// how many.
	Clear(ctx context.Context, task string) (int, error)
	// Evict deletes entries that were not used since before, then the longest
	// unused until the rest has at most maxBytes. A zero bound does not bound.
	Evict(ctx context.Context, before time.Time, maxBytes int64) (int, error)
	// References calls f for the digest of every blob that an entry refers to.
	References(ctx context.Context, f func(digest string) error) error
}

// Entry is the result of a run.
type Entry struct {
	Key     string // Key.Digest
	Task    string // name
	Run     string // the run that gave the result
	Parts   []api.CachePart
	Outputs json.RawMessage // an object by name, each as its declared type; files by digest
	Stdout  []byte          // the end of what it printed
	Stderr  []byte
	Image   string
	Report  *api.Report // that of the run, if it wrote one
	Blobs   []string    // digests that Outputs and Report refer to
	Size    int64       // bytes of all of it, the blobs included
	Created time.Time
	Used    time.Time
}

// The errors of a Store.
var (
	ErrNotFound = errors.New("not in the cache")
	ErrDamaged  = errors.New("what is kept in the cache is damaged")
)
