package tables

import (
	"context"
	"fmt"
	"math"

	"github.com/glovebox-dev/glovebox/api"
	"github.com/glovebox-dev/glovebox/internal/journal"
)

// RequestCancel implements journal.Journal.
func (s journalStore) RequestCancel(ctx context.Context, id, reason string) error {
	return s.do(ctx, func(c Tx) error {
		status := ""
		err := c.Query(func(row []Value) error {
			status, _ = row[0].(string)
			return nil
		}, `SELECT status FROM runs WHERE id = ?`+s.db.Dialect().ForUpdate, id)
		switch {
		case err != nil:
			return err
		case status == "":
			return journal.ErrNotFound
		case api.Status(status).Ended():
			return nil
		}
		if _, err = c.Exec(`INSERT INTO cancel_requests (run, reason) VALUES (?, ?) ON CONFLICT DO NOTHING`, id, reason); err != nil {
			return err
		}
		return s.db.Dialect().say(c, "control")
	})
}

// CancelRequests implements journal.Journal.
func (s journalStore) CancelRequests(ctx context.Context, owner string) (map[string]string, error) {
	requests := map[string]string{}
	err := s.db.Read(ctx, func(rows Row) error {
		var run, reason string
		err := rows.Scan(&run, &reason)
		requests[run] = reason
		return err
	}, `SELECT c.run, c.reason FROM cancel_requests c CROSS JOIN runs r WHERE r.id = c.run AND r.owner = ?`, owner)
	return requests, err
}

// snapshotSum is the sum of a row of snapshots.
func snapshotSum(s *journal.Snapshot) int64 {
	return sumOf(s.Run, number(s.Fence), number(int64(s.Attempt)), number(int64(s.Started)), number(int64(s.Answered)), string(s.Data))
}

// SaveSnapshot implements journal.Journal.
func (s journalStore) SaveSnapshot(ctx context.Context, n journal.Snapshot) error {
	if n.Started > math.MaxInt64 {
		return defect(n.Run, "its snapshot has begun %d calls", n.Started)
	}
	data := n.Data
	if data == nil {
		data = []byte{} // nil would be NULL
	}
	return s.doLazily(ctx, len(n.Data), func(c Tx) error {
		return c.Expect(func() error { return journal.ErrFenced }, `INSERT INTO snapshots (run, fence, attempt, started, answered, data, sum)
			SELECT id, fence, ?, ?, ?, ?, ? FROM runs WHERE id = ? AND fence = ?`+s.db.Dialect().ForUpdate+`
			ON CONFLICT (run) DO UPDATE SET fence = excluded.fence, attempt = excluded.attempt, started = excluded.started,
			answered = excluded.answered, data = excluded.data, sum = excluded.sum`,
			int64(n.Attempt), int64(n.Started), int64(n.Answered), data, snapshotSum(&n), n.Run, n.Fence)
	})
}

// Snapshot implements journal.Journal.
func (s journalStore) Snapshot(ctx context.Context, run string) (*journal.Snapshot, error) {
	var found *journal.Snapshot
	err := s.db.Read(ctx, func(rows Row) (err error) {
		found, err = scanSnapshot(rows)
		return err
	}, `SELECT run, fence, attempt, started, answered, data, sum FROM snapshots WHERE run = ?`, run)
	return found, err
}

func scanSnapshot(rows Row) (*journal.Snapshot, error) {
	var sum int64
	n := &journal.Snapshot{}
	if err := rows.Scan(&n.Run, &n.Fence, &n.Attempt, &n.Started, &n.Answered, &n.Data, &sum); err != nil {
		return nil, err
	}
	if sum != snapshotSum(n) {
		return nil, fmt.Errorf("snapshot of run %s: %w", n.Run, journal.ErrDamaged)
	}
	return n, nil
}

// column returns the texts of the first column.
func column(c Tx, query string, args ...any) ([]string, error) {
	var texts []string
	err := c.Query(func(row []Value) error {
		text, _ := row[0].(string)
		texts = append(texts, text)
		return nil
	}, query, args...)
	return texts, err
}

// referencesPage is how many digests are read before they are handed on, so
// that no slow caller keeps the log from being emptied.
const referencesPage = 1000

// References implements journal.Journal.
func (s journalStore) References(ctx context.Context, f func(digest string) error) error {
	return s.pages(ctx, f, `SELECT DISTINCT digest FROM blob_refs WHERE digest > ? ORDER BY digest LIMIT ?`)
}

// pages calls f with the texts of a query, page by page. The query's arguments
// are the last text of the page before, and the size of a page.
func (s *Store) pages(ctx context.Context, f func(string) error, query string) error {
	for after := ""; ; {
		page := make([]string, 0, referencesPage)
		err := s.db.Read(ctx, func(rows Row) error {
			var text string
			err := rows.Scan(&text)
			page = append(page, text)
			return err
		}, query, after, referencesPage)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, text := range page {
			if err := f(text); err != nil {
				return err
			}
		}
		after = page[len(page)-1]
	}
}
