package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/cache"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// cacheStore is the cache in a DB. What it loses when the power fails is
// computed again, so most of its writing waits for no sync.
type cacheStore struct{ *Store }

var _ cache.Store = cacheStore{}

// cached is the part of an entry that is kept as JSON.
type cached struct {
	Run     string          `json:"run"`
	Parts   []api.CachePart `json:"parts,omitempty"`
	Outputs json.RawMessage `json:"outputs,omitempty"`
	Image   string          `json:"image,omitempty"`
	Report  *api.Report     `json:"report,omitempty"`
	Blobs   []string        `json:"blobs,omitempty"`
}

// entrySum is the sum of a row of cache_entries. When it was used is not in it.
func entrySum(e *cache.Entry, created, text string) int64 {
	return sumOf(e.Key, e.Task, created, number(e.Size), text, string(e.Stdout), string(e.Stderr))
}

const entryColumns = `key, task, created, used, size, entry, stdout, stderr, sum`

func scanEntry(rows Row) (*cache.Entry, error) {
	var e cache.Entry
	var created, used, text string
	var sum int64
	if err := rows.Scan(&e.Key, &e.Task, &created, &used, &e.Size, &text, &e.Stdout, &e.Stderr, &sum); err != nil {
		return nil, err
	}
	if sum != entrySum(&e, created, text) {
		return nil, fmt.Errorf("cache entry %s: %w", e.Key, journal.ErrDamaged)
	}
	var c cached
	if err := decode(text, &c); err != nil {
		return nil, err
	}
	e.Run, e.Parts, e.Outputs, e.Image, e.Report, e.Blobs = c.Run, c.Parts, c.Outputs, c.Image, c.Report, c.Blobs
	var err error
	if e.Created, err = parseTime(created); err != nil {
		return nil, err
	}
	e.Used, err = parseTime(used)
	return &e, err
}

// Lookup implements cache.Store.
func (s cacheStore) Lookup(ctx context.Context, key string) (*cache.Entry, error) {
	var e *cache.Entry
	err := s.db.Read(ctx, func(rows Row) (err error) {
		e, err = scanEntry(rows)
		return err
	}, `SELECT `+entryColumns+` FROM cache_entries WHERE key = ?`, key)
	switch {
	case errors.Is(err, journal.ErrDamaged):
		return nil, fmt.Errorf("%w: %w", cache.ErrDamaged, err)
	case err != nil:
		return nil, err
	case e == nil:
		return nil, cache.ErrNotFound
	}
	e.Used = time.Now().UTC()
	// That it was used only matters for which entry goes first: an answer that
	// is there is given, even if the disk is full.
	used := timeText(e.Used)
	s.soon(0, func(c Tx) error {
		return c.Later(`UPDATE cache_entries SET used = ?1 WHERE key = ?2 AND used < ?1`, used, key)
	})
	return e, ctx.Err()
}

// Put implements cache.Store.
func (s cacheStore) Put(ctx context.Context, e cache.Entry) error {
	if e.Key == "" || e.Size < 0 {
		return api.Errorf(api.Internal, "a cache entry of key %q and %d bytes cannot be kept", e.Key, e.Size)
	}
	text, err := json.Marshal(cached{e.Run, e.Parts, e.Outputs, e.Image, e.Report, e.Blobs})
	if err != nil {
		return api.Errorf(api.Internal, "the cache entry of run %s: %w", e.Run, err)
	}
	created, used := timeText(e.Created), timeText(e.Used)
	return s.doLazily(ctx, len(text)+len(e.Stdout)+len(e.Stderr), func(c Tx) error {
		if err := c.Later(`DELETE FROM cache_entries WHERE key = ?`, e.Key); err != nil {
			return err
		}
		return c.Later(`INSERT INTO cache_entries (`+entryColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (key) DO UPDATE SET task = excluded.task, created = excluded.created, used = excluded.used, size = excluded.size,
			entry = excluded.entry, stdout = excluded.stdout, stderr = excluded.stderr, sum = excluded.sum`, // stored by another one meanwhile
			e.Key, e.Task, created, used, e.Size, string(text), notNull(e.Stdout), notNull(e.Stderr), entrySum(&e, created, string(text)))
	})
}

// notNull returns b, but never nil, which would be NULL.
func notNull(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// Forget implements cache.Store.
func (s cacheStore) Forget(ctx context.Context, key string) error {
	_, err := s.remove(ctx, func(c Tx) (int64, error) {
		return c.Exec(`DELETE FROM cache_entries WHERE key = ?`, key)
	})
	return err
}

// Recent implements cache.Store.
func (s cacheStore) Recent(ctx context.Context, task string, limit int) ([]cache.Entry, error) {
	var entries []cache.Entry
	err := s.db.Read(ctx, func(rows Row) error {
		e, err := scanEntry(rows)
		if errors.Is(err, journal.ErrDamaged) {
			return nil
		}
		if err == nil {
			entries = append(entries, *e)
		}
		return err
	}, `SELECT `+entryColumns+` FROM cache_entries WHERE task = ? ORDER BY num DESC LIMIT ?`, task, max(limit, 0))
	return entries, err
}

// Clear implements cache.Store.
func (s cacheStore) Clear(ctx context.Context, task string) (int, error) {
	return s.remove(ctx, func(c Tx) (int64, error) {
		return c.Exec(`DELETE FROM cache_entries WHERE ?1 = '' OR task = ?1`, task)
	})
}

// Evict implements cache.Store.
func (s cacheStore) Evict(ctx context.Context, before time.Time, maxBytes int64) (int, error) {
	return s.remove(ctx, func(c Tx) (old int64, err error) {
		if !before.IsZero() {
			if old, err = c.Exec(`DELETE FROM cache_entries WHERE used < ?`, timeText(before)); err != nil {
				return 0, err
			}
		}
		if maxBytes <= 0 {
			return old, nil
		}
		large, err := c.Exec(`DELETE FROM cache_entries WHERE num IN (SELECT num FROM
			(SELECT num, sum(size) OVER (ORDER BY used DESC, num DESC) AS total FROM cache_entries) AS t WHERE total > ?)`, maxBytes)
		return old + large, err
	})
}

func (s cacheStore) remove(ctx context.Context, do func(Tx) (int64, error)) (int, error) {
	var n int64
	err := s.doVitally(ctx, func(c Tx) (err error) {
		n, err = do(c)
		return err
	})
	if err != nil {
		return 0, err
	}
	return int(n), nil
}

// References implements cache.Store.
func (s cacheStore) References(ctx context.Context, f func(digest string) error) error {
	return s.pages(ctx, f, s.db.Dialect().CacheBlobs)
}
